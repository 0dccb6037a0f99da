//! `standings.json`: standings, crosstable and progress, for programs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::event::{FinishedGame, SCHEMA_VERSION};
use crate::stats::elo::elo_from_score;
use crate::stats::standings::Standing;

use super::Sink;
use super::atomic;
use super::error::SinkError;
use crate::text::harmless_json;
use crate::tournament::{EventState, EventView, Record, Roster, Scoreboard, ruling_values};

/// The file's name in the event's folder.
const FILE: &str = "standings.json";

/// Spectators see a result within this time; the disk is spared more.
const PAUSE: Duration = Duration::from_millis(500);

/// Keeps `standings.json` up to date.
pub struct StandingsSink {
    path: PathBuf,
    event: EventView,
    written: Option<Instant>,
    /// The version of the state that was written.
    version: Option<u64>,
}

impl StandingsSink {
    /// For the event in `folder`, in this state.
    pub fn new(folder: &Path, event: EventView) -> StandingsSink {
        StandingsSink {
            path: folder.join(FILE),
            event,
            written: None,
            version: None,
        }
    }

    fn write(&mut self, running: Option<usize>, durable: bool) -> Result<(), SinkError> {
        let (text, version) = self.event.read(|event| {
            let running = running.unwrap_or(event.running());
            let text = standings_json(event.roster(), event.board(), running);
            (text, event.version())
        });
        let written = atomic::replace(&self.path, text.as_bytes(), durable);
        written.map_err(|error| SinkError::file(&self.path, error))?;
        self.written = Some(Instant::now());
        self.version = Some(version);
        Ok(())
    }
}

impl Sink for StandingsSink {
    fn committed(&mut self, _game: &FinishedGame) -> Result<(), SinkError> {
        self.refresh()
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        let stale = self.version != Some(self.event.read(EventState::version));
        let rested = self.written.is_none_or(|last| last.elapsed() >= PAUSE);
        if stale && rested {
            self.write(None, false)
        } else {
            Ok(())
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.write(Some(0), true)
    }
}

/// The text of `standings.json`; its schema is in `docs/files.md`.
pub fn standings_json(roster: &Roster, board: &Scoreboard, running: usize) -> String {
    let table = board.standings();
    let rows: Vec<Value> = table.iter().map(|standing| row(board, standing)).collect();
    let value = json!({
        "schema": SCHEMA_VERSION,
        "event": { "name": roster.event, "site": roster.site, "variant": roster.variant.name() },
        "progress": {
            "games": board.games(),
            "planned_games": roster.planned_games,
            "pairs": board.pairs(),
            "voided_games": roster.voided_games,
            "decided_by_host": roster.decided_by_host,
            "annulled_games": board.annulled_games(),
            "cancelled_games": board.cancelled_games(),
            "running_games": running,
        },
        "self_play": roster.is_self_play(),
        "adaptive": roster.adaptive,
        "white": record(board.white()),
        "standings": rows,
        "disqualified": ruling_values(board),
        "crosstable": crosstable(board),
    });
    harmless_json(&format!("{value:#}\n"))
}

fn row(board: &Scoreboard, standing: &Standing) -> Value {
    let index = usize::from(standing.engine);
    let participant = &board.participants()[index];
    let [white, black] = board.by_color(index);
    let total = white.plus(black);
    json!({
        "rank": standing.place,
        "name": participant.name,
        "engine": participant.seat.engine,
        "copy": participant.seat.copy,
        "total": record(total),
        "white": record(white),
        "black": record(black),
        "elo": elo(total),
        "sonneborn_berger": standing.sonneborn_berger_points(),
        "double_wins": standing.double_wins,
    })
}

fn record(record: Record) -> Value {
    json!({
        "games": record.games(),
        "wins": record.wins,
        "draws": record.draws,
        "losses": record.losses,
        "points": record.points(),
        "score": record.score(),
    })
}

/// The logistic Elo difference to the opponents met, taken as one; there is
/// none for a score of 0 or 1, or without games.
pub(super) fn elo(record: Record) -> Option<f64> {
    let score = record
        .score()
        .filter(|score| *score > 0.0 && *score < 1.0)?;
    Some(elo_from_score(score))
}

fn crosstable(board: &Scoreboard) -> Vec<Value> {
    let count = board.participants().len();
    let encounters = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    let met = encounters
        .filter(|(a, b)| a != b)
        .filter_map(|(participant, opponent)| {
            let games = board.encounter(participant, opponent);
            let name = |index: usize| &board.participants()[index].name;
            (games.total().games() > 0).then(|| {
                json!({
                    "name": name(participant),
                    "opponent": name(opponent),
                    "total": record(games.total()),
                    "white": record(games.as_white),
                    "black": record(games.as_black),
                    "pairs": games.pairs,
                })
            })
        });
    met.collect()
}
