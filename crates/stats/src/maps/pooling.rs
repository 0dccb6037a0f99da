//! One number from several, and how much they differ beyond their errors: random-effects
//! meta-analysis with Paule and Mandel's variance and Hartung, Knapp, Sidik and Jonkman's
//! interval; and a trend over something that grows, such as the limit.

use serde::Serialize;

use super::heterogeneity::{paule_mandel, weighted_mean};
use crate::numeric::distributions::{chi_squared_tail, student_quantile};

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
    let found = paule_mandel(values, level)?;
    let (mean, weights) = weighted_mean(values, found.estimate);
    let (centre, _) = weighted_mean(values, 0.0);
    let q: f64 = values.iter().map(|(y, v)| (y - centre).powi(2) / v).sum();
    let scatter: f64 = values
        .iter()
        .map(|(y, v)| (y - mean).powi(2) / (v + found.estimate))
        .sum();
    let variance = (scatter / freedom).max(1.0) / weights;
    let factor = student_quantile(0.5 + 0.5 * level, freedom)?;
    let beyond = student_quantile(0.5 + 0.5 * level, freedom - 1.0)
        .map(|t| t * (found.estimate + variance).sqrt());
    Some(Pooled {
        count: values.len(),
        mean,
        error: factor * variance.sqrt(),
        spread: found.estimate.sqrt(),
        spread_lo: found.low.sqrt(),
        spread_hi: found.high.sqrt(),
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
    let inflation = if freedom > 0.0 {
        (left / freedom).max(1.0)
    } else {
        1.0
    };
    let se = (inflation / sxx).sqrt();
    // Two estimates leave no scatter: their own errors are all that is known.
    let freedom = if freedom > 0.0 {
        freedom
    } else {
        f64::INFINITY
    };
    let factor = student_quantile(0.5 + 0.5 * level, freedom);
    let tail = crate::numeric::distributions::student_cdf(-(slope / se).abs(), freedom);
    Some(Trend {
        slope,
        error: factor.map(|factor| factor * se),
        p_value: Some(2.0 * tail),
    })
}
