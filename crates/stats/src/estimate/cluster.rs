//! The results of one start position, counted: complete pairs by their value, and single games.

use crate::games::{Cell, Pair};

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
    /// Single games between players of known strength: count, and points of one at equal strength.
    pub rated: Vec<(f64, f64)>,
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
        let rated = self.rated.iter().map(|(count, _)| count);
        f64::from(self.singles.iter().sum::<u32>()) + rated.sum::<f64>()
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
        self.rated.iter_mut().for_each(|kind| kind.1 = 1.0 - kind.1);
        self
    }

    /// Count, games of one, points of one.
    fn kinds(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let kind = |games: f64| {
            move |(half, count): (usize, &u32)| (f64::from(*count), games, 0.5 * half as f64)
        };
        let pairs = self.pairs.iter().enumerate().map(kind(2.0));
        let rated = self
            .rated
            .iter()
            .map(|(count, points)| (*count, 1.0, *points));
        pairs
            .chain(self.singles.iter().enumerate().map(kind(1.0)))
            .chain(rated)
    }
}

/// White's results by position, in the order of starts. Games outside complete pairs count if `singles` is set, or if
/// most games are: of a rating list the few pairs that came about by chance are not the event.
pub fn clusters_of_white(pairs: &[Pair], cells: &[Cell], singles: bool) -> Vec<Cluster> {
    let value = |pair: &Pair| (4.0 * pair.white_value()) as usize;
    let mut clusters = by_start(pairs, value);
    if singles || !has_mostly_pairs(pairs, cells) {
        add_singles(&mut clusters, pairs, cells);
    }
    clusters
}

/// Whether at least half of the games belong to complete pairs.
pub fn has_mostly_pairs(pairs: &[Pair], cells: &[Cell]) -> bool {
    let games: f64 = cells.iter().map(Cell::games).sum();
    !pairs.is_empty() && 4.0 * pairs.len() as f64 >= games
}

/// The pairs of the first engine, the one with the smaller index, by position.
pub fn clusters_of_first(pairs: &[Pair]) -> Vec<Cluster> {
    by_start(pairs, |pair| (4.0 * pair.first_value()) as usize)
}

fn by_start(pairs: &[Pair], half_points: impl Fn(&Pair) -> usize) -> Vec<Cluster> {
    let mut keys: Vec<(u32, usize)> = pairs
        .iter()
        .map(|pair| (pair.start, half_points(pair)))
        .collect();
    keys.sort_unstable();
    let cluster = |group: &[(u32, usize)]| {
        let mut cluster = Cluster {
            start: group[0].0,
            ..Cluster::default()
        };
        group.iter().for_each(|(_, half)| cluster.pairs[*half] += 1);
        cluster
    };
    keys.chunk_by(|a, b| a.0 == b.0).map(cluster).collect()
}

/// What the cells have beyond the pairs.
fn add_singles(clusters: &mut Vec<Cluster>, pairs: &[Pair], cells: &[Cell]) {
    let mut rest = std::collections::BTreeMap::<u32, [u32; GAME]>::new();
    for cell in cells {
        let sum = rest.entry(cell.start).or_default();
        (0..GAME).for_each(|i| sum[i] += cell.results[i]);
    }
    for pair in pairs {
        if let Some(sum) = rest.get_mut(&pair.start) {
            for result in pair.white_results {
                sum[result as usize] -= 1;
            }
        }
    }
    for (start, singles) in rest {
        match clusters.binary_search_by_key(&start, |cluster| cluster.start) {
            Ok(place) => clusters[place].singles = singles,
            Err(place) if singles.iter().any(|count| *count > 0) => {
                clusters.insert(place, Cluster::of_games(start, singles));
            }
            Err(_) => {}
        }
    }
}
