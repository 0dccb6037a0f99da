//! One position at one draw parameter: where statistics of the first move spend their time.
//! All that is done for each game's count stands in this file.

use crate::advantage::hierarchical::problem::Count;

use super::sums::{Position, Sums};
use super::{AtNodes, NODES, Shared};

/// Reusable memory of one worker.
#[derive(Default)]
pub(in crate::advantage::hierarchical) struct Scratch {
    /// For each count P(W) − P(L) and P(W) + P(L).
    odds: Vec<[AtNodes; 2]>,
    /// For each parameter its score.
    scores: Vec<AtNodes>,
}

/// Nodes and posterior weights of one position.
struct Nodes {
    z: AtNodes,
    weight: AtNodes,
}

impl Nodes {
    fn mean(&self, values: &AtNodes) -> f64 {
        self.weight
            .iter()
            .zip(values)
            .map(|(weight, value)| weight * value)
            .sum()
    }
}

impl Shared<'_> {
    /// Integrates over the advantage of the positions of group `p` with this draw
    /// parameter and adds the result, so many times.
    pub(in crate::advantage::hierarchical) fn add_at(
        &self,
        p: usize,
        (delta, copies): (f64, f64),
        position: &mut Position,
        scratch: &mut Scratch,
        sums: &mut Sums,
    ) {
        let exp_delta = delta.exp();
        let curvature = self.find_mode(p, exp_delta, &mut position.mode);
        let (nodes, log_marginal) =
            self.weigh_nodes(p, (delta, exp_delta), position.mode, curvature, scratch);
        sums.log_marginal += copies * log_marginal;
        self.score_nodes((p, copies), &nodes, scratch, &mut sums.complete);
        position.mean = nodes.mean(&nodes.z);
        let z = nodes.z.map(|z| z - position.mean);
        position.variance = nodes.mean(&z.map(|z| z * z));
        for (i, scores) in scratch.scores.iter_mut().enumerate() {
            let mean = nodes.mean(scores);
            sums.gradient[i] += copies * mean;
            scores.iter_mut().for_each(|score| *score -= mean);
            position.with_score[i] = (0..NODES).map(|k| nodes.weight[k] * z[k] * scores[k]).sum();
        }
        for (i, own) in scratch.scores.iter().enumerate() {
            let mut weighted = *own;
            weighted
                .iter_mut()
                .zip(nodes.weight)
                .for_each(|(score, weight)| *score *= copies * weight);
            for (j, other) in scratch.scores[..=i].iter().enumerate() {
                sums.missing
                    .add(i, j, weighted.iter().zip(other).map(|(a, b)| a * b).sum());
            }
        }
    }

    fn counts(&self, p: usize) -> &[Count] {
        &self.problem.counts[self.problem.ranges[p].clone()]
    }

    /// Newton's method on the concave log posterior of z; returns the
    /// curvature at the mode.
    fn find_mode(&self, p: usize, exp_delta: f64, mode: &mut f64) -> f64 {
        let mut curvature = 1.0;
        for _ in 0..50 {
            let up = (0.5 * self.tau * *mode).exp();
            let down = up.recip();
            let (mut slope, mut variance) = (0.0, 0.0);
            for count in self.counts(p) {
                let [_, half, inverse_half] = self.base[count.meeting as usize];
                let (win, loss) = (half * up, inverse_half * down);
                let inverse = 1.0 / (win + loss + exp_delta);
                let difference = (win - loss) * inverse;
                slope += count.excess - 0.5 * count.games * difference;
                variance += count.games * ((win + loss) * inverse - difference * difference);
            }
            curvature = 1.0 + self.tau * self.tau * 0.25 * variance;
            let step = ((self.tau * slope - *mode) / curvature).clamp(-2.0, 2.0);
            *mode += step;
            // The rule's nodes need not sit exactly at the mode.
            if step.abs() < 1e-5 {
                break;
            }
        }
        curvature
    }

    /// The nodes around the mode with their posterior weights, and `ln m_p`.
    fn weigh_nodes(
        &self,
        p: usize,
        draw: (f64, f64),
        mode: f64,
        curvature: f64,
        scratch: &mut Scratch,
    ) -> (Nodes, f64) {
        let spread = 1.0 / curvature.sqrt();
        let mut nodes = Nodes {
            z: [0.0; NODES],
            weight: [0.0; NODES],
        };
        for (z, u) in nodes.z.iter_mut().zip(&self.rule.nodes) {
            *z = mode + spread * u;
        }
        let mut heights = self.log_likelihoods(p, draw, &nodes.z, scratch);
        for (height, (u, z)) in heights.iter_mut().zip(self.rule.nodes.iter().zip(&nodes.z)) {
            *height += 0.5 * (u * u - z * z);
        }
        let top = heights.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut total = 0.0;
        for (k, height) in heights.iter().enumerate() {
            nodes.weight[k] = self.rule.weights[k] * (height - top).exp();
            total += nodes.weight[k];
        }
        nodes.weight.iter_mut().for_each(|weight| *weight /= total);
        (nodes, top + total.ln() - 0.5 * curvature.ln())
    }

    /// Log likelihood of a position's games at each node; leaves the
    /// probabilities in the scratch memory.
    fn log_likelihoods(
        &self,
        p: usize,
        (delta, exp_delta): (f64, f64),
        z: &AtNodes,
        scratch: &mut Scratch,
    ) -> AtNodes {
        let up = z.map(|z| (0.5 * self.tau * z).exp());
        let down = up.map(f64::recip);
        let (mut constant, mut excess) = (0.0, 0.0);
        let mut normalisers = LogProduct::new();
        scratch.odds.clear();
        for count in self.counts(p) {
            let [x, half, inverse_half] = self.base[count.meeting as usize];
            constant += count.excess * x + count.draws * delta;
            excess += count.excess;
            let mut odds = [[0.0; NODES]; 2];
            let mut normaliser = [0.0; NODES];
            for k in 0..NODES {
                let (win, loss) = (half * up[k], inverse_half * down[k]);
                normaliser[k] = win + loss + exp_delta;
                let inverse = normaliser[k].recip();
                odds[0][k] = (win - loss) * inverse;
                odds[1][k] = (win + loss) * inverse;
            }
            normalisers.multiply(&normaliser, count.games);
            scratch.odds.push(odds);
        }
        let mut heights = normalisers.logarithm();
        for (height, z) in heights.iter_mut().zip(z) {
            *height = constant + excess * self.tau * z - *height;
        }
        heights
    }

    /// Leaves the score of each parameter at each node in the scratch memory
    /// and adds the complete information.
    fn score_nodes(
        &self,
        (p, copies): (usize, f64),
        nodes: &Nodes,
        scratch: &mut Scratch,
        complete: &mut [[f64; 3]],
    ) {
        let (mu, delta) = (self.problem.mu(), self.problem.delta());
        scratch.scores.clear();
        scratch.scores.resize(self.problem.size(), [0.0; NODES]);
        for (count, [difference, decisive]) in self.counts(p).iter().zip(&scratch.odds) {
            let (white, black) = self.problem.meetings[count.meeting as usize];
            let mut information = [0.0; 3];
            let (mut by_x, mut by_delta) = ([0.0; NODES], [0.0; NODES]);
            for k in 0..NODES {
                let draw = 1.0 - decisive[k];
                by_x[k] = count.excess - 0.5 * count.games * difference[k];
                by_delta[k] = count.draws - count.games * draw;
                let weight = nodes.weight[k];
                information[0] += weight * 0.25 * (decisive[k] - difference[k] * difference[k]);
                information[1] -= weight * 0.5 * draw * difference[k];
                information[2] += weight * draw * (1.0 - draw);
            }
            for k in 0..NODES {
                scratch.scores[white][k] += by_x[k];
                scratch.scores[black][k] -= by_x[k];
                scratch.scores[mu][k] += by_x[k];
                scratch.scores[delta][k] += by_delta[k];
            }
            let sum = &mut complete[count.meeting as usize];
            let games = count.games * copies;
            (0..3).for_each(|i| sum[i] += games * information[i]);
        }
    }
}

/// `Σ n ln Z` at each node, with one logarithm for many equal n: the
/// logarithms would otherwise take most of the time.
pub(in crate::advantage::hierarchical) struct LogProduct {
    sum: AtNodes,
    product: AtNodes,
    power: f64,
}

impl LogProduct {
    pub(in crate::advantage::hierarchical) fn new() -> Self {
        Self {
            sum: [0.0; NODES],
            product: [1.0; NODES],
            power: 0.0,
        }
    }

    /// Multiplies by `factor^power`; factors are moderate (e^±70 at most).
    pub(in crate::advantage::hierarchical) fn multiply(&mut self, factor: &AtNodes, power: f64) {
        let large = self.product.iter().any(|product| *product > 1e200);
        if power != self.power || large {
            self.flush();
            self.power = power;
        }
        self.product
            .iter_mut()
            .zip(factor)
            .for_each(|(product, factor)| *product *= factor);
    }

    fn flush(&mut self) {
        for k in 0..NODES {
            self.sum[k] += self.power * self.product[k].ln();
            self.product[k] = 1.0;
        }
    }

    pub(in crate::advantage::hierarchical) fn logarithm(mut self) -> AtNodes {
        self.flush();
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_keep_their_logarithm_beyond_the_range_of_doubles() {
        let mut product = LogProduct::new();
        for i in 0..300 {
            product.multiply(&[20.0; NODES], f64::from(1 + i / 200));
        }
        let expected = 400.0 * 20.0_f64.ln();
        assert!((product.logarithm()[7] - expected).abs() < 1e-9);
    }
}
