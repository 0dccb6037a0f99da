//! Who listens to a run.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::cli::conclusion::of_store;
use crate::cli::roster::{roster, scoreboard};
use crate::report::statistics::{EventStatistics, positions_csv};
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

/// The statistics of an event's end, computed once for all who need them.
pub type FinalStatistics = Arc<OnceLock<EventStatistics>>;

/// The listeners of a run: the files of the event first, then the display. What the last
/// files are made of goes into `end`.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub fn listeners(
    session: &Session,
    display: Display,
    end: &FinalStatistics,
) -> Result<Sinks, RunError> {
    let reader = session.reader()?;
    let roster = roster(&reader)?;
    let board = scoreboard(&reader, &roster)?;
    let folder = session.folder();
    let mut sinks = Sinks::default();
    let pgn = PgnSink::open(&reader, folder)?;
    if let Some(remark) = pgn.remark() {
        eprintln!("{remark}");
    }
    sinks.add(pgn);
    sinks.add(StandingsSink::new(folder, roster.clone(), board.clone()));
    let (stored, end) = (folder.to_path_buf(), Arc::clone(end));
    sinks.add(PositionsSink::new(folder, move || positions(&stored, &end)));
    let rule = StopRule::new(session.tournament(), &reader)?;
    let test = rule.watch().cloned();
    match display {
        Display::Progress => sinks.add(ProgressSink::new(roster, board).watching(test)),
        Display::Json => match JsonSink::new(io::stdout(), roster, board) {
            Ok(sink) => sinks.add(sink.watching(test)),
            // Nobody reads: the event matters more than its display.
            Err(SinkError::ClosedOutput(_)) => {}
            Err(error) => return Err(error.into()),
        },
        Display::Quiet => {}
    }
    Ok(sinks)
}

/// The text of `positions.csv`, of all games in the store.
fn positions(folder: &Path, end: &FinalStatistics) -> Result<String, SinkError> {
    let statistics = of_store(&Reader::open(folder)?)?.of_a_finished_run();
    Ok(positions_csv(end.get_or_init(|| statistics)))
}
