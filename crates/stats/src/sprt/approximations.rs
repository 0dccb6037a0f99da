//! Closed-form approximations of the log-likelihood ratio, for diagnosis only.
//!
//! A test that stops on these stops within the first pairs and is wrong in a third
//! of all cases at a draw rate of one half; see [`super::llr`] for the exact ratio.

use super::llr::Model;
use crate::elo::{NORMALIZED_ELO_SCALE, score_from_elo};
use crate::normalized::sigma_per_game;
use crate::sample::{Moments, Sample};

/// The ratio of mean squared distances from the two hypotheses.
///
/// Logistic: (N/2) ln[(v + (μ-s0)²) / (v + (μ-s1)²)]; normalised: (games/2)
/// ln[(1 + (nt-nt0)²) / (1 + (nt-nt1)²)]. `None` for an empty sample.
pub fn llr_alt(model: Model, [elo0, elo1]: [f64; 2], sample: &Sample) -> Option<f64> {
    let (sample, moments) = regularized(sample)?;
    let (weight, numerator, denominator) = match model {
        Model::Normalized => {
            let nt = (moments.mean - 0.5) / sigma_per_game(&sample, &moments);
            let distance = |elo: f64| 1.0 + (nt - elo / NORMALIZED_ELO_SCALE).powi(2);
            let games = moments.n * sample.games_per_observation();
            (games, distance(elo0), distance(elo1))
        }
        Model::Logistic | Model::Bayesian => {
            let distance =
                |elo: f64| moments.variance + (moments.mean - score_from_elo(elo)).powi(2);
            (moments.n, distance(elo0), distance(elo1))
        }
    };
    Some(0.5 * weight * (numerator / denominator).ln())
}

/// The normal approximation N (s1-s0)(2μ-s0-s1)/(2v) for logistic bounds; `None` for
/// an empty sample.
pub fn llr_alt2([elo0, elo1]: [f64; 2], sample: &Sample) -> Option<f64> {
    let (_, moments) = regularized(sample)?;
    let (s0, s1) = (score_from_elo(elo0), score_from_elo(elo1));
    Some(moments.n * (s1 - s0) * (2.0 * moments.mean - s0 - s1) / (2.0 * moments.variance))
}

fn regularized(sample: &Sample) -> Option<(Sample, Moments)> {
    if sample.is_empty() {
        return None;
    }
    let sample = sample.regularized();
    Some((sample, sample.moments()?))
}
