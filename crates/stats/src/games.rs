//! The games as the statistics see them: a compact table, a few bytes a game,
//! and the two summaries everything else is computed from.
//!
//! * [`GameTable`]: one row a game, in columns.
//! * [`Cell`]: games with the same start, White and Black, counted.
//! * [`Pair`]: two games from one start with the colours swapped; `pairing` finds them.

mod summary;

use crate::{StatisticsError, refused};

pub use crate::counts::GameScore;
pub use summary::{Cell, GameFlags, GameRow, Pair, Pairing, SummaryCounts};

/// The largest start number a table takes (30 bits: far above DFRC's 921,599).
pub const LARGEST_START: u32 = (1 << 30) - 1;

/// Many games.
#[derive(Clone, Debug, Default)]
pub struct GameTable {
    engines: Vec<String>,
    games: Vec<GameRow>,
}

impl GameTable {
    /// An empty table for these engines; games name them by index.
    pub fn new(engines: Vec<String>) -> Self {
        let games = Vec::new();
        Self { engines, games }
    }

    /// The engines' names.
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Without any game?
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Enters a game.
    ///
    /// # Errors
    /// When the row names an engine that does not exist, one engine twice, or
    /// a start number beyond [`LARGEST_START`].
    pub fn push(&mut self, row: GameRow) -> Result<(), StatisticsError> {
        let unknown = [row.white, row.black]
            .into_iter()
            .find(|e| usize::from(*e) >= self.engines.len());
        if let Some(engine) = unknown {
            return refused(format!("there is no engine number {engine}"));
        }
        if row.white == row.black {
            return refused(format!("engine number {} plays against itself", row.white));
        }
        if row.start > LARGEST_START {
            return refused(format!("start number {} is too large", row.start));
        }
        self.games.push(row);
        Ok(())
    }

    /// The game with this index.
    ///
    /// # Panics
    /// Beyond the last game, as slices do.
    pub fn row(&self, index: usize) -> GameRow {
        self.games[index]
    }

    /// All games in the order they were entered.
    pub fn rows(&self) -> impl Iterator<Item = GameRow> + '_ {
        self.games.iter().copied()
    }

    /// Sets flags on one game (an index beyond the table is ignored).
    pub fn mark(&mut self, index: usize, flags: GameFlags) {
        if let Some(row) = self.games.get_mut(index) {
            row.flags = row.flags.with(flags);
        }
    }

    /// The games `keep` accepts, with the same engines.
    pub fn filtered(&self, keep: impl Fn(&GameRow) -> bool) -> GameTable {
        GameTable {
            engines: self.engines.clone(),
            games: self.rows().filter(keep).collect(),
        }
    }

    /// The games with none of these flags.
    pub fn without(&self, flags: GameFlags) -> GameTable {
        self.filtered(|row| !row.flags.intersects(flags))
    }

    /// The games counted by (start, White, Black), in that order.
    pub fn cells(&self) -> Vec<Cell> {
        let mut keys: Vec<u64> = self.games.iter().map(cell_key).collect();
        keys.sort_unstable();
        keys.chunk_by(|a, b| a >> 2 == b >> 2)
            .map(Cell::of_equal_keys)
            .collect()
    }
}

/// Start, White, Black and result in one sortable number.
fn cell_key(row: &GameRow) -> u64 {
    u64::from(row.start) << 34
        | u64::from(row.white) << 18
        | u64::from(row.black) << 2
        | u64::from(row.result as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn row(
        white: u16,
        black: u16,
        start: u32,
        pair: Option<u32>,
        result: GameScore,
    ) -> GameRow {
        GameRow {
            white,
            black,
            start,
            pair,
            result,
            flags: GameFlags::default(),
        }
    }

    pub(super) fn table(rows: &[GameRow]) -> GameTable {
        let mut table = GameTable::new(vec!["A".into(), "B".into(), "C".into()]);
        rows.iter()
            .for_each(|row| table.push(*row).expect("a valid row"));
        table
    }

    use GameScore::{Draw, Loss, Win};

    #[test]
    fn impossible_games_are_refused() {
        let mut games = table(&[]);
        assert_eq!(
            games.push(row(0, 3, 0, None, Win)),
            refused("there is no engine number 3")
        );
        assert_eq!(
            games.push(row(1, 1, 0, None, Win)),
            refused("engine number 1 plays against itself")
        );
        assert_eq!(
            games.push(row(0, 1, 1 << 30, None, Win)),
            refused("start number 1073741824 is too large")
        );
        assert!(games.is_empty());
    }

    #[test]
    fn cells_count_by_start_and_colours() {
        let games = table(&[
            row(1, 0, 518, None, Draw),
            row(0, 1, 518, None, Win),
            row(0, 1, 518, None, Loss),
            row(0, 1, 0, None, Win),
        ]);
        let counts: Vec<_> = games
            .cells()
            .iter()
            .map(|c| (c.start, c.white, c.results))
            .collect();
        assert_eq!(
            counts,
            [(0, 0, [0, 0, 1]), (518, 0, [1, 0, 1]), (518, 1, [0, 1, 0])]
        );
    }
}
