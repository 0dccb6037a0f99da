//! The variance τ² between positions from means with known sampling
//! variances: Paule & Mandel's estimate and the Q-profile interval
//! (Viechtbauer 2007).

use crate::numeric::distributions::chi_squared_quantile;
use crate::numeric::root::bisect;

/// Estimate and interval of τ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heterogeneity {
    /// The root of `Q(t) = P − 1`, or 0.
    pub estimate: f64,
    /// Lower end: the root of `Q(t) = χ²` at the upper quantile.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Estimates τ² from (mean, sampling variance) of each position; `None` with
/// fewer than two.
pub fn paule_mandel(means: &[(f64, f64)], level: f64) -> Option<Heterogeneity> {
    let freedom = means.len().checked_sub(1).filter(|f| *f > 0)? as f64;
    let tail = 0.5 * (1.0 - level);
    Some(Heterogeneity {
        estimate: root(means, freedom),
        low: root(means, chi_squared_quantile(freedom, 1.0 - tail)),
        high: root(means, chi_squared_quantile(freedom, tail)),
    })
}

/// Weighted mean with weights `1 / (t + variance)`, and the sum of the weights.
pub fn weighted_mean(means: &[(f64, f64)], t: f64) -> (f64, f64) {
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
        let found = paule_mandel(&means, 0.95).expect("four positions");
        assert!((found.estimate - (sample_variance - 0.02)).abs() < 1e-14);
        assert!(found.low < found.estimate && found.estimate < found.high);
    }

    #[test]
    fn zero_variances_are_no_obstacle() {
        let found = paule_mandel(&[(0.0, 0.0), (1.0, 0.0)], 0.95).expect("two positions");
        assert!((found.estimate - 0.5).abs() < 1e-12);
        assert_eq!(
            paule_mandel(&[(0.5, 0.0), (0.5, 0.0)], 0.95).map(|h| h.high),
            Some(0.0)
        );
        assert_eq!(paule_mandel(&[(0.5, 0.1)], 0.95), None);
    }
}
