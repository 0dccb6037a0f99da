//! The Elo scale: 400 points are odds of ten to one.

use serde::{Serialize, Serializer};
use std::f64::consts::LN_10;

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
