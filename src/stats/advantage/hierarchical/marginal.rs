//! The marginal likelihood at a given τ, maximised over η by Newton's method
//! with Louis' (1982) observed information.

use crate::stats::numeric::linear::{Cholesky, Symmetric};
use crate::stats::numeric::quadrature::GaussHermite;

use super::AdvantageError;
use super::integral::{NODES, Scratch, Shared, Sums, ZMoments};
use super::problem::Problem;
use super::workers::in_chunks;

/// The maximum over η at one τ.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub tau: f64,
    pub eta: Vec<f64>,
    /// Modes of z, where the next search begins.
    pub modes: Vec<f64>,
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

/// Beyond this many logits a parameter counts as infinite.
const UNBOUNDED: f64 = 30.0;

impl Marginal {
    pub fn new(problem: Problem) -> Self {
        Self {
            problem,
            rule: GaussHermite::new(NODES),
        }
    }

    /// Maximises over η from a nearby starting point.
    pub fn maximise(
        &self,
        tau: f64,
        start: &[f64],
        modes: &[f64],
    ) -> Result<Optimum, AdvantageError> {
        let (mut eta, mut modes) = (start.to_vec(), modes.to_vec());
        let mut sums = self.sums(tau, &eta, &mut modes);
        for _ in 0..60 {
            let factor = self.observed(&sums)?;
            let step = factor.solve(&sums.gradient);
            let largest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            if largest < 1e-7 {
                let weight = sums.log_marginal - 0.5 * factor.log_determinant();
                return Ok(Optimum {
                    tau,
                    eta,
                    modes,
                    weight,
                    factor,
                });
            }
            (eta, sums) = self.advance(
                tau,
                &eta,
                &step,
                (1.0 / largest).min(1.0),
                &sums,
                &mut modes,
            );
            if eta.iter().any(|value| !(value.abs() < UNBOUNDED)) {
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
        modes: &mut [f64],
    ) -> (Vec<f64>, Sums) {
        loop {
            let eta: Vec<f64> = from.iter().zip(step).map(|(e, s)| e + share * s).collect();
            let sums = self.sums(tau, &eta, modes);
            let slack = 1e-9 * before.log_marginal.abs();
            if sums.log_marginal >= before.log_marginal - slack || share < 1e-3 {
                return (eta, sums);
            }
            share *= 0.5;
        }
    }

    fn sums(&self, tau: f64, eta: &[f64], modes: &mut [f64]) -> Sums {
        let shared = Shared::new(&self.problem, &self.rule, tau, eta);
        let parts = in_chunks(modes, self.problem.counts.len() * NODES, |first, chunk| {
            let (mut sums, mut scratch) = (Sums::zeros(&self.problem), Scratch::default());
            for (i, mode) in chunk.iter_mut().enumerate() {
                shared.add_position(first + i, mode, &mut scratch, &mut sums);
            }
            sums
        });
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

    /// The posterior moments of every position's z at an optimum.
    pub fn moments(&self, optimum: &Optimum) -> Vec<ZMoments> {
        let shared = Shared::new(&self.problem, &self.rule, optimum.tau, &optimum.eta);
        let mut modes = optimum.modes.clone();
        let parts = in_chunks(
            &mut modes,
            self.problem.counts.len() * NODES,
            |first, chunk| {
                let mut scratch = Scratch::default();
                let moments = |(i, mode)| shared.moments(first + i, mode, &mut scratch);
                chunk
                    .iter_mut()
                    .enumerate()
                    .map(moments)
                    .collect::<Vec<_>>()
            },
        );
        parts.into_iter().flatten().collect()
    }
}
