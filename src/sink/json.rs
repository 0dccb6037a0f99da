//! `--json`: one JSON event a line, for programs that watch a run.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, UciDialect};
use crate::event::{FinishedGame, SCHEMA_VERSION};
use crate::referee::{Fault, Outcome};

use super::Sink;
use super::error::SinkError;
use super::estimate::Estimate;
use super::evidence::evidence_json;
use super::roster::Roster;
use super::rulings::ruling_values;
use super::scoreboard::Scoreboard;
use super::sprt_watch::SprtWatch;
use super::standings::standings_json;
use super::text::harmless_json;

/// At least this long between two lines of progress.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes JSON lines. A line is written whole and at once.
pub struct JsonSink<W: Write + Send> {
    out: W,
    roster: Roster,
    board: Scoreboard,
    /// The event's sequential test.
    test: Option<SprtWatch>,
    running: usize,
    last_progress: Option<Instant>,
}

impl<W: Write + Send> JsonSink<W> {
    /// Writes to `out`, beginning with the line `start`.
    ///
    /// # Errors
    /// [`SinkError::ClosedOutput`] if nobody reads it.
    pub fn new(out: W, roster: Roster, board: Scoreboard) -> Result<JsonSink<W>, SinkError> {
        let mut sink = JsonSink {
            out,
            roster,
            board,
            test: None,
            running: 0,
            last_progress: None,
        };
        let names: Vec<&str> = names(&sink.roster);
        let start = json!({
            "type": "start",
            "schema": SCHEMA_VERSION,
            "event": sink.roster.event,
            "variant": sink.roster.variant,
            "participants": names,
            "games": sink.board.games(),
            "planned_games": sink.roster.planned_games,
            "adaptive": sink.roster.adaptive,
        });
        sink.line(&start)?;
        Ok(sink)
    }

    /// Reports this test too; it knows of the results so far.
    pub fn watching(mut self, test: Option<SprtWatch>) -> JsonSink<W> {
        self.test = test;
        self
    }

    fn line(&mut self, value: &Value) -> Result<(), SinkError> {
        let text = harmless_json(&format!("{value}\n"));
        let written = self.out.write_all(text.as_bytes());
        written
            .and_then(|()| self.out.flush())
            .map_err(SinkError::output)
    }

    fn progress(&self) -> Value {
        json!({
            "type": "progress",
            "games": self.board.games(),
            "planned_games": self.roster.planned_games,
            "pairs": self.board.pairs(),
            "running_games": self.running,
            "voided_games": self.roster.voided_games,
            "adaptive": self.roster.adaptive.is_some(),
            "anytime": Estimate::of_match(&self.board, &self.roster).map(|elo| elo.json()),
            "white_anytime": Estimate::of(self.board.white_pairs()).map(|white| white.json()),
            "sprt": self.test.as_ref().map(SprtWatch::json),
        })
    }
}

impl<W: Write + Send> Sink for JsonSink<W> {
    fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError> {
        self.board.add_game(game);
        if let Some(test) = &mut self.test {
            test.add_game(game);
        }
        let value = game_event(&self.roster, game);
        self.line(&value)
    }

    fn voided(&mut self, game: &FinishedGame) {
        self.board.add_voided(game);
        self.roster.voided_games += 1;
    }

    fn disqualified(&mut self, engine: u16) {
        let mut rulings = ruling_values(&self.board).into_iter();
        let own = rulings.find(|ruling| ruling["engine"] == engine);
        let mut value = own.unwrap_or_else(|| json!({ "engine": engine }));
        value["type"] = json!("disqualified");
        // A reader that has gone is noticed at the next line.
        let _unread = self.line(&value);
    }

    fn refresh(&mut self, running: usize) -> Result<(), SinkError> {
        self.running = running;
        if self
            .last_progress
            .is_some_and(|last| last.elapsed() < PAUSE)
        {
            return Ok(());
        }
        self.last_progress = Some(Instant::now());
        let progress = self.progress();
        self.line(&progress)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let standings = standings_json(&self.roster, &self.board, 0);
        let standings: Value = serde_json::from_str(&standings).unwrap_or(Value::Null);
        self.line(&json!({ "type": "end", "standings": standings }))
    }
}

fn names(roster: &Roster) -> Vec<&str> {
    roster
        .participants
        .iter()
        .map(|entry| entry.name.as_str())
        .collect()
}

/// The line of a finished game.
fn game_event(roster: &Roster, game: &FinishedGame) -> Value {
    let record = &game.record;
    let outcome: &Outcome = &record.outcome;
    json!({
        "type": "game",
        "round": game.id.round(),
        "pair": game.id.pair.0,
        "game": game.id.game,
        "cycle": game.cycle,
        "number": game.number.map(|number| number.0),
        "white": roster.name(game.seat(Color::White)),
        "black": roster.name(game.seat(Color::Black)),
        "result": outcome.result(),
        "reason": outcome.reason(),
        "termination": outcome.termination().to_string(),
        "plies": record.plies(),
        "fen": record.start.fen(FenDialect::XFen),
        "moves": moves(game),
        "fault": record.faults.first().map(fault),
        "started_ms": game.started.0,
        "ended_ms": game.ended.0,
    })
}

/// UCI text, castling as king takes own rook.
fn moves(game: &FinishedGame) -> String {
    let mut position = game.record.start.clone();
    let mut text = String::with_capacity(game.record.plies() * 5);
    for chess_move in game.record.all_moves() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.uci(chess_move, UciDialect::Chess960));
        position.play(chess_move);
    }
    text
}

fn fault(fault: &Fault) -> Value {
    json!({
        "side": fault.side.to_string(),
        "kind": fault.kind.reason(),
        "ply": fault.ply,
        "detail": fault.detail,
        "evidence": fault.evidence.as_ref().map(evidence_json),
    })
}
