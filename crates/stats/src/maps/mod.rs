//! Maps of the first-move advantage compared: by engine, by limit, by event.
//!
//! A map is one estimate a start with its sampling variance, in Elo between the engines that
//! played. Two maps of the same truth differ by noise alone, and two maps of nothing but noise may
//! look alike where one start was played oddly: everything here takes the noise off first.
//!
//! * here: a map out of games; one number from several, with what it varies by; the variance between estimates of known variance
//! * [`correlation`]: how far two maps agree, noise taken off; how their means differ, and whether they differ anywhere

pub mod correlation;

use serde::Serialize;

use crate::advantage::{AdvantageReport, MeanAdvantage, PositionReport, SpreadReport};
use crate::elo::elo_per_score;
use crate::numeric::distributions::{
    chi_squared_quantile, chi_squared_tail, student_cdf, student_quantile,
};
use crate::numeric::root::bisect;
use crate::{StatisticsError, refused};

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

impl AdvantageMap {
    /// A map from a report on White's advantage.
    ///
    /// # Errors
    /// Games without a finite mean, or without two pairs on enough starts.
    pub fn new(name: &str, report: &AdvantageReport) -> Result<Self, StatisticsError> {
        let Some(mean) = report.mean.filter(|mean| mean.elo.is_finite()) else {
            return refused("the games have no finite mean advantage");
        };
        let Some(spread) = report.spread else {
            let why = report.spread_reason.as_deref().unwrap_or_default();
            return refused(format!("the noise of a start is not known: {why}"));
        };
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

// One number from several, and how much they differ beyond their errors: random-effects
// meta-analysis with Paule and Mandel's variance and Hartung, Knapp, Sidik and Jonkman's
// interval; and a trend over something that grows, such as the limit.

/// Several estimates of one quantity, pooled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pooled {
    /// Estimates.
    pub count: usize,
    /// Their mean, by weights `1 / (τ² + v)`.
    pub mean: f64,
    /// Half width of its interval; never smaller than without heterogeneity.
    pub error: f64,
    /// Standard deviation of the true values over the estimates, τ.
    pub spread: f64,
    /// Lower end of its interval (Q-profile).
    pub spread_lo: f64,
    /// Upper end.
    pub spread_hi: f64,
    /// That all true values are equal (Cochran's Q).
    pub p_equal: f64,
    /// Share of the scatter that is not noise, I².
    pub heterogeneity: f64,
    /// Ends between which the true value of another of their kind lies; from three on.
    pub another: Option<(f64, f64)>,
}

/// Pools (estimate, variance); `None` with fewer than two, or without variance.
pub fn pooled(values: &[(f64, f64)], level: f64) -> Option<Pooled> {
    let freedom = values.len().checked_sub(1).filter(|f| *f > 0)? as f64;
    if values.iter().any(|(_, variance)| *variance <= 0.0) {
        return None;
    }
    let [estimate, low, high] = paule_mandel(values, level)?;
    let (mean, weights) = weighted_mean(values, estimate);
    let q = dispersion(values, 0.0);
    let scatter = dispersion(values, estimate);
    let variance = (scatter / freedom).max(1.0) / weights;
    let factor = student_quantile(0.5 + 0.5 * level, freedom)?;
    let beyond = student_quantile(0.5 + 0.5 * level, freedom - 1.0)
        .map(|t| t * (estimate + variance).sqrt());
    Some(Pooled {
        count: values.len(),
        mean,
        error: factor * variance.sqrt(),
        spread: estimate.sqrt(),
        spread_lo: low.sqrt(),
        spread_hi: high.sqrt(),
        p_equal: chi_squared_tail(freedom, q),
        heterogeneity: ((q - freedom) / q).max(0.0),
        another: beyond.map(|half| (mean - half, mean + half)),
    })
}

/// A straight line through estimates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// Change of the estimate for a change of one.
    pub slope: f64,
    /// Half width of its interval; `None` with two estimates that say nothing of the scatter.
    pub error: Option<f64>,
    /// That there is no trend, by Student's t.
    pub p_value: Option<f64>,
}

/// The line of least squares through (at, estimate, variance), weighted by `1 / v`, with the
/// scatter around it in the error where that is larger than the noise.
pub fn trend(values: &[(f64, f64, f64)], level: f64) -> Option<Trend> {
    let weights: f64 = values.iter().map(|(.., v)| 1.0 / v).sum();
    let mean = |part: fn(&(f64, f64, f64)) -> f64| {
        values
            .iter()
            .map(|value| part(value) / value.2)
            .sum::<f64>()
            / weights
    };
    let (x0, y0) = (mean(|v| v.0), mean(|v| v.1));
    let sxx: f64 = values.iter().map(|(x, _, v)| (x - x0).powi(2) / v).sum();
    if !(sxx > 1e-9 && weights.is_finite()) {
        return None;
    }
    let sxy: f64 = values.iter().map(|(x, y, v)| (x - x0) * (y - y0) / v).sum();
    let slope = sxy / sxx;
    let left: f64 = values
        .iter()
        .map(|(x, y, v)| (y - y0 - slope * (x - x0)).powi(2) / v)
        .sum();
    let freedom = values.len() as f64 - 2.0;
    // Two estimates leave no scatter: their own errors are all that is known.
    let (inflation, freedom) = if freedom > 0.0 {
        ((left / freedom).max(1.0), freedom)
    } else {
        (1.0, f64::INFINITY)
    };
    let se = (inflation / sxx).sqrt();
    let factor = student_quantile(0.5 + 0.5 * level, freedom);
    let tail = student_cdf(-(slope / se).abs(), freedom);
    Some(Trend {
        slope,
        error: factor.map(|factor| factor * se),
        p_value: Some(2.0 * tail),
    })
}

// The variance τ² between positions from means with known sampling
// variances: Paule & Mandel's estimate and the Q-profile interval
// (Viechtbauer 2007).

/// Estimates τ² from (mean, sampling variance) of each position, by the root of `Q(t) = P − 1`, or 0; and the ends of its
/// interval, the roots of `Q(t) = χ²` at the outer quantiles. `None` with fewer than two.
fn paule_mandel(means: &[(f64, f64)], level: f64) -> Option<[f64; 3]> {
    let freedom = means.len().checked_sub(1).filter(|f| *f > 0)? as f64;
    let tail = 0.5 * (1.0 - level);
    let quantile = |probability| chi_squared_quantile(freedom, probability);
    Some([freedom, quantile(1.0 - tail), quantile(tail)].map(|target| root(means, target)))
}

/// Weighted mean with weights `1 / (t + variance)`, and the sum of the weights.
fn weighted_mean(means: &[(f64, f64)], t: f64) -> (f64, f64) {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (mean, variance) in means {
        let weight = 1.0 / (t + variance);
        sum += weight * mean;
        weights += weight;
    }
    (sum / weights, weights)
}

/// `Q(t)`: the weighted squared deviations from the weighted mean.
fn dispersion(means: &[(f64, f64)], t: f64) -> f64 {
    let (centre, _) = weighted_mean(means, t);
    means
        .iter()
        .map(|(mean, variance)| (mean - centre).powi(2) / (t + variance))
        .sum()
}

/// The `t ≥ 0` with `Q(t) = target`, 0 where `Q` starts below. `Q` falls, and
/// `Q(t) ≤ scatter / t` bounds the root from above.
fn root(means: &[(f64, f64)], target: f64) -> f64 {
    let centre = means.iter().map(|(mean, _)| mean).sum::<f64>() / means.len() as f64;
    let scatter: f64 = means.iter().map(|(mean, _)| (mean - centre).powi(2)).sum();
    let certain = means.iter().any(|(_, variance)| *variance <= 0.0);
    if scatter <= 0.0 || !certain && dispersion(means, 0.0) <= target {
        return 0.0;
    }
    let is_below = |t| dispersion(means, t) > target;
    bisect((0.0, scatter / target), |_, high| 1e-15 * high, is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_variances_give_the_anova_estimate() {
        let means = [(0.1, 0.02), (0.9, 0.02), (0.4, 0.02), (0.6, 0.02)];
        let sample_variance = (0.16 + 0.16 + 0.01 + 0.01) / 3.0;
        let [estimate, low, high] = paule_mandel(&means, 0.95).expect("four positions");
        assert!((estimate - (sample_variance - 0.02)).abs() < 1e-14);
        assert!(low < estimate && estimate < high);
    }

    #[test]
    fn zero_variances_are_no_obstacle() {
        let [estimate, ..] = paule_mandel(&[(0.0, 0.0), (1.0, 0.0)], 0.95).expect("two positions");
        assert!((estimate - 0.5).abs() < 1e-12);
        assert_eq!(
            paule_mandel(&[(0.5, 0.0), (0.5, 0.0)], 0.95).map(|[.., high]| high),
            Some(0.0)
        );
        assert_eq!(paule_mandel(&[(0.5, 0.1)], 0.95), None);
    }
}
