//! How wrong the calibration is at a position: `B − β` is zero with
//! probability 1 − π and `N(0, t²)` with probability π.
//!
//! A single normal law would fail where the calibration is right at most
//! positions and wrong at a few: its small spread would draw the wrong ones
//! back. π = 1 is that single law. t has a flat prior, π one that prefers 1;
//! both are on a grid, and every posterior is the mixture over it.

use super::pairs::{PositionSums, SurrogatePairs};

/// The values of π.
const SHARES: [f64; 7] = [0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0];

/// Prior probability of π = 1. Few pairs cannot tell a small bias everywhere
/// from a larger one at some positions; believing the latter then would leave
/// most intervals too narrow, so the data must speak for it clearly.
const PRIOR_EVERYWHERE: f64 = 0.95;

/// Number of values of t.
const SPREADS: usize = 41;

/// β and the weight of one (π, t).
#[derive(Clone, Copy, Debug)]
pub(super) struct BiasPoint {
    /// Share of positions with a bias of their own.
    pub share: f64,
    /// Spread of these.
    pub spread: f64,
    /// Posterior probability.
    pub probability: f64,
    /// Mean bias.
    pub beta: f64,
    /// Its variance.
    pub variance: f64,
}

/// The posterior of (π, t).
pub(super) struct BiasPosterior {
    pub points: Vec<BiasPoint>,
    /// Residual mean and its sampling variance, by position.
    residuals: Vec<(f64, f64)>,
}

impl BiasPosterior {
    pub(crate) fn new(pairs: &SurrogatePairs) -> Self {
        Self::of_residuals(residuals(&pairs.positions, pairs.within.residual))
    }

    /// Of residual means with their sampling variances.
    fn of_residuals(residuals: Vec<(f64, f64)>) -> Self {
        let end = largest_spread(&residuals);
        let mut points = Vec::with_capacity(SHARES.len() * SPREADS);
        let others = (SHARES.len() - 1) as f64;
        for share in SHARES {
            let everywhere = share >= 1.0;
            let prior = if everywhere {
                PRIOR_EVERYWHERE
            } else {
                (1.0 - PRIOR_EVERYWHERE) / others
            };
            for i in 0..SPREADS {
                let spread = end * i as f64 / (SPREADS - 1) as f64;
                // Half weights at the ends: the trapezoid rule in t.
                let edge = if i == 0 || i == SPREADS - 1 {
                    0.5_f64.ln()
                } else {
                    0.0
                };
                points.push(point(&residuals, share, spread, prior.ln() + edge));
            }
        }
        let top = points
            .iter()
            .map(|p| p.probability)
            .fold(f64::NEG_INFINITY, f64::max);
        points
            .iter_mut()
            .for_each(|p| p.probability = (p.probability - top).exp());
        let total: f64 = points.iter().map(|p| p.probability).sum();
        points.iter_mut().for_each(|p| p.probability /= total);
        points.retain(|p| p.probability > 1e-6);
        Self { points, residuals }
    }

    /// The probability that a position has a bias of its own, at one (π, t).
    pub(crate) fn responsibility(&self, position: usize, point: &BiasPoint) -> f64 {
        let (residual, variance) = self.residuals[position];
        responsibility(residual - point.beta, variance, point.share, point.spread)
    }

    /// Quantile of the standard deviation of the bias over positions, √π·t.
    pub(crate) fn deviation_quantile(&self, probability: f64) -> f64 {
        let mut values: Vec<(f64, f64)> = self
            .points
            .iter()
            .map(|p| (p.deviation(), p.probability))
            .collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut passed = 0.0;
        for (deviation, weight) in &values {
            passed += weight;
            if passed >= probability {
                return *deviation;
            }
        }
        values.last().map_or(0.0, |value| value.0)
    }
}

impl BiasPoint {
    /// Standard deviation of the bias over positions.
    pub(crate) fn deviation(&self) -> f64 {
        self.share.sqrt() * self.spread
    }
}

fn residuals(positions: &[PositionSums], within: f64) -> Vec<(f64, f64)> {
    // Residuals without any variance (every game decided before the ply) are
    // given a trace of it, so that nothing is divided by zero.
    let variance = within.max(1e-12);
    positions
        .iter()
        .map(|p| (p.residual(), variance / p.pairs))
        .collect()
}

/// No spread beyond the largest deviation seen is worth considering.
fn largest_spread(residuals: &[(f64, f64)]) -> f64 {
    let centre = residuals.iter().map(|(r, _)| r).sum::<f64>() / residuals.len() as f64;
    let largest = residuals
        .iter()
        .map(|(r, _)| (r - centre).abs())
        .fold(0.0, f64::max);
    let error = residuals.iter().map(|(_, v)| v).sum::<f64>() / residuals.len() as f64;
    largest.max(error.sqrt())
}

/// β by a few EM steps, its variance, and the (restricted) log likelihood.
fn point(residuals: &[(f64, f64)], share: f64, spread: f64, log_prior: f64) -> BiasPoint {
    let mut beta = 0.0;
    let mut weights = 1.0;
    for _ in 0..6 {
        let mut sum = 0.0;
        weights = 0.0;
        for (r, v) in residuals {
            let own = responsibility(r - beta, *v, share, spread);
            let weight = (1.0 - own) / v + own / (v + spread * spread);
            weights += weight;
            sum += weight * r;
        }
        beta = sum / weights;
    }
    let logs: f64 = residuals
        .iter()
        .map(|(r, v)| {
            let [without, with] = log_densities(r - beta, *v, spread);
            let top = without.max(with);
            top + ((1.0 - share) * (without - top).exp() + share * (with - top).exp()).ln()
        })
        .sum();
    let probability = logs - 0.5 * weights.ln() + log_prior;
    BiasPoint {
        share,
        spread,
        probability,
        beta,
        variance: 1.0 / weights,
    }
}

fn responsibility(deviation: f64, variance: f64, share: f64, spread: f64) -> f64 {
    let [without, with] = log_densities(deviation, variance, spread);
    if share >= 1.0 {
        return 1.0;
    }
    1.0 / (1.0 + (1.0 - share) / share * (without - with).exp())
}

/// Log densities of a deviation without and with a bias of its own.
fn log_densities(deviation: f64, variance: f64, spread: f64) -> [f64; 2] {
    [variance, variance + spread * spread]
        .map(|total| -0.5 * (total.ln() + deviation * deviation / total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_outliers_are_held_responsible() {
        assert!(responsibility(0.0, 0.01, 0.1, 1.0) < 0.02);
        assert!(responsibility(1.0, 0.01, 0.1, 1.0) > 0.99);
        assert_eq!(responsibility(0.0, 0.01, 1.0, 1.0), 1.0);
        assert_eq!(responsibility(100.0, 1e-12, 0.1, 0.0), 0.1);
    }
}
