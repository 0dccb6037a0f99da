//! What the games are summarised to: counted cells, and colour-swapped pairs.

use serde::Serialize;

use super::GameScore;

/// The games of one White and one Black from one start, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Start number.
    pub start: u32,
    /// Engine with the white pieces.
    pub white: u16,
    /// Engine with the black pieces.
    pub black: u16,
    /// Games by result: Black won, drawn, White won.
    pub results: [u32; 3],
}

impl Cell {
    /// The cell of equal keys of [`super::GameTable`]; the low bits hold the result.
    pub(super) fn of_equal_keys(keys: &[u64]) -> Cell {
        let mut results = [0; 3];
        keys.iter().for_each(|key| results[(key & 3) as usize] += 1);
        let key = keys[0];
        Cell {
            start: (key >> 34) as u32,
            white: (key >> 18 & 0xFFFF) as u16,
            black: (key >> 2 & 0xFFFF) as u16,
            results,
        }
    }

    /// Number of games.
    pub fn games(&self) -> f64 {
        self.results.iter().map(|n| f64::from(*n)).sum()
    }

    /// White's points.
    pub fn score(&self) -> f64 {
        f64::from(self.results[2]) + f64::from(self.results[1]) / 2.0
    }

    /// Drawn games.
    pub fn draws(&self) -> f64 {
        f64::from(self.results[1])
    }

    /// Adds up the cells over the starts: one for each (White, Black).
    pub fn by_colours(cells: &[Cell]) -> Vec<Cell> {
        let mut sums = std::collections::BTreeMap::<(u16, u16), [u32; 3]>::new();
        for cell in cells {
            let sum = sums.entry((cell.white, cell.black)).or_default();
            sum.iter_mut()
                .zip(cell.results)
                .for_each(|(total, n)| *total += n);
        }
        let cell = |((white, black), results)| Cell {
            start: 0,
            white,
            black,
            results,
        };
        sums.into_iter().map(cell).collect()
    }
}

/// Two games from one start between the same engines, colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Start number.
    pub start: u32,
    /// The engine with the smaller index.
    pub first: u16,
    /// The other one.
    pub second: u16,
    /// White's results: with `first` as White, with `second` as White.
    pub white_results: [GameScore; 2],
}

impl Pair {
    /// White's mean score in the two games: 0, ¼, ½, ¾ or 1.
    pub fn white_value(&self) -> f64 {
        (self.white_results[0].points() + self.white_results[1].points()) / 2.0
    }

    /// The first engine's mean score in the two games.
    pub fn first_value(&self) -> f64 {
        (self.white_results[0].points() + 1.0 - self.white_results[1].points()) / 2.0
    }
}

/// What [`GameTable::pairing`](super::GameTable::pairing) found.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// Complete pairs, by pair number.
    pub pairs: Vec<Pair>,
    /// Indices of the games outside complete pairs.
    pub single_games: Vec<usize>,
    /// Pairs with a game missing, or with games that do not belong together.
    pub incomplete_pairs: usize,
}

/// The counts every table of results must show (requirement R1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SummaryCounts {
    /// Games in the table.
    pub games: usize,
    /// Pairs with both games.
    pub complete_pairs: usize,
    /// Pairs that lack a game.
    pub incomplete_pairs: usize,
    /// Games outside complete pairs; they count in ratings, not in pairs.
    pub single_games: usize,
}

impl Pairing {
    /// The counts to print.
    pub fn counts(&self) -> SummaryCounts {
        SummaryCounts {
            games: 2 * self.pairs.len() + self.single_games.len(),
            complete_pairs: self.pairs.len(),
            incomplete_pairs: self.incomplete_pairs,
            single_games: self.single_games.len(),
        }
    }
}
