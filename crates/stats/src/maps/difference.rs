//! How the means of two maps differ, and whether the maps differ anywhere.

use serde::Serialize;

use crate::numeric::distributions::{fisher_tail, student_quantile, two_sided_factor};

use super::{AdvantageMap, MapPoint, in_common};

/// The second map less the first, over the starts that both have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MapDifference {
    /// Starts in both.
    pub starts: usize,
    /// Mean difference in Elo.
    pub elo: f64,
    /// Half width of its interval for just these starts.
    pub elo_error_these: f64,
    /// Half width for starts like these.
    pub elo_error_all: Option<f64>,
    /// `Σ (d − d̄)² / v`: how much the starts' differences scatter.
    #[serde(rename = "Q")]
    pub q: f64,
    /// That the maps differ by one and the same amount everywhere: the differences' own variance over the one that the
    /// games of each start show, by Fisher's law with the degrees of freedom of unequal variances (Box 1954).
    pub p_parallel: f64,
}

impl MapDifference {
    /// Compares two maps; `None` without two starts in common.
    pub fn new(first: &AdvantageMap, second: &AdvantageMap, level: f64) -> Option<Self> {
        let common = in_common(first, second);
        let count = common.len() as f64;
        if common.len() < 2 {
            return None;
        }
        let values: Vec<(f64, f64)> = common
            .iter()
            .map(|(a, b)| (b.elo - a.elo, a.variance + b.variance))
            .collect();
        let elo = values.iter().map(|(d, _)| d).sum::<f64>() / count;
        let noise: f64 = values.iter().map(|(_, v)| v).sum();
        let scatter: f64 = values.iter().map(|(d, _)| (d - elo).powi(2)).sum();
        let weights: f64 = values.iter().map(|(_, v)| 1.0 / v).sum();
        let centre = values.iter().map(|(d, v)| d / v).sum::<f64>() / weights;
        let q = values.iter().map(|(d, v)| (d - centre).powi(2) / v).sum();
        let factor = student_quantile(0.5 + 0.5 * level, count - 1.0);
        Some(Self {
            starts: common.len(),
            elo,
            elo_error_these: two_sided_factor(level) * noise.sqrt() / count,
            elo_error_all: factor.map(|t| t * (scatter / (count - 1.0) / count).sqrt()),
            q,
            p_parallel: p_parallel(&common, scatter / (count - 1.0)),
        })
    }
}

fn p_parallel(common: &[(&MapPoint, &MapPoint)], scatter: f64) -> f64 {
    let count = common.len() as f64;
    let (mut noise, mut squares, mut unsure) = (0.0, 0.0, 0.0);
    for (one, other) in common {
        let own = one.variance + other.variance;
        noise += own;
        squares += own * own;
        for point in [one, other] {
            unsure += point.variance.powi(2) / f64::from(point.pairs.max(2) - 1);
        }
    }
    let seen = (count - 1.0) / count * noise * noise / squares;
    fisher_tail(seen, noise * noise / unsure, scatter * count / noise)
}
