//! What is known of each position: its posterior at every draw of the prior, put together.
//!
//! Two passes over the positions: the first finds where their mean lies at each draw, and how
//! many lie above each node; the second compares each position with them.

use crate::advantage::hierarchical::HierarchicalOptions;
use crate::advantage::hierarchical::posterior::{AdvantagePosterior, Estimate, Known};
use crate::advantage::hierarchical::problem::Problem;
use crate::advantage::hierarchical::workers::in_chunks;
use crate::numeric::linear::Symmetric;
use crate::numeric::quadrature::GaussHermite;
use crate::numeric::random::SplitMix;

use super::components::PriorDraw;
use super::law::{Law, quantile};
use super::likelihood::Likelihood;
use super::nodes::Nodes;
use super::spread::EloScale;
use super::totals::Totals;

/// Draws of the strengths and δ less their estimates, one for each draw of the prior.
pub(super) fn shifts(
    problem: &Problem,
    covariance: &Symmetric,
    count: usize,
    seed: u64,
) -> Vec<Vec<f64>> {
    let factor = covariance.semidefinite_factor();
    let mut generator = SplitMix::new(seed ^ 0x5348_4946_5453);
    let draw = |_| {
        let normals: Vec<f64> = (0..problem.size()).map(|_| generator.normal()).collect();
        let mut shift = factor.times(&normals);
        // The centre has draws of its own.
        shift[problem.mu()] = 0.0;
        shift
    };
    (0..count).map(draw).collect()
}

/// Everything the passes read.
pub(super) struct Scene<'a> {
    pub problem: &'a Problem,
    pub likelihood: &'a Likelihood,
    pub nodes: &'a Nodes,
    pub centres: &'a [f64],
    pub priors: &'a [PriorDraw],
    pub scale: &'a EloScale,
    /// The margin of equivalence in logits, if it was asked for.
    pub margin: Option<f64>,
    pub seed: u64,
}

/// What the second pass finds of a group.
#[derive(Clone)]
struct OfGroup {
    alpha: Estimate,
    interval: (f64, f64),
    above: f64,
    below: f64,
    reference: Option<f64>,
    equivalent: Option<f64>,
    rank: f64,
}

impl Scene<'_> {
    /// Fills in a posterior, and returns how far the strengths move it.
    pub(crate) fn law(&self, law: &mut Law, slice: usize, group: usize) -> f64 {
        let prior = &self.priors[slice];
        law.fill((self.nodes, self.centres), self.likelihood, prior, group);
        let places = &self.likelihood.places;
        let moved = places.follows[group].iter().zip(&prior.shift);
        let moved: f64 = moved.map(|(follows, shift)| follows * shift).sum();
        -(law.variance * places.information[group]).min(1.0) * moved
    }

    /// The first pass.
    pub(crate) fn totals(&self) -> Totals {
        let mut groups: Vec<usize> = (0..self.problem.groups()).collect();
        let work = groups.len() * self.priors.len() * self.nodes.at.len();
        let positions: f64 = self.problem.copies.iter().sum();
        let parts = in_chunks(&mut groups, work, |_, chunk| {
            let mut part = Totals::empty(self, positions);
            let mut law = Law::empty(self.nodes);
            chunk
                .iter()
                .for_each(|group| part.add(self, *group, &mut law));
            part
        });
        let empty = Totals::empty(self, positions);
        parts.into_iter().fold(empty, Totals::merged)
    }

    /// So many joint draws of all positions' α.
    pub(crate) fn draws(&self, count: usize) -> Vec<Vec<f64>> {
        let mut draws = vec![vec![0.0; self.problem.starts.len()]; count];
        let mut generator = SplitMix::new(self.seed ^ 0x0044_5241_5753);
        let mut law = Law::empty(self.nodes);
        let slices = self.priors.len();
        for slice in 0..slices.min(count) {
            for (place, group) in self.problem.group.iter().enumerate() {
                let moved = self.law(&mut law, slice, *group as usize);
                for draw in draws.iter_mut().skip(slice).step_by(slices) {
                    draw[place] = law.draw(self.nodes, generator.uniform()) + moved;
                }
            }
        }
        draws
    }

    /// The second pass.
    fn groups(&self, totals: &Totals, options: &HierarchicalOptions) -> Vec<OfGroup> {
        let mut groups: Vec<usize> = (0..self.problem.groups()).collect();
        let work = groups.len() * self.priors.len() * self.nodes.at.len();
        let reference = self.reference(options.reference);
        let above = totals.above();
        let rule = GaussHermite::new(5);
        let parts = in_chunks(&mut groups, work, |_, chunk| {
            let mut law = Law::empty(self.nodes);
            let one = |group: &usize| {
                let context = (totals, &above[..], &reference[..], &rule);
                self.group(*group, context, options.level, &mut law)
            };
            chunk.iter().map(one).collect::<Vec<_>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// The laws of the position that others are compared with, as they are moved.
    fn reference(&self, start: Option<u32>) -> Vec<(Law, f64)> {
        let Some(place) = self.problem.place(start) else {
            return Vec::new();
        };
        let group = self.problem.group[place] as usize;
        let one = |slice| {
            let mut law = Law::empty(self.nodes);
            let moved = self.law(&mut law, slice, group);
            (law, moved)
        };
        (0..self.priors.len()).map(one).collect()
    }

    fn group(
        &self,
        group: usize,
        (totals, above, reference, rule): (&Totals, &[f64], &[(Law, f64)], &GaussHermite),
        level: f64,
        law: &mut Law,
    ) -> OfGroup {
        let others = self.problem.starts.len() as f64 - 1.0;
        let mut sums = GroupSums::new(self.nodes.at.len());
        for (slice, [mean, variance]) in totals.slices.iter().enumerate() {
            let moved = self.law(law, slice, group);
            let centre = (mean - law.mean - moved) / others - moved;
            let sd = (variance - law.variance).max(0.0).sqrt() / others;
            sums.add(law, moved, self.nodes);
            sums.above += rule.expectation(centre, sd, |x| law.above(self.nodes, x));
            if let Some(margin) = self.margin {
                let within = |x| law.within(self.nodes, x, margin);
                sums.equivalent += rule.expectation(centre, sd, within);
            }
            if let Some((other, other_moved)) = reference.get(slice) {
                sums.reference += law.beats(other, moved - other_moved, self.nodes);
            }
        }
        sums.finish(self, above, level, !reference.is_empty())
    }
}

/// Sums over the draws of the prior, of one group.
struct GroupSums {
    draws: f64,
    mass: Vec<f64>,
    /// Of mean, variance and squared mean, with and without the moves.
    moments: [f64; 4],
    above: f64,
    point: f64,
    reference: f64,
    equivalent: f64,
}

impl GroupSums {
    fn new(nodes: usize) -> Self {
        Self {
            draws: 0.0,
            mass: vec![0.0; nodes],
            moments: [0.0; 4],
            above: 0.0,
            point: 0.0,
            reference: 0.0,
            equivalent: 0.0,
        }
    }

    fn add(&mut self, law: &Law, moved: f64, nodes: &Nodes) {
        self.draws += 1.0;
        law.add_to(&mut self.mass, nodes);
        let mean = law.mean + moved;
        self.moments[0] += mean;
        self.moments[1] += law.variance + mean * mean;
        self.moments[2] += law.mean;
        self.moments[3] += law.variance + law.mean * law.mean;
        self.point += law.point;
    }

    fn finish(mut self, scene: &Scene<'_>, above: &[f64], level: f64, refers: bool) -> OfGroup {
        let n = self.draws;
        let [mean, square, plain, plain_square] = self.moments.map(|sum| sum / n);
        let sd = (square - mean * mean).max(0.0).sqrt();
        let plain_sd = (plain_square - plain * plain).max(1e-300).sqrt();
        self.mass.iter_mut().for_each(|mass| *mass /= n);
        // The moves widen the law; its form they leave as it is.
        let end =
            |tail: f64| mean + (quantile(&self.mass, scene.nodes, tail) - plain) * sd / plain_sd;
        let tail = 0.5 * (1.0 - level);
        let higher = self
            .mass
            .iter()
            .zip(above)
            .map(|(mass, above)| mass * above);
        let (point, above) = (self.point / n, self.above / n);
        OfGroup {
            alpha: Estimate {
                value: mean,
                se: sd,
            },
            interval: (end(tail), end(1.0 - tail)),
            above,
            below: (1.0 - point - above).max(0.0),
            reference: refers.then(|| self.reference / n),
            equivalent: scene.margin.map(|_| self.equivalent / n),
            // Among those above is the position itself, by half.
            rank: 0.5 + higher.sum::<f64>(),
        }
    }
}

/// What is known of all positions.
pub(super) fn enter(
    scene: &Scene<'_>,
    totals: &Totals,
    posterior: &mut AdvantagePosterior,
    options: &HierarchicalOptions,
) {
    let groups = scene.groups(totals, options);
    let reference: Option<Vec<f64>> = groups.iter().map(|group| group.reference).collect();
    let known = Known {
        above_mean: groups
            .iter()
            .map(|g| 0.5 * (1.0 + g.above - g.below))
            .collect(),
        // A position at the centre itself has no sign: to name it is an error.
        lfsr: groups.iter().map(|g| 1.0 - g.above.max(g.below)).collect(),
        above_reference: reference,
        alphas: groups.iter().map(|g| (g.alpha, g.interval)).collect(),
        ranks: groups.iter().map(|g| g.rank).collect(),
    };
    let before = std::mem::take(&mut posterior.positions);
    posterior.positions = known.positions(scene.problem, posterior.delta.value, options.reference);
    for (position, normal) in posterior.positions.iter_mut().zip(before) {
        let group = scene.problem.starts.binary_search(&position.start);
        let group = group.ok().map(|place| scene.problem.group[place] as usize);
        position.p_equivalent = group.and_then(|group| groups[group].equivalent);
        position.if_normal = Some((normal.alpha, normal.s_value));
    }
}
