//! Gauss–Hermite quadrature for integrals against the normal distribution.

use super::root::bisect;

/// Nodes and weights of a rule with `Σ w f(u) ≈ E f(U)`, `U ~ N(0, 1)`; exact
/// for polynomials of degree up to `2n − 1`.
#[derive(Clone, Debug)]
pub struct GaussHermite {
    /// Nodes, ascending.
    pub nodes: Vec<f64>,
    /// Weights; they sum to one.
    pub weights: Vec<f64>,
}

impl GaussHermite {
    /// The rule with `order` points (1 to 60).
    ///
    /// The nodes are the zeros of the orthonormal Hermite polynomial, found
    /// between those of the previous order (the zeros interlace) by bisection;
    /// the weights are `1 / Σ_{j<n} h_j(u)²`.
    pub fn new(order: usize) -> Self {
        let mut nodes: Vec<f64> = Vec::new();
        for degree in 1..=order.clamp(1, 60) {
            let bound = 2.0 * (degree as f64).sqrt() + 1.0;
            let mut edges = vec![-bound];
            edges.extend(&nodes);
            edges.push(bound);
            nodes = edges
                .windows(2)
                .map(|pair| zero_between(degree, pair[0], pair[1]))
                .collect();
        }
        let weights = nodes
            .iter()
            .map(|&u| 1.0 / hermite_values(nodes.len(), u).1)
            .collect();
        Self { nodes, weights }
    }

    /// `E f(mean + sd · U)`.
    pub fn expectation(&self, mean: f64, sd: f64, f: impl Fn(f64) -> f64) -> f64 {
        self.nodes
            .iter()
            .zip(&self.weights)
            .map(|(u, w)| w * f(mean + sd * u))
            .sum()
    }
}

/// The orthonormal Hermite polynomial of this degree at `u`, and the sum of
/// the squares of all lower ones.
fn hermite_values(degree: usize, u: f64) -> (f64, f64) {
    let (mut previous, mut current, mut squares) = (0.0, 1.0, 0.0);
    for j in 0..degree {
        squares += current * current;
        let next = (u * current - (j as f64).sqrt() * previous) / ((j + 1) as f64).sqrt();
        (previous, current) = (current, next);
    }
    (current, squares)
}

fn zero_between(degree: usize, low: f64, high: f64) -> f64 {
    let is_positive = |u| hermite_values(degree, u).0 > 0.0;
    let sign_low = is_positive(low);
    let tolerance = |low: f64, high: f64| 4.0 * f64::EPSILON * low.abs().max(high.abs()).max(1e-3);
    bisect((low, high), tolerance, |u| is_positive(u) == sign_low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_the_normal_distribution_are_exact() {
        let rule = GaussHermite::new(15);
        for (power, moment) in [
            (0, 1.0),
            (2, 1.0),
            (4, 3.0),
            (6, 15.0),
            (8, 105.0),
            (10, 945.0),
            (12, 10395.0),
        ] {
            let value = rule.expectation(0.0, 1.0, |u| u.powi(power));
            assert!(
                (value / moment - 1.0).abs() < 1e-12,
                "moment {power}: {value}"
            );
        }
        assert!(rule.expectation(0.0, 1.0, |u| u.powi(7)).abs() < 1e-9);
    }

    #[test]
    fn smooth_functions_are_integrated_to_many_digits() {
        let value = GaussHermite::new(15).expectation(0.3, 0.8, f64::exp);
        assert!((value - (0.3_f64 + 0.32).exp()).abs() < 1e-12);
    }
}
