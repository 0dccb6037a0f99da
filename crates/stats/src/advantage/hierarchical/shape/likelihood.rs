//! The likelihood of each group's games, as a function of the advantage alone.

use crate::advantage::hierarchical::integral::{LogProduct, NODES};
use crate::advantage::hierarchical::marginal::Optimum;
use crate::advantage::hierarchical::problem::{Count, Problem};
use crate::advantage::hierarchical::workers::in_chunks;
use crate::ratings::models::GameModel;

use super::nodes::Nodes;

/// Where each group's likelihood lies, and what it says of the other parameters.
pub(super) struct Places {
    /// Fisher's information on α near its estimate.
    pub information: Vec<f64>,
    /// How the likelihood moves with the strengths and δ: `−∂²ℓ/∂α∂η` by the information.
    pub follows: Vec<Vec<f64>>,
}

impl Places {
    /// The smallest standard error of a position.
    pub(crate) fn narrowest(&self) -> f64 {
        let most = self.information.iter().fold(0.01_f64, |a, b| a.max(*b));
        1.0 / most.sqrt()
    }
}

/// The likelihoods, each divided by its largest value at the nodes.
pub(super) struct Likelihood {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of centres.
    pub centres: usize,
    at_nodes: Vec<f32>,
    at_centres: Vec<f32>,
    pub places: Places,
}

/// Of each meeting: x without the advantage, `e^{x/2}`, `e^{−x/2}`.
type Base = Vec<[f64; 3]>;

impl Likelihood {
    /// Evaluates all at these strengths and δ.
    pub(crate) fn new(
        problem: &Problem,
        eta: &[f64],
        nodes: &Nodes,
        centres: &[f64],
        places: Places,
    ) -> Self {
        let delta = eta[problem.delta()];
        let base: Base = problem
            .meetings
            .iter()
            .map(|&(white, black)| {
                let x = eta[white] - eta[black];
                [x, (0.5 * x).exp(), (-0.5 * x).exp()]
            })
            .collect();
        let mut groups: Vec<usize> = (0..problem.groups()).collect();
        let work = problem.counts.len() * nodes.at.len();
        let parts = in_chunks(&mut groups, work, |_, chunk| {
            let mut rows = (Vec::new(), Vec::new());
            for p in chunk.iter() {
                let counts = &problem.counts[problem.ranges[*p].clone()];
                let mut own = heights(counts, &base, delta, &nodes.at);
                let mut central = heights(counts, &base, delta, centres);
                let top = own.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                own.iter_mut()
                    .chain(&mut central)
                    .for_each(|height| *height = (*height - top).exp());
                rows.0.extend(own.iter().map(|value| *value as f32));
                rows.1.extend(central.iter().map(|value| *value as f32));
            }
            rows
        });
        let (mut at_nodes, mut at_centres) = (Vec::new(), Vec::new());
        for (own, central) in parts {
            at_nodes.extend(own);
            at_centres.extend(central);
        }
        Self {
            nodes: nodes.at.len(),
            centres: centres.len(),
            at_nodes,
            at_centres,
            places,
        }
    }

    /// One group's at the nodes.
    pub(crate) fn row(&self, group: usize) -> &[f32] {
        &self.at_nodes[group * self.nodes..(group + 1) * self.nodes]
    }

    /// One group's at the centres.
    pub(crate) fn central(&self, group: usize) -> &[f32] {
        &self.at_centres[group * self.centres..(group + 1) * self.centres]
    }

    /// Where the likelihoods lie, from a fit of one normal distribution.
    pub(crate) fn places(problem: &Problem, mode: &Optimum) -> Places {
        let (mu, delta) = (mode.eta[problem.mu()], mode.eta[problem.delta()]);
        let mut places = Places {
            information: Vec::new(),
            follows: Vec::new(),
        };
        for (range, z) in problem.ranges.iter().zip(&mode.positions) {
            let alpha = mu + mode.tau * z.mean;
            let mut information = 0.0;
            let mut follows = vec![0.0; problem.size()];
            for count in &problem.counts[range.clone()] {
                let (white, black) = problem.meetings[count.meeting as usize];
                let x = mode.eta[white] - mode.eta[black] + alpha;
                let moments = GameModel::Davidson.moments(x, delta);
                let own = count.games * moments.score_variance;
                information += own;
                follows[white] += own;
                follows[black] -= own;
                follows[problem.delta()] += count.games * moments.covariance;
            }
            let scale = 1.0 / information.max(1e-12);
            follows.iter_mut().for_each(|value| *value *= scale);
            places.information.push(information);
            places.follows.push(follows);
        }
        places
    }
}

/// The log likelihood of these games at each α.
fn heights(counts: &[Count], base: &Base, delta: f64, alphas: &[f64]) -> Vec<f64> {
    let exp_delta = delta.exp();
    let mut heights = Vec::with_capacity(alphas.len() + NODES);
    for chunk in alphas.chunks(NODES) {
        let mut z = [chunk[0]; NODES];
        z[..chunk.len()].copy_from_slice(chunk);
        let up = z.map(|z| (0.5 * z).exp());
        let down = up.map(f64::recip);
        let (mut constant, mut excess) = (0.0, 0.0);
        let mut normalisers = LogProduct::<NODES>::new();
        for count in counts {
            let [x, half, inverse_half] = base[count.meeting as usize];
            constant += count.excess * x + count.draws * delta;
            excess += count.excess;
            let mut normaliser = [0.0; NODES];
            for k in 0..NODES {
                normaliser[k] = half * up[k] + inverse_half * down[k] + exp_delta;
            }
            normalisers.multiply(&normaliser, count.games);
        }
        let logs = normalisers.logarithm();
        heights.extend((0..chunk.len()).map(|k| constant + excess * z[k] - logs[k]));
    }
    heights
}
