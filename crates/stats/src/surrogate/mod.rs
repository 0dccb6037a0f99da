//! Evaluations as a surrogate for results in the first-move advantage.
//!
//! Where nearly every game is drawn, results alone say little. A calibrated
//! expected score from the evaluation at a fixed ply, the *surrogate*, varies
//! less from game to game than the result does. Per position the mean result
//! is split into the surrogate's mean and the mean *residual* (result less
//! surrogate); the residual is pooled over positions with a variance component
//! of its own. Where the calibration holds everywhere, the residuals have
//! nothing to add and the interval shrinks to the surrogate's; where it fails,
//! the residuals take over; with many pairs the result alone decides. This is
//! prediction-powered inference (Angelopoulos et al. 2023) with a random
//! effect for the bias of the prediction.
//!
//! What it cannot do: with few pairs a bias at a handful of positions stays
//! below the noise, and the intervals of just these positions are then too
//! narrow, although those of all positions together keep their level.
//!
//! It stands beside the first-move advantage of the results, never in its
//! place.
//!
//! * [`calibration`]: win, draw and loss fitted to evaluation and ply
//! * [`pairs`]: results, surrogates and residuals of the pairs by position
//! * `bias`: where the calibration is wrong, and by how much
//! * [`combined`]: both estimates of each position, and the gain

mod bias;
pub mod calibration;
pub mod combined;
pub mod pairs;

pub use calibration::Calibration;
pub use combined::{SurrogatePosition, SurrogateReport};

use super::games::GameScore;

/// What a game's evaluations say at the chosen ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surrogate {
    /// White's evaluation in pawns, at this ply.
    Evaluation {
        /// In pawns, from White's side; a mate is any large number.
        pawns: f64,
        /// The ply it belongs to (the chosen one, or one near it).
        ply: u32,
    },
    /// The game was over before that ply: the surrogate is the result.
    Decided,
    /// No evaluation was stored.
    Missing,
}

/// A game with its surrogate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurrogateGame {
    /// Start number.
    pub start: u32,
    /// The complete colour-swapped pair it belongs to.
    pub pair: u32,
    /// Its result.
    pub result: GameScore,
    /// Its surrogate.
    pub surrogate: Surrogate,
}

/// Why there is no combined estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurrogateError {
    /// Cross-fitting and pooling need at least this many positions.
    #[error("{0} positions with evaluations are too few")]
    TooFewPositions(usize),
    /// The spread of residuals within positions is not known: most positions
    /// have a single pair.
    #[error("only {0} repeated pairs: the spread within positions is not known")]
    TooFewPairs(usize),
    /// The calibration could not be fitted.
    #[error("the evaluations could not be calibrated")]
    NotCalibrated,
}
