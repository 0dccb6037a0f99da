//! Intervals from a position's own games, without a prior. They hold for every position, the
//! truly most extreme ones too; at the level of Benjamini & Yekutieli (*JASA* 2005) also for those
//! that were selected: of the intervals of R named among P positions, at 1 − 0.05 R/P, at most
//! 5 % miss on average.

use crate::advantage::hierarchical::posterior::AdvantagePosterior;
use crate::advantage::hierarchical::problem::Problem;
use crate::advantage::hierarchical::selection::NAMED_UP_TO;
use crate::numeric::distributions::chi_squared_quantile;
use crate::numeric::linear::Symmetric;

use super::likelihood::Likelihood;
use super::nodes::Nodes;

/// Intervals of α by the likelihood ratio; infinite where a position's games set no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnInterval {
    /// At the usual level, for a position that was chosen before the games.
    pub usual: (f64, f64),
    /// At the level for a position that was named because of the games.
    pub selected: Option<(f64, f64)>,
}

/// Gives every position its own intervals.
pub(super) fn enter(
    problem: &Problem,
    (likelihood, nodes): (&Likelihood, &Nodes),
    covariance: &Symmetric,
    posterior: &mut AdvantagePosterior,
    level: f64,
) {
    let named = posterior
        .positions
        .iter()
        .filter(|p| p.s_value <= NAMED_UP_TO);
    let share = named.count() as f64 / posterior.positions.len() as f64;
    let usual = chi_squared_quantile(1.0, level);
    let selected = chi_squared_quantile(1.0, 1.0 - (1.0 - level) * share);
    let one = |group: usize| {
        let own = Own::new(group, likelihood, nodes, covariance);
        (own.interval(usual), own.interval(selected))
    };
    let groups: Vec<_> = (0..problem.groups()).map(one).collect();
    for (position, group) in posterior.positions.iter_mut().zip(&problem.group) {
        let (usual, selected) = groups[*group as usize];
        position.own = Some(OwnInterval {
            usual,
            selected: (position.s_value <= NAMED_UP_TO).then_some(selected),
        });
    }
}

/// One group's likelihood.
struct Own<'a> {
    nodes: &'a Nodes,
    /// Twice the fall of the log likelihood below its maximum, at the nodes.
    deviance: Vec<f64>,
    /// Place of the largest value.
    peak: usize,
    /// The maximum between the nodes.
    maximum: f64,
    /// How much wider the unknown strengths make the interval.
    factor: f64,
}

impl<'a> Own<'a> {
    fn new(
        group: usize,
        likelihood: &Likelihood,
        nodes: &'a Nodes,
        covariance: &Symmetric,
    ) -> Self {
        let row = likelihood.row(group);
        let log: Vec<f64> = row.iter().map(|l| f64::from(l.max(1e-38)).ln()).collect();
        let peak = (0..log.len()).fold(0, |best, i| if log[i] > log[best] { i } else { best });
        let (maximum, top) = vertex(nodes, &log, peak);
        let places = &likelihood.places;
        let follows = &places.follows[group];
        let shared = covariance.form(follows, follows) * places.information[group];
        Self {
            nodes,
            deviance: log.iter().map(|log| (2.0 * (top - log)).max(0.0)).collect(),
            peak,
            maximum,
            factor: (1.0 + shared.max(0.0)).sqrt(),
        }
    }

    fn interval(&self, limit: f64) -> (f64, f64) {
        let low = self.crossing((0..self.peak).rev(), limit);
        let high = self.crossing(self.peak + 1..self.deviance.len(), limit);
        (
            low.map_or(f64::NEG_INFINITY, |x| self.widened(x)),
            high.map_or(f64::INFINITY, |x| self.widened(x)),
        )
    }

    fn widened(&self, x: f64) -> f64 {
        self.maximum + self.factor * (x - self.maximum)
    }

    /// Where the deviance first exceeds the limit; its root is nearly linear.
    fn crossing(&self, places: impl Iterator<Item = usize>, limit: f64) -> Option<f64> {
        let (mut inside, mut root) = (self.maximum, 0.0);
        for place in places {
            let (x, reached) = (self.nodes.at[place], self.deviance[place].sqrt());
            if reached >= limit.sqrt() {
                let share = (limit.sqrt() - root) / (reached - root).max(1e-300);
                return Some(inside + share * (x - inside));
            }
            (inside, root) = (x, reached);
        }
        None
    }
}

/// Place and height of the parabola through a value and its neighbours.
fn vertex(nodes: &Nodes, log: &[f64], peak: usize) -> (f64, f64) {
    if peak == 0 || peak + 1 == log.len() {
        return (nodes.at[peak], log[peak]);
    }
    let [a, b, c] = [-1, 0, 1].map(|i| nodes.at[(peak as isize + i) as usize]);
    let [fa, fb, fc] = [-1, 0, 1].map(|i| log[(peak as isize + i) as usize]);
    let (left, right) = ((fb - fa) / (b - a), (fc - fb) / (c - b));
    let curvature = (right - left) / (c - a);
    if curvature >= 0.0 {
        return (b, fb);
    }
    let slope = left + curvature * (b - a);
    let step = (-0.5 * slope / curvature).clamp(a - b, c - b);
    (b + step, fb + slope * step + curvature * step * step)
}
