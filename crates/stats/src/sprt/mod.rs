//! Sequential tests: is engine A better than engine B by this much?
//!
//! | file | what |
//! |---|---|
//! | `hypotheses` | bounds and error rates of a test, checked; Siegmund's correction of the bounds; bounds in BayesElo's scale, and cutechess' ratio |
//! | `llr` | the exact log-likelihood ratio, and the scales of bounds; likelihood under a given normalised difference; likelihood under a given mean score |
//! | `sequential` | a running test, fed with pairs |
//! | `brownian` | the ratio as a motion between two bounds; bounds of a test that decides at a given pair at the latest |
//! | `stagewise` | estimates after the stop |
//! | `characteristics` | chance and duration of a test |

pub mod brownian;
pub mod characteristics;
pub mod hypotheses;
pub mod llr;
pub mod sequential;
pub mod stagewise;

pub use hypotheses::Hypotheses;
pub use llr::{Model, log_likelihood_ratio};
pub use sequential::{DEFAULT_BATCH, Decision, Sprt, SprtStatus, TestUnit};
pub use stagewise::{StagewiseEstimate, StoppedTest};
