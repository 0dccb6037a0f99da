//! The standard output: text that is written at once, and lines as a listener to facts.
//!
//! A pair is begun by a lane and played there game after game, so that `Started game` of its second
//! game follows the lines of its first.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::counts::Stats;
use super::starts::GameStarts;
use crate::event::{GameId, PairId, PlayedGame};
use crate::sink::{Sink, SinkError};

/// Writes text to the standard output, without buffering.
///
/// # Errors
/// Nobody reads the output, or the disk is full.
pub(crate) fn print(text: &str) -> Result<(), SinkError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(SinkError::Output)
}

/// Whether the reader of the output has closed it.
pub(crate) fn is_unread(error: &SinkError) -> bool {
    matches!(error, SinkError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
}

/// What the end of a run has to print about it.
#[derive(Debug, Default)]
pub(crate) struct RunOutcome {
    /// A fault, or a warning in a strict run, has ended the run.
    pub(crate) broken_off: bool,
    /// The test is decided; the games that were played before are included.
    pub(crate) decided: bool,
    /// The reader of the output has closed it, which ends the run.
    pub(crate) unread: bool,
    /// The line about the PGN file with the game that is printed next.
    pub(crate) checksum: String,
    /// The results, for `config.json`.
    pub(crate) stats: Vec<(String, Stats)>,
}

/// The same, as everything that takes part in a run knows it.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedOutcome(Arc<Mutex<RunOutcome>>);

impl SharedOutcome {
    /// Reads or changes it.
    pub(crate) fn with<T>(&self, access: impl FnOnce(&mut RunOutcome) -> T) -> T {
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Makes lines from facts.
pub(crate) trait FactLines: Send {
    /// The games that have begun.
    fn starts(&mut self) -> &mut GameStarts;

    /// Whether nothing more is printed.
    fn is_silent(&self) -> bool;

    /// The lines printed when a game begins; empty on later calls.
    fn start(&mut self, id: GameId) -> String;

    /// The lines of a game that is over.
    fn finish_game(&mut self, game: &PlayedGame) -> String;

    /// Takes in a game that was stored by an earlier run; nothing is printed.
    fn recall(&mut self, game: &PlayedGame);

    /// The lines to print between games.
    fn meanwhile(&mut self) -> String {
        String::new()
    }

    /// The lines of a game were written.
    fn written(&mut self) {}

    /// The reader of the output has closed it, as `head` does.
    fn unread(&mut self) {}

    /// The last lines.
    fn end(&mut self) -> String;
}

/// Lines that are printed.
pub(crate) struct Printed<L>(pub(crate) L);

impl<L: FactLines> Printed<L> {
    fn print(&mut self, text: &str) -> Result<(), SinkError> {
        let printed = print(text);
        if printed.as_ref().is_err_and(is_unread) {
            self.0.unread();
        }
        printed
    }
}

impl<L: FactLines> Sink for Printed<L> {
    fn begun(&mut self, pair: PairId, lane: usize) -> Result<(), SinkError> {
        let next = self.0.starts().begun(pair, lane);
        let text = next.map(|next| self.0.start(next)).unwrap_or_default();
        self.print(&text)
    }

    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        if self.0.is_silent() || game.record.outcome.is_void() {
            return Ok(());
        }
        let text = self.0.finish_game(game);
        self.print(&text)?;
        self.0.written();
        Ok(())
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        match self.0.meanwhile() {
            text if text.is_empty() => Ok(()),
            text => self.print(&text),
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let text = self.0.end();
        self.print(&text)
    }
}
