//! The games, summarised once for every rating method.

use std::collections::BTreeMap;

use crate::games::{Cell, GameScore, GameTable, Pairing};

/// With fewer positions than this errors by position would be a guess from a handful of
/// numbers: pairs are the unit, and the claim is about just these positions.
pub const FEWEST_POSITIONS: usize = 6;

/// Counted games, as the rating methods need them.
#[derive(Clone, Debug)]
pub struct RatingInput {
    /// The engines' names.
    pub engines: Vec<String>,
    /// Games by (start, White, Black).
    pub cells: Vec<Cell>,
    /// Games by (White, Black).
    pub colours: Vec<Cell>,
    /// The complete pairs and the single games.
    pub pairing: Pairing,
    /// Equal pairs counted: engines and both results decide their scores.
    pub pair_kinds: Vec<PairKind>,
    /// The games outside complete pairs by (White, Black).
    pub singles: Vec<Cell>,
}

/// Complete pairs between two engines that ended in the same two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairKind {
    /// The engine with the smaller index.
    pub first: u16,
    /// The other one.
    pub second: u16,
    /// White's results: with `first` as White, with `second` as White.
    pub white_results: [GameScore; 2],
    /// How many pairs.
    pub count: u32,
}

impl RatingInput {
    /// Summarises the games of a table.
    pub fn new(table: &GameTable) -> Self {
        let cells = table.cells();
        let colours = Cell::by_colours(&cells);
        let pairing = table.pairing();
        let single_cells: Vec<Cell> = pairing
            .single_games
            .iter()
            .map(|i| single(table, *i))
            .collect();
        Self {
            engines: table.engines().to_vec(),
            colours,
            pair_kinds: count_pairs(&pairing),
            singles: Cell::by_colours(&single_cells),
            pairing,
            cells,
        }
    }

    /// How many positions have games.
    pub fn positions(&self) -> usize {
        self.cells.chunk_by(|a, b| a.start == b.start).count()
    }

    /// Do positions carry more than one pair, so that errors must be
    /// clustered by position?
    pub fn positions_repeat(&self) -> bool {
        let mut starts: Vec<u32> = self.pairing.pairs.iter().map(|pair| pair.start).collect();
        starts.sort_unstable();
        starts.windows(2).any(|two| two[0] == two[1])
    }
}

fn single(table: &GameTable, index: usize) -> Cell {
    let row = table.row(index);
    let mut results = [0; 3];
    results[row.result as usize] = 1;
    Cell {
        start: row.start,
        white: row.white,
        black: row.black,
        results,
    }
}

fn count_pairs(pairing: &Pairing) -> Vec<PairKind> {
    let mut counts = BTreeMap::<(u16, u16, [GameScore; 2]), u32>::new();
    for pair in &pairing.pairs {
        *counts
            .entry((pair.first, pair.second, pair.white_results))
            .or_default() += 1;
    }
    let kind = |((first, second, white_results), count)| PairKind {
        first,
        second,
        white_results,
        count,
    };
    counts.into_iter().map(kind).collect()
}
