//! The generalised log-likelihood ratio of two hypotheses.
//!
//! LLR = max log L under H1 - max log L under H0 over all multinomial laws (Li, Liu
//! & Ying 2014; M. Van den Bergh): exact, not a normal approximation, which stops
//! within the first pairs and then errs in a third of all tests.

use serde::{Deserialize, Serialize};

use super::constrained::log_likelihood_at_mean;
use super::constrained_t::log_likelihood_at_t;
use crate::elo::{NORMALIZED_ELO_SCALE, score_from_elo};
use crate::sample::Sample;

/// The scale in which the bounds are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: the same effort whatever the draw rate.
    #[default]
    Normalized,
    /// Elo of the mean score.
    Logistic,
    /// BayesElo at the draw rate observed; for comparison with old tests only.
    Bayesian,
}

/// The logarithm of the likelihood ratio of `elo1` against `elo0`.
///
/// Zero counts become 1e-3 as in Fishtest, without which published values cannot be
/// reproduced; 0 for an empty sample. Finite for every sample and all finite bounds.
/// [`Model::Bayesian`] bounds must have been converted (see [`super::bayeselo`]);
/// here they are read as logistic.
pub fn log_likelihood_ratio(model: Model, [elo0, elo1]: [f64; 2], sample: &Sample) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let sample = sample.regularized();
    let loss = |elo| match model {
        Model::Normalized => log_likelihood_at_t(&sample, t_from_nelo(&sample, elo)),
        Model::Logistic | Model::Bayesian => log_likelihood_at_mean(&sample, score_from_elo(elo)),
    };
    sample.observations() * (loss(elo1) - loss(elo0))
}

/// (mean - 1/2)/sd of one observation for a normalised Elo.
fn t_from_nelo(sample: &Sample, nelo: f64) -> f64 {
    sample.games_per_observation().sqrt() * nelo / NORMALIZED_ELO_SCALE
}

/// The ratio nearer to 0 of the two; 0 where they contradict each other.
pub(super) fn weaker(one: f64, other: f64) -> f64 {
    if one.signum() == other.signum() {
        one.signum() * one.abs().min(other.abs())
    } else {
        0.0
    }
}
