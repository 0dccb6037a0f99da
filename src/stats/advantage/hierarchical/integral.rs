//! One position's advantage integrated out: `α = μ + τz`, `z ~ N(0, 1)`, by
//! adaptive Gauss–Hermite quadrature around the mode of z.

use crate::stats::numeric::linear::Symmetric;
use crate::stats::numeric::quadrature::GaussHermite;

use super::problem::{Count, Problem};

/// Points of the quadrature.
pub(super) const NODES: usize = 15;

/// What all positions share at one (τ, η).
pub(super) struct Shared<'a> {
    problem: &'a Problem,
    rule: &'a GaussHermite,
    tau: f64,
    delta: f64,
    exp_delta: f64,
    /// For each meeting `x` without τz, and `e^{x/2}`.
    base: Vec<(f64, f64)>,
}

/// Sums over positions: log marginal likelihood and its derivatives.
#[derive(Clone, Debug)]
pub(super) struct Sums {
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
    pub fn zeros(problem: &Problem) -> Self {
        Self {
            log_marginal: 0.0,
            gradient: vec![0.0; problem.size()],
            missing: Symmetric::zeros(problem.size()),
            complete: vec![[0.0; 3]; problem.meetings.len()],
        }
    }

    pub fn add(&mut self, other: &Sums) {
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

/// Posterior moments of one position's z at one (τ, η).
#[derive(Clone, Debug)]
pub(super) struct ZMoments {
    pub mean: f64,
    pub variance: f64,
    /// `Cov_W(z, score_p)`: how the mean of z follows η.
    pub with_score: Vec<f64>,
}

/// Reusable memory of one worker.
#[derive(Default)]
pub(super) struct Scratch {
    /// For each count and node: P(W) − P(L), P(W) + P(L).
    odds: Vec<[[f64; NODES]; 2]>,
    /// For each node the score vector.
    scores: Vec<f64>,
}

/// Nodes and posterior weights of one position.
struct Nodes {
    z: [f64; NODES],
    weight: [f64; NODES],
}

impl<'a> Shared<'a> {
    pub fn new(problem: &'a Problem, rule: &'a GaussHermite, tau: f64, eta: &[f64]) -> Self {
        let (mu, delta) = (eta[problem.mu()], eta[problem.delta()]);
        let base = |&(white, black): &(usize, usize)| {
            let x = eta[white] - eta[black] + mu;
            (x, (0.5 * x).exp())
        };
        let base = problem.meetings.iter().map(base).collect();
        Self {
            problem,
            rule,
            tau,
            delta,
            exp_delta: delta.exp(),
            base,
        }
    }

    /// Adds position `p` to the sums; `mode` is where the search for the mode
    /// begins and ends.
    pub fn add_position(&self, p: usize, mode: &mut f64, scratch: &mut Scratch, sums: &mut Sums) {
        let nodes = self.integrate(p, mode, scratch, &mut sums.log_marginal);
        let size = self.problem.size();
        let mean = self.score_nodes(p, &nodes, scratch, Some(&mut sums.complete));
        sums.gradient
            .iter_mut()
            .zip(&mean)
            .for_each(|(sum, value)| *sum += value);
        for (scores, weight) in scratch.scores.chunks_exact_mut(size).zip(nodes.weight) {
            scores
                .iter_mut()
                .zip(&mean)
                .for_each(|(score, m)| *score -= m);
            sums.missing.add_outer(scores, weight);
        }
    }

    /// The posterior moments of position `p`.
    pub fn moments(&self, p: usize, mode: &mut f64, scratch: &mut Scratch) -> ZMoments {
        let nodes = self.integrate(p, mode, scratch, &mut 0.0);
        self.score_nodes(p, &nodes, scratch, None);
        let weighted =
            |f: &dyn Fn(usize) -> f64| (0..NODES).map(|k| nodes.weight[k] * f(k)).sum::<f64>();
        let mean = weighted(&|k| nodes.z[k]);
        let size = self.problem.size();
        let scores = &scratch.scores;
        let with_score = (0..size)
            .map(|i| weighted(&|k| (nodes.z[k] - mean) * scores[k * size + i]))
            .collect();
        ZMoments {
            mean,
            variance: weighted(&|k| (nodes.z[k] - mean).powi(2)),
            with_score,
        }
    }

    fn counts(&self, p: usize) -> &[Count] {
        &self.problem.counts[self.problem.ranges[p].clone()]
    }

    /// Finds the mode, then weighs the nodes around it.
    fn integrate(
        &self,
        p: usize,
        mode: &mut f64,
        scratch: &mut Scratch,
        log_sum: &mut f64,
    ) -> Nodes {
        let curvature = self.find_mode(p, mode);
        let spread = 1.0 / curvature.sqrt();
        let mut nodes = Nodes {
            z: [0.0; NODES],
            weight: [0.0; NODES],
        };
        for (z, u) in nodes.z.iter_mut().zip(&self.rule.nodes) {
            *z = *mode + spread * u;
        }
        let mut heights = self.log_likelihoods(p, &nodes.z, scratch);
        for k in 0..NODES {
            heights[k] += 0.5 * (self.rule.nodes[k].powi(2) - nodes.z[k].powi(2));
        }
        let top = heights.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut total = 0.0;
        for k in 0..NODES {
            nodes.weight[k] = self.rule.weights[k] * (heights[k] - top).exp();
            total += nodes.weight[k];
        }
        nodes.weight.iter_mut().for_each(|weight| *weight /= total);
        *log_sum += top + total.ln() - 0.5 * curvature.ln();
        nodes
    }

    /// Newton's method on the concave log posterior of z; returns the
    /// curvature at the mode.
    fn find_mode(&self, p: usize, mode: &mut f64) -> f64 {
        let mut curvature = 1.0;
        for _ in 0..50 {
            let b = (0.5 * self.tau * *mode).exp();
            let (mut slope, mut variance) = (0.0, 0.0);
            for count in self.counts(p) {
                let win = self.base[count.meeting as usize].1 * b;
                let loss = 1.0 / win;
                let inverse = 1.0 / (win + loss + self.exp_delta);
                let difference = (win - loss) * inverse;
                slope += count.excess - 0.5 * count.games * difference;
                variance += count.games * ((win + loss) * inverse - difference * difference);
            }
            curvature = 1.0 + self.tau * self.tau * 0.25 * variance;
            let step = ((self.tau * slope - *mode) / curvature).clamp(-2.0, 2.0);
            *mode += step;
            if step.abs() < 1e-7 {
                break;
            }
        }
        curvature
    }

    /// Log likelihood of a position's games at each node; leaves the
    /// probabilities in the scratch memory.
    fn log_likelihoods(&self, p: usize, z: &[f64; NODES], scratch: &mut Scratch) -> [f64; NODES] {
        let up: [f64; NODES] = z.map(|z| (0.5 * self.tau * z).exp());
        let down = up.map(f64::recip);
        let (mut constant, mut excess) = (0.0, 0.0);
        let mut heights = [0.0; NODES];
        scratch.odds.clear();
        for count in self.counts(p) {
            let (x, half) = self.base[count.meeting as usize];
            let inverse_half = half.recip();
            constant += count.excess * x + count.draws * self.delta;
            excess += count.excess;
            let mut odds = [[0.0; NODES]; 2];
            let mut normaliser = [0.0; NODES];
            for k in 0..NODES {
                let (win, loss) = (half * up[k], inverse_half * down[k]);
                normaliser[k] = win + loss + self.exp_delta;
                let inverse = normaliser[k].recip();
                odds[0][k] = (win - loss) * inverse;
                odds[1][k] = (win + loss) * inverse;
            }
            for k in 0..NODES {
                heights[k] -= count.games * normaliser[k].ln();
            }
            scratch.odds.push(odds);
        }
        for k in 0..NODES {
            heights[k] += constant + excess * self.tau * z[k];
        }
        heights
    }

    /// The score vector at each node (left in the scratch memory) and its
    /// posterior mean; adds the complete information where asked to.
    fn score_nodes(
        &self,
        p: usize,
        nodes: &Nodes,
        scratch: &mut Scratch,
        mut complete: Option<&mut Vec<[f64; 3]>>,
    ) -> Vec<f64> {
        let (size, mu, delta) = (self.problem.size(), self.problem.mu(), self.problem.delta());
        scratch.scores.clear();
        scratch.scores.resize(size * NODES, 0.0);
        for (count, [difference, decisive]) in self.counts(p).iter().zip(&scratch.odds) {
            let (white, black) = self.problem.meetings[count.meeting as usize];
            let mut information = [0.0; 3];
            for k in 0..NODES {
                let draw = 1.0 - decisive[k];
                let by_x = count.excess - 0.5 * count.games * difference[k];
                let row = &mut scratch.scores[k * size..(k + 1) * size];
                row[white] += by_x;
                row[black] -= by_x;
                row[mu] += by_x;
                row[delta] += count.draws - count.games * draw;
                let weight = nodes.weight[k];
                information[0] += weight * 0.25 * (decisive[k] - difference[k] * difference[k]);
                information[1] -= weight * 0.5 * draw * difference[k];
                information[2] += weight * draw * (1.0 - draw);
            }
            if let Some(complete) = complete.as_deref_mut() {
                let sum = &mut complete[count.meeting as usize];
                (0..3).for_each(|i| sum[i] += count.games * information[i]);
            }
        }
        let rows = scratch.scores.chunks_exact(size).zip(nodes.weight);
        let mut mean = vec![0.0; size];
        for (row, weight) in rows {
            mean.iter_mut()
                .zip(row)
                .for_each(|(m, score)| *m += weight * score);
        }
        mean
    }
}
