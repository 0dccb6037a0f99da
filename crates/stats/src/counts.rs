//! Counts of results, from one engine's point of view, low to high.

use serde::{Deserialize, Serialize};

use crate::elo::elo_from_score;

/// What one game brought one side: an engine, or White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum GameScore {
    /// 0 points.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// One point.
    Win = 2,
}

impl GameScore {
    /// The three scores, the worst first.
    pub const ALL: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];

    /// The score worth 0, 1 or 2 half points; `None` beyond two.
    pub fn from_half_points(half_points: u8) -> Option<GameScore> {
        Self::ALL.get(usize::from(half_points)).copied()
    }

    /// 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The opponent's score in the same game.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// What the two games of a pair brought the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PairScore {
    games: [GameScore; 2],
}

impl PairScore {
    /// The pair of these two games, same start position, colours swapped.
    pub const fn new(first: GameScore, second: GameScore) -> Self {
        Self {
            games: [first, second],
        }
    }

    /// 0 (both lost) to 4 (both won): the cell of the pentanomial.
    pub const fn half_points(self) -> u8 {
        self.games[0].half_points() + self.games[1].half_points()
    }

    /// The two games in the order of play.
    pub const fn games(self) -> [GameScore; 2] {
        self.games
    }
}

/// Games by result: `[losses, draws, wins]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trinomial(pub [u64; 3]);

impl Trinomial {
    /// Counts one more game.
    pub fn add(&mut self, game: GameScore) {
        let cell = &mut self.0[usize::from(game.half_points())];
        *cell = cell.saturating_add(1);
    }

    /// Losses.
    pub const fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Draws.
    pub const fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Wins.
    pub const fn wins(&self) -> u64 {
        self.0[2]
    }

    /// All games; the largest number there is where the sum does not fit.
    pub fn games(&self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }

    /// Points of all games.
    pub fn points(&self) -> f64 {
        self.wins() as f64 + self.draws() as f64 / 2.0
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// The same games as the opponent sees them: their array is `[wins, draws, losses]`.
    pub const fn reversed(&self) -> Self {
        let [losses, draws, wins] = self.0;
        Self([wins, draws, losses])
    }

    /// Both together.
    pub fn plus(&self, other: Self) -> Self {
        Self([0, 1, 2].map(|result| self.0[result] + other.0[result]))
    }
}

/// Pairs by result: `[LL, LD, LW+DD, DW, WW]`, the order within a pair ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair.
    pub fn add(&mut self, pair: PairScore) {
        let cell = &mut self.0[usize::from(pair.half_points())];
        *cell = cell.saturating_add(1);
    }

    /// All pairs; the largest number there is where the sum does not fit.
    pub fn pairs(&self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }
}

/// Whole pairs counted both ways: by pair, and game by game.
///
/// The two belong together: how many of the middle pairs were two draws and how
/// many a win each cannot be told from the pentanomial alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PairCounts {
    /// The pairs.
    pub pairs: Pentanomial,
    /// The games of those pairs, and no others.
    pub games: Trinomial,
}

impl PairCounts {
    /// Counts one more pair.
    pub fn add(&mut self, pair: PairScore) {
        self.pairs.add(pair);
        for game in pair.games() {
            self.games.add(game);
        }
    }
}

impl FromIterator<PairScore> for PairCounts {
    fn from_iter<I: IntoIterator<Item = PairScore>>(pairs: I) -> Self {
        let mut counts = Self::default();
        for pair in pairs {
            counts.add(pair);
        }
        counts
    }
}

// A sample of scores on a lattice: what every match statistic is computed from.

/// Cells of the longest lattice.
pub(crate) const MOST_CELLS: usize = 9;

/// What a zero count becomes in [`Sample::regularized`], as in Fishtest.
pub const REGULARIZED_ZERO: f64 = 1e-3;

/// What one observation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Single games: cells 0, 1/2, 1.
    Game,
    /// Pairs of games with colours swapped: cells 0, 1/4, 1/2, 3/4, 1.
    Pair,
    /// What one engine scores in a pair more than another against the same opponent on the same start: cells
    /// 0, 1/8, … 1, half of the difference above 1/2.
    Difference,
}

/// Observed frequencies on the lattice aᵢ = i/(k-1), low to high.
///
/// Counts are real numbers here, because regularisation makes them so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    unit: Unit,
    cells: [f64; MOST_CELLS],
}

/// Mean, spread and shape of a [`Sample`]; the divisor is the number of observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Number of observations, not zero.
    pub n: f64,
    /// Mean score, in [0, 1].
    pub mean: f64,
    /// Variance of one observation's score.
    pub variance: f64,
    /// Third standardised moment; 0 if the variance is 0.
    pub skewness: f64,
    /// Fourth standardised moment less 3; 0 if the variance is 0.
    pub excess_kurtosis: f64,
}

impl From<Trinomial> for Sample {
    fn from(counts: Trinomial) -> Self {
        Self::of(Unit::Game, counts.0.map(|count| count as f64))
    }
}

impl From<Pentanomial> for Sample {
    fn from(counts: Pentanomial) -> Self {
        Self::of(Unit::Pair, counts.0.map(|count| count as f64))
    }
}

impl Sample {
    /// Of counts, which need not be whole numbers.
    pub(crate) fn of<const N: usize>(unit: Unit, counts: [f64; N]) -> Self {
        let mut cells = [0.0; MOST_CELLS];
        cells[..N].copy_from_slice(&counts);
        Self { unit, cells }
    }

    /// The counts, low to high.
    pub fn cells(&self) -> &[f64] {
        &self.cells[..self.lattice().len()]
    }

    /// The scores of the cells, in the same order.
    pub fn lattice(&self) -> &'static [f64] {
        match self.unit {
            Unit::Game => &[0.0, 0.5, 1.0],
            Unit::Pair => &[0.0, 0.25, 0.5, 0.75, 1.0],
            Unit::Difference => &[0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0],
        }
    }

    /// The Elo of a mean score; of differences that of two engines one of which scores so much more than half.
    pub(crate) fn elo(&self, score: f64) -> f64 {
        elo_from_score(match self.unit {
            Unit::Difference => 2.0 * score - 0.5,
            _ => score,
        })
    }

    /// Number of observations.
    pub fn observations(&self) -> f64 {
        self.cells().iter().sum()
    }

    /// Games as whose mean one observation varies: 1 or 2. Half of the difference of two pairs varies as one game.
    pub fn games_per_observation(&self) -> f64 {
        match self.unit {
            Unit::Game | Unit::Difference => 1.0,
            Unit::Pair => 2.0,
        }
    }

    /// Nothing was observed.
    pub fn is_empty(&self) -> bool {
        self.observations() <= 0.0
    }

    /// Every zero count replaced by [`REGULARIZED_ZERO`]; the total grows accordingly.
    pub fn regularized(&self) -> Self {
        let length = self.cells().len();
        let mut sample = *self;
        for cell in &mut sample.cells[..length] {
            if *cell <= 0.0 {
                *cell = REGULARIZED_ZERO;
            }
        }
        sample
    }

    /// The same sample seen by the opponent.
    pub fn reversed(&self) -> Self {
        let length = self.cells().len();
        let mut sample = *self;
        sample.cells[..length].reverse();
        sample
    }

    /// Relative frequencies, padded with zeros; all zero for an empty sample.
    pub fn frequencies(&self) -> [f64; MOST_CELLS] {
        let n = self.observations();
        self.cells
            .map(|count| if n > 0.0 { count / n } else { 0.0 })
    }

    /// Mean, spread and shape; `None` for an empty sample.
    pub fn moments(&self) -> Option<Moments> {
        let n = self.observations();
        if n <= 0.0 {
            return None;
        }
        let mean = self.average(|a| a);
        let variance = self.average(|a| (a - mean).powi(2));
        let sd = variance.sqrt();
        let standardised = |power| self.average(|a| ((a - mean) / sd).powi(power));
        let (skewness, excess_kurtosis) = if sd > 0.0 {
            (standardised(3), standardised(4) - 3.0)
        } else {
            (0.0, 0.0)
        };
        Some(Moments {
            n,
            mean,
            variance,
            skewness,
            excess_kurtosis,
        })
    }

    fn average(&self, f: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.lattice().iter().zip(self.cells());
        pairs.map(|(&a, &count)| count * f(a)).sum::<f64>() / self.observations()
    }
}

impl Moments {
    /// Standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::GameScore::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn pairs_fall_into_their_cells_low_to_high() {
        let scores = [
            (Loss, Loss),
            (Draw, Loss),
            (Win, Loss),
            (Draw, Draw),
            (Win, Draw),
            (Win, Win),
        ];
        let counts: PairCounts = scores.iter().map(|&(a, b)| PairScore::new(a, b)).collect();
        assert_eq!(counts.pairs, Pentanomial([1, 1, 2, 1, 1]));
        assert_eq!(counts.games, Trinomial([4, 4, 4]));
    }

    #[test]
    fn full_counters_stay_full() {
        let mut full = Trinomial([0, u64::MAX, 1]);
        full.add(Draw);
        assert_eq!((full.draws(), full.games()), (u64::MAX, u64::MAX));
    }
}

#[cfg(test)]
mod sample_tests {
    use super::*;

    #[test]
    fn moments_of_a_known_pentanomial() {
        let moments = Sample::from(Pentanomial([13, 37, 50, 25, 3]))
            .moments()
            .unwrap();
        assert_eq!(
            (moments.n, moments.mean, moments.variance),
            (128.0, 0.4375, 0.0576171875)
        );
    }

    #[test]
    fn games_and_pairs_have_their_own_lattice() {
        let games = Sample::from(Trinomial([1, 0, 3]));
        assert_eq!(
            (games.cells(), games.lattice().len()),
            (&[1.0, 0.0, 3.0][..], 3)
        );
        assert!((games.regularized().observations() - 4.001).abs() < 1e-12);
        assert!(Sample::from(Pentanomial::default()).moments().is_none());
    }
}
