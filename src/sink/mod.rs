//! What listens to events: PGN, standings, tables, JSON, progress.
//!
//! A sink receives a game only when it is durable in the store, so everything that a sink writes can be made again from
//! the store.
//!
//! | file | what |
//! |---|---|
//! | `files` | files that are whole at every moment, or made at the end; what cannot be written |
//! | `pgn` | `games.pgn` |
//! | `live_pgn` | `live.pgn`: the round that is played |
//! | `standings` | `standings.json`, `schedule.json`, `crosstable.json`, `next-season.toml` |
//! | `lane_lines` | the running games, a line each |
//! | `json` | `--json`: one event a line |
//! | `terminal` | what is drawn on a terminal; a drawing is one write |
//! | `progress` | a bar on a terminal, plain lines elsewhere; how fast games end |

mod files;
mod json;
mod lane_lines;
mod live_pgn;
mod pgn;
mod progress;
mod standings;
mod terminal;

pub use files::{FileAtEnd, SinkError};
pub(crate) use files::{InSinkFile, replace as replace_file};
pub use json::JsonSink;
pub(crate) use json::{fault_json, write_event_lines};
pub(crate) use live_pgn::{FILE as LIVE_PGN_FILE, LivePgnSink, RoundGames};
pub(crate) use pgn::{
    FILE as PGN_FILE, PgnContext, Selection, keep_aside, rewrite_pgn, write_final_positions,
    write_selected_pgn,
};
pub use pgn::{PgnSink, write_pgn};
pub(crate) use progress::Pace;
pub use progress::ProgressSink;
pub use standings::{StandingsSink, standings_json};
pub(crate) use standings::{
    armageddon_words, crosstable_json, decision_word, schedule_json, won_without_games,
};

use std::sync::Arc;

use serde_json::Value;

use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::text::tell;
use crate::tournament::{EventView, Ratings};

/// The statistics of an event, for programs.
#[derive(Debug, Default)]
pub(crate) struct PublishedStatistics {
    /// What may be claimed.
    pub(crate) verdict: Value,
    /// The ratings; none while the event is played.
    pub(crate) ratings: Ratings,
}

/// The verdict on an event for programs, computed again each time; at the end with all statistics.
pub(crate) type VerdictOf = Arc<dyn Fn(&EventView, bool) -> PublishedStatistics + Send + Sync>;

/// A listener, on a thread that nothing else waits for. All calls come from that thread, in order. What a game means
/// for the event is in the state that the listener was made with; that state may be ahead of the game that the listener
/// receives.
pub trait Sink: Send {
    /// A lane, counted from 0, begins or continues a pair.
    ///
    /// # Errors
    /// What cannot be written.
    fn begun(&mut self, _pair: PairId, _lane: usize) -> Result<(), SinkError> {
        Ok(())
    }

    /// A finished game is durable.
    ///
    /// # Errors
    /// What cannot be written.
    fn committed(&mut self, _game: &PlayedGame) -> Result<(), SinkError> {
        Ok(())
    }

    /// An engine is disqualified by the games that are stored.
    fn disqualified(&mut self, _engine: u16) {}

    /// The arbiter has decided this: what is stored means something else than before.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        Ok(())
    }

    /// Whether [`Sink::live`] does anything: lanes report moves only if some listener wants them.
    fn wants_updates(&self) -> bool {
        false
    }

    /// An update that is not stored.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn live(&mut self, _update: &LiveUpdate) -> Result<(), SinkError> {
        Ok(())
    }

    /// A moment passed, or the state has changed.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn refresh(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    /// A message for the user; the listener that draws on the terminal shows it.
    fn say(&mut self, _words: &str) {}

    /// The run is over: whatever was held back is written now.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn finish(&mut self) -> Result<(), SinkError>;
}

/// The listeners of a run, on three threads: a display whose reader is stuck delays neither the files of results nor
/// the files and pages for others.
#[derive(Debug, Default)]
pub struct RunOutputs {
    /// Files of results: one that cannot be written ends the run.
    pub files: Sinks,
    /// What is shown. An output that cannot be written is given up.
    pub display: Sinks,
    /// Files and pages for others: `live.pgn`, a page. Given up like the display, but not delayed by it.
    pub broadcast: Sinks,
}

/// Listeners that share a thread.
#[derive(Default)]
pub struct Sinks(Vec<Box<dyn Sink>>);

impl Sinks {
    /// Adds a listener; it receives each event after the listeners added before it.
    pub fn add(&mut self, sink: impl Sink + 'static) {
        self.0.push(Box::new(sink));
    }

    /// Whether there are no listeners.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any listener wants updates that are not stored.
    pub fn wants_updates(&self) -> bool {
        self.0.iter().any(|sink| sink.wants_updates())
    }

    /// Calls every listener. A listener whose output cannot be written, because its reader has closed it (as `head`
    /// does) or because the disk is full, is removed: the event matters more than its display.
    ///
    /// # Errors
    /// The first failure; all others are called all the same.
    pub fn each(
        &mut self,
        mut tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        let mut first = Ok(());
        self.0.retain_mut(|sink| match tell(sink.as_mut()) {
            Err(SinkError::Output(error)) => {
                abandoned(&error);
                false
            }
            told => {
                if first.is_ok() {
                    first = told;
                }
                true
            }
        });
        first
    }
}

/// Reports that an output is given up and the event continues.
pub(crate) fn abandoned(error: &std::io::Error) {
    tracing::warn!(%error, "the output cannot be written any more; the event goes on");
    if error.kind() != std::io::ErrorKind::BrokenPipe {
        let words = "warning: the output cannot be written any more";
        tell(&format!("{words}: {error}; the event goes on without it"));
    }
}

impl std::fmt::Debug for Sinks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Sinks").field(&self.0.len()).finish()
    }
}
