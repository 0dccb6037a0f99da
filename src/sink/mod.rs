//! What listens to events: PGN, standings, tables, JSON, progress.
//!
//! A sink hears of a game only when it is durable in the store, so whatever it
//! writes can be made again from there.
//!
//! | file | what |
//! |---|---|
//! | `error` | a file or an output that cannot be written |
//! | `text` | foreign text made harmless for terminals and CSV |
//! | `roster` | who plays, and under which names |
//! | `rulings` | what is said of disqualified engines |
//! | `scoreboard` | results counted by engine, encounter and start number |
//! | `atomic` | files that are whole at every moment |
//! | `pgn` | `games.pgn` |
//! | `estimate` | an interval that may be looked at all the time |
//! | `sprt_watch` | a sequential test, fed with games as they finish |
//! | `standings` | `standings.json` |
//! | `positions` | `positions.csv` |
//! | `evidence` | what the host did, as JSON |
//! | `json` | `--json`: one event a line |
//! | `progress` | a bar on a terminal, plain lines elsewhere |

mod atomic;
mod error;
mod estimate;
mod evidence;
mod json;
mod pgn;
mod positions;
mod progress;
mod roster;
mod rulings;
mod scoreboard;
mod sprt_watch;
mod standings;
mod text;

pub use error::SinkError;
pub use evidence::{evidence_json, host_json};
pub use json::JsonSink;
pub use pgn::{PgnSink, write_pgn};
pub use positions::{PositionsSink, back_rank};
pub use progress::ProgressSink;
pub use roster::{Participant, Roster};
pub use rulings::{ruling_lines, ruling_sentence, ruling_values};
pub use scoreboard::{Encounter, NumberRow, Record, Scoreboard};
pub use sprt_watch::SprtWatch;
pub use standings::{StandingsSink, standings_json};
pub use text::{csv_field, harmless_json, printable};

use crate::event::{FinishedGame, Live};

/// Someone who listens. All calls come from one thread, in order; a call must
/// be short, for the dispatcher waits for it.
pub trait Sink: Send {
    /// A finished game is durable.
    ///
    /// # Errors
    /// What cannot be written; the run stops then.
    fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError>;

    /// A voided game is in the store's log.
    fn voided(&mut self, _game: &FinishedGame) {}

    /// An engine is disqualified by the games heard of so far.
    fn disqualified(&mut self, _engine: u16) {}

    /// Something passed that is not stored.
    fn live(&mut self, _glimpse: &Live) {}

    /// A moment passed, with so many games running.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn refresh(&mut self, _running: usize) -> Result<(), SinkError> {
        Ok(())
    }

    /// Words for the user; whoever owns the terminal shows them.
    fn say(&mut self, _words: &str) {}

    /// The run is over: whatever was held back is written now.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn finish(&mut self) -> Result<(), SinkError>;
}

/// All listeners of a run.
#[derive(Default)]
pub struct Sinks(Vec<Box<dyn Sink>>);

impl Sinks {
    /// One more listener; it hears of everything after those before it.
    pub fn add(&mut self, sink: impl Sink + 'static) {
        self.0.push(Box::new(sink));
    }

    /// A finished game is durable: everybody hears, even if one fails.
    ///
    /// # Errors
    /// The first failure.
    pub fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError> {
        self.each(|sink| sink.committed(game))
    }

    /// A voided game is in the store's log.
    pub fn voided(&mut self, game: &FinishedGame) {
        self.0.iter_mut().for_each(|sink| sink.voided(game));
    }

    /// An engine is disqualified.
    pub fn disqualified(&mut self, engine: u16) {
        self.0.iter_mut().for_each(|sink| sink.disqualified(engine));
    }

    /// Something passed that is not stored.
    pub fn live(&mut self, glimpse: &Live) {
        self.0.iter_mut().for_each(|sink| sink.live(glimpse));
    }

    /// A moment passed, with so many games running.
    ///
    /// # Errors
    /// The first failure.
    pub fn refresh(&mut self, running: usize) -> Result<(), SinkError> {
        self.each(|sink| sink.refresh(running))
    }

    /// Words for the user.
    pub fn say(&mut self, words: &str) {
        self.0.iter_mut().for_each(|sink| sink.say(words));
    }

    /// The run is over.
    ///
    /// # Errors
    /// The first failure; the others finish all the same.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        self.each(|sink| sink.finish())
    }

    /// Tells everybody. A listener whose reader has gone, as `head` goes, is
    /// let go: the event matters more than its display.
    fn each(
        &mut self,
        mut tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        let mut first = Ok(());
        self.0.retain_mut(|sink| match tell(sink.as_mut()) {
            Err(SinkError::ClosedOutput(error)) => {
                tracing::warn!(%error, "nobody reads the output any more; the event goes on");
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

impl std::fmt::Debug for Sinks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Sinks").field(&self.0.len()).finish()
    }
}
