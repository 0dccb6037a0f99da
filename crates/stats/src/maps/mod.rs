//! Maps of the first-move advantage compared: by engine, by limit, by event.
//!
//! A map is one estimate a start with its sampling variance, in Elo at equal strength. Two maps
//! of the same truth differ by noise alone, and two maps of nothing but noise may look alike
//! where one start was played oddly: everything here takes the noise off first.
//!
//! * here: a map out of games
//! * [`correlation`]: how far two maps agree, noise taken off
//! * [`difference`]: how their means differ, and whether they differ anywhere
//! * [`components`]: variance of starts, and of starts by map, over several maps
//! * [`pooling`]: one number from several, with what it varies by

pub mod components;
pub mod correlation;
pub mod difference;
pub mod pooling;

use serde::Serialize;

use crate::advantage::equal_strength::{EqualStrength, common_advantage};
use crate::games::Pair;
use crate::ratings::{ELO_PER_LOGIT, ModelFit, RatingInput};

/// One start of a map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MapPoint {
    /// Start number.
    pub start: u32,
    /// Complete pairs.
    pub pairs: u32,
    /// White's advantage at equal strength in Elo, not drawn towards anything.
    pub elo: f64,
    /// Its sampling variance in Elo².
    pub variance: f64,
}

/// The first-move advantage of one set of games, start by start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdvantageMap {
    /// What it is a map of.
    pub name: String,
    /// The mean over the starts.
    pub mean: EqualStrength,
    /// By start number.
    #[serde(skip)]
    pub points: Vec<MapPoint>,
}

/// Why there is no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// Without a finite mean there is nothing to add the starts' deviations to.
    #[error("the games have no finite mean advantage")]
    NoMean,
    /// The sampling variance comes from repeated pairs.
    #[error("no start was played in two pairs: the noise of a start is not known")]
    NotReplicated,
}

impl AdvantageMap {
    /// The map of these games at a level for the mean's intervals.
    ///
    /// # Errors
    /// Named, where the games are too few.
    pub fn new(name: &str, input: &RatingInput, level: f64) -> Result<Self, MapError> {
        let mean = EqualStrength::new(input, level).ok_or(MapError::NoMean)?;
        let fit = common_advantage(input).ok_or(MapError::NoMean)?;
        let mut pairs: Vec<&Pair> = input.pairing.pairs.iter().collect();
        pairs.sort_by_key(|pair| pair.start);
        let groups: Vec<Vec<f64>> = pairs
            .chunk_by(|a, b| a.start == b.start)
            .map(|group| group.iter().map(|pair| deviation(pair, &fit)).collect())
            .collect();
        let starts = pairs
            .chunk_by(|a, b| a.start == b.start)
            .map(|group| group[0].start);
        let variance = within(&groups).ok_or(MapError::NotReplicated)?;
        let points = starts.zip(&groups).map(|(start, values)| MapPoint {
            start,
            pairs: values.len() as u32,
            elo: mean.elo + average(values),
            variance: variance / values.len() as f64,
        });
        Ok(Self {
            name: name.to_owned(),
            mean,
            points: points.collect(),
        })
    }
}

/// White's score in a pair less the expected one, in Elo at equal strength.
fn deviation(pair: &Pair, fit: &ModelFit) -> f64 {
    let moments = |x: f64| fit.model.moments(x, fit.draw_parameter());
    let games = [(pair.first, pair.second), (pair.second, pair.first)]
        .map(|(white, black)| moments(fit.difference(white, black)));
    let expected = 0.5 * (games[0].score + games[1].score);
    let slope = 0.5 * (games[0].score_variance + games[1].score_variance);
    let equal = moments(fit.white_advantage());
    let to_elo = ELO_PER_LOGIT * equal.score_variance / (equal.score * (1.0 - equal.score));
    to_elo * (pair.white_value() - expected) / slope
}

/// Variance of a pair within its start.
fn within(groups: &[Vec<f64>]) -> Option<f64> {
    let (mut scatter, mut freedom) = (0.0, 0);
    for values in groups {
        let mean = average(values);
        scatter += values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>();
        freedom += values.len() - 1;
    }
    (freedom > 0 && scatter > 0.0).then(|| scatter / freedom as f64)
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The starts that two maps have in common.
fn in_common<'a>(
    one: &'a AdvantageMap,
    other: &'a AdvantageMap,
) -> Vec<(&'a MapPoint, &'a MapPoint)> {
    let partner = |point: &'a MapPoint| {
        let found = other.points.binary_search_by_key(&point.start, |p| p.start);
        Some((point, &other.points[found.ok()?]))
    };
    one.points.iter().filter_map(partner).collect()
}
