//! One row for each game, in the order of finishing.

use super::table::{ColumnField, ColumnType, ColumnValue, parquet_columns};
use crate::chess::{Color, FenDialect};
use crate::referee::GameRecord;
use crate::store::StoredGame;
use crate::tournament::Roster;

/// A game with the texts of all its moves, the book's first.
pub(super) struct ParquetGame<'a> {
    pub(super) stored: &'a StoredGame,
    pub(super) roster: &'a Roster,
    pub(super) texts: &'a [String],
}

impl ParquetGame<'_> {
    fn record(&self) -> &GameRecord {
        &self.stored.game.record
    }

    fn name(&self, side: Color) -> String {
        self.roster.name(self.stored.game.seat(side))
    }
}

// The same names as in the CSV, and in the table `games` of the store.
parquet_columns! {
    ParquetGame<'_> {
        "sequence": always Whole, |row| row.stored.sequence.cast_signed();
        "round": always Text, |row| row.roster.games.name(row.stored.game.id).as_str();
        "pair": always Whole, |row| row.stored.game.id.pair.0.cast_signed() + 1;
        "game": always Whole, |row| i64::from(row.stored.game.id.game) + 1;
        "cycle": always Whole, |row| i64::from(row.stored.game.cycle) + 1;
        "white": always Text, |row| row.name(Color::White);
        "black": always Text, |row| row.name(Color::Black);
        "number": maybe Whole, |row| row.stored.game.number.map(|number| number.0);
        "fen": always Text, |row| row.record().start.fen(FenDialect::XFen);
        "result": always Text, |row| row.record().outcome.result();
        "white_half_points": maybe Whole, |row| row.record().outcome.white_score().map(|score| score.half_points());
        "termination": always Text, |row| row.record().outcome.termination().to_string();
        "reason": always Text, |row| row.record().outcome.reason();
        "fault_side": maybe Text, |row| row.record().faults.first().map(|fault| fault.side.to_string());
        "fault_kind": maybe Text, |row| row.record().faults.first().map(|fault| fault.kind.reason());
        "plies": always Whole, |row| row.record().plies() as i64;
        "started": always Time, |row| row.stored.game.started.0;
        "ended": always Time, |row| row.stored.game.ended.0;
        "opening": always Text, |row| row.texts[..row.record().opening.len()].join(" ");
        "moves": always Text, |row| row.texts.join(" ");
    }
}
