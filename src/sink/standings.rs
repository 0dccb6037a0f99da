//! `standings.json`: standings, crosstable and progress, for programs; with it `crosstable.json` and, of
//! an event in rounds, `schedule.json`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::event::{PlayedGame, SCHEMA_VERSION};

use super::error::{InSinkFile, SinkError};
use super::schedule::{crosstable_json, schedule_json};
use super::{PublishedStatistics, Sink, VerdictOf, atomic};
use crate::text::{harmless_json, results_json, row_json};
use crate::tournament::{
    EventState, EventView, Scoreboard, SprtWatch, StandingRow, decision_values, ruling_values,
};

/// The file's name in the event's folder.
const FILE: &str = "standings.json";

/// The names of the other files in the folder.
const CROSSTABLE: &str = "crosstable.json";
const SCHEDULE: &str = "schedule.json";

/// Spectators see a result within this time; writing more often would only load the disk.
const PAUSE: Duration = Duration::from_millis(500);

/// Keeps `standings.json` up to date.
pub struct StandingsSink {
    folder: PathBuf,
    event: EventView,
    /// The verdict on the event; it comes from a caller because the analysis is a layer above this one.
    verdict: Option<VerdictOf>,
    written: Option<Instant>,
    /// The version of the state that was written.
    version: Option<u64>,
}

impl StandingsSink {
    /// For the event in `folder`, in this state.
    pub fn new(folder: &Path, event: EventView) -> StandingsSink {
        StandingsSink {
            folder: folder.to_path_buf(),
            event,
            verdict: None,
            written: None,
            version: None,
        }
    }

    /// With the verdict on the event.
    pub(crate) fn with_verdict(self, verdict: VerdictOf) -> StandingsSink {
        StandingsSink {
            verdict: Some(verdict),
            ..self
        }
    }

    fn write(&mut self, running: Option<usize>, durable: bool) -> Result<(), SinkError> {
        let said = self.verdict.as_ref();
        let said = said.map(|verdict| verdict(&self.event, running == Some(0)));
        let (texts, version) = self.event.read(|event| {
            let running = running.unwrap_or(event.running());
            let (roster, board) = (event.roster(), event.board());
            let texts = [
                (CROSSTABLE, Some(crosstable_json(roster, board))),
                (SCHEDULE, schedule_json(roster, board)),
                // Written last: a program that waits for this file finds the others.
                (FILE, Some(text(event, running, said))),
            ];
            (texts, event.version())
        });
        for (name, text) in texts {
            if let Some(text) = text {
                let path = self.folder.join(name);
                atomic::replace(&path, text.as_bytes(), durable).at(&path)?;
            }
        }
        self.written = Some(Instant::now());
        self.version = Some(version);
        Ok(())
    }
}

impl Sink for StandingsSink {
    fn committed(&mut self, _game: &PlayedGame) -> Result<(), SinkError> {
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
pub fn standings_json(event: &EventState, running: usize) -> String {
    text(event, running, None)
}

/// The same with the statistics.
pub(super) fn text(
    event: &EventState,
    running: usize,
    said: Option<PublishedStatistics>,
) -> String {
    let (roster, board) = (event.roster(), event.board());
    let is_analysed = said.is_some();
    let PublishedStatistics { verdict, ratings } = said.unwrap_or_default();
    let table = board.standings();
    let rows = board.rows(&table, &ratings);
    let rows = rows
        .iter()
        .map(|row| row_json(&StandingRow::FOR_PROGRAMS, row));
    let rows: Vec<Value> = rows.collect();
    let mut value = json!({
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
        "final": event.is_over(),
        "sprt": event.test().map(SprtWatch::json),
        "tie_breaks": board.tie_breaks().iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "self_play": roster.is_self_play(),
        "adaptive": roster.adaptive,
        "white": results_json(board.white().wdl()),
        "standings": rows,
        "disqualified": ruling_values(board),
        "decisions": decision_values(roster),
        "crosstable": crosstable(board),
    });
    if is_analysed {
        value["verdict"] = verdict;
    }
    harmless_json(&format!("{value:#}\n"))
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
                    "total": results_json(games.total().wdl()),
                    "white": results_json(games.as_white.wdl()),
                    "black": results_json(games.as_black.wdl()),
                    "pairs": games.pairs,
                })
            })
        });
    met.collect()
}
