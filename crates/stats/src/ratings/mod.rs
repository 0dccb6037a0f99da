//! Ratings of many engines.
//!
//! * [`connectivity`]: which engines can be rated at all, and why not; the games summarised once for everything below
//! * [`models`]: the logistic mean model and Davidson's model of one game; the places of the parameters
//! * `information`: what the games tell of the parameters, solved without a matrix, by way of a `preconditioner`
//! * [`fit`]: Newton's method for both, with White's advantage and anchors
//! * [`errors`]: sandwich errors, clustered by game, pair or position
//! * `list`: errors of more engines than a matrix of every two is made for
//! * [`table`]: ratings in Elo with intervals
//! * [`ranks`]: likelihood of superiority, rank probabilities, rank sets; every two engines, with intervals that hold together
//! * [`report`]: all of it, and Davidson's model, in one serialisable value

pub mod connectivity;
pub mod errors;
pub mod fit;
mod information;
mod list;
pub mod models;
pub mod ranks;
pub mod report;
pub mod table;

pub use connectivity::{Connectivity, RatingInput, Unrated};
pub use errors::{ClusterUnit, ClusteredErrors};
pub use fit::{FitError, ModelFit};
pub use models::GameModel;
pub use table::{RatingTable, RatingWarning};

/// Elo points in one natural logarithm of odds: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 173.717_792_761_300_73;

/// The Elo difference of an expected score strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -ELO_PER_LOGIT * (1.0 / score - 1.0).ln()
}
