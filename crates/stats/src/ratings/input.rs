//! The games, summarised once for every rating method.

use std::collections::BTreeMap;

use crate::games::{Cell, GameScore, GameTable, Pairing};

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

/// The games of these cells, as cells of one start between engine 0 and itself.
fn sum_of_cells(cells: &[Cell]) -> Option<Cell> {
    let mut sum = *cells.first()?;
    (sum.white, sum.black, sum.results) = (0, 0, [0; 3]);
    for cell in cells {
        let counts = sum.results.iter_mut().zip(cell.results);
        counts.for_each(|(total, count)| *total += count);
    }
    Some(sum)
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

    /// The same games as if one engine had played both sides: for self-play,
    /// where the difference in strength is zero by construction.
    pub fn between_equals(&self) -> Self {
        let mut input = self.clone();
        input.engines.truncate(1);
        for cell in &mut input.cells {
            (cell.white, cell.black) = (0, 0);
        }
        let same_start = input.cells.chunk_by(|a, b| a.start == b.start);
        input.cells = same_start.filter_map(sum_of_cells).collect();
        input.colours = Cell::by_colours(&input.cells);
        input.singles = sum_of_cells(&input.singles).into_iter().collect();
        for pair in &mut input.pairing.pairs {
            (pair.first, pair.second) = (0, 0);
        }
        input.pair_kinds = count_pairs(&input.pairing);
        input
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advantage::hierarchical::tempering::dispersion;
    use crate::advantage::hierarchical::{AdvantagePosterior, HierarchicalOptions};
    use crate::games::{GameFlags, GameRow};

    /// Both colours score alike everywhere: the strengths come out equal even
    /// where they are free, so fixing them must not change the advantage.
    #[test]
    fn equals_have_the_advantage_of_a_balanced_match() {
        let mut table = GameTable::new(vec!["A".into(), "B".into()]);
        for start in 0..30_u32 {
            for (white, black) in [(0, 1), (1, 0)] {
                for k in 0..4 {
                    let result = GameScore::ALL[((start * start + k) % 5).min(2) as usize];
                    let (pair, flags) = (Some(4 * start + k), GameFlags::default());
                    let row = GameRow {
                        white,
                        black,
                        start,
                        pair,
                        result,
                        flags,
                    };
                    table.push(row).expect("a valid game");
                }
            }
        }
        let input = RatingInput::new(&table);
        let equals = input.between_equals();
        let fit = |input: &RatingInput| {
            let options = HierarchicalOptions::default();
            AdvantagePosterior::new(input.engines.len(), &input.cells, &options).expect("a fit")
        };
        let (free, fixed) = (fit(&input), fit(&equals));
        assert_eq!((equals.cells.len(), equals.colours.len()), (30, 1));
        assert!(
            (free.mu.value - fixed.mu.value).abs() < 5e-3,
            "{:?} {:?}",
            free.mu,
            fixed.mu
        );
        assert!((free.tau_hat - fixed.tau_hat).abs() < 5e-2);
        assert_eq!(fixed.strengths[0].expect("rated").value, 0.0);
        let options = HierarchicalOptions::default();
        assert!(dispersion(&equals, &options, 0.1).expect("a fit").is_some());
    }
}
