//! Counts of results, from one engine's point of view, low to high.

use serde::{Deserialize, Serialize};

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
        self.0
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
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
        self.0
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
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
