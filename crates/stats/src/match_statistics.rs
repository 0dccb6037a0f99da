//! All statistics of a match of two engines, in one value.

use serde::Serialize;

use crate::counts::{PairCounts, Pentanomial, Sample, Trinomial};
use crate::elo::{NormalizedElo, elo_from_score, normalized_elo};
use crate::interval::{
    DeltaInterval, FastchessInterval, FishtestInterval, ProfileInterval, StudentInterval, delta,
    fastchess, fishtest, likelihood_of_superiority, profile_interval, student,
};
use crate::numeric::distributions::two_sided_factor;
use crate::start_pairs::{AnytimeInterval, StartPairs, anytime_interval};

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
            ratios,
        })
    }
}

// Ratios of pairs and games: draws, decided pairs, what the positions contribute.

/// Ratios of a pentanomial.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairRatios {
    /// Number of pairs.
    pub pairs: u64,
    /// Won pairs by lost pairs, (WW + WD) / (LD + LL); infinite if none was lost,
    /// `None` if none was decided.
    #[serde(serialize_with = "super::elo::serialize_undefined")]
    pub pairs_ratio: Option<f64>,
    /// Share of the middle pairs, (LW + DD) / pairs.
    pub draw_ratio_penta: f64,
    /// Lower end of the interval of the pair ratio, where both kinds occurred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs_ratio_lo: Option<f64>,
    /// Upper end of the interval of the pair ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs_ratio_hi: Option<f64>,
}

/// See [`PairRatios`]; `None` for an empty sample. The interval is normal in the
/// logarithm: R exp(±z √(1/won + 1/lost)).
pub fn pair_ratios(counts: &Pentanomial, level: f64) -> Option<PairRatios> {
    let pairs = counts.pairs();
    if pairs == 0 {
        return None;
    }
    let [ll, ld, middle, wd, ww] = counts.0.map(|count| count as f64);
    let (lost, won) = (ll + ld, wd + ww);
    let pairs_ratio = (won + lost > 0.0).then(|| won / lost);
    let spread = two_sided_factor(level) * (1.0 / won + 1.0 / lost).sqrt();
    let end = |sign: f64| {
        spread
            .is_finite()
            .then(|| won / lost * (sign * spread).exp())
    };
    Some(PairRatios {
        pairs,
        pairs_ratio,
        draw_ratio_penta: middle / pairs as f64,
        pairs_ratio_lo: end(-1.0),
        pairs_ratio_hi: end(1.0),
    })
}

/// What the middle pairs were, which the pentanomial does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MiddlePairs {
    /// Pairs with a win each.
    pub win_loss: u64,
    /// Pairs with two draws.
    pub two_draws: u64,
}

/// Splits the middle pairs: DD = (D - LD - WD) / 2.
pub fn middle_pairs(counts: &PairCounts) -> MiddlePairs {
    let [_, ld, middle, wd, _] = counts.pairs.0;
    let two_draws = counts.games.draws().saturating_sub(ld).saturating_sub(wd) / 2;
    MiddlePairs {
        win_loss: middle.saturating_sub(two_draws),
        two_draws,
    }
}

/// Share of drawn games; `None` without games.
pub fn draw_ratio(games: &Trinomial) -> Option<f64> {
    let all = games.games();
    (all > 0).then(|| games.draws() as f64 / all as f64)
}

/// How much of the noise of a game is the start position, which pairing removes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PositionBias {
    /// Variance of a game's score.
    pub var_game: f64,
    /// Twice the variance of a pair's score: per game, if pairs are the unit.
    pub var_pair_per_game: f64,
    /// The design effect, their ratio: below 1, pairing pays.
    pub ratio: f64,
    /// Root mean square of White's edge over the positions played, in score:
    /// √(mean² + SD²), 0 where the estimate of its square is negative.
    pub rms_bias: f64,
    /// The same in Elo.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub rms_bias_elo: f64,
}

/// See [`PositionBias`] (Fishtest's "RMS bias"); zero counts are regularised first.
/// `None` for empty counts.
pub fn position_bias(counts: &PairCounts) -> Option<PositionBias> {
    if counts.pairs.pairs() == 0 || counts.games.games() == 0 {
        return None;
    }
    let var_game = Sample::from(counts.games).regularized().moments()?.variance;
    let var_pair_per_game = 2.0 * Sample::from(counts.pairs).regularized().moments()?.variance;
    let ratio = var_pair_per_game / var_game;
    let rms_bias = (var_game - var_pair_per_game).max(0.0).sqrt();
    Some(PositionBias {
        var_game,
        var_pair_per_game,
        ratio,
        rms_bias,
        rms_bias_elo: elo_from_score(0.5 + rms_bias),
    })
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

#[cfg(test)]
mod ratios_tests {
    use super::*;
    use crate::counts::GameScore::{Draw, Loss, Win};
    use crate::counts::PairScore;

    #[test]
    fn undecided_and_one_sided_matches_have_no_ratio_interval() {
        let drawn = pair_ratios(&Pentanomial([0, 0, 7, 0, 0]), 0.95).unwrap();
        assert_eq!((drawn.pairs_ratio, drawn.pairs_ratio_lo), (None, None));
        let won = pair_ratios(&Pentanomial([0, 0, 7, 1, 0]), 0.95).unwrap();
        assert_eq!(
            (won.pairs_ratio, won.pairs_ratio_hi),
            (Some(f64::INFINITY), None)
        );
    }

    #[test]
    fn double_draws_are_told_from_a_win_each() {
        let pairs = [
            (Draw, Draw),
            (Win, Loss),
            (Win, Loss),
            (Draw, Win),
            (Loss, Draw),
        ];
        let counts = pairs
            .into_iter()
            .map(|(a, b)| PairScore::new(a, b))
            .collect();
        assert_eq!(
            middle_pairs(&counts),
            MiddlePairs {
                win_loss: 2,
                two_draws: 1
            }
        );
        assert_eq!(draw_ratio(&counts.games), Some(0.4));
    }

    #[test]
    fn positions_that_decide_every_game_are_all_bias() {
        let counts: PairCounts = (0..50).map(|_| PairScore::new(Win, Loss)).collect();
        let bias = position_bias(&counts).unwrap();
        assert!((bias.rms_bias - 0.5).abs() < 1e-3 && bias.ratio < 1e-3);
    }
}
