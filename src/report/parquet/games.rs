//! One row for each game, in the order of finishing.

use std::io::Write;

use super::table::ColumnType::{Text, Time, Whole};
use super::table::{ColumnField, ColumnValue, ParquetTable};
use crate::chess::{Color, FenDialect};
use crate::report::export::ExportError;
use crate::store::StoredGame;
use crate::tournament::Roster;

/// The same names as in the CSV, and in the table `games` of the store.
pub(super) const FIELDS: [ColumnField; 20] = [
    ColumnField::always("sequence", Whole),
    ColumnField::always("round", Text),
    ColumnField::always("pair", Whole),
    ColumnField::always("game", Whole),
    ColumnField::always("cycle", Whole),
    ColumnField::always("white", Text),
    ColumnField::always("black", Text),
    ColumnField::maybe("number", Whole),
    ColumnField::always("fen", Text),
    ColumnField::always("result", Text),
    ColumnField::maybe("white_half_points", Whole),
    ColumnField::always("termination", Text),
    ColumnField::always("reason", Text),
    ColumnField::maybe("fault_side", Text),
    ColumnField::maybe("fault_kind", Text),
    ColumnField::always("plies", Whole),
    ColumnField::always("started", Time),
    ColumnField::always("ended", Time),
    ColumnField::always("opening", Text),
    ColumnField::always("moves", Text),
];

/// Adds a game; `texts` are all its moves, the book's first.
pub(super) fn add(
    table: &mut ParquetTable<impl Write + Send>,
    stored: &StoredGame,
    roster: &Roster,
    texts: &[String],
) -> Result<(), ExportError> {
    let (game, record) = (&stored.game, &stored.game.record);
    let name = |side| roster.name(game.seat(side));
    let fault = record.faults.first();
    let side = fault.map(|fault| fault.side.to_string());
    let score = record.outcome.white_score();
    let opening = texts[..record.opening.len()].join(" ");
    table.row(&[
        ColumnValue::Whole(stored.sequence.cast_signed()),
        ColumnValue::Text(roster.games.name(game.id).as_str()),
        ColumnValue::Whole(game.id.pair.0.cast_signed() + 1),
        ColumnValue::Whole(i64::from(game.id.game) + 1),
        ColumnValue::Whole(i64::from(game.cycle) + 1),
        ColumnValue::Text(&name(Color::White)),
        ColumnValue::Text(&name(Color::Black)),
        ColumnValue::maybe(game.number, |number| ColumnValue::Whole(number.0.into())),
        ColumnValue::Text(&record.start.fen(FenDialect::XFen)),
        ColumnValue::Text(record.outcome.result()),
        ColumnValue::maybe(score, |score| {
            ColumnValue::Whole(score.half_points().into())
        }),
        ColumnValue::Text(&record.outcome.termination().to_string()),
        ColumnValue::Text(record.outcome.reason()),
        ColumnValue::maybe(side.as_deref(), ColumnValue::Text),
        ColumnValue::maybe(fault, |fault| ColumnValue::Text(fault.kind.reason())),
        ColumnValue::Whole(record.plies() as i64),
        ColumnValue::Whole(game.started.0),
        ColumnValue::Whole(game.ended.0),
        ColumnValue::Text(&opening),
        ColumnValue::Text(&texts.join(" ")),
    ])?;
    Ok(())
}
