//! Mixtures of normal distributions: what a posterior is after integrating
//! over a variance component on a grid.

use super::distributions::{normal_cdf, normal_quantile};

/// Normal distributions with their probabilities: (probability, mean, sd).
#[derive(Clone, Debug, PartialEq)]
pub struct NormalMixture(Vec<(f64, f64, f64)>);

impl NormalMixture {
    /// From (probability, mean, variance); components without weight cannot
    /// move a quantile and are dropped.
    pub fn new(components: impl Iterator<Item = (f64, f64, f64)>) -> Self {
        let kept = components.filter(|(probability, ..)| *probability > 1e-9);
        Self(
            kept.map(|(p, mean, variance)| (p, mean, variance.max(0.0).sqrt()))
                .collect(),
        )
    }

    /// Mean and variance.
    pub fn moments(&self) -> (f64, f64) {
        let total: f64 = self.0.iter().map(|(w, ..)| w).sum();
        let mean = self.0.iter().map(|(w, m, _)| w * m).sum::<f64>() / total;
        let square = self
            .0
            .iter()
            .map(|(w, m, s)| w * (s * s + (m - mean).powi(2)))
            .sum::<f64>();
        (mean, square / total)
    }

    /// P(X ≤ x).
    pub fn cdf(&self, x: f64) -> f64 {
        let below = |(w, m, s): &(f64, f64, f64)| w * normal_cdf((x - m) / s.max(1e-12));
        self.0.iter().map(below).sum()
    }

    /// The quantile: Newton's method, kept within a bracket.
    pub fn quantile(&self, probability: f64) -> f64 {
        let (mean, variance) = self.moments();
        let sd = variance.sqrt();
        let (mut low, mut high) = (mean - 12.0 * sd - 1e-9, mean + 12.0 * sd + 1e-9);
        let mut at = mean + sd * normal_quantile(probability).clamp(-11.0, 11.0);
        for _ in 0..100 {
            let value = self.cdf(at) - probability;
            if value < 0.0 {
                low = at
            } else {
                high = at
            }
            let newton = at - value / self.density(at).max(1e-300);
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            if (next - at).abs() < 1e-9 {
                return next;
            }
            at = next;
        }
        at
    }

    fn density(&self, x: f64) -> f64 {
        let one = |(w, m, s): &(f64, f64, f64)| {
            let sd = s.max(1e-12);
            w * (-0.5 * ((x - m) / sd).powi(2)).exp() / sd
        };
        self.0.iter().map(one).sum::<f64>() / std::f64::consts::TAU.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_invert_the_distribution_function() {
        let parts = [(0.3, -1.0, 0.25), (0.7, 2.0, 4.0)];
        let mixture = NormalMixture::new(parts.into_iter());
        for probability in [0.001, 0.025, 0.3, 0.5, 0.975] {
            assert!((mixture.cdf(mixture.quantile(probability)) - probability).abs() < 1e-9);
        }
        let (mean, variance) = mixture.moments();
        assert!(
            (mean - 1.1).abs() < 1e-12 && (variance - (0.075 + 2.8 + 0.21 * 9.0)).abs() < 1e-12
        );
    }

    #[test]
    fn a_single_point_has_its_quantiles_there() {
        let mixture = NormalMixture::new(std::iter::once((1.0, 3.0, 0.0)));
        assert!((mixture.quantile(0.975) - 3.0).abs() < 1e-8);
    }
}
