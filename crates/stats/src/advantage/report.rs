//! The report on the first-move advantage. Field names are the same as in `stats --format json`.

use serde::{Serialize, Serializer};

use crate::estimate::Cluster;
use crate::estimate::laws::EqualStrength;
use crate::estimate::spread::CochranQ;
use crate::numeric::SplitMix;
use crate::numeric::distributions::student_quantile;

/// All of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AdvantageReport {
    /// The engines: an advantage is theirs, not the position's alone.
    pub engines: Vec<String>,
    /// Games counted.
    pub games: usize,
    /// Share of drawn games.
    pub draw_rate: Option<f64>,
    /// White's mean over positions between these engines, each position alike.
    pub mean: Option<MeanAdvantage>,
    /// The same if the engines were equally strong, by three laws of draws; self-play needs none.
    pub equal_strength: Option<EqualStrength>,
    /// How much positions differ.
    pub spread: Option<SpreadReport>,
    /// Why the spread is not reported.
    pub spread_reason: Option<String>,
    /// Elo within which every position lies around the mean, all intervals holding together.
    pub farthest_elo: Option<f64>,
    /// Fewest and most pairs of a position, where no position can be named by a few.
    pub unbalanced: Option<[u32; 2]>,
    /// Variance of one pair around its position's mean, each position alike.
    pub unit_variance: Option<f64>,
    /// Mirror twins.
    pub mirror: Option<MirrorTwins>,
    /// That no difference of two engines' scores depends on the position.
    pub interaction_p: Option<f64>,
    /// Positions equivalent to the mean, where that was asked for.
    pub equivalence: Option<Equivalence>,
    /// One entry a position.
    #[serde(serialize_with = "by_start")]
    pub positions: Vec<PositionReport>,
}

/// White's mean advantage and two errors: they answer different questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanAdvantage {
    /// White's mean score over positions.
    pub score: f64,
    /// The same in Elo.
    pub elo: f64,
    /// Half width of the interval for just these positions: only the games are chance.
    pub elo_error_these: Option<f64>,
    /// Half width of the interval for positions like these: they are a sample, too.
    pub elo_error_all: Option<f64>,
    /// Positions with games.
    pub positions: usize,
}

/// Standard deviation of just these positions' true advantages, Elo near the mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpreadReport {
    /// Estimate.
    pub sd_elo: f64,
    /// Lower end of its interval.
    pub sd_elo_lo: f64,
    /// Upper end: positions differ by at most this.
    pub sd_elo_hi: f64,
    /// That they do not differ.
    pub p_value: f64,
    /// Positions with two pairs or more; the others do not contribute.
    pub positions: usize,
    /// Cochran's Q, where each position has many games.
    #[serde(flatten)]
    pub cochran: Option<CochranQ>,
}

/// Positions that differ from the mean by less than matters.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Equivalence {
    /// What does not matter, Elo.
    pub margin_elo: f64,
    /// Positions that lie within it with at least the level's probability.
    pub positions: usize,
}

/// The only three things a report says about a position's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankVerdict {
    /// More favourable to White than the average position.
    AboveAverage,
    /// Less favourable to White than the average position.
    BelowAverage,
    /// Not distinguishable from the average.
    NotDistinguishable,
}

/// One position.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PositionReport {
    /// The start.
    #[serde(skip)]
    pub start: u32,
    /// What the position is called where it has no start number.
    #[serde(skip)]
    pub name: Option<String>,
    /// Games.
    pub games: u32,
    /// Complete pairs.
    pub pairs: u32,
    /// White's mean score.
    pub raw: Option<f64>,
    /// Squared standard error of that.
    pub variance: Option<f64>,
    /// The score drawn towards the mean by its noise.
    pub shrunk: Option<f64>,
    /// Standard deviation of that.
    pub shrunk_sd: Option<f64>,
    /// Share of it that is the position's own.
    pub reliability: Option<f64>,
    /// Elo of the shrunken score.
    pub elo: Option<f64>,
    /// Lower end of its interval; `None` if it is not finite.
    pub elo_lo: Option<f64>,
    /// Upper end.
    pub elo_hi: Option<f64>,
    /// Lower end of the interval by the position's own games.
    pub own_elo_lo: Option<f64>,
    /// Upper end.
    pub own_elo_hi: Option<f64>,
    /// Lower end of the interval that holds together with those of all other positions.
    pub simultaneous_elo_lo: Option<f64>,
    /// Upper end.
    pub simultaneous_elo_hi: Option<f64>,
    /// Probability that the position lies above the mean.
    pub p_above_mean: Option<f64>,
    /// Probability of the other sign.
    pub lfsr: Option<f64>,
    /// That the position lies within 5 Elo of the mean.
    pub p_value: Option<f64>,
    /// Share of such positions among those at least as clear, at most.
    pub svalue: Option<f64>,
    /// Probability that it lies above number 518.
    #[serde(rename = "p_above_518")]
    pub p_above_reference: Option<f64>,
    /// Probability that it differs from the mean by less than matters.
    pub p_equivalent: Option<f64>,
    /// Which claim about the rank is justified.
    pub verdict: Option<RankVerdict>,
}

/// Positions as an object whose keys are start numbers, or names where there is no number.
fn by_start<S: Serializer>(positions: &[PositionReport], serializer: S) -> Result<S::Ok, S::Error> {
    let key = |own: &PositionReport| own.name.clone().unwrap_or_else(|| own.start.to_string());
    serializer.collect_map(positions.iter().map(|own| (key(own), own)))
}

// Mirror twins. A Chess960 position and its left-right mirror differ only by
// castling, and none is its own mirror: 480 classes of two. If twins agree,
// their games may be pooled.

/// Covariance of the scores of a position and its mirror.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MirrorTwins {
    /// Pairs of twins.
    pub classes: usize,
    /// Mean product of the deviations from the mean of all.
    pub cov: f64,
    /// Its standard error over the pairs of twins, each with its own noise.
    pub se: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// That twins share no more than other starts, against that they agree.
    pub p_value: f64,
}

/// Fewer pairs of twins have no error.
pub const FEWEST_CLASSES: usize = 10;

/// Starts that must make up the deviations from the mean, or a fifth of all.
const CARRIED_BY: f64 = 12.0;
/// Random exchanges of partners behind the p value.
const EXCHANGES: usize = 1999;

impl MirrorTwins {
    /// Of clusters in the order of starts; `None` with too few twins, or where nearly all have the same deviation, so that
    /// a handful of starts would decide. The p value comes from exchanges of partners, which need no law.
    pub fn new(
        clusters: &[Cluster],
        mirror_of: impl Fn(u32) -> Option<u32>,
        level: f64,
    ) -> Option<Self> {
        let twins = |one: &Cluster| {
            let twin = mirror_of(one.start).filter(|twin| *twin > one.start)?;
            let place = clusters.binary_search_by_key(&twin, |c| c.start).ok()?;
            Some([one.mean(), clusters[place].mean()])
        };
        let means: Vec<[f64; 2]> = clusters.iter().filter_map(twins).collect();
        let classes = means.len();
        if classes < FEWEST_CLASSES {
            return None;
        }
        let centre = means.as_flattened().iter().sum::<f64>() / (2 * classes) as f64;
        let mut deviations: Vec<f64> = means.into_flattened();
        deviations.iter_mut().for_each(|mean| *mean -= centre);
        let sum = |power: i32| deviations.iter().map(|d| d.powi(power)).sum::<f64>();
        if sum(2).powi(2) < CARRIED_BY.min(0.2 * deviations.len() as f64) * sum(4) {
            return None;
        }
        let products = |deviations: &[f64]| -> Vec<f64> {
            let pairs = deviations.chunks_exact(2);
            pairs.map(|two| two[0] * two[1]).collect()
        };
        let found = products(&deviations);
        let cov = found.iter().sum::<f64>() / classes as f64;
        let scatter: f64 = found.iter().map(|product| (product - cov).powi(2)).sum();
        let freedom = classes as f64 - 1.0;
        let se = (scatter / freedom / classes as f64).sqrt();
        let half = student_quantile(0.5 + 0.5 * level, freedom)? * se;
        let mut random = SplitMix::new(960);
        let mut exchanged = || {
            random.shuffle(&mut deviations);
            products(&deviations).iter().sum::<f64>() / classes as f64
        };
        let as_large = (0..EXCHANGES)
            .filter(|_| exchanged() >= cov - 1e-12)
            .count();
        Some(Self {
            classes,
            cov,
            se,
            lo: cov - half,
            hi: cov + half,
            p_value: (as_large + 1) as f64 / (EXCHANGES + 1) as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p_value(start_pairs: impl Fn(u32, &mut SplitMix) -> [u32; 5], seed: u64) -> Option<f64> {
        let mut random = SplitMix::new(seed);
        let cluster = |start| Cluster {
            start,
            pairs: start_pairs(start, &mut random),
            ..Cluster::default()
        };
        let clusters: Vec<Cluster> = (0..240).map(cluster).collect();
        let twins = MirrorTwins::new(&clusters, |start| Some(start ^ 1), 0.95);
        twins.map(|twins| twins.p_value)
    }

    /// Nearly all drawn, nothing shared: p was below 0.05 in a quarter of such events; and in all where one start
    /// differs.
    #[test]
    fn twins_that_share_nothing_are_not_said_to_agree() {
        for decided in [0.02, 0.1, 0.5] {
            let drawn = |_: u32, random: &mut SplitMix| {
                let mut pairs = [0; 5];
                let u = random.uniform() / decided;
                pairs[if u < 0.5 {
                    1
                } else if u < 1.0 {
                    3
                } else {
                    2
                }] += 1;
                pairs
            };
            let found: Vec<f64> = (0..200).filter_map(|seed| p_value(drawn, seed)).collect();
            let falsely = found.iter().filter(|p| **p < 0.05).count();
            // Three errors beyond 5 % of 200.
            assert!(falsely <= 19, "{decided}: {falsely} of {}", found.len());
        }
        let one = |start: u32, _: &mut SplitMix| match start {
            7 => [0, 0, 0, 0, 1],
            _ => [0, 0, 1, 0, 0],
        };
        assert_eq!(p_value(one, 1), None);
    }

    #[test]
    fn twins_that_are_alike_are_found() {
        let alike = |start: u32, random: &mut SplitMix| {
            let edge = if (start / 2).is_multiple_of(2) {
                0.3
            } else {
                0.7
            };
            let won = (0..8).filter(|_| random.uniform() < edge).count() as u32;
            [8 - won, 0, 0, 0, won]
        };
        assert_eq!(p_value(alike, 1), Some(0.0005));
    }
}
