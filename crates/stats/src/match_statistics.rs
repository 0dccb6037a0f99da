//! All statistics of a match of two engines, in one value.

use serde::Serialize;

use super::anytime::{AnytimeInterval, anytime_interval};
use super::counts::Trinomial;
use super::elo::elo_from_score;
use super::interval::{
    DeltaInterval, FastchessInterval, FishtestInterval, StudentInterval, delta, fastchess,
    fishtest, likelihood_of_superiority, student,
};
use super::normalized::{
    NormalizedElo, RegularizedNormalizedElo, normalized_elo, regularized_normalized_elo,
};
use super::profile::{ProfileInterval, profile_interval};
use super::ratios::{PairRatios, pair_ratios};
use super::sample::Sample;
use super::start_pairs::StartPairs;

/// Fewer pairs, or games, do not show a probability by a normal law.
pub const FEWEST_FOR_SUPERIORITY: f64 = 20.0;

/// Level of every interval unless the user asks for another.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// Statistics of one match, from one engine's point of view. Parts that the results
/// do not define, such as a normal-theory interval without variance, are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchStatistics {
    /// Number of observations: pairs, or games where no pairs are known.
    pub n: f64,
    /// Mean score.
    pub score: f64,
    /// Elo difference of the mean score: the headline, with the interval `profile`.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub elo: f64,
    /// Likelihood of superiority; `None` where all results are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub los: Option<f64>,
    /// Variance of one observation's score, divisor n.
    pub variance: f64,
    /// The headline interval.
    pub profile: ProfileInterval,
    /// The interval that may be watched while the match runs.
    pub anytime: AnytimeInterval,
    /// Interval and LOS as Fishtest prints them.
    pub fishtest: FishtestInterval,
    /// Interval and LOS as fastchess prints them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fastchess: Option<FastchessInterval>,
    /// Interval as OpenBench prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openbench: Option<StudentInterval>,
    /// Interval by the delta method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<DeltaInterval>,
    /// Normalised Elo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nelo: Option<NormalizedElo>,
    /// Normalised Elo with zero counts replaced by 1e-3.
    pub nelo_regularized: RegularizedNormalizedElo,
    /// Ratios of the pairs, where pairs are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratios: Option<PairRatios>,
}

impl MatchStatistics {
    /// Statistics of whole pairs at `level`; `None` without pairs.
    pub fn of_pairs(pairs: &StartPairs, level: f64) -> Option<Self> {
        let ratios = pair_ratios(pairs.pairs(), level);
        let anytime = pairs.always_valid(level)?;
        Self::of_sample(&Sample::from(*pairs.pairs()), ratios, anytime, level)
    }

    /// Statistics of single games at `level`; `None` without games.
    pub fn of_games(counts: &Trinomial, level: f64) -> Option<Self> {
        let sample = Sample::from(*counts);
        let anytime = anytime_interval(&sample, level)?;
        Self::of_sample(&sample, None, anytime, level)
    }

    fn of_sample(
        sample: &Sample,
        ratios: Option<PairRatios>,
        anytime: AnytimeInterval,
        level: f64,
    ) -> Option<Self> {
        let moments = sample.moments()?;
        Some(Self {
            n: moments.n,
            score: moments.mean,
            elo: elo_from_score(moments.mean),
            los: likelihood_of_superiority(&moments),
            variance: moments.variance,
            profile: profile_interval(sample, level),
            anytime,
            fishtest: fishtest(sample, level)?,
            fastchess: fastchess(sample, level),
            openbench: student(sample, level),
            delta: delta(sample, level),
            nelo: normalized_elo(sample, level),
            nelo_regularized: regularized_normalized_elo(sample, level)?,
            ratios,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Pentanomial;

    fn statistics(pairs: [u64; 5]) -> Option<MatchStatistics> {
        let pairs = StartPairs::on_own_starts(Pentanomial(pairs));
        MatchStatistics::of_pairs(&pairs, DEFAULT_LEVEL)
    }

    #[test]
    fn an_empty_match_has_no_statistics() {
        assert_eq!(statistics([0; 5]), None);
    }

    #[test]
    fn json_has_no_undefined_numbers() {
        let swept = statistics([0, 0, 0, 0, 4]).unwrap();
        let json = serde_json::to_value(swept).unwrap();
        assert_eq!(json["profile"]["elo_hi"], "inf");
        assert_eq!(json["ratios"]["pairs_ratio"], "inf");
        assert!(json.get("nelo").is_none());
    }
}
