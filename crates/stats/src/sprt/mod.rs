//! Sequential tests: is engine A better than engine B by this much?
//!
//! | file | what |
//! |---|---|
//! | `hypotheses` | bounds and error rates of a test, checked |
//! | `constrained` | likelihood under a given mean score |
//! | `constrained_t` | likelihood under a given normalised difference |
//! | `llr` | the exact log-likelihood ratio, and the scales of bounds |
//! | `bayeselo` | bounds in BayesElo's scale, and cutechess' ratio |
//! | `overshoot` | Siegmund's correction of the bounds |
//! | `sequential` | a running test, fed with pairs |
//! | `brownian` | the ratio as a motion between two bounds |
//! | `stagewise` | estimates after the stop |
//! | `characteristics` | chance and duration of a test |
//! | `truncated` | bounds of a test that decides at a given pair at the latest |

pub mod bayeselo;
pub mod brownian;
pub mod characteristics;
pub mod constrained;
pub mod constrained_t;
pub mod hypotheses;
pub mod llr;
pub mod overshoot;
pub mod sequential;
pub mod stagewise;
pub mod truncated;

pub use hypotheses::{Hypotheses, HypothesesError};
pub use llr::{Model, log_likelihood_ratio};
pub use sequential::{DEFAULT_BATCH, Decision, Sprt, SprtStatus, TestUnit};
pub use stagewise::{StagewiseEstimate, StoppedTest};
