//! An event's games for other tools: CSV and JSON lines.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::chess::{Color, FenDialect};
use crate::clock::nanoseconds;
use crate::event::PlayedGame;
use crate::referee::{Fault, MoveRecord, Pondered, Thinking};
use crate::sink::{HostFields, SinkError, fault_json};
use crate::store::Reader;
use crate::text::{csv_row, write_json_line};
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
    /// A Parquet file cannot be written.
    #[cfg(feature = "parquet")]
    #[error("cannot write a Parquet file: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
}

/// One row for each game in the order of finishing, with a header. Moves are UCI text (castling is king takes rook),
/// the book's included, separated by blanks.
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
        let number = game.number.map(|number| number.to_string());
        let fields = [
            roster.games.name(game.id).into(),
            (game.id.pair.0 + 1).to_string(),
            (game.id.game + 1).to_string(),
            (game.cycle + 1).to_string(),
            roster.name(game.seat(Color::White)),
            roster.name(game.seat(Color::Black)),
            number.unwrap_or_default(),
            record.start.fen(FenDialect::XFen),
            record.outcome.result().to_owned(),
            record.outcome.termination().to_string(),
            record.outcome.reason().to_owned(),
            record.plies().to_string(),
            game.started.to_string(),
            game.ended.to_string(),
            game.move_texts().join(" "),
        ];
        let mut row = String::new();
        csv_row(&mut row, fields);
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// One JSON object for each game in the order of finishing, with all that is known of every move. It uses the names of
/// the table and the view in `docs/store.md`.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn json_lines(
    reader: &Reader,
    roster: &Roster,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let mut buffer = Vec::new();
    for stored in reader.games() {
        let game = stored.map_err(SinkError::from)?.game;
        let texts = game.move_texts();
        write_json_line(out, &mut buffer, &GameLine::new(&game, roster, &texts))?;
    }
    Ok(())
}

/// A game. Its moves are written directly, without a tree of values for each.
#[derive(Serialize)]
struct GameLine<'a> {
    round: String,
    pair: u64,
    game: u8,
    cycle: u32,
    white: String,
    black: String,
    number: Option<u32>,
    fen: String,
    result: &'static str,
    termination: String,
    reason: &'static str,
    plies: usize,
    started: String,
    ended: String,
    faults: Vec<Value>,
    opening: &'a [String],
    moves: Vec<MoveFields<'a>>,
}

impl<'a> GameLine<'a> {
    /// `texts` are all moves of the game, the book's first.
    fn new(game: &'a PlayedGame, roster: &Roster, texts: &'a [String]) -> Self {
        let record = &game.record;
        let (opening, played) = texts.split_at(record.opening.len());
        let moves = played.iter().zip(&record.moves);
        GameLine {
            round: roster.games.name(game.id).into(),
            pair: game.id.pair.0 + 1,
            game: game.id.game + 1,
            cycle: game.cycle + 1,
            white: roster.name(game.seat(Color::White)),
            black: roster.name(game.seat(Color::Black)),
            number: game.number.map(|number| number.0),
            fen: record.start.fen(FenDialect::XFen),
            result: record.outcome.result(),
            termination: record.outcome.termination().to_string(),
            reason: record.outcome.reason(),
            plies: record.plies(),
            started: game.started.to_string(),
            ended: game.ended.to_string(),
            faults: record.faults.iter().map(fault_value).collect(),
            opening,
            moves: moves
                .map(|(text, played)| MoveFields::new(text, played))
                .collect(),
        }
    }
}

fn fault_value(fault: &Fault) -> Value {
    let mut value = fault_json(fault);
    value["at_ns"] = json!(fault.at.0);
    value
}

/// A move of a game, the book's left out.
#[derive(Serialize)]
struct MoveFields<'a> {
    r#move: &'a str,
    sent_ns: u64,
    received_ns: u64,
    clock_us: Option<u64>,
    nodes_limit: Option<u64>,
    #[serde(flatten)]
    thinking: &'a Thinking,
    host: Option<HostFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_watched_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_cpu_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pondered: Option<Pondered>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    lines: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_ns: Option<u64>,
}

impl<'a> MoveFields<'a> {
    fn new(text: &'a str, played: &'a MoveRecord) -> Self {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        MoveFields {
            r#move: text,
            sent_ns: played.sent.0,
            received_ns: played.received.0,
            clock_us: played.clock.map(microseconds),
            nodes_limit: played.nodes_limit,
            thinking: &played.thinking,
            host: played.host.as_deref().map(HostFields::from),
            idle_watched_ns: played.idle.map(|idle| nanoseconds(idle.watched)),
            idle_cpu_ns: played.idle.map(|idle| nanoseconds(idle.cpu)),
            pondered: played.pondered,
            lines: &played.lines,
            taken_ns: Some(played.taken)
                .filter(|taken| !taken.is_zero())
                .map(nanoseconds),
        }
    }
}
