//! The marginal likelihood at a given τ, maximised over η by Newton's method
//! with Louis' (1982) observed information.

use crate::numeric::linear::{Cholesky, Symmetric};
use crate::numeric::quadrature::GaussHermite;

use super::AdvantageError;
use super::integral::{FEW_NODES, NODES, Position, Scratch, Shared, Sums};
use super::problem::Problem;
use super::propensity::NESTED;
use super::workers::in_chunks;

/// The maximum over η at one τ.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub tau: f64,
    pub eta: Vec<f64>,
    /// The z of each group of equal positions.
    pub positions: Vec<Position>,
    /// `Σ ln m_p − ½ ln det I`: the logarithm of τ's posterior weight.
    pub weight: f64,
    /// Factor of the information on η, regularised.
    factor: Cholesky,
}

/// Evaluates and maximises marginal likelihoods.
pub(super) struct Marginal {
    pub problem: Problem,
    /// For few games of a position, and for many.
    rules: [GaussHermite; 2],
    /// Spread of the draw parameter over positions; 0 in model M1.
    pub omega: f64,
}

/// A Newton step below this ends the search: the next would be its square.
const CONVERGED: f64 = 1e-6;

/// Beyond this many logits a parameter counts as infinite.
const UNBOUNDED: f64 = 30.0;

impl Marginal {
    pub(crate) fn new(problem: Problem) -> Self {
        Self {
            problem,
            rules: [NODES, FEW_NODES].map(GaussHermite::new),
            omega: 0.0,
        }
    }

    /// A starting point that knows nothing.
    pub(crate) fn origin(&self) -> (Vec<f64>, Vec<Position>) {
        let unknown = Position::unknown(&self.problem);
        (self.problem.origin(), vec![unknown; self.problem.groups()])
    }

    /// Maximises over η from a nearby starting point.
    pub(crate) fn maximise(
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
        let shared = Shared::new(&self.problem, self.rules.each_ref(), (tau, self.omega), eta);
        let nodes = if self.omega > 0.0 { NESTED } else { NODES };
        let parts = in_chunks(
            positions,
            self.problem.counts.len() * nodes,
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
    pub(crate) fn covariance(&self, optimum: &Optimum) -> Symmetric {
        let mut inverse = optimum.factor.inverse();
        self.problem.restrict(&mut inverse);
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Cell;
    use crate::ratings::models::GameModel;

    fn example(omega: f64) -> Marginal {
        let cell = |start, white, black, results| Cell {
            start,
            white,
            black,
            results,
        };
        let cells = [
            cell(1, 0, 1, [1, 3, 4]),
            cell(1, 1, 0, [2, 1, 1]),
            cell(2, 0, 2, [0, 5, 1]),
            cell(2, 2, 0, [3, 3, 0]),
            cell(3, 1, 2, [1, 2, 6]),
            cell(3, 2, 1, [2, 2, 2]),
        ];
        let mut marginal = Marginal::new(Problem::new(3, &cells, 1.0).expect("a problem"));
        marginal.omega = omega;
        marginal
    }

    const ETA: [f64; 5] = [0.2, -0.3, 0.1, 0.4, 0.6];
    const TAU: f64 = 0.8;

    fn at(marginal: &Marginal, eta: &[f64]) -> Sums {
        let mut positions = marginal.origin().1;
        marginal.sums(TAU, eta, &mut positions)
    }

    /// The marginal likelihood by the trapezoid rule in two dimensions.
    fn brute_force(marginal: &Marginal, eta: &[f64]) -> f64 {
        let problem = &marginal.problem;
        let line: Vec<f64> = (-160..=160).map(|i| f64::from(i) / 20.0).collect();
        let log_position = |p: usize| {
            let density = |z: f64, y: f64| {
                let counts = problem.counts[problem.ranges[p].clone()].iter();
                let log: f64 = counts
                    .map(|c| {
                        let (white, black) = problem.meetings[c.meeting as usize];
                        let x = eta[white] - eta[black] + eta[3] + TAU * z;
                        let delta = eta[4] + marginal.omega * y;
                        let score = c.excess + 0.5 * c.games;
                        GameModel::Davidson.log_likelihood(x, delta, c.games, score, c.draws)
                    })
                    .sum();
                (log - 0.5 * (z * z + y * y)).exp() / std::f64::consts::TAU / 400.0
            };
            line.iter()
                .flat_map(|z| line.iter().map(move |y| density(*z, *y)))
                .sum::<f64>()
                .ln()
        };
        (0..problem.groups()).map(log_position).sum()
    }

    #[test]
    fn quadrature_agrees_with_brute_force() {
        for omega in [0.0, 0.7] {
            let marginal = example(omega);
            let difference = at(&marginal, &ETA).log_marginal - brute_force(&marginal, &ETA);
            assert!(difference.abs() < 1e-6, "ω {omega}: {difference:e}");
        }
    }

    /// With 480 games a position the fewer nodes are used.
    #[test]
    fn fewer_nodes_do_where_games_are_many() {
        let cell = |start: u32, results| Cell {
            start,
            white: (start % 2) as u16,
            black: 1 - (start % 2) as u16,
            results,
        };
        let cells = [[90, 210, 180], [170, 200, 110], [40, 260, 180]];
        let cells: Vec<Cell> = cells
            .iter()
            .zip(1..)
            .map(|(r, start)| cell(start, *r))
            .collect();
        let problem = Problem::new(2, &cells, 1.0).expect("a problem");
        let eta = [0.1, -0.1, 0.2, 0.4];
        let few = at(&Marginal::new(problem), &eta);
        let line: Vec<f64> = (-8000..=8000).map(|i| f64::from(i) / 1000.0).collect();
        let exact: f64 = cells
            .iter()
            .map(|cell| {
                let (white, black) = (usize::from(cell.white), usize::from(cell.black));
                let log = |z: f64| {
                    let x = eta[white] - eta[black] + eta[2] + TAU * z;
                    let (games, score) = (cell.games(), cell.score());
                    let likelihood =
                        GameModel::Davidson.log_likelihood(x, eta[3], games, score, cell.draws());
                    likelihood - 0.5 * z * z
                };
                let top = line
                    .iter()
                    .map(|z| log(*z))
                    .fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = line.iter().map(|z| (log(*z) - top).exp()).sum();
                top + (sum / 1000.0 / std::f64::consts::TAU.sqrt()).ln()
            })
            .sum();
        let difference = few.log_marginal - exact;
        assert!(difference.abs() < 1e-8, "{difference:e}");
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for omega in [0.0, 0.7] {
            let marginal = example(omega);
            let sums = at(&marginal, &ETA);
            let mut observed = marginal.complete_information(&sums);
            let mut missing = sums.missing.clone();
            missing.scale(-1.0);
            observed.add_matrix(&missing);
            let mut gauge = Symmetric::zeros(5);
            marginal.problem.regularise(&mut gauge);
            for i in 0..5 {
                let h = 1e-4;
                let (mut up, mut down) = (ETA.to_vec(), ETA.to_vec());
                up[i] += h;
                down[i] -= h;
                let (up, down) = (at(&marginal, &up), at(&marginal, &down));
                let slope = (up.log_marginal - down.log_marginal) / (2.0 * h);
                assert!(
                    (slope - sums.gradient[i]).abs() < 1e-4,
                    "ω {omega}, {i}: {slope}"
                );
                for j in 0..5 {
                    let curvature = -(up.gradient[j] - down.gradient[j]) / (2.0 * h);
                    let own = observed.at(i, j) - gauge.at(i, j);
                    assert!(
                        (curvature - own).abs() < 1e-3,
                        "ω {omega}: {curvature} {own}"
                    );
                }
            }
        }
    }
}
