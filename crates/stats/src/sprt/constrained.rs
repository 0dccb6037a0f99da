//! Greatest likelihood of a sample under a given mean score.

use crate::numeric::secular::secular_root;
use crate::sample::Sample;

/// Nearest distance of a hypothetical mean score from 0 and 1: ±4,800 Elo.
const SCORE_MARGIN: f64 = 1e-12;

/// max Σ pᵢ ln(qᵢ/pᵢ) per observation over all laws q with mean `score`.
///
/// At most 0; finite for samples without zero counts. qᵢ = pᵢ/(1 + θ(aᵢ-s)), the
/// secular equation of M. Van den Bergh's "support MLE multinomial".
pub fn log_likelihood_at_mean(sample: &Sample, score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    let frequencies = sample.frequencies();
    let mut distances = [0.0; 5];
    for (distance, a) in distances.iter_mut().zip(sample.lattice()) {
        *distance = a - score;
    }
    let cells = sample.lattice().len();
    let (frequencies, distances) = (&frequencies[..cells], &distances[..cells]);
    // Both ends of the lattice lie beyond every score in (0, 1).
    let theta = secular_root(frequencies, distances).unwrap_or(0.0);
    log_likelihood(frequencies, distances, theta)
}

/// -Σ pᵢ ln(1 + x fᵢ), the loss of a tilted law against the observed one.
pub(super) fn log_likelihood(frequencies: &[f64], values: &[f64], x: f64) -> f64 {
    let observed = frequencies.iter().zip(values).filter(|(p, _)| **p > 0.0);
    // A root next to a pole may round to it: stay on the side of finite numbers.
    -observed
        .map(|(p, f)| p * (x * f).max(-1.0 + f64::EPSILON).ln_1p())
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Trinomial;

    #[test]
    fn nothing_is_lost_at_the_observed_mean() {
        let sample = Sample::from(Trinomial([10, 30, 20]));
        let mean = sample.moments().unwrap().mean;
        assert!(log_likelihood_at_mean(&sample, mean).abs() < 1e-15);
        assert!(log_likelihood_at_mean(&sample, mean + 0.1) < -0.01);
    }

    #[test]
    fn absurd_scores_stay_finite() {
        let sample = Sample::from(Trinomial([50, 0, 0])).regularized();
        assert!(log_likelihood_at_mean(&sample, 1.0).is_finite());
    }
}
