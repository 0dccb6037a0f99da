//! Does an engine's strength depend on the position?
//!
//! In every pair the first engine's score, less the mean of all pairs between the same two,
//! is `γ_{p,first} − γ_{p,second} + noise`: a linear model in each position whose
//! coefficients are the engines' deviations there. Opponents' strength is taken out with the
//! means, so that engines far apart do not enter the noise. With two engines this is the
//! one-way analysis of variance of the pair values.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::Pair;
use crate::numeric::distributions::fisher_tail;
use crate::numeric::linear::Symmetric;

/// The joint test, and how much each engine deviates from position to position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interaction {
    /// Mean square of the deviations by that of the noise.
    #[serde(rename = "F")]
    pub f: f64,
    /// Degrees of freedom of the deviations.
    pub df1: usize,
    /// Degrees of freedom of the noise.
    pub df2: usize,
    /// `P(F(df1, df2) > F)`: that no engine's strength depends on the position.
    pub p_value: f64,
    /// Engine by engine, in the order of the games.
    pub engines: Vec<EngineDeviation>,
}

/// How much one engine's strength varies over the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineDeviation {
    /// The engine.
    pub engine: String,
    /// Standard deviation over positions in score, noise taken off, not below 0. With two
    /// engines it is half of what the difference varies by, for nobody can say whose it is.
    pub sd: f64,
}

/// The pairs of one position as a linear model.
struct PositionModel {
    /// `Σ x x'` over the engines that played here.
    information: Symmetric,
    /// `Σ x r`.
    score: Vec<f64>,
    /// The engines' places in the table.
    engines: Vec<u16>,
}

impl Interaction {
    /// Tests the pairs; `None` where nothing is left for the noise.
    pub fn new(engines: &[String], pairs: &[Pair]) -> Option<Self> {
        let means = meeting_means(pairs);
        let mut sorted: Vec<&Pair> = pairs.iter().collect();
        sorted.sort_by_key(|pair| pair.start);
        let residual = |pair: &Pair| pair.first_value() - means[&(pair.first, pair.second)];
        let total: f64 = pairs.iter().map(|pair| residual(pair).powi(2)).sum();
        let mut fitted = 0.0;
        let mut rank = 0;
        let mut deviations = vec![(0.0, 0.0, 0_usize); engines.len()];
        for group in sorted.chunk_by(|a, b| a.start == b.start) {
            let model = PositionModel::new(group, residual);
            let (effects, inverse, here) = model.solve()?;
            fitted += dot(&effects, &model.score);
            rank += here;
            for (i, engine) in model.engines.iter().enumerate() {
                let entry = &mut deviations[usize::from(*engine)];
                entry.0 += effects[i] * effects[i];
                entry.1 += inverse.at(i, i);
                entry.2 += 1;
            }
        }
        let across = connected_rank(means.keys().copied());
        let df1 = rank.checked_sub(across).filter(|df| *df > 0)?;
        let df2 = pairs.len().checked_sub(rank + means.len() - across)?;
        let noise = (total - fitted).max(0.0) / df2 as f64;
        if df2 == 0 || noise <= 1e-15 {
            return None;
        }
        let f = fitted / df1 as f64 / noise;
        let one = |(name, (squares, variance, count)): (&String, &(f64, f64, usize))| {
            (*count > 1).then(|| EngineDeviation {
                engine: name.clone(),
                sd: ((squares - noise * variance) / (*count as f64 - 1.0))
                    .max(0.0)
                    .sqrt(),
            })
        };
        Some(Self {
            f,
            df1,
            df2,
            p_value: fisher_tail(df1 as f64, df2 as f64, f),
            engines: engines.iter().zip(&deviations).filter_map(one).collect(),
        })
    }
}

impl PositionModel {
    fn new(pairs: &[&Pair], residual: impl Fn(&Pair) -> f64) -> Self {
        let mut engines: Vec<u16> = pairs.iter().flat_map(|p| [p.first, p.second]).collect();
        engines.sort_unstable();
        engines.dedup();
        let mut model = Self {
            information: Symmetric::zeros(engines.len()),
            score: vec![0.0; engines.len()],
            engines,
        };
        for pair in pairs {
            let [first, second] = [pair.first, pair.second]
                .map(|engine| model.engines.binary_search(&engine).unwrap_or_default());
            let entries = [(first, 1.0), (second, -1.0)];
            model.information.add_outer_sparse(&entries, 1.0);
            let value = residual(pair);
            model.score[first] += value;
            model.score[second] -= value;
        }
        model
    }

    /// Least squares with deviations that sum to zero in every connected group: the
    /// deviations, the generalised inverse, and its rank.
    fn solve(&self) -> Option<(Vec<f64>, Symmetric, usize)> {
        let groups = self.groups();
        let mut regular = self.information.clone();
        for group in &groups {
            regular.add_outer_sparse(group, 1.0);
        }
        let mut inverse = regular.cholesky()?.inverse();
        for group in &groups {
            inverse.add_outer_sparse(group, -1.0 / (group.len() as f64).powi(2));
        }
        let rank = self.engines.len() - groups.len();
        Some((inverse.times(&self.score), inverse, rank))
    }

    /// Engines connected by games here, as vectors of ones.
    fn groups(&self) -> Vec<Vec<(usize, f64)>> {
        let count = self.engines.len();
        let mut group: Vec<usize> = (0..count).collect();
        for i in 0..count {
            for j in 0..i {
                if self.information.at(i, j) != 0.0 && group[i] != group[j] {
                    let (old, new) = (group[i], group[j]);
                    group
                        .iter_mut()
                        .filter(|g| **g == old)
                        .for_each(|g| *g = new);
                }
            }
        }
        let mut members = BTreeMap::<usize, Vec<(usize, f64)>>::new();
        for (place, group) in group.into_iter().enumerate() {
            members.entry(group).or_default().push((place, 1.0));
        }
        members.into_values().collect()
    }
}

/// Mean of the first engine's score over all pairs between the same two.
fn meeting_means(pairs: &[Pair]) -> BTreeMap<(u16, u16), f64> {
    let mut sums = BTreeMap::<(u16, u16), (f64, f64)>::new();
    for pair in pairs {
        let sum = sums.entry((pair.first, pair.second)).or_default();
        *sum = (sum.0 + pair.first_value(), sum.1 + 1.0);
    }
    let mean = |(meeting, (sum, count))| (meeting, sum / count);
    sums.into_iter().map(mean).collect()
}

/// Engines less connected groups among these meetings.
fn connected_rank(meetings: impl Iterator<Item = (u16, u16)>) -> usize {
    let mut groups: Vec<Vec<u16>> = Vec::new();
    for (a, b) in meetings {
        let (mut joined, rest): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|group| group.contains(&a) || group.contains(&b));
        joined.push(vec![a, b]);
        let mut joined = joined.concat();
        joined.sort_unstable();
        joined.dedup();
        groups = rest;
        groups.push(joined);
    }
    groups.iter().map(|group| group.len() - 1).sum()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advantage::model_free::OneWay;
    use crate::advantage::values::engine_values;
    use crate::games::GameScore;

    fn pair(start: u32, first: u16, second: u16, results: [usize; 2]) -> Pair {
        Pair {
            start,
            first,
            second,
            white_results: results.map(|half| GameScore::ALL[half]),
        }
    }

    #[test]
    fn two_engines_are_the_one_way_analysis() {
        let pairs: Vec<Pair> = (0..40_u32)
            .map(|i| {
                let results = [i * 7 % 3, i * i % 3].map(|half| half as usize);
                pair(i % 5, 0, 1, results)
            })
            .collect();
        let names = ["A".to_owned(), "B".to_owned()];
        let ours = Interaction::new(&names, &pairs).expect("a test");
        let one_way = OneWay::new(&engine_values(&pairs, 0), 0.95).expect("values");
        assert_eq!((ours.df1, ours.df2), (one_way.df1, one_way.df2));
        assert!((ours.f - one_way.f.expect("pairs")).abs() < 1e-9);
    }

    #[test]
    fn groups_that_never_meet_are_counted_apart() {
        assert_eq!(connected_rank([(0, 1), (2, 3), (1, 4)].into_iter()), 3);
        assert_eq!(connected_rank([(0, 1), (2, 3), (1, 2)].into_iter()), 3);
    }
}
