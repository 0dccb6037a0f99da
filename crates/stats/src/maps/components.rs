//! Variance of starts, and of starts by map, over several maps at once.
//!
//! `y_{pm} = μ_m + a_p + b_{pm} + e_{pm}`: a map's mean, what a start is worth in every map, what
//! it is worth in this one alone, and noise of known variance. Both variances are estimated by
//! restricted maximum likelihood, with intervals from the profile of the likelihood.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::numeric::brent::maximum;
use crate::numeric::distributions::{normal_cdf, two_sided_factor};
use crate::numeric::linear::Symmetric;

use super::AdvantageMap;
use super::correlation::FEWEST_STARTS;

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
    /// Of starts in one map alone (engine, limit, event).
    pub start_by_map: Component,
    /// What is common, start by start.
    #[serde(skip)]
    pub common: Vec<CommonAdvantage>,
}

/// What a start is worth in every map, beyond their means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CommonAdvantage {
    /// Start number.
    pub start: u32,
    /// Maps that have it.
    pub maps: u32,
    /// Posterior mean in Elo, drawn towards 0 by its noise.
    pub elo: f64,
    /// Posterior standard deviation.
    pub sd: f64,
    /// P(above 0).
    pub p_above_mean: f64,
    /// Mean false-sign rate of all starts at least as clear.
    pub svalue: f64,
}

/// (map, estimate, variance) of every start.
type Observations = BTreeMap<u32, Vec<(usize, f64, f64)>>;

struct Model {
    maps: usize,
    observations: Observations,
    largest: f64,
}

impl VarianceComponents {
    /// Of two maps or more; `None` with fewer than [`FEWEST_STARTS`] starts in two of them.
    pub fn new(maps: &[AdvantageMap], level: f64) -> Option<Self> {
        let model = Model::new(maps);
        if model.observations.len() < FEWEST_STARTS {
            return None;
        }
        let (at, top) = model.peak([None, None]);
        let drop = 0.5 * two_sided_factor(level).powi(2);
        let ends = |which: usize| {
            let depth = |sd: f64| {
                let mut held = [None, None];
                held[which] = Some(sd);
                top - model.peak(held).1 - drop
            };
            let low = if depth(0.0) <= 0.0 {
                0.0
            } else {
                edge(&depth, at[which], 0.0)
            };
            Component {
                sd: at[which],
                lo: low,
                hi: edge(&depth, at[which], 2.0 * model.largest),
            }
        };
        Some(Self {
            maps: maps.len(),
            starts: model.observations.len(),
            start: ends(0),
            start_by_map: ends(1),
            common: model.common(at),
        })
    }
}

/// Where the depth changes its sign between a point inside and one outside.
fn edge(depth: &impl Fn(f64) -> f64, mut inside: f64, mut outside: f64) -> f64 {
    for _ in 0..24 {
        let middle = 0.5 * (inside + outside);
        match depth(middle) <= 0.0 {
            true => inside = middle,
            false => outside = middle,
        }
    }
    0.5 * (inside + outside)
}

impl Model {
    fn new(maps: &[AdvantageMap]) -> Self {
        let mut observations = Observations::new();
        for (index, map) in maps.iter().enumerate() {
            for point in &map.points {
                let entry = observations.entry(point.start).or_default();
                entry.push((index, point.elo, point.variance));
            }
        }
        observations.retain(|_, seen| seen.len() > 1);
        let values = observations.values().flatten();
        let largest = values
            .map(|(map, elo, _)| (elo - maps[*map].mean.elo).abs())
            .fold(1.0, f64::max);
        Self {
            maps: maps.len(),
            observations,
            largest,
        }
    }

    /// The maximum, some components held.
    fn peak(&self, held: [Option<f64>; 2]) -> ([f64; 2], f64) {
        let mut at = held.map(|sd| sd.unwrap_or(0.2 * self.largest));
        let mut height = self.log_likelihood(at);
        for _ in 0..20 {
            let before = height;
            for i in (0..2).filter(|i| held[*i].is_none()) {
                let along = |sd: f64| {
                    let mut tried = at;
                    tried[i] = sd;
                    self.log_likelihood(tried)
                };
                let zero = along(0.0);
                let found = maximum(0.0, self.largest, 1e-3 * self.largest, along);
                (at[i], height) = match found.value >= zero {
                    true => (found.at, found.value),
                    false => (0.0, zero),
                };
            }
            if height - before < 1e-5 {
                break;
            }
        }
        (at, height)
    }

    /// Restricted: the maps' means are integrated out.
    fn log_likelihood(&self, at: [f64; 2]) -> f64 {
        let (information, score, logs, square) = self.sums(at);
        let Some(factor) = regular(&information).cholesky() else {
            return f64::NEG_INFINITY;
        };
        let means = factor.solve(&score);
        let explained: f64 = means.iter().zip(&score).map(|(a, b)| a * b).sum();
        -0.5 * (logs + factor.log_determinant() + square - explained)
    }

    /// Normal equations of the means, `ln det V`, and `y' V⁻¹ y`.
    fn sums(&self, [start, by_map]: [f64; 2]) -> (Symmetric, Vec<f64>, f64, f64) {
        let mut information = Symmetric::zeros(self.maps);
        let mut score = vec![0.0; self.maps];
        let (mut logs, mut square) = (0.0, 0.0);
        for seen in self.observations.values() {
            let weight = |variance: f64| 1.0 / (variance + by_map * by_map);
            let total: f64 = seen.iter().map(|(.., v)| weight(*v)).sum();
            // V⁻¹ = W − W 1 1' W · c (Sherman and Morrison).
            let c = start * start / (1.0 + start * start * total);
            let sum: f64 = seen.iter().map(|(_, y, v)| weight(*v) * y).sum();
            logs += (1.0 + start * start * total).ln();
            square -= c * sum * sum;
            for (map, y, v) in seen {
                let w = weight(*v);
                logs -= w.ln();
                square += w * y * y;
                score[*map] += w * y - c * w * sum;
                information.add(*map, *map, w);
            }
            let direction: Vec<(usize, f64)> =
                seen.iter().map(|(map, _, v)| (*map, weight(*v))).collect();
            information.add_outer_sparse(&direction, -c);
        }
        (information, score, logs, square)
    }

    /// What every start is worth in all maps.
    fn common(&self, at: [f64; 2]) -> Vec<CommonAdvantage> {
        let (information, score, ..) = self.sums(at);
        let means = regular(&information)
            .cholesky()
            .map(|factor| factor.solve(&score));
        let means = means.unwrap_or_else(|| vec![0.0; self.maps]);
        let prior = at[0] * at[0];
        let mut found: Vec<CommonAdvantage> = self
            .observations
            .iter()
            .map(|(start, seen)| {
                let weight = |variance: f64| 1.0 / (variance + at[1] * at[1]);
                let total: f64 = seen.iter().map(|(.., v)| weight(*v)).sum();
                let sum: f64 = seen
                    .iter()
                    .map(|(m, y, v)| weight(*v) * (y - means[*m]))
                    .sum();
                let (elo, variance) = match prior > 0.0 {
                    true => (sum / (total + 1.0 / prior), 1.0 / (total + 1.0 / prior)),
                    false => (0.0, 0.0),
                };
                CommonAdvantage {
                    start: *start,
                    maps: seen.len() as u32,
                    elo,
                    sd: variance.sqrt(),
                    p_above_mean: match variance > 0.0 {
                        true => normal_cdf(elo / variance.sqrt()),
                        false => 0.5,
                    },
                    svalue: 0.5,
                }
            })
            .collect();
        enter_s_values(&mut found);
        found
    }
}

/// Running means of the false-sign rates; equal rates have equal values, the largest.
fn enter_s_values(found: &mut [CommonAdvantage]) {
    let rate = |c: &CommonAdvantage| c.p_above_mean.min(1.0 - c.p_above_mean);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|a, b| rate(&found[*a]).total_cmp(&rate(&found[*b])));
    let mut sum = 0.0;
    let means: Vec<f64> = order
        .iter()
        .enumerate()
        .map(|(n, i)| {
            sum += rate(&found[*i]);
            sum / (n + 1) as f64
        })
        .collect();
    let mut last = means.len();
    for n in (0..means.len()).rev() {
        if n + 1 == means.len() || rate(&found[order[n]]) < rate(&found[order[n + 1]]) - 1e-12 {
            last = n;
        }
        found[order[n]].svalue = means[last];
    }
}

/// A map without any start that another has would make the information singular.
fn regular(information: &Symmetric) -> Symmetric {
    let mut regular = information.clone();
    for i in 0..regular.size() {
        if regular.at(i, i) <= 0.0 {
            regular.set(i, i, 1.0);
        }
    }
    regular
}
