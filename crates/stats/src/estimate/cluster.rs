//! The results of one start position, counted: complete pairs by their value, and single games.

use std::collections::BTreeMap;
use std::iter::repeat_n;

use crate::elo::{elo_from_score, score_from_elo};
use crate::games::{Cell, Pair};
use crate::numeric::distributions::normal_cdf;

/// Points of a pair: 0 to 4 half-points.
const PAIR: usize = 5;
/// Points of a game: 0 to 2 half-points.
const GAME: usize = 3;

/// All units of one start position. A unit is a complete pair, or a game outside of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The start position.
    pub start: u32,
    /// Pairs by half-points.
    pub pairs: [u32; PAIR],
    /// Single games by half-points.
    pub singles: [u32; GAME],
}

/// Sums over the units of a cluster of the powers of their residuals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Residuals {
    /// Number of units.
    pub units: f64,
    /// Sum of the residuals.
    pub sum: f64,
    /// Sums of their squares, fourth and sixth powers.
    pub powers: [f64; 3],
}

impl Cluster {
    /// Single games of one start position: lost, drawn, won.
    pub fn of_games(start: u32, singles: [u32; GAME]) -> Self {
        Self {
            start,
            singles,
            ..Self::default()
        }
    }

    /// Complete pairs.
    pub fn pair_count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// Number of units.
    pub fn units(&self) -> f64 {
        f64::from(self.pair_count()) + self.single_count()
    }

    /// Number of games.
    pub fn games(&self) -> f64 {
        2.0 * f64::from(self.pair_count()) + self.single_count()
    }

    fn single_count(&self) -> f64 {
        f64::from(self.singles.iter().sum::<u32>())
    }

    /// Mean score; not a number without games.
    pub fn mean(&self) -> f64 {
        let points: f64 = self.kinds().map(|(count, _, points)| count * points).sum();
        points / self.games()
    }

    /// Unbiased variance of the mean by this cluster alone; `None` with less than two units.
    pub fn variance(&self) -> Option<f64> {
        let found = self.residuals(self.mean());
        (found.units > 1.0).then(|| found.powers[0] / (found.units - 1.0) / found.units)
    }

    /// The residuals `games (value − centre)` of the units, in units of the mean games of one.
    pub(super) fn residuals(&self, centre: f64) -> Residuals {
        let mut found = Residuals {
            units: self.units(),
            ..Residuals::default()
        };
        let scale = found.units / self.games();
        for (count, games, points) in self.kinds() {
            let residual = scale * (points - games * centre);
            let square = residual * residual;
            found.sum += count * residual;
            let powers = [square, square * square, square * square * square];
            (0..3).for_each(|i| found.powers[i] += count * powers[i]);
        }
        found
    }

    /// How many units have a mean score of this number of quarters; `None` if any score is between them.
    pub(super) fn units_by_quarter(&self) -> Option<Vec<(f64, usize)>> {
        let kinds = self.kinds().filter(|kind| kind.0 > 0.0);
        let quarter = |(count, games, points): (f64, f64, f64)| {
            let quarters = 4.0 * points / games;
            (quarters.fract() == 0.0).then_some((count, quarters as usize))
        };
        kinds.map(quarter).collect()
    }

    /// The same results seen by the other side.
    pub fn reversed(mut self) -> Self {
        self.pairs.reverse();
        self.singles.reverse();
        self
    }

    /// Count, games of one, points of one.
    fn kinds(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let kind = |games: f64| {
            move |(half, count): (usize, &u32)| (f64::from(*count), games, 0.5 * half as f64)
        };
        let pairs = self.pairs.iter().enumerate().map(kind(2.0));
        pairs.chain(self.singles.iter().enumerate().map(kind(1.0)))
    }
}

/// White's results by position, in the order of starts. Games outside complete pairs count if `singles` is set, or if
/// most games are: of a rating list the few pairs that came about by chance are not the event.
pub fn clusters_of_white(pairs: &[Pair], cells: &[Cell], singles: bool) -> Vec<Cluster> {
    let mut clusters = by_start(pairs, Pair::white_value);
    if singles || !has_mostly_pairs(pairs, cells) {
        for cell in cells {
            let own = cluster_of(&mut clusters, cell.start);
            (0..GAME).for_each(|i| own.singles[i] += cell.results[i]);
        }
        // What the cells have beyond the pairs.
        for pair in pairs {
            let own = cluster_of(&mut clusters, pair.start);
            for result in pair.white_results {
                own.singles[result as usize] -= 1;
            }
        }
    }
    clusters.into_values().collect()
}

/// Whether at least half of the games belong to complete pairs.
pub fn has_mostly_pairs(pairs: &[Pair], cells: &[Cell]) -> bool {
    let games: f64 = cells.iter().map(Cell::games).sum();
    !pairs.is_empty() && 4.0 * pairs.len() as f64 >= games
}

/// The pairs of the first engine, the one with the smaller index, by position.
pub fn clusters_of_first(pairs: &[Pair]) -> Vec<Cluster> {
    by_start(pairs, Pair::first_value).into_values().collect()
}

fn by_start(pairs: &[Pair], value: impl Fn(&Pair) -> f64) -> BTreeMap<u32, Cluster> {
    let mut clusters = BTreeMap::new();
    for pair in pairs {
        let half_points = (4.0 * value(pair)) as usize;
        cluster_of(&mut clusters, pair.start).pairs[half_points] += 1;
    }
    clusters
}

fn cluster_of(clusters: &mut BTreeMap<u32, Cluster>, start: u32) -> &mut Cluster {
    let none = || Cluster::of_games(start, [0; GAME]);
    clusters.entry(start).or_insert_with(none)
}

// The law of the points of a position that is like all others: by it a position is named, or not.

/// A position this near to the mean is not to be named, Elo.
pub const MARGIN_ELO: f64 = 5.0;
/// Units from which the null law is normal.
const MANY: u32 = 200;

/// Pairs, and single games.
type PairsAndGames = (u32, u32);
/// Probabilities of half-points, at both ends of the margin.
type Laws = [Vec<f64>; 2];

/// For each number of pairs and of games the laws of the half-points of a position like all others, its mean at the
/// lower and at the upper end of the margin.
pub(super) struct NullLaws {
    laws: BTreeMap<PairsAndGames, Laws>,
    ends: [UnitLaws; 2],
}

/// The law of one pair and of one game, in half-points.
type UnitLaws = [Vec<f64>; 2];

impl NullLaws {
    pub(super) fn new(clusters: &[Cluster], mean: f64) -> Option<Self> {
        let pair = average(PAIR, clusters.iter().map(|c| &c.pairs[..]));
        let single = average(GAME, clusters.iter().map(|c| &c.singles[..]));
        let centre = elo_from_score(mean);
        let end = |margin: f64| {
            let score = score_from_elo(centre + margin);
            Some([tilted(&pair, score)?, tilted(&single, score)?])
        };
        let ends = [end(-MARGIN_ELO)?, end(MARGIN_ELO)?];
        let mut numbers: Vec<PairsAndGames> = clusters.iter().map(numbers).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let few = numbers.into_iter().filter(|(p, s)| p + s <= MANY);
        let laws = few.map(|(pairs, games)| {
            let law = |[pair, game]: &UnitLaws| {
                let pairs = repeat_n(pair, pairs as usize);
                let units = pairs.chain(repeat_n(game, games as usize));
                units.fold(vec![1.0], |law, unit| convolved(&law, unit))
            };
            ((pairs, games), ends.each_ref().map(law))
        });
        let laws = laws.collect();
        Some(Self { laws, ends })
    }

    /// Two-sided: as far or farther from the margin's nearer end.
    pub(super) fn p_value(&self, cluster: &Cluster) -> f64 {
        let numbers = numbers(cluster);
        let points = (2.0 * cluster.mean() * cluster.games()).round();
        let one_sided = match self.laws.get(&numbers) {
            Some([low, high]) => {
                let at = points as usize;
                let above: f64 = high[at.min(high.len())..].iter().sum();
                let below: f64 = low[..(at + 1).min(low.len())].iter().sum();
                above.min(below)
            }
            None => {
                let z = [0, 1].map(|i| distance(&self.ends[i], numbers, points));
                normal_cdf(z[0]).min(normal_cdf(-z[1]))
            }
        };
        (2.0 * one_sided).min(1.0)
    }
}

fn numbers(cluster: &Cluster) -> (u32, u32) {
    (cluster.pair_count(), cluster.singles.iter().sum())
}

fn convolved(law: &[f64], unit: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; law.len() + unit.len() - 1];
    for (i, p) in law.iter().enumerate() {
        for (j, q) in unit.iter().enumerate() {
            sum[i + j] += p * q;
        }
    }
    sum
}

/// The law of a unit over these cells, each position alike.
fn average<'a>(cells: usize, counts: impl Iterator<Item = &'a [u32]>) -> Vec<f64> {
    let mut law = vec![0.0; cells];
    for counts in counts {
        let total: f64 = counts.iter().map(|n| f64::from(*n)).sum();
        if total > 0.0 {
            (0..cells).for_each(|i| law[i] += f64::from(counts[i]) / total);
        }
    }
    law
}

/// How many standard deviations these points are above what is expected.
fn distance([pair, game]: &UnitLaws, (pairs, singles): PairsAndGames, points: f64) -> f64 {
    let (pair, game) = (moments(pair), moments(game));
    let (pairs, singles) = (f64::from(pairs), f64::from(singles));
    let mean = pairs * pair.0 + singles * game.0;
    let variance = pairs * pair.1 + singles * game.1;
    (points - mean) / variance.sqrt()
}

fn moments(law: &[f64]) -> (f64, f64) {
    let (mut mean, mut square) = (0.0, 0.0);
    for (i, p) in law.iter().enumerate() {
        mean += p * i as f64;
        square += p * (i * i) as f64;
    }
    (mean, square - mean * mean)
}

/// The nearest law with this mean score (exponential tilting); `None` where no tilting reaches it.
fn tilted(law: &[f64], score: f64) -> Option<Vec<f64>> {
    let total: f64 = law.iter().sum();
    if total <= 0.0 {
        return Some(law.to_vec());
    }
    let target = score * (law.len() - 1) as f64;
    let mut slope = 0.0_f64;
    for _ in 0..100 {
        let mut tilted = law.to_vec();
        (0..law.len()).for_each(|i| tilted[i] *= (slope * i as f64).exp());
        let total: f64 = tilted.iter().sum();
        tilted.iter_mut().for_each(|p| *p /= total);
        let (mean, variance) = moments(&tilted);
        if (mean - target).abs() < 1e-10 {
            return Some(tilted);
        }
        if variance <= 0.0 {
            return None;
        }
        slope += ((target - mean) / variance).clamp(-1.0, 1.0);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilted_law_has_the_mean_and_stays_a_law() {
        let law = tilted(&[0.1, 0.2, 0.4, 0.2, 0.1], 0.6).expect("within reach");
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((moments(&law).0 - 2.4).abs() < 1e-9);
        assert_eq!(tilted(&[0.0, 0.0, 1.0, 0.0, 0.0], 0.6), None);
    }
}
