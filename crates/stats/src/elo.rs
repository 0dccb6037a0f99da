//! The Elo scale: 400 points are odds of ten to one.

use std::f64::consts::LN_10;

use serde::{Serialize, Serializer};

use crate::counts::{Moments, Sample};
use crate::numeric::distributions::{student_quantile, two_sided_factor};

/// nElo of one standard deviation per game: 800 / ln 10.
pub const NORMALIZED_ELO_SCALE: f64 = 800.0 / LN_10;

/// Elo difference of a mean score: -400 log₁₀(1/s - 1); infinite at 0 and 1.
pub fn elo_from_score(score: f64) -> f64 {
    // Zero is written without a sign.
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10() + 0.0
}

/// Mean score of an Elo difference: 1 / (1 + 10^(-elo/400)).
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Slope of Elo against score: 400 / (ln 10 s (1-s)), 694.87 at one half.
pub fn elo_per_score(score: f64) -> f64 {
    400.0 / (LN_10 * score * (1.0 - score))
}

/// Writes a number that may be infinite; JSON has no such numbers, so they become
/// the words `inf` and `-inf`, and what is not defined `null`.
pub fn serialize_extended<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        v if v.is_nan() => serializer.serialize_none(),
        f64::INFINITY => "inf".serialize(serializer),
        f64::NEG_INFINITY => "-inf".serialize(serializer),
        v => v.serialize(serializer),
    }
}

/// As [`serialize_extended`], an undefined number being `null`.
pub fn serialize_undefined<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serialize_extended(&value.unwrap_or(f64::NAN), serializer)
}

// Normalised Elo: the difference in units of the noise of a game.
//
// The nElo of two engines shows how many games it takes to distinguish them, and hardly depends on the draw rate (M.
// Van den Bergh, "Normalized Elo").

/// Normalised Elo of a sample with some variance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NormalizedElo {
    /// (800 / ln 10) (μ - 1/2) / σ_pg.
    pub nelo: f64,
    /// Half width of the interval if σ were known (fastchess).
    pub error_fixed_sigma: f64,
    /// Half width with the variance of the estimated σ (Fishtest's `t_conf`).
    pub error_full: f64,
    /// The larger of both, with Student's t: the one to show.
    pub error: f64,
}

/// Normalised Elo; `None` without variance.
pub fn normalized_elo(sample: &Sample, level: f64) -> Option<NormalizedElo> {
    let moments = sample.moments().filter(|moments| moments.variance > 0.0)?;
    let games = sample.games_per_observation();
    let factor = two_sided_factor(level) * NORMALIZED_ELO_SCALE;
    let sigma_pg = (games * moments.variance).sqrt();
    let t = (moments.mean - 0.5) / moments.variance.sqrt();
    let error_full = factor / games.sqrt() * (t_variance(&moments, t) / moments.n).sqrt();
    let error_fixed_sigma = factor / (games * moments.n).sqrt();
    let student = student_quantile(0.5 + 0.5 * level, (moments.n - 1.0).max(1.0))?;
    Some(NormalizedElo {
        nelo: NORMALIZED_ELO_SCALE * (moments.mean - 0.5) / sigma_pg,
        error_fixed_sigma,
        error_full,
        // Where few pairs are decided, and alike, their skewness would halve the error.
        error: error_full.max(error_fixed_sigma) * student / two_sided_factor(level),
    })
}

/// Asymptotic variance of t = (μ-1/2)/√v times N, both moments being estimated.
fn t_variance(moments: &Moments, t: f64) -> f64 {
    let shape = 1.0 - t * moments.skewness + t * t * (moments.excess_kurtosis + 2.0) / 4.0;
    shape.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -12.5, 0.0, 3.25, 400.0] {
            assert!((elo_from_score(score_from_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_from_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_from_score(1.0), f64::INFINITY);
        assert!((elo_per_score(0.5) - 694.871).abs() < 1e-3);
    }
}

#[cfg(test)]
mod normalized_tests {
    use super::*;
    use crate::counts::Pentanomial;

    #[test]
    fn the_estimated_spread_widens_the_interval_far_from_equality() {
        let even = normalized_elo(&Pentanomial([5, 20, 50, 20, 5]).into(), 0.95).unwrap();
        assert_eq!(even.error_full, even.error_fixed_sigma);
        let crushing = normalized_elo(&Pentanomial([1, 2, 5, 12, 40]).into(), 0.95).unwrap();
        assert!(crushing.error_full > 2.0 * crushing.error_fixed_sigma);
    }

    #[test]
    fn equal_results_have_no_normalised_elo() {
        let drawn = Sample::from(Pentanomial([0, 0, 9, 0, 0]));
        assert!(normalized_elo(&drawn, 0.95).is_none());
    }
}
