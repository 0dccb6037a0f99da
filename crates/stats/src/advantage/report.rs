//! The report on the first-move advantage. Field names are the same as in `stats --format json`.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::estimate::Scale;
use crate::estimate::laws::EqualStrength;
use crate::estimate::spread::CochranQ;

use super::mirror::MirrorTwins;

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
    /// What a difference of ratings in tags was worth, where those say how strong the players are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
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
    let mut map = serializer.serialize_map(Some(positions.len()))?;
    for position in positions {
        match &position.name {
            Some(name) => map.serialize_entry(name, position)?,
            None => map.serialize_entry(&position.start.to_string(), position)?,
        }
    }
    map.end()
}
