//! What the integration yields: sums over positions, and what is known about each.

use crate::advantage::hierarchical::problem::Problem;
use crate::numeric::linear::Symmetric;

/// Sums over positions: log marginal likelihood and its derivatives.
#[derive(Clone, Debug)]
pub(in crate::advantage::hierarchical) struct Sums {
    /// Σ ln m_p.
    pub log_marginal: f64,
    /// Σ E_W[score_p].
    pub gradient: Vec<f64>,
    /// Σ Var_W[score_p], the information missing because z is not observed.
    pub missing: Symmetric,
    /// For each meeting Σ E_W of n Var(s), n Cov(s, 1_D), n Var(1_D).
    pub complete: Vec<[f64; 3]>,
}

impl Sums {
    pub(crate) fn zeros(problem: &Problem) -> Self {
        Self {
            log_marginal: 0.0,
            gradient: vec![0.0; problem.size()],
            missing: Symmetric::zeros(problem.size()),
            complete: vec![[0.0; 3]; problem.meetings.len()],
        }
    }

    pub(crate) fn add(&mut self, other: &Sums) {
        self.log_marginal += other.log_marginal;
        self.gradient
            .iter_mut()
            .zip(&other.gradient)
            .for_each(|(sum, value)| *sum += value);
        self.missing.add_matrix(&other.missing);
        for (sum, value) in self.complete.iter_mut().zip(&other.complete) {
            (0..3).for_each(|i| sum[i] += value[i]);
        }
    }
}

/// One position at one (τ, η): the mode of z, where the next search begins,
/// and z's posterior moments.
#[derive(Clone, Debug)]
pub(in crate::advantage::hierarchical) struct Position {
    pub mode: f64,
    /// The mode of y, where the draw parameter varies (model M2).
    pub draw_mode: f64,
    pub mean: f64,
    pub variance: f64,
    /// `Cov_W(z, score_p)`: how the mean of z follows η.
    pub with_score: Vec<f64>,
}

impl Position {
    pub(crate) fn unknown(problem: &Problem) -> Self {
        Self {
            mode: 0.0,
            draw_mode: 0.0,
            mean: 0.0,
            variance: 1.0,
            with_score: vec![0.0; problem.size()],
        }
    }
}
