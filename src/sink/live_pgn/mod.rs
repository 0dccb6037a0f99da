//! `live.pgn`: the running games and the finished games of their round, for broadcasts that poll a file or an address.
//!
//! | file | what |
//! |---|---|
//! | this one | the listener that writes the file |
//! | `game_in_play` | one game as glimpses tell of it, with clocks and evaluations of its moves |
//! | `round_games` | all of them, and the text |

mod game_in_play;
mod round_games;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::SinkError;
use super::{Sink, atomic};
use crate::event::live::Update;
use crate::event::{ArbiterDecision, PlayedGame};
use crate::pgn::PgnDialect;
use crate::store::Reader;

pub(crate) use round_games::RoundGames;

/// The file's name in the event's folder.
pub(crate) const FILE: &str = "live.pgn";

/// Minimum time between two versions of the file.
const PAUSE: Duration = Duration::from_secs(1);

/// Replaces the whole `live.pgn` after each change, at most once a second. A file that cannot be written is given up:
/// the event matters more.
pub(crate) struct LivePgnSink {
    games: RoundGames,
    path: PathBuf,
    written: Option<Instant>,
    version: Option<u64>,
}

impl LivePgnSink {
    /// For the event in `folder`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn new(
        reader: &Reader,
        folder: &Path,
        dialect: PgnDialect,
    ) -> Result<LivePgnSink, SinkError> {
        Ok(LivePgnSink {
            games: RoundGames::read(reader, dialect)?,
            path: folder.join(FILE),
            written: None,
            version: None,
        })
    }

    fn write_if_due(&mut self, durable: bool) -> Result<(), SinkError> {
        let rested = self.written.is_none_or(|last| last.elapsed() >= PAUSE);
        if self.version == Some(self.games.version()) || !(rested || durable) {
            return Ok(());
        }
        self.version = Some(self.games.version());
        self.written = Some(Instant::now());
        let written = atomic::replace(&self.path, self.games.text().as_bytes(), durable);
        written.map_err(|error| {
            let words = format!("{}: {error}", self.path.display());
            SinkError::Output(io::Error::new(error.kind(), words))
        })
    }
}

impl Sink for LivePgnSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.games.committed(game)?;
        self.write_if_due(false)
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.games.decided()?;
        self.write_if_due(false)
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn live(&mut self, update: &Update) -> Result<(), SinkError> {
        self.games.hear(update)?;
        self.write_if_due(false)
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        self.write_if_due(false)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.write_if_due(true)
    }
}
