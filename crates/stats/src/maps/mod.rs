//! Maps of the first-move advantage compared: by engine, by limit, by event.
//!
//! A map is one estimate a start with its sampling variance, in Elo between the engines that
//! played. Two maps of the same truth differ by noise alone, and two maps of nothing but noise may
//! look alike where one start was played oddly: everything here takes the noise off first.
//!
//! * here: a map out of games
//! * [`correlation`]: how far two maps agree, noise taken off; how their means differ, and whether they differ anywhere
//! * [`pooling`]: one number from several, with what it varies by; the variance between estimates of known variance

pub mod correlation;
pub mod pooling;

use serde::Serialize;

use crate::advantage::{AdvantageReport, MeanAdvantage, PositionReport, SpreadReport};
use crate::elo::elo_per_score;

/// One start of a map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MapPoint {
    /// Start number.
    pub start: u32,
    /// Complete pairs.
    pub pairs: u32,
    /// White's advantage there, Elo on a straight line through the mean.
    pub elo: f64,
    /// Its sampling variance, Elo².
    pub variance: f64,
}

/// A map of the first-move advantage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdvantageMap {
    /// The engines and limits of the map.
    pub name: String,
    /// The mean over the starts.
    pub mean: MeanAdvantage,
    /// How much the starts differ.
    pub spread: SpreadReport,
    /// In the order of starts.
    #[serde(skip)]
    pub points: Vec<MapPoint>,
}

/// Why games give no map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The mean is infinite, or there are no games.
    #[error("the games have no finite mean advantage")]
    NoMean,
    /// Nothing tells noise from truth.
    #[error("the noise of a start is not known: {0}")]
    NotReplicated(String),
}

impl AdvantageMap {
    /// A map from a report on White's advantage.
    ///
    /// # Errors
    /// Games without a finite mean, or without two pairs on enough starts.
    pub fn new(name: &str, report: &AdvantageReport) -> Result<Self, MapError> {
        let mean = report.mean.filter(|mean| mean.elo.is_finite());
        let mean = mean.ok_or(MapError::NoMean)?;
        let why = || MapError::NotReplicated(report.spread_reason.clone().unwrap_or_default());
        let spread = report.spread.ok_or_else(why)?;
        let slope = elo_per_score(mean.score);
        let point = |position: &PositionReport| {
            Some(MapPoint {
                start: position.start,
                pairs: position.pairs,
                elo: mean.elo + slope * (position.raw? - mean.score),
                variance: slope * slope * position.variance?,
            })
        };
        Ok(Self {
            name: name.to_owned(),
            mean,
            spread,
            points: report.positions.iter().filter_map(point).collect(),
        })
    }
}

/// The starts of both maps, in their order.
pub fn in_common<'a>(
    one: &'a AdvantageMap,
    other: &'a AdvantageMap,
) -> Vec<(&'a MapPoint, &'a MapPoint)> {
    let partner = |point: &'a MapPoint| {
        let found = other.points.binary_search_by_key(&point.start, |p| p.start);
        Some((point, &other.points[found.ok()?]))
    };
    one.points.iter().filter_map(partner).collect()
}
