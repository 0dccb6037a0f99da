//! Who listens to a run.

use std::io;

use crate::cli::roster::{roster, scoreboard};
use crate::run::{RunError, Session};
use crate::sink::{
    JsonSink, PgnSink, PositionsSink, ProgressSink, SinkError, Sinks, StandingsSink,
};

/// What is shown while an event is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// A bar on a terminal, lines elsewhere.
    Progress,
    /// JSON on stdout.
    Json,
    /// Nothing.
    Quiet,
}

/// The listeners of a run: the files of the event first, then the display.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub fn listeners(session: &Session, display: Display) -> Result<Sinks, RunError> {
    let reader = session.reader()?;
    let roster = roster(&reader)?;
    let board = scoreboard(&reader, &roster)?;
    let (folder, variant) = (session.folder(), session.tournament().variant);
    let mut sinks = Sinks::default();
    sinks.add(PgnSink::open(&reader, folder)?);
    sinks.add(StandingsSink::new(folder, roster.clone(), board.clone()));
    sinks.add(PositionsSink::new(folder, variant, board.clone()));
    match display {
        Display::Progress => sinks.add(ProgressSink::new(roster, board)),
        Display::Json => match JsonSink::new(io::stdout(), roster, board) {
            Ok(sink) => sinks.add(sink),
            // Nobody reads: the event matters more than its display.
            Err(SinkError::ClosedOutput(_)) => {}
            Err(error) => return Err(error.into()),
        },
        Display::Quiet => {}
    }
    Ok(sinks)
}
