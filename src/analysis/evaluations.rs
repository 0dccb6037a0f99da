//! The evaluation of a game at one ply, a surrogate for its result.

use crate::stats::surrogate::Surrogate;
use crate::uci::Score;

/// The ply at which evaluations are taken: the opening is over, little is decided.
pub(crate) const EVALUATION_PLY: u32 = 24;

/// An evaluation this many plies older than [`EVALUATION_PLY`] still counts.
const OLDEST: u32 = 3;

/// What a mate counts as, in pawns.
const MATE: f64 = 100.0;

/// Follows a game to the chosen ply.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EvaluationSearch {
    found: Option<(f64, u32)>,
}

impl EvaluationSearch {
    /// The move that made `ply` half-moves had this score, from White's side.
    pub(crate) fn see(&mut self, ply: u32, white: Score) {
        if (EVALUATION_PLY - OLDEST..=EVALUATION_PLY).contains(&ply) {
            self.found = Some((pawns(white), ply));
        }
    }

    /// What a game with this number of plies says.
    pub(crate) fn surrogate(&self, plies: u32) -> Surrogate {
        match self.found {
            _ if plies < EVALUATION_PLY => Surrogate::Decided,
            Some((pawns, ply)) => Surrogate::Evaluation { pawns, ply },
            None => Surrogate::Missing,
        }
    }
}

fn pawns(score: Score) -> f64 {
    match score {
        Score::Centipawns(centipawns) => f64::from(centipawns) / 100.0,
        Score::Mate(moves) if moves > 0 => MATE,
        Score::Mate(_) => -MATE,
    }
}

/// A score seen by the other side.
pub(super) fn reversed(score: Score) -> Score {
    match score {
        Score::Centipawns(centipawns) => Score::Centipawns(-centipawns),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}
