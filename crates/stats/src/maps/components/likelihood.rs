//! The restricted likelihood of the components, and where it is largest.

use std::collections::BTreeMap;

use crate::numeric::brent::maximum;
use crate::numeric::linear::Symmetric;

use super::super::AdvantageMap;

/// A start in a map: which, the estimate, its variance.
pub(super) type Observation = (usize, f64, f64);

/// Sweeps over the components until the maximum does not rise.
const SWEEPS: usize = 20;

/// The observations, and which maps share what.
pub(super) struct Likelihood<'a> {
    maps: &'a [AdvantageMap],
    groups: Vec<Vec<usize>>,
    observations: BTreeMap<u32, Vec<Observation>>,
    blocks: Vec<Block>,
    largest: f64,
}

/// Starts in the same maps with the same noise: their covariance matrix is inverted once.
struct Block {
    maps: Vec<usize>,
    variances: Vec<f64>,
    starts: f64,
    sums: Vec<f64>,
    squares: Symmetric,
}

/// What the likelihood is made of.
struct Sums {
    information: Symmetric,
    score: Vec<f64>,
    /// `ln det V`.
    logarithms: f64,
    /// `y' V⁻¹ y`.
    square: f64,
}

impl<'a> Likelihood<'a> {
    /// Of starts in at least two maps; `groups` has the maps' groups, component by component.
    pub(super) fn new(maps: &'a [AdvantageMap], groups: Vec<Vec<usize>>) -> Self {
        let mut observations: BTreeMap<u32, Vec<Observation>> = BTreeMap::new();
        for (index, map) in maps.iter().enumerate() {
            for point in &map.points {
                let entry = observations.entry(point.start).or_default();
                // Deviations from the map's mean: the same likelihood, and no digits are lost.
                entry.push((index, point.elo - map.mean.elo, point.variance));
            }
        }
        observations.retain(|_, seen| seen.len() > 1);
        let values = observations.values().flatten();
        let largest = values.map(|(_, elo, _)| elo.abs()).fold(1.0, f64::max);
        Self {
            maps,
            groups,
            blocks: blocks(&observations),
            observations,
            largest,
        }
    }

    /// Starts in at least two maps.
    pub(super) fn starts(&self) -> usize {
        self.observations.len()
    }

    /// Every start with what is known of it; estimates are deviations from the maps' means.
    pub(super) fn observations(&self) -> &BTreeMap<u32, Vec<Observation>> {
        &self.observations
    }

    /// The largest deviation of a start from its map's mean, Elo.
    pub(super) fn largest(&self) -> f64 {
        self.largest
    }

    /// Where a search may begin.
    pub(super) fn guess(&self) -> Vec<f64> {
        vec![0.2 * self.largest; self.groups.len()]
    }

    /// The mean of a map as it was given, Elo.
    pub(super) fn given_mean(&self, map: usize) -> f64 {
        self.maps[map].mean.elo
    }

    /// The maximum with some components held, searched from `near`; and its height.
    pub(super) fn peak(&self, held: &[Option<f64>], near: &[f64]) -> (Vec<f64>, f64) {
        let start = held.iter().zip(near);
        let mut at: Vec<f64> = start.map(|(held, near)| held.unwrap_or(*near)).collect();
        let mut height = self.log_likelihood(&at);
        for _ in 0..SWEEPS {
            let before = height;
            for i in (0..at.len()).filter(|i| held[*i].is_none()) {
                let along = |sd: f64| {
                    let mut tried = at.clone();
                    tried[i] = sd;
                    self.log_likelihood(&tried)
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

    /// Covariances of a start's values in these maps, noise left out.
    pub(super) fn covariances(&self, at: &[f64], maps: &[usize]) -> Symmetric {
        let mut found = Symmetric::zeros(maps.len());
        for (group, sd) in self.groups.iter().zip(at) {
            for (i, one) in maps.iter().enumerate() {
                for (j, other) in maps.iter().enumerate().take(i + 1) {
                    if group[*one] == group[*other] {
                        found.add(i, j, sd * sd);
                    }
                }
            }
        }
        found
    }

    /// The inverse of those with the noise, and the logarithm of their determinant.
    pub(super) fn weights(
        &self,
        at: &[f64],
        maps: &[usize],
        noise: &[f64],
    ) -> Option<(Symmetric, f64)> {
        let mut total = self.covariances(at, maps);
        for (i, variance) in noise.iter().enumerate() {
            total.add(i, i, *variance);
        }
        let factor = total.cholesky()?;
        Some((factor.inverse(), factor.log_determinant()))
    }

    /// What the maps' means lie off those that were given, by generalised least squares.
    pub(super) fn offsets(&self, at: &[f64]) -> Vec<f64> {
        let solved = self.sums(at).and_then(|sums| {
            let factor = regular(&sums.information).cholesky()?;
            Some(factor.solve(&sums.score))
        });
        solved.unwrap_or_else(|| vec![0.0; self.maps.len()])
    }

    /// Restricted: the maps' means are integrated out.
    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let height = self.sums(at).and_then(|sums| {
            let factor = regular(&sums.information).cholesky()?;
            let means = factor.solve(&sums.score);
            let explained: f64 = means.iter().zip(&sums.score).map(|(a, b)| a * b).sum();
            Some(-0.5 * (sums.logarithms + factor.log_determinant() + sums.square - explained))
        });
        height.unwrap_or(f64::NEG_INFINITY)
    }

    fn sums(&self, at: &[f64]) -> Option<Sums> {
        let mut sums = Sums {
            information: Symmetric::zeros(self.maps.len()),
            score: vec![0.0; self.maps.len()],
            logarithms: 0.0,
            square: 0.0,
        };
        for block in &self.blocks {
            let (weights, logarithm) = self.weights(at, &block.maps, &block.variances)?;
            sums.logarithms += block.starts * logarithm;
            for (i, map) in block.maps.iter().enumerate() {
                let row = weights.row(i);
                let with =
                    |values: &[f64]| -> f64 { row.iter().zip(values).map(|(a, b)| a * b).sum() };
                sums.score[*map] += with(&block.sums);
                sums.square += with(block.squares.row(i));
                for (j, other) in block.maps.iter().enumerate().take(i + 1) {
                    sums.information.add(*map, *other, block.starts * row[j]);
                }
            }
        }
        Some(sums)
    }
}

fn blocks(observations: &BTreeMap<u32, Vec<Observation>>) -> Vec<Block> {
    let mut found: BTreeMap<Vec<(usize, u64)>, Block> = BTreeMap::new();
    for seen in observations.values() {
        let key = seen.iter().map(|(map, _, v)| (*map, v.to_bits())).collect();
        let block = found.entry(key).or_insert_with(|| Block {
            maps: seen.iter().map(|(map, ..)| *map).collect(),
            variances: seen.iter().map(|(.., v)| *v).collect(),
            starts: 0.0,
            sums: vec![0.0; seen.len()],
            squares: Symmetric::zeros(seen.len()),
        });
        let values: Vec<f64> = seen.iter().map(|(_, y, _)| *y).collect();
        block.starts += 1.0;
        block.squares.add_outer(&values, 1.0);
        for (sum, value) in block.sums.iter_mut().zip(&values) {
            *sum += value;
        }
    }
    found.into_values().collect()
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
