//! An event's games for other tools: CSV and JSON lines; the columns of games and moves, which Parquet files have, too.

use std::io;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::chess::{Color, FenDialect};
use crate::referee::{Fault, GameRecord, MoveRecord, Observation, Pondered, Thinking};
use crate::sink::{SinkError, fault_json};
use crate::store::{Reader, StoredGame};
use crate::text::{CellValue, ColumnUnit, RowObject, columns, csv_head, csv_line, write_json_line};
use crate::tournament::Roster;
use crate::uci::{Bound, Score};

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

type Exported = Result<(), ExportError>;

/// One row for each game in the order of finishing, with a header. Moves are UCI text (castling is king takes rook),
/// the book's included, separated by blanks.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn csv(reader: &Reader, roster: &Roster, out: &mut dyn Write) -> Exported {
    out.write_all(csv_head(&ExportedGame::FOR_CSV).as_bytes())?;
    each(reader, roster, |game| {
        Ok(out.write_all(csv_line(&ExportedGame::FOR_CSV, &game).as_bytes())?)
    })
}

/// One JSON object for each game in the order of finishing, with all that is known of every move. It uses the names of
/// the table and the view in `docs/store.md`.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn json_lines(reader: &Reader, roster: &Roster, out: &mut dyn Write) -> Exported {
    let mut buffer = Vec::new();
    each(reader, roster, |game| {
        let record = &game.stored.game.record;
        let moves = game.moves();
        let line = GameLine {
            faults: record.faults.iter().map(fault_value).collect(),
            opening: &game.texts[..record.opening.len()],
            moves: moves
                .map(|played| RowObject(&ExportedMove::FOR_PARQUET[KEY..], played))
                .collect(),
            game: RowObject(&ExportedGame::FOR_CSV[..LISTED], game),
        };
        Ok(write_json_line(out, &mut buffer, &line)?)
    })
}

/// Calls `write` with every game.
pub(super) fn each(
    reader: &Reader,
    roster: &Roster,
    mut write: impl FnMut(ExportedGame<'_>) -> Exported,
) -> Exported {
    for stored in reader.games() {
        let stored = stored.map_err(SinkError::from)?;
        let texts = stored.game.move_texts();
        write(ExportedGame {
            stored: &stored,
            roster,
            texts: &texts,
        })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct GameLine<'a> {
    #[serde(flatten)]
    game: RowObject<'a, ExportedGame<'a>>,
    faults: Vec<Value>,
    opening: &'a [String],
    moves: Vec<RowObject<'a, ExportedMove<'a>>>,
}

fn fault_value(fault: &Fault) -> Value {
    let mut value = fault_json(fault);
    value["at_ns"] = json!(fault.at.0);
    value
}

/// The first columns of a move name its game and place, which an object of JSON has around it; and its last of a game is the
/// text of all moves, which it has one by one.
const KEY: usize = 4;
const LISTED: usize = ExportedGame::FOR_CSV.len() - 1;

/// A game with the texts of all its moves, the book's first.
pub(super) struct ExportedGame<'a> {
    stored: &'a StoredGame,
    roster: &'a Roster,
    texts: &'a [String],
}

impl<'a> ExportedGame<'a> {
    fn record(&self) -> &GameRecord {
        &self.stored.game.record
    }

    fn name(&self, side: Color) -> CellValue {
        CellValue::Text(self.roster.name(self.stored.game.seat(side)))
    }

    /// The engines' moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = ExportedMove<'a>> {
        let (stored, texts) = (self.stored, self.texts);
        let record = &stored.game.record;
        let texts = (1..).zip(texts).skip(record.opening.len());
        let moves = texts.zip(&record.moves);
        moves.map(move |((ply, text), played)| ExportedMove {
            stored,
            ply,
            text,
            played,
        })
    }
}

columns! {
    ExportedGame<'_> {
        SEQUENCE: "sequence", "", ColumnUnit::Count, |row| CellValue::Whole(row.stored.sequence);
        ROUND: "round", "", ColumnUnit::Text, |row| CellValue::Text(row.roster.games.name(row.stored.game.id).into());
        PAIR: "pair", "", ColumnUnit::Count, |row| CellValue::Whole(row.stored.game.id.pair.0 + 1);
        GAME: "game", "", ColumnUnit::Count, |row| CellValue::Whole(u64::from(row.stored.game.id.game) + 1);
        CYCLE: "cycle", "", ColumnUnit::Count, |row| CellValue::Whole(u64::from(row.stored.game.cycle) + 1);
        WHITE: "white", "", ColumnUnit::Text, |row| row.name(Color::White);
        BLACK: "black", "", ColumnUnit::Text, |row| row.name(Color::Black);
        NUMBER: "number", "", ColumnUnit::Count, |row| CellValue::whole(row.stored.game.number.map(|number| number.0));
        FEN: "fen", "", ColumnUnit::Text, |row| CellValue::Text(row.record().start.fen(FenDialect::XFen));
        RESULT: "result", "", ColumnUnit::Text, |row| CellValue::text(Some(row.record().outcome.result()));
        HALF_POINTS: "white_half_points", "", ColumnUnit::Count, |row| CellValue::whole(row.record().outcome.white_score().map(|score| score.half_points()));
        TERMINATION: "termination", "", ColumnUnit::Text, |row| CellValue::Text(row.record().outcome.termination().to_string());
        REASON: "reason", "", ColumnUnit::Text, |row| CellValue::text(Some(row.record().outcome.reason()));
        FAULT_SIDE: "fault_side", "", ColumnUnit::Text, |row| CellValue::text(row.record().faults.first().map(|fault| fault.side.to_string()));
        FAULT_KIND: "fault_kind", "", ColumnUnit::Text, |row| CellValue::text(row.record().faults.first().map(|fault| fault.kind.reason()));
        PLIES: "plies", "", ColumnUnit::Count, |row| CellValue::Whole(row.record().plies() as u64);
        STARTED: "started", "", ColumnUnit::Moment, |row| CellValue::Signed(row.stored.game.started.0);
        ENDED: "ended", "", ColumnUnit::Moment, |row| CellValue::Signed(row.stored.game.ended.0);
        STARTED_TEXT: "started", "", ColumnUnit::Text, |row| CellValue::Text(row.stored.game.started.to_string());
        ENDED_TEXT: "ended", "", ColumnUnit::Text, |row| CellValue::Text(row.stored.game.ended.to_string());
        OPENING: "opening", "", ColumnUnit::Text, |row| CellValue::Text(row.texts[..row.record().opening.len()].join(" "));
        MOVES: "moves", "", ColumnUnit::Text, |row| CellValue::Text(row.texts.join(" "));
    }
    FOR_CSV[15]: ROUND PAIR GAME CYCLE WHITE BLACK NUMBER FEN RESULT TERMINATION REASON PLIES STARTED_TEXT ENDED_TEXT MOVES;
    FOR_PARQUET[20]: SEQUENCE ROUND PAIR GAME CYCLE WHITE BLACK NUMBER FEN RESULT HALF_POINTS TERMINATION REASON FAULT_SIDE
        FAULT_KIND PLIES STARTED ENDED OPENING MOVES;
}

/// A move of an engine.
pub(super) struct ExportedMove<'a> {
    stored: &'a StoredGame,
    /// From 1, the book's moves counted.
    ply: u64,
    text: &'a str,
    played: &'a MoveRecord,
}

impl ExportedMove<'_> {
    fn said(&self) -> &Thinking {
        &self.played.thinking
    }

    /// The evidence of the host.
    fn host(&self, value: impl FnOnce(&Observation) -> Option<Duration>) -> CellValue {
        nanoseconds(self.played.host.as_deref().and_then(value))
    }

    /// The engine's chances of a win, a draw, a loss.
    fn chance(&self, place: usize) -> CellValue {
        CellValue::whole(self.said().wdl.map(|wdl| wdl[place]))
    }
}

fn nanoseconds(time: Option<Duration>) -> CellValue {
    CellValue::whole(time.and_then(|time| u64::try_from(time.as_nanos()).ok()))
}

fn signed(value: Option<i32>) -> CellValue {
    value.map_or(CellValue::Missing("-"), |value| {
        CellValue::Signed(value.into())
    })
}

// The same names as in the view `moves` of the store, but pairs and games are counted from 1, as in all exports.
columns! {
    ExportedMove<'_> {
        SEQUENCE: "sequence", "", ColumnUnit::Count, |row| CellValue::Whole(row.stored.sequence);
        PAIR: "pair", "", ColumnUnit::Count, |row| CellValue::Whole(row.stored.game.id.pair.0 + 1);
        GAME: "game", "", ColumnUnit::Count, |row| CellValue::Whole(u64::from(row.stored.game.id.game) + 1);
        PLY: "ply", "", ColumnUnit::Count, |row| CellValue::Whole(row.ply);
        MOVE: "move", "", ColumnUnit::Text, |row| CellValue::Text(row.text.to_owned());
        SENT: "sent_ns", "", ColumnUnit::Count, |row| CellValue::Whole(row.played.sent.0);
        RECEIVED: "received_ns", "", ColumnUnit::Count, |row| CellValue::Whole(row.played.received.0);
        CLOCK: "clock_ns", "", ColumnUnit::Count, |row| nanoseconds(row.played.clock);
        NODES_LIMIT: "nodes_limit", "", ColumnUnit::Count, |row| CellValue::whole(row.played.nodes_limit);
        CENTIPAWNS: "centipawns", "", ColumnUnit::Count, |row| signed(Score::columns(row.said().score).0);
        MATE: "mate", "", ColumnUnit::Count, |row| signed(Score::columns(row.said().score).1);
        BOUND: "bound", "", ColumnUnit::Text, |row| CellValue::text(row.said().bound.map(Bound::word));
        WIN: "win", "", ColumnUnit::Count, |row| row.chance(0);
        DRAW: "draw", "", ColumnUnit::Count, |row| row.chance(1);
        LOSS: "loss", "", ColumnUnit::Count, |row| row.chance(2);
        DEPTH: "depth", "", ColumnUnit::Count, |row| CellValue::whole(row.said().depth);
        SELDEPTH: "seldepth", "", ColumnUnit::Count, |row| CellValue::whole(row.said().seldepth);
        NODES: "nodes", "", ColumnUnit::Count, |row| CellValue::whole(row.said().nodes);
        NPS: "nps", "", ColumnUnit::Count, |row| CellValue::whole(row.said().nps);
        HASHFULL: "hashfull", "", ColumnUnit::Count, |row| CellValue::whole(row.said().hashfull);
        TBHITS: "tbhits", "", ColumnUnit::Count, |row| CellValue::whole(row.said().tbhits);
        TIME: "time_ms", "", ColumnUnit::Count, |row| CellValue::whole(row.said().time_ms);
        PV: "pv", "", ColumnUnit::Text, |row| CellValue::Text(row.said().pv.as_str().to_owned());
        WATCHED: "watched_ns", "", ColumnUnit::Count, |row| row.host(|host| Some(host.watched));
        WAKEUP: "wakeup_ns", "", ColumnUnit::Count, |row| row.host(|host| host.wakeup);
        LANE_WAIT: "lane_wait_ns", "", ColumnUnit::Count, |row| row.host(|host| host.lane_wait);
        ENGINE_CPU: "engine_cpu_ns", "", ColumnUnit::Count, |row| row.host(|host| Some(host.engine.as_ref()?.cpu));
        ENGINE_WAIT: "engine_wait_ns", "", ColumnUnit::Count, |row| row.host(|host| Some(host.engine.as_ref()?.wait));
        ENGINE_COMPLETE: "engine_complete", "", ColumnUnit::Flag, |row| row.played.host.as_deref().and_then(|host| host.engine.as_ref()).map_or(CellValue::Missing("-"), |engine| CellValue::Flag(engine.complete));
        PRESSURE: "pressure_ns", "", ColumnUnit::Count, |row| row.host(|host| host.pressure);
        SUSPENDED: "suspended_ns", "", ColumnUnit::Count, |row| row.host(|host| Some(host.suspended));
        IDLE_WATCHED: "idle_watched_ns", "", ColumnUnit::Count, |row| nanoseconds(row.played.idle.map(|idle| idle.watched));
        IDLE_CPU: "idle_cpu_ns", "", ColumnUnit::Count, |row| nanoseconds(row.played.idle.map(|idle| idle.cpu));
        PONDERED: "pondered", "", ColumnUnit::Text, |row| CellValue::text(row.played.pondered.map(Pondered::word));
        LINES: "lines", "", ColumnUnit::Text, |row| CellValue::text((!row.played.lines.is_empty()).then(|| serde_json::json!(row.played.lines).to_string()));
        TAKEN: "taken_ns", "", ColumnUnit::Count, |row| nanoseconds(Some(row.played.taken).filter(|taken| !taken.is_zero()));
    }
    FOR_PARQUET[36]: SEQUENCE PAIR GAME PLY MOVE SENT RECEIVED CLOCK NODES_LIMIT CENTIPAWNS MATE BOUND WIN DRAW LOSS DEPTH
        SELDEPTH NODES NPS HASHFULL TBHITS TIME PV WATCHED WAKEUP LANE_WAIT ENGINE_CPU ENGINE_WAIT ENGINE_COMPLETE
        PRESSURE SUSPENDED IDLE_WATCHED IDLE_CPU PONDERED LINES TAKEN;
}
