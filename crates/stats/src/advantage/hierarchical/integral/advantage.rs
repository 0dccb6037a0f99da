//! One position at one draw parameter: where statistics of the first move spend their time.
//! All that is done for each game's count stands in this file.

use crate::advantage::hierarchical::problem::Count;
use crate::numeric::quadrature::GaussHermite;

use super::sums::{Position, Sums};
use super::{AtNodes, FEW_NODES, MANY_GAMES, NODES, Shared};

/// Reusable memory of one worker, for both numbers of nodes.
#[derive(Default)]
pub(in crate::advantage::hierarchical) struct Scratch {
    many: Room<NODES>,
    few: Room<FEW_NODES>,
}

/// Memory for what is known at each node.
struct Room<const N: usize> {
    /// For each count P(W) − P(L) and P(W) + P(L).
    odds: Vec<[AtNodes<N>; 2]>,
    /// For each parameter its score.
    scores: Vec<AtNodes<N>>,
}

impl<const N: usize> Default for Room<N> {
    fn default() -> Self {
        Self {
            odds: Vec::new(),
            scores: Vec::new(),
        }
    }
}

/// Nodes and posterior weights of one position.
struct Nodes<const N: usize> {
    z: AtNodes<N>,
    weight: AtNodes<N>,
}

impl<const N: usize> Nodes<N> {
    fn mean(&self, values: &AtNodes<N>) -> f64 {
        self.weight
            .iter()
            .zip(values)
            .map(|(weight, value)| weight * value)
            .sum()
    }
}

impl Shared<'_> {
    /// Integrates over the advantage of the positions of group `p` with this draw
    /// parameter and adds the result, this number of times.
    pub(in crate::advantage::hierarchical) fn add_at(
        &self,
        p: usize,
        draw: (f64, f64),
        position: &mut Position,
        scratch: &mut Scratch,
        sums: &mut Sums,
    ) {
        let games: f64 = self.counts(p).iter().map(|count| count.games).sum();
        match games < MANY_GAMES {
            true => self.integrate((p, self.rule), draw, position, &mut scratch.many, sums),
            false => self.integrate((p, self.few), draw, position, &mut scratch.few, sums),
        }
    }

    fn integrate<const N: usize>(
        &self,
        (p, rule): (usize, &GaussHermite),
        (delta, copies): (f64, f64),
        position: &mut Position,
        room: &mut Room<N>,
        sums: &mut Sums,
    ) {
        let exp_delta = delta.exp();
        let curvature = self.find_mode(p, exp_delta, &mut position.mode);
        let around = (position.mode, 1.0 / curvature.sqrt());
        let (nodes, height) = self.weigh_nodes((p, rule), (delta, exp_delta), around, room);
        sums.log_marginal += copies * (height - 0.5 * curvature.ln());
        self.score_nodes((p, copies), &nodes, room, &mut sums.complete);
        position.mean = nodes.mean(&nodes.z);
        let z = nodes.z.map(|z| z - position.mean);
        position.variance = nodes.mean(&z.map(|z| z * z));
        for (i, scores) in room.scores.iter_mut().enumerate() {
            let mean = nodes.mean(scores);
            sums.gradient[i] += copies * mean;
            scores.iter_mut().for_each(|score| *score -= mean);
            position.with_score[i] = (0..N).map(|k| nodes.weight[k] * z[k] * scores[k]).sum();
        }
        for (i, own) in room.scores.iter().enumerate() {
            let mut weighted = *own;
            weighted
                .iter_mut()
                .zip(nodes.weight)
                .for_each(|(score, weight)| *score *= copies * weight);
            for (j, other) in room.scores[..=i].iter().enumerate() {
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

    /// The nodes around the mode with their posterior weights, and `ln m_p` less what the
    /// spread adds.
    fn weigh_nodes<const N: usize>(
        &self,
        (p, rule): (usize, &GaussHermite),
        draw: (f64, f64),
        (mode, spread): (f64, f64),
        room: &mut Room<N>,
    ) -> (Nodes<N>, f64) {
        let mut nodes = Nodes {
            z: [0.0; N],
            weight: [0.0; N],
        };
        for (z, u) in nodes.z.iter_mut().zip(&rule.nodes) {
            *z = mode + spread * u;
        }
        let mut heights = self.log_likelihoods(p, draw, &nodes.z, room);
        for (height, (u, z)) in heights.iter_mut().zip(rule.nodes.iter().zip(&nodes.z)) {
            *height += 0.5 * (u * u - z * z);
        }
        let top = heights.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let mut total = 0.0;
        for (k, height) in heights.iter().enumerate() {
            nodes.weight[k] = rule.weights[k] * (height - top).exp();
            total += nodes.weight[k];
        }
        nodes.weight.iter_mut().for_each(|weight| *weight /= total);
        (nodes, top + total.ln())
    }

    /// Log likelihood of a position's games at each node; leaves the
    /// probabilities in the scratch memory.
    fn log_likelihoods<const N: usize>(
        &self,
        p: usize,
        (delta, exp_delta): (f64, f64),
        z: &AtNodes<N>,
        room: &mut Room<N>,
    ) -> AtNodes<N> {
        let up = z.map(|z| (0.5 * self.tau * z).exp());
        let down = up.map(f64::recip);
        let (mut constant, mut excess) = (0.0, 0.0);
        let mut normalisers = LogProduct::new();
        room.odds.clear();
        for count in self.counts(p) {
            let [x, half, inverse_half] = self.base[count.meeting as usize];
            constant += count.excess * x + count.draws * delta;
            excess += count.excess;
            let mut odds = [[0.0; N]; 2];
            let mut normaliser = [0.0; N];
            for k in 0..N {
                let (win, loss) = (half * up[k], inverse_half * down[k]);
                normaliser[k] = win + loss + exp_delta;
                let inverse = normaliser[k].recip();
                odds[0][k] = (win - loss) * inverse;
                odds[1][k] = (win + loss) * inverse;
            }
            normalisers.multiply(&normaliser, count.games);
            room.odds.push(odds);
        }
        let mut heights = normalisers.logarithm();
        for (height, z) in heights.iter_mut().zip(z) {
            *height = constant + excess * self.tau * z - *height;
        }
        heights
    }

    /// Leaves the score of each parameter at each node in the scratch memory
    /// and adds the complete information.
    fn score_nodes<const N: usize>(
        &self,
        (p, copies): (usize, f64),
        nodes: &Nodes<N>,
        room: &mut Room<N>,
        complete: &mut [[f64; 3]],
    ) {
        let (mu, delta) = (self.problem.mu(), self.problem.delta());
        room.scores.clear();
        room.scores.resize(self.problem.size(), [0.0; N]);
        for (count, [difference, decisive]) in self.counts(p).iter().zip(&room.odds) {
            let (white, black) = self.problem.meetings[count.meeting as usize];
            let mut information = [0.0; 3];
            let (mut by_x, mut by_delta) = ([0.0; N], [0.0; N]);
            for k in 0..N {
                let draw = 1.0 - decisive[k];
                by_x[k] = count.excess - 0.5 * count.games * difference[k];
                by_delta[k] = count.draws - count.games * draw;
                let weight = nodes.weight[k];
                information[0] += weight * 0.25 * (decisive[k] - difference[k] * difference[k]);
                information[1] -= weight * 0.5 * draw * difference[k];
                information[2] += weight * draw * (1.0 - draw);
            }
            for k in 0..N {
                room.scores[white][k] += by_x[k];
                room.scores[black][k] -= by_x[k];
                room.scores[mu][k] += by_x[k];
                room.scores[delta][k] += by_delta[k];
            }
            let sum = &mut complete[count.meeting as usize];
            let games = count.games * copies;
            (0..3).for_each(|i| sum[i] += games * information[i]);
        }
    }
}

/// `Σ n ln Z` at each node, with one logarithm for many equal n: the
/// logarithms would otherwise take most of the time.
pub(in crate::advantage::hierarchical) struct LogProduct<const N: usize> {
    sum: AtNodes<N>,
    product: AtNodes<N>,
    power: f64,
}

impl<const N: usize> LogProduct<N> {
    pub(in crate::advantage::hierarchical) fn new() -> Self {
        Self {
            sum: [0.0; N],
            product: [1.0; N],
            power: 0.0,
        }
    }

    /// Multiplies by `factor^power`; factors are moderate (e^±70 at most).
    pub(in crate::advantage::hierarchical) fn multiply(&mut self, factor: &AtNodes<N>, power: f64) {
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
        for k in 0..N {
            self.sum[k] += self.power * self.product[k].ln();
            self.product[k] = 1.0;
        }
    }

    pub(in crate::advantage::hierarchical) fn logarithm(mut self) -> AtNodes<N> {
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
