//! An event's games for other tools: CSV and JSON lines.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, Move, UciDialect};
use crate::event::{PlayedGame, UnixMillis};
use crate::referee::{Fault, MoveRecord};
use crate::sink::{SinkError, evidence_json, host_json, thinking_json};
use crate::store::Reader;
use crate::text::{csv_row, harmless_json};
use crate::tournament::Roster;

/// The columns of the CSV export.
const COLUMNS: &str = "round,pair,game,cycle,white,black,number,fen,result,termination,reason,\
                       plies,started,ended,moves";

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Source(#[from] SinkError),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// A row a game in the order of finishing, with a header. Moves are UCI text
/// (castling is king takes rook), the book's included, separated by blanks.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn csv(
    reader: &Reader,
    roster: &Roster,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    writeln!(out, "{COLUMNS}")?;
    for stored in reader.games() {
        let game = stored.map_err(SinkError::from)?.game;
        let record = &game.record;
        let number = game
            .number
            .map(|number| number.to_string())
            .unwrap_or_default();
        let fields = [
            game.id.round(),
            (game.id.pair.0 + 1).to_string(),
            (game.id.game + 1).to_string(),
            (game.cycle + 1).to_string(),
            roster.name(game.seat(Color::White)),
            roster.name(game.seat(Color::Black)),
            number,
            record.start.fen(FenDialect::XFen),
            record.outcome.result().to_owned(),
            record.outcome.termination().to_string(),
            record.outcome.reason().to_owned(),
            record.plies().to_string(),
            utc(game.started),
            utc(game.ended),
            moves_text(&game).join(" "),
        ];
        let mut row = String::new();
        csv_row(&mut row, fields);
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// A JSON object a game in the order of finishing, with all that is known of
/// every move. The names are those of the table and the view in `docs/store.md`.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn json_lines(
    reader: &Reader,
    roster: &Roster,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    for stored in reader.games() {
        let game = stored.map_err(SinkError::from)?.game;
        let text = game_value(&game, roster).to_string();
        writeln!(out, "{}", harmless_json(&text))?;
    }
    Ok(())
}

fn game_value(game: &PlayedGame, roster: &Roster) -> Value {
    let record = &game.record;
    let texts = moves_text(game);
    let (opening, played) = texts.split_at(record.opening.len());
    let moves: Vec<Value> = played.iter().zip(&record.moves).map(move_value).collect();
    json!({
        "round": game.id.round(),
        "pair": game.id.pair.0 + 1,
        "game": game.id.game + 1,
        "cycle": game.cycle + 1,
        "white": roster.name(game.seat(Color::White)),
        "black": roster.name(game.seat(Color::Black)),
        "number": game.number.map(|number| number.0),
        "fen": record.start.fen(FenDialect::XFen),
        "result": record.outcome.result(),
        "termination": record.outcome.termination().to_string(),
        "reason": record.outcome.reason(),
        "plies": record.plies(),
        "started": utc(game.started),
        "ended": utc(game.ended),
        "faults": record.faults.iter().map(fault_value).collect::<Vec<_>>(),
        "opening": opening,
        "moves": moves,
    })
}

fn fault_value(fault: &Fault) -> Value {
    json!({
        "side": fault.side.to_string(),
        "kind": fault.kind.reason(),
        "ply": fault.ply,
        "at_ns": fault.at.0,
        "detail": fault.explained(),
        "evidence": fault.evidence.as_ref().map(evidence_json),
    })
}

fn move_value((text, played): (&String, &MoveRecord)) -> Value {
    let clock = played.clock;
    let mut value = thinking_json(&played.thinking);
    value["move"] = json!(text);
    value["sent_ns"] = json!(played.sent.0);
    value["received_ns"] = json!(played.received.0);
    value["clock_us"] =
        json!(clock.map(|clock| u64::try_from(clock.as_micros()).unwrap_or(u64::MAX)));
    value["nodes_limit"] = json!(played.nodes_limit);
    value["host"] = json!(played.host.as_deref().map(host_json));
    if let Some(idle) = played.idle {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        value["idle_watched_ns"] = nanoseconds(idle.watched).into();
        value["idle_cpu_ns"] = nanoseconds(idle.cpu).into();
    }
    value
}

/// The moves as UCI text, castling as king takes rook, the book's first.
fn moves_text(game: &PlayedGame) -> Vec<String> {
    let mut position = game.record.start.clone();
    let text = |chess_move: Move| {
        let text = position.uci(chess_move, UciDialect::Chess960).to_string();
        position.play(chess_move);
        text
    };
    game.record.all_moves().map(text).collect()
}

/// The time as ISO 8601, UTC; empty if it is out of range.
fn utc(UnixMillis(milliseconds): UnixMillis) -> String {
    let moment = jiff::Timestamp::from_millisecond(milliseconds);
    moment.map(|moment| moment.to_string()).unwrap_or_default()
}
