//! One position's advantage integrated out: `α = μ + τz`, `z ~ N(0, 1)`, by
//! adaptive Gauss–Hermite quadrature around the mode of z.
//!
//! * this file: what all positions share
//! * `advantage`: the integral itself
//! * `sums`: what it yields

mod advantage;
mod sums;

use crate::numeric::quadrature::GaussHermite;

use super::problem::Problem;

pub(super) use advantage::{LogProduct, Scratch};
pub(super) use sums::{Position, Sums};

/// Points of the quadrature.
pub(super) const NODES: usize = 15;

/// Points where a position has [`MANY_GAMES`]: the law of its advantage is all but normal then, and
/// the marginal likelihood the same to ten digits.
pub(super) const FEW_NODES: usize = 8;

/// From this number of games of a position on fewer nodes do.
const MANY_GAMES: f64 = 200.0;

/// One value at each node.
type AtNodes<const N: usize> = [f64; N];

/// What all positions share at one (τ, η).
pub(super) struct Shared<'a> {
    problem: &'a Problem,
    rule: &'a GaussHermite,
    few: &'a GaussHermite,
    tau: f64,
    /// Spread ω of the draw parameter over positions (0 in model M1).
    omega: f64,
    delta: f64,
    /// For each meeting `x` without τz, `e^{x/2}` and `e^{−x/2}`.
    base: Vec<[f64; 3]>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        [rule, few]: [&'a GaussHermite; 2],
        (tau, omega): (f64, f64),
        eta: &[f64],
    ) -> Self {
        let (mu, delta) = (eta[problem.mu()], eta[problem.delta()]);
        let base = |&(white, black): &(usize, usize)| {
            let x = eta[white] - eta[black] + mu;
            [x, (0.5 * x).exp(), (-0.5 * x).exp()]
        };
        let base = problem.meetings.iter().map(base).collect();
        Self {
            problem,
            rule,
            few,
            tau,
            omega,
            delta,
            base,
        }
    }

    /// Integrates over the positions of group `p` and adds the result.
    pub(crate) fn add_position(
        &self,
        p: usize,
        position: &mut Position,
        scratch: &mut Scratch,
        sums: &mut Sums,
    ) {
        if self.omega > 0.0 {
            self.add_with_draw_propensity(p, position, scratch, sums);
        } else {
            let copies = self.problem.copies[p];
            self.add_at(p, (self.delta, copies), position, scratch, sums);
        }
    }

    /// Spread of the draw parameter, and the parameter's mean.
    pub(super) fn draw_parameter(&self) -> (f64, f64) {
        (self.omega, self.delta)
    }

    /// The quadrature rule with the most nodes.
    pub(super) fn rule(&self) -> &GaussHermite {
        self.rule
    }

    /// The parameters' places.
    pub(super) fn problem(&self) -> &Problem {
        self.problem
    }
}
