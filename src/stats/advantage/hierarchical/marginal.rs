//! The marginal likelihood at a given τ, maximised over η by Newton's method
//! with Louis' (1982) observed information.

use crate::stats::numeric::linear::{Cholesky, Symmetric};
use crate::stats::numeric::quadrature::GaussHermite;

use super::AdvantageError;
use super::integral::{NODES, Position, Scratch, Shared, Sums};
use super::problem::Problem;
use super::workers::in_chunks;

/// The maximum over η at one τ.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub tau: f64,
    pub eta: Vec<f64>,
    /// Every position's z.
    pub positions: Vec<Position>,
    /// `Σ ln m_p − ½ ln det I`: the logarithm of τ's posterior weight.
    pub weight: f64,
    /// Factor of the information on η, regularised.
    factor: Cholesky,
}

/// Evaluates and maximises marginal likelihoods.
pub(super) struct Marginal {
    pub problem: Problem,
    rule: GaussHermite,
}

/// A Newton step below this ends the search: the next would be its square.
const CONVERGED: f64 = 1e-6;

/// Beyond this many logits a parameter counts as infinite.
const UNBOUNDED: f64 = 30.0;

impl Marginal {
    pub fn new(problem: Problem) -> Self {
        Self {
            problem,
            rule: GaussHermite::new(NODES),
        }
    }

    /// A starting point that knows nothing.
    pub fn origin(&self) -> (Vec<f64>, Vec<Position>) {
        let unknown = Position::unknown(&self.problem);
        (
            vec![0.0; self.problem.size()],
            vec![unknown; self.problem.starts.len()],
        )
    }

    /// Maximises over η from a nearby starting point.
    pub fn maximise(
        &self,
        tau: f64,
        mut eta: Vec<f64>,
        mut positions: Vec<Position>,
    ) -> Result<Optimum, AdvantageError> {
        let mut sums = self.sums(tau, &eta, &mut positions);
        for _ in 0..60 {
            let factor = self.observed(&sums)?;
            let step = factor.solve(&sums.gradient);
            let largest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            if largest < CONVERGED {
                let weight = sums.log_marginal - 0.5 * factor.log_determinant();
                return Ok(Optimum {
                    tau,
                    eta,
                    positions,
                    weight,
                    factor,
                });
            }
            let share = (1.0 / largest).min(1.0);
            (eta, sums) = self.advance(tau, &eta, &step, share, &sums, &mut positions);
            if eta
                .iter()
                .any(|value| value.is_nan() || value.abs() > UNBOUNDED)
            {
                return Err(AdvantageError::Unbounded);
            }
        }
        Err(AdvantageError::Unbounded)
    }

    /// Takes the step, halved until the likelihood does not fall.
    fn advance(
        &self,
        tau: f64,
        from: &[f64],
        step: &[f64],
        mut share: f64,
        before: &Sums,
        positions: &mut [Position],
    ) -> (Vec<f64>, Sums) {
        loop {
            let eta: Vec<f64> = from.iter().zip(step).map(|(e, s)| e + share * s).collect();
            let sums = self.sums(tau, &eta, positions);
            let slack = 1e-9 * before.log_marginal.abs();
            if sums.log_marginal >= before.log_marginal - slack || share < 1e-3 {
                return (eta, sums);
            }
            share *= 0.5;
        }
    }

    fn sums(&self, tau: f64, eta: &[f64], positions: &mut [Position]) -> Sums {
        let shared = Shared::new(&self.problem, &self.rule, tau, eta);
        let parts = in_chunks(
            positions,
            self.problem.counts.len() * NODES,
            |first, chunk| {
                let (mut sums, mut scratch) = (Sums::zeros(&self.problem), Scratch::default());
                for (i, position) in chunk.iter_mut().enumerate() {
                    shared.add_position(first + i, position, &mut scratch, &mut sums);
                }
                sums
            },
        );
        let mut total = Sums::zeros(&self.problem);
        parts.iter().for_each(|part| total.add(part));
        total
    }

    /// The observed information; far from the maximum, where it may be
    /// indefinite, the complete one.
    fn observed(&self, sums: &Sums) -> Result<Cholesky, AdvantageError> {
        let complete = self.complete_information(sums);
        let mut observed = sums.missing.clone();
        observed.scale(-1.0);
        observed.add_matrix(&complete);
        observed
            .cholesky()
            .or_else(|| complete.cholesky())
            .ok_or(AdvantageError::Unbounded)
    }

    fn complete_information(&self, sums: &Sums) -> Symmetric {
        let (mu, delta) = (self.problem.mu(), self.problem.delta());
        let mut information = Symmetric::zeros(self.problem.size());
        for (&(white, black), [score, mixed, draw]) in
            self.problem.meetings.iter().zip(&sums.complete)
        {
            let by_x = [(white, 1.0), (black, -1.0), (mu, 1.0)];
            information.add_outer_sparse(&by_x, *score);
            by_x.iter()
                .for_each(|(place, sign)| information.add(delta, *place, sign * mixed));
            information.add(delta, delta, *draw);
        }
        self.problem.regularise(&mut information);
        information
    }

    /// The covariance of η at an optimum.
    pub fn covariance(&self, optimum: &Optimum) -> Symmetric {
        let mut inverse = optimum.factor.inverse();
        self.problem.restrict(&mut inverse);
        inverse
    }
}
