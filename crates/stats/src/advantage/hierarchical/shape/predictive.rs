//! Posterior predictive checks of the prior's shape (Rubin, *Ann. Statist.* 1984): would
//! positions drawn from it yield scores that are as skewed, as long-tailed, as extreme as these?

use serde::Serialize;

use crate::advantage::hierarchical::problem::{Count, Problem};
use crate::advantage::hierarchical::profile::{TauProfile, cubic};
use crate::numeric::random::SplitMix;
use crate::ratings::models::{GameModel, davidson};

use super::components::{Components, PriorDraw};

/// Probabilities of results at least as unusual, two-sided for skewness and kurtosis; none
/// below 1/200.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictiveCheck {
    /// Skewness of the positions' standardised scores.
    pub skewness: f64,
    /// Their kurtosis.
    pub kurtosis: f64,
    /// The largest of them, either way.
    pub extreme: f64,
}

/// The checks of both priors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictiveChecks {
    /// Of one normal distribution.
    pub normal: PredictiveCheck,
    /// Of the mixture.
    pub mixture: PredictiveCheck,
}

/// Replicates of all positions.
const REPLICATES: usize = 199;

/// More positions than this say nothing more: every k-th is taken.
const MOST_POSITIONS: usize = 2000;

/// Below this many games a position's games are drawn one by one, else its score is normal.
const FEW_GAMES: f64 = 40.0;

/// Points of the tables of a score's mean and variance by α.
const POINTS: usize = 21;

impl PredictiveChecks {
    /// Checks both priors; `phi` is what the counts were divided by.
    pub(super) fn new(
        (problem, profile): (&Problem, &TauProfile),
        (components, priors): (&Components, &[PriorDraw]),
        (phi, reach): (f64, f64),
        seed: u64,
    ) -> Self {
        let replica = Replica::new(problem, profile, phi, reach);
        let mut generator = SplitMix::new(seed ^ 0x4348_4543_4b53);
        let mu = problem.mu();
        let normal = replica.check(&mut generator, |_, generator| {
            let slice = &profile.grid[generator.by_weights(&profile.probability)];
            let error = slice.covariance.at(mu, mu).max(0.0).sqrt() * generator.normal();
            let prior = (slice.eta[mu] + error, slice.tau);
            Box::new(move |generator: &mut SplitMix| prior.0 + prior.1 * generator.normal())
        });
        let mixture = replica.check(&mut generator, |round, _| {
            let prior = &priors[round % priors.len()];
            Box::new(move |generator: &mut SplitMix| {
                let component = generator.by_weights(&prior.weights);
                let (mean, sd) = components.moments(prior.centre, component);
                mean + sd * generator.normal()
            })
        });
        Self { normal, mixture }
    }
}

/// Draws one α.
type Source<'a> = Box<dyn Fn(&mut SplitMix) -> f64 + 'a>;

/// What is needed to play all positions again.
struct Replica<'a> {
    problem: &'a Problem,
    eta: &'a [f64],
    /// Groups of the positions that are played.
    groups: Vec<usize>,
    tables: Vec<Option<Table>>,
    phi: f64,
}

/// Mean and variance of a group's score, less half the games, at even points of α.
struct Table {
    first: f64,
    step: f64,
    mean: Vec<f64>,
    variance: Vec<f64>,
}

impl<'a> Replica<'a> {
    fn new(problem: &'a Problem, profile: &'a TauProfile, phi: f64, reach: f64) -> Self {
        let stride = problem.starts.len().div_ceil(MOST_POSITIONS);
        let groups = problem.group.iter().step_by(stride).map(|g| *g as usize);
        let mut replica = Self {
            problem,
            eta: &profile.mode.eta,
            groups: groups.collect(),
            tables: Vec::new(),
            phi,
        };
        let table = |group| {
            let games: f64 = replica.counts(group).iter().map(|c| c.games).sum();
            (games * phi >= FEW_GAMES).then(|| replica.table(group, reach))
        };
        replica.tables = (0..problem.groups()).map(table).collect();
        replica
    }

    fn counts(&self, group: usize) -> &'a [Count] {
        &self.problem.counts[self.problem.ranges[group].clone()]
    }

    fn table(&self, group: usize, reach: f64) -> Table {
        let step = 2.0 * reach / (POINTS - 1) as f64;
        let first = self.eta[self.problem.mu()] - reach;
        let moments = |i: usize| self.moments(group, first + step * i as f64);
        let (mean, variance) = (0..POINTS).map(moments).unzip();
        Table {
            first,
            step,
            mean,
            variance,
        }
    }

    /// Mean and variance of a group's score, less half the games.
    fn moments(&self, group: usize, alpha: f64) -> (f64, f64) {
        let exp_delta = self.eta[self.problem.delta()].exp();
        let mut sums = (0.0, 0.0);
        for count in self.counts(group) {
            let up = (0.5 * (self.gap(count) + alpha)).exp();
            let inverse = 1.0 / (up + 1.0 / up + exp_delta);
            let (difference, decisive) = ((up - 1.0 / up) * inverse, (up + 1.0 / up) * inverse);
            sums.0 += 0.5 * count.games * difference;
            sums.1 += 0.25 * count.games * (decisive - difference * difference);
        }
        sums
    }

    fn gap(&self, count: &Count) -> f64 {
        let (white, black) = self.problem.meetings[count.meeting as usize];
        self.eta[white] - self.eta[black]
    }

    /// A group's score with this advantage, less half the games.
    fn play(&self, group: usize, alpha: f64, generator: &mut SplitMix) -> f64 {
        if let Some(table) = &self.tables[group] {
            let (mean, variance) = table.at(alpha);
            return mean + variance.max(0.0).sqrt() * generator.normal();
        }
        let delta = self.eta[self.problem.delta()];
        let (mut score, mut mean) = (0.0, 0.0);
        for count in self.counts(group) {
            let x = self.gap(count) + alpha;
            let [loss, draw, _] = davidson(x, delta);
            mean += count.games * (GameModel::Davidson.moments(x, delta).score - 0.5);
            for _ in 0..(count.games * self.phi).round() as u32 {
                let u = generator.uniform();
                score += if u < loss {
                    -0.5
                } else if u < loss + draw {
                    0.0
                } else {
                    0.5
                };
            }
        }
        // Divided counts vary more than such counts would.
        mean + (score - self.phi * mean) / self.phi.sqrt()
    }

    fn check(
        &self,
        generator: &mut SplitMix,
        mut prior: impl FnMut(usize, &mut SplitMix) -> Source<'a>,
    ) -> PredictiveCheck {
        let mu = self.eta[self.problem.mu()];
        let expected: Vec<(f64, f64)> = self.groups.iter().map(|g| self.moments(*g, mu)).collect();
        let standardised = |score: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let pairs = self.groups.iter().zip(&expected);
            pairs
                .map(|(g, (mean, variance))| (score(*g) - mean) / variance.sqrt())
                .collect()
        };
        let excess = |group: usize| self.counts(group).iter().map(|c| c.excess).sum();
        let observed = form(&standardised(&excess));
        let mut below = [0_usize; 3];
        for round in 0..REPLICATES {
            let source = prior(round, generator);
            let shared = std::cell::RefCell::new(&mut *generator);
            let again = |group: usize| {
                let mut generator = shared.borrow_mut();
                let alpha = source(&mut generator);
                self.play(group, alpha, &mut generator)
            };
            let found = form(&standardised(&again));
            (0..3).for_each(|i| below[i] += usize::from(found[i] < observed[i]));
        }
        let share = |count: usize| (count as f64 + 1.0) / (REPLICATES + 1) as f64;
        let above = |i: usize| share(REPLICATES - below[i]);
        let two_sided = |i: usize| (2.0 * share(below[i]).min(above(i))).min(1.0);
        PredictiveCheck {
            skewness: two_sided(0),
            kurtosis: two_sided(1),
            extreme: above(2),
        }
    }
}

impl Table {
    fn at(&self, alpha: f64) -> (f64, f64) {
        let place = ((alpha - self.first) / self.step).clamp(0.0, (POINTS - 1) as f64 - 1e-9);
        let (left, share) = (place as usize, place.fract());
        (
            cubic(&self.mean, left, share),
            cubic(&self.variance, left, share),
        )
    }
}

/// Skewness, kurtosis and largest absolute value.
fn form(values: &[f64]) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power| values.iter().map(|v| (v - mean).powi(power)).sum::<f64>() / n;
    let variance = moment(2).max(1e-300);
    [
        moment(3) / variance.powf(1.5),
        moment(4) / (variance * variance),
        values.iter().fold(0.0, |a, v| a.max((v - mean).abs())),
    ]
}
