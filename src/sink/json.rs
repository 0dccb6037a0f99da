//! `--json`: one JSON event a line, for programs that watch a run; and what the host did, with the names of
//! `docs/store.md`.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chess::{Color, FenDialect};
use crate::event::{ArbiterDecision, PlayedGame, SCHEMA_VERSION};
use crate::referee::{Fault, FlagEvidence};
use crate::store::Reader;
use crate::text::harmless_json;
use crate::tournament::{
    EventState, EventView, Roster, Scoreboard, SprtWatch, decision_value, ruling_values,
};

use super::{Sink, SinkError, VerdictOf, has_rested};

/// Minimum time between two lines of progress.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Writes JSON lines. A line is written whole and at once.
pub struct JsonSink<W: Write + Send> {
    out: W,
    event: EventView,
    last_progress: Option<Instant>,
    /// The verdict on the event, whose claims are in the line `end`; it comes from a caller because the analysis is a layer
    /// above this one.
    pub(crate) verdict: Option<VerdictOf>,
}

impl<W: Write + Send> JsonSink<W> {
    /// Writes to `out`, beginning with the line `start`.
    ///
    /// # Errors
    /// [`SinkError::Output`] if it cannot be written.
    pub fn new(out: W, event: EventView) -> Result<JsonSink<W>, SinkError> {
        let start = event.read(|event| start(event.roster(), event.board()));
        let mut sink = JsonSink {
            out,
            event,
            last_progress: None,
            verdict: None,
        };
        sink.line(&start)?;
        Ok(sink)
    }

    fn line(&mut self, value: &Value) -> Result<(), SinkError> {
        write_line(&mut self.out, value)?;
        self.out.flush().map_err(SinkError::Output)
    }
}

impl<W: Write + Send> Sink for JsonSink<W> {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        let value = self.event.read(|event| game_event(event.roster(), game));
        self.line(&value)
    }

    fn decided(&mut self, decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        for decision in decisions {
            let value = |event: &EventState| decision_event(event.roster(), decision);
            let value = self.event.read(value);
            self.line(&value)?;
        }
        Ok(())
    }

    fn say(&mut self, words: &str) {
        // A closed reader is noticed at the next line.
        let _unread = self.line(&json!({ "type": "message", "words": words }));
    }

    fn disqualified(&mut self, engine: u16) {
        let rulings = self.event.read(|event| ruling_values(event.board()));
        let own = rulings.into_iter().find(|one| one["engine"] == engine);
        let mut value = own.unwrap_or_else(|| json!({ "engine": engine }));
        value["type"] = json!("disqualified");
        let _unread = self.line(&value);
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        if !has_rested(self.last_progress, UPDATE_INTERVAL) {
            return Ok(());
        }
        self.last_progress = Some(Instant::now());
        let progress = self.event.read(progress);
        self.line(&progress)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let said = self.verdict.as_ref();
        let mut said = said.map(|verdict| verdict(&self.event, true));
        let claims = said.as_mut().map(|said| said.verdict["claims"].take());
        let mut end = self.event.read(|event| {
            let standings = super::standings::text(event, 0, said);
            end(event, serde_json::from_str(&standings).unwrap_or_default())
        });
        if let Some(claims) = claims {
            end["claims"] = claims;
        }
        self.line(&end)
    }
}

/// Writes the lines of all that is stored: `start`, every game that counts, with the result that it has, in the order of
/// finishing, every decision of the arbiter, and the progress of the event.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn write_event_lines(
    reader: &Reader,
    event: &EventView,
    out: &mut dyn Write,
) -> Result<(), SinkError> {
    let mut line = |value: &Value| write_line(out, value);
    let roster = event.read(|event| event.roster().clone());
    let mut first = event.read(|event| start(&roster, event.board()));
    // All of them follow.
    first["games"] = json!(0);
    line(&first)?;
    for stored in reader.games() {
        line(&game_event(&roster, &stored?.game))?;
    }
    for decision in reader.decisions().all() {
        line(&decision_event(&roster, decision))?;
    }
    line(&event.read(progress))
}

fn write_line(out: &mut dyn Write, value: &Value) -> Result<(), SinkError> {
    let text = harmless_json(&format!("{value}\n"));
    out.write_all(text.as_bytes()).map_err(SinkError::Output)
}

fn start(roster: &Roster, board: &Scoreboard) -> Value {
    let names = roster.participants.iter().map(|entry| entry.name.as_str());
    json!({
        "type": "start",
        "schema": SCHEMA_VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "event": roster.event,
        "variant": roster.variant.name(),
        "participants": names.collect::<Vec<_>>(),
        "games": board.games(),
        "planned_games": board.planned_games(),
        "adaptive": roster.adaptive,
    })
}

fn progress(event: &EventState) -> Value {
    let (roster, board) = (event.roster(), event.board());
    json!({
        "type": "progress",
        "games": board.games(),
        "planned_games": board.planned_games(),
        "pairs": board.pairs(),
        "running_games": event.running(),
        "waiting": event.waiting,
        "voided_games": roster.voided_games,
        "adaptive": roster.adaptive.is_some(),
        "anytime": board.match_estimate().map(|elo| elo.json()),
        "white_anytime": board.white_estimate().map(|white| white.json()),
        "sprt": event.test().map(SprtWatch::json),
    })
}

/// The last line. `complete` is false where a run was stopped, or games were voided.
fn end(event: &EventState, standings: Value) -> Value {
    let board = event.board();
    json!({
        "type": "end",
        "games": board.games(),
        "planned_games": board.planned_games(),
        "missing_games": event.missing_games(),
        "complete": event.is_over(),
        "sprt": event.test().map(SprtWatch::json),
        "verdict": event.test().map(SprtWatch::verdict),
        "standings": standings,
    })
}

fn decision_event(roster: &Roster, decision: &ArbiterDecision) -> Value {
    let mut value = decision_value(roster, decision);
    value["type"] = json!("decision");
    value
}

/// The line of a finished game.
fn game_event(roster: &Roster, game: &PlayedGame) -> Value {
    let record = &game.record;
    let outcome = &record.outcome;
    json!({
        "type": "game",
        "round": roster.games.name(game.id),
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
        "moves": game.move_texts().join(" "),
        "fault": record.faults.first().map(fault_json),
        "started_ms": game.started.0,
        "ended_ms": game.ended.0,
    })
}

/// A fault, for programs.
pub(crate) fn fault_json(fault: &Fault) -> Value {
    json!({
        "side": fault.side.to_string(),
        "kind": fault.kind.reason(),
        "ply": fault.ply,
        "detail": fault.explained(),
        "evidence": fault.evidence.as_ref().map(evidence_json),
    })
}

/// The names of what is stored of the host during a move, in its order.
const HOST_FIELDS: [&str; 8] = [
    "watched_ns",
    "wakeup_ns",
    "lane_wait_ns",
    "engine_cpu_ns",
    "engine_wait_ns",
    "engine_complete",
    "pressure_ns",
    "suspended_ns",
];

/// Who is to blame for a flag fall, with the evidence.
pub(crate) fn evidence_json(evidence: &FlagEvidence) -> Value {
    let mut members = json!(evidence);
    let stored = members["host"].as_array().cloned().unwrap_or_default();
    let named = HOST_FIELDS.map(str::to_owned).into_iter().zip(stored);
    members["host"] = Value::Object(named.collect());
    let engine = evidence.seen.host.engine;
    members["host"]["engine_complete"] = json!(engine.map(|engine| engine.complete));
    members
}
