//! Sequential tests: is engine A better than engine B by this much?
//!
//! | file | what |
//! |---|---|
//! | `hypotheses` | bounds, error rates and model of a test, checked |
//! | `constrained` | likelihood under a given mean score |
//! | `constrained_t` | likelihood under a given normalised difference |
//! | `llr` | the log-likelihood ratio |

pub mod constrained;
pub mod constrained_t;
pub mod hypotheses;
pub mod llr;

pub use hypotheses::{Hypotheses, HypothesesError, Model};
pub use llr::log_likelihood_ratio;
