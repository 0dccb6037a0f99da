//! The normal posterior at one τ, for each group of equal positions.

use crate::numeric::distributions::normal_cdf;
use crate::numeric::linear::Symmetric;

use super::marginal::{Marginal, Optimum};

/// What is known at one τ.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub tau: f64,
    /// Strengths, μ and δ.
    pub eta: Vec<f64>,
    /// Covariance of η.
    pub covariance: Symmetric,
    /// E α of each group.
    pub means: Vec<f64>,
    /// Variance of α, that of η included.
    pub variances: Vec<f64>,
    /// P(α above the mean of all positions).
    pub above_mean: Vec<f64>,
    /// P(α above the reference's), where there is one.
    pub above_reference: Option<Vec<f64>>,
}

/// α of each group given η: mean, variance and how the mean follows η.
struct Given<'a> {
    copies: &'a [f64],
    means: Vec<f64>,
    variances: Vec<f64>,
    sensitivities: Vec<Vec<f64>>,
    covariance: Symmetric,
}

impl Slice {
    pub(crate) fn new(marginal: &Marginal, optimum: &Optimum, reference: Option<usize>) -> Self {
        let given = Given::new(marginal, optimum);
        let total = |p: usize| {
            let c = &given.sensitivities[p];
            given.variances[p] + given.covariance.form(c, c)
        };
        let probabilities =
            |contrasts: Vec<(f64, f64)>| contrasts.into_iter().map(above_zero).collect();
        Self {
            tau: optimum.tau,
            eta: optimum.eta.clone(),
            variances: (0..given.means.len()).map(total).collect(),
            above_mean: probabilities(given.against_mean()),
            above_reference: reference.map(|r| probabilities(given.against(r))),
            means: given.means,
            covariance: given.covariance,
        }
    }
}

impl<'a> Given<'a> {
    fn new(marginal: &'a Marginal, optimum: &Optimum) -> Self {
        let (tau, mu) = (optimum.tau, marginal.problem.mu());
        let sensitivity = |scores: &[f64]| {
            let mut c: Vec<f64> = scores.iter().map(|s| tau * s).collect();
            c[mu] += 1.0;
            c
        };
        let positions = &optimum.positions;
        Self {
            copies: &marginal.problem.copies,
            means: positions
                .iter()
                .map(|z| optimum.eta[mu] + tau * z.mean)
                .collect(),
            variances: positions.iter().map(|z| tau * tau * z.variance).collect(),
            sensitivities: positions
                .iter()
                .map(|z| sensitivity(&z.with_score))
                .collect(),
            covariance: marginal.covariance(optimum),
        }
    }

    /// Mean and variance of α less the mean of all positions' α.
    fn against_mean(&self) -> Vec<(f64, f64)> {
        let count: f64 = self.copies.iter().sum();
        let weighted = |values: &[f64]| -> f64 {
            let products = values.iter().zip(self.copies).map(|(v, n)| v * n);
            products.sum::<f64>() / count
        };
        let centre = weighted(&self.means);
        let spread = weighted(&self.variances) / count;
        let mut mean_sensitivity = vec![0.0; self.covariance.size()];
        for (c, copies) in self.sensitivities.iter().zip(self.copies) {
            mean_sensitivity
                .iter_mut()
                .zip(c)
                .for_each(|(m, c)| *m += copies * c / count);
        }
        let one = |p: usize| {
            let own = self.variances[p] * (1.0 - 2.0 / count) + spread;
            let shared = self.distance(p, &mean_sensitivity);
            (self.means[p] - centre, own + shared)
        };
        (0..self.means.len()).map(one).collect()
    }

    /// Mean and variance of α less α of the reference.
    fn against(&self, reference: usize) -> Vec<(f64, f64)> {
        let towards = &self.sensitivities[reference];
        let one = |p: usize| {
            let own = self.variances[p] + self.variances[reference];
            (
                self.means[p] - self.means[reference],
                own + self.distance(p, towards),
            )
        };
        (0..self.means.len()).map(one).collect()
    }

    fn distance(&self, p: usize, from: &[f64]) -> f64 {
        let own = self.sensitivities[p].iter();
        let difference: Vec<f64> = own.zip(from).map(|(a, b)| a - b).collect();
        self.covariance.form(&difference, &difference)
    }
}

/// P(above 0) of a normal contrast; ½ where it is zero for certain.
fn above_zero((mean, variance): (f64, f64)) -> f64 {
    if variance > 1e-18 {
        normal_cdf(mean / variance.sqrt())
    } else {
        0.5
    }
}
