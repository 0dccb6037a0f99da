//! Variance of starts over several maps at once: alike in all of them, with one engine, at one
//! limit, in one map alone.
//!
//! `y_{pm} = μ_m + a_p + b_{p,engine(m)} + c_{p,limit(m)} + d_{pm} + e_{pm}`: a map's mean, what a
//! start is worth in every map, what it is worth to these engines, at this limit, in this map
//! alone, and noise of known variance. The variances are estimated by restricted maximum
//! likelihood, with intervals from the profile of the likelihood. A component that these maps
//! cannot tell from the others is left out: that of engines needs some that have two maps and
//! some that differ, that of limits as well.
//!
//! * here: what is estimated, and its intervals
//! * `likelihood`: the restricted likelihood, its maximum
//! * `advantages`: what each start is worth, in all maps and in each

mod advantages;
mod likelihood;

use serde::Serialize;

use crate::numeric::distributions::two_sided_factor;
use crate::numeric::linear::Symmetric;

pub use advantages::{CommonAdvantage, JointAdvantage};
use likelihood::Likelihood;

use super::AdvantageMap;
use super::correlation::FEWEST_STARTS;

/// Halvings of an interval in which an end lies.
const HALVINGS: usize = 20;

/// Which maps have the engines in common, and which the limit: a number for each, map by map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapFactors {
    /// Engines that played it.
    pub engine: Vec<usize>,
    /// The limit at which was played.
    pub limit: Vec<usize>,
}

impl MapFactors {
    /// Equal labels become equal numbers.
    pub fn of_labels<T: PartialEq>(engines: &[T], limits: &[T]) -> Self {
        let numbers = |labels: &[T]| {
            let first = |label: &T| labels.iter().position(|other| other == label);
            labels.iter().filter_map(first).collect()
        };
        Self {
            engine: numbers(engines),
            limit: numbers(limits),
        }
    }
}

/// A standard deviation with its interval, Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Component {
    /// The estimate.
    pub sd: f64,
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// What several maps have in common, and what not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VarianceComponents {
    /// Maps.
    pub maps: usize,
    /// Starts in at least two of them.
    pub starts: usize,
    /// Of starts, alike in every map.
    pub start: Component,
    /// Of starts with the same engines, whatever the limit; `None` where these maps cannot tell.
    pub start_by_engine: Option<Component>,
    /// Of starts at the same limit, whoever plays; `None` where these maps cannot tell.
    pub start_by_limit: Option<Component>,
    /// Of starts in one map alone: what is left.
    pub start_by_map: Component,
    /// Engines and limits change together, so neither component is given.
    pub confounded: bool,
    /// What is common, start by start.
    #[serde(skip)]
    pub common: Vec<CommonAdvantage>,
    /// Each start in each map, from all maps together; by start, then by map.
    #[serde(skip)]
    pub joint: Vec<JointAdvantage>,
}

impl VarianceComponents {
    /// Of two maps or more; `None` with fewer than [`FEWEST_STARTS`] starts in two of them.
    /// Without `factors` for every map these are of different engines and limits.
    pub fn new(maps: &[AdvantageMap], factors: &MapFactors, level: f64) -> Option<Self> {
        let (groups, confounded) = told_apart(maps.len(), factors);
        let likelihood = Likelihood::new(maps, groups.iter().map(|g| g.1.clone()).collect());
        if likelihood.starts() < FEWEST_STARTS {
            return None;
        }
        let free = vec![None; groups.len()];
        let (at, top) = likelihood.peak(&free, &likelihood.guess());
        let drop = 0.5 * two_sided_factor(level).powi(2);
        let found = |kind: Kind| {
            let which = groups.iter().position(|group| group.0 == kind)?;
            Some(interval(&likelihood, &at, which, top - drop))
        };
        let (common, joint) = advantages::of(&likelihood, &at);
        Some(Self {
            maps: maps.len(),
            starts: likelihood.starts(),
            start: found(Kind::Start)?,
            start_by_engine: found(Kind::Engine),
            start_by_limit: found(Kind::Limit),
            start_by_map: found(Kind::Map)?,
            confounded,
            common,
            joint,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Start,
    Engine,
    Limit,
    Map,
}

/// A component and the group of each map in it: maps of a group share the value of a start.
type Grouping = (Kind, Vec<usize>);

/// The components that these maps can tell apart, that of all maps first; whether those of
/// engines and limits cannot be told from each other.
fn told_apart(maps: usize, factors: &MapFactors) -> (Vec<Grouping>, bool) {
    let always = [
        (Kind::Start, vec![0; maps]),
        (Kind::Map, (0..maps).collect()),
    ];
    let asked = [
        (Kind::Engine, factors.engine.clone()),
        (Kind::Limit, factors.limit.clone()),
    ];
    let with = |more: &[&Grouping]| -> Vec<Grouping> {
        let more = more.iter().map(|group| (*group).clone());
        always.iter().cloned().chain(more).collect()
    };
    let possible = |more: &[&Grouping]| {
        more.iter().all(|group| group.1.len() == maps) && are_distinct(maps, &with(more))
    };
    let single: Vec<&Grouping> = asked.iter().filter(|group| possible(&[*group])).collect();
    match possible(&single) {
        true => (with(&single), false),
        false => (with(&[]), true),
    }
}

/// Whether no component's covariances between maps follow from those of the others.
fn are_distinct(maps: usize, groups: &[Grouping]) -> bool {
    let pattern = |group: &Grouping| -> Vec<f64> {
        let two = (0..maps).flat_map(|i| (0..=i).map(move |j| (i, j)));
        two.map(|(i, j)| f64::from(u8::from(group.1[i] == group.1[j])))
            .collect()
    };
    let patterns: Vec<Vec<f64>> = groups.iter().map(pattern).collect();
    let mut products = Symmetric::zeros(patterns.len());
    for i in 0..patterns.len() {
        for j in 0..=i {
            let product = patterns[i].iter().zip(&patterns[j]).map(|(a, b)| a * b);
            products.set(i, j, product.sum());
        }
    }
    products.cholesky().is_some()
}

/// All values of a component whose profile likelihood is not below `lowest`.
fn interval(likelihood: &Likelihood<'_>, at: &[f64], which: usize, lowest: f64) -> Component {
    let mut others = at.to_vec();
    let mut inside = |sd: f64| {
        let mut held = vec![None; at.len()];
        held[which] = Some(sd);
        let (found, height) = likelihood.peak(&held, &others);
        others = found;
        height >= lowest
    };
    let mut edge = |mut within: f64, mut beyond: f64| {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (within + beyond);
            match inside(middle) {
                true => within = middle,
                false => beyond = middle,
            }
        }
        0.5 * (within + beyond)
    };
    let hi = edge(at[which], 2.0 * likelihood.largest());
    let lo = edge(at[which], 0.0);
    Component {
        sd: at[which],
        // What the halvings leave beside 0 is 0.
        lo: if lo < at[which] * 1e-5 { 0.0 } else { lo },
        hi,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(engine: &[usize], limit: &[usize]) -> (Vec<bool>, bool) {
        let factors = MapFactors::of_labels(engine, limit);
        let (groups, confounded) = told_apart(engine.len(), &factors);
        let has = |kind| groups.iter().any(|group| group.0 == kind);
        (vec![has(Kind::Engine), has(Kind::Limit)], confounded)
    }

    #[test]
    fn only_components_that_maps_can_tell_apart_are_estimated() {
        // Two engines at two limits each.
        assert_eq!(
            found(&[1, 1, 2, 2], &[7, 8, 7, 8]),
            (vec![true, true], false)
        );
        // One of the four is missing.
        assert_eq!(found(&[1, 1, 2], &[7, 8, 7]), (vec![true, true], false));
        // Every map has its own engines, or all the same.
        assert_eq!(found(&[1, 2, 3], &[7, 7, 7]), (vec![false, false], false));
        assert_eq!(found(&[1, 1, 1], &[7, 8, 9]), (vec![false, false], false));
        // One engine's map was made twice.
        assert_eq!(found(&[1, 1, 2], &[7, 7, 7]), (vec![true, false], false));
        // Each engine has a limit of its own, twice.
        assert_eq!(
            found(&[1, 1, 2, 2], &[7, 7, 8, 8]),
            (vec![false, false], true)
        );
    }
}
