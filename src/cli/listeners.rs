//! Who listens to a run.

use std::io;
use std::path::Path;

use crate::cli::roster::{roster, scoreboard};
use crate::report::statistics::{Collector, EventStatistics, positions_csv};
use crate::run::stop_rule::StopRule;
use crate::run::{RunError, Session};
use crate::sink::{
    JsonSink, PgnSink, PositionsSink, ProgressSink, SinkError, Sinks, StandingsSink,
};
use crate::store::Reader;

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
    let folder = session.folder();
    let mut sinks = Sinks::default();
    sinks.add(PgnSink::open(&reader, folder)?);
    sinks.add(StandingsSink::new(folder, roster.clone(), board.clone()));
    let stored = folder.to_path_buf();
    sinks.add(PositionsSink::new(folder, move || positions(&stored)));
    match display {
        Display::Progress => {
            let rule = StopRule::new(session.tournament(), &reader)?;
            sinks.add(ProgressSink::new(roster, board).watching(rule.watch().cloned()));
        }
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

/// The text of `positions.csv`, of all games in the store.
fn positions(folder: &Path) -> Result<String, SinkError> {
    let mut collector = Collector::new(false);
    collector.add_store(&Reader::open(folder)?)?;
    Ok(positions_csv(&EventStatistics::new(&collector.finish())))
}
