//! One row for each game, in the order of finishing.

use std::io::Write;

use super::table::Kind::{Text, Time, Whole};
use super::table::{Field, Table, Value};
use crate::chess::{Color, FenDialect};
use crate::report::export::ExportError;
use crate::store::StoredGame;
use crate::tournament::Roster;

/// The same names as in the CSV, and in the table `games` of the store.
pub(super) const FIELDS: [Field; 20] = [
    Field::always("sequence", Whole),
    Field::always("round", Text),
    Field::always("pair", Whole),
    Field::always("game", Whole),
    Field::always("cycle", Whole),
    Field::always("white", Text),
    Field::always("black", Text),
    Field::maybe("number", Whole),
    Field::always("fen", Text),
    Field::always("result", Text),
    Field::maybe("white_half_points", Whole),
    Field::always("termination", Text),
    Field::always("reason", Text),
    Field::maybe("fault_side", Text),
    Field::maybe("fault_kind", Text),
    Field::always("plies", Whole),
    Field::always("started", Time),
    Field::always("ended", Time),
    Field::always("opening", Text),
    Field::always("moves", Text),
];

/// Adds a game; `texts` are all its moves, the book's first.
pub(super) fn add(
    table: &mut Table<impl Write + Send>,
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
        Value::Whole(stored.sequence.cast_signed()),
        Value::Text(roster.games.name(game.id).as_str()),
        Value::Whole(game.id.pair.0.cast_signed() + 1),
        Value::Whole(i64::from(game.id.game) + 1),
        Value::Whole(i64::from(game.cycle) + 1),
        Value::Text(&name(Color::White)),
        Value::Text(&name(Color::Black)),
        Value::maybe(game.number, |number| Value::Whole(number.0.into())),
        Value::Text(&record.start.fen(FenDialect::XFen)),
        Value::Text(record.outcome.result()),
        Value::maybe(score, |score| Value::Whole(score.half_points().into())),
        Value::Text(&record.outcome.termination().to_string()),
        Value::Text(record.outcome.reason()),
        Value::maybe(side.as_deref(), Value::Text),
        Value::maybe(fault, |fault| Value::Text(fault.kind.reason())),
        Value::Whole(record.plies() as i64),
        Value::Whole(game.started.0),
        Value::Whole(game.ended.0),
        Value::Text(&opening),
        Value::Text(&texts.join(" ")),
    ])?;
    Ok(())
}
