//! Who listens to a run.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::analysis::EventStatistics;
use crate::cli::conclusion::of_store;
use crate::report::statistics::positions_csv;
use crate::run::{RunError, Session};
use crate::sink::{
    Audience, JsonSink, PgnSink, PositionsSink, ProgressSink, SinkError, Sinks, StandingsSink,
    abandoned, tell,
};
use crate::store::Reader;
use crate::tournament::EventView;

/// What is shown while an event is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Display {
    /// A bar and the lanes on a terminal, lines elsewhere.
    Progress,
    /// JSON on stdout, with moves and thinking if `live`.
    Json {
        /// Whether glimpses are told, too.
        live: bool,
    },
    /// Nothing.
    Quiet,
}

/// The statistics of an event's end, computed once for all who need them.
pub(crate) type FinalStatistics = Arc<OnceLock<EventStatistics>>;

/// The listeners of a run: the files of the event, and the display. What the last files are
/// made of goes into `end`.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(crate) fn listeners(
    session: &Session,
    event: &EventView,
    display: Display,
    end: &FinalStatistics,
) -> Result<Audience, RunError> {
    let reader = session.reader()?;
    let folder = session.folder();
    let mut files = Sinks::default();
    let pgn = PgnSink::open_in(&reader, folder, session.pgn_context(tell))?;
    if let Some(remark) = pgn.remark() {
        tell(&remark);
    }
    files.add(pgn);
    files.add(StandingsSink::new(folder, event.clone()));
    let (stored, end) = (folder.to_path_buf(), Arc::clone(end));
    files.add(PositionsSink::new(folder, move || positions(&stored, &end)));
    let mut shown = Sinks::default();
    // A display that cannot be had: the event matters more.
    match display {
        Display::Progress => match ProgressSink::new(event.clone()) {
            Ok(sink) => shown.add(sink),
            Err(error) => abandoned(&error),
        },
        Display::Json { live } => match json(event) {
            Ok(sink) if live => shown.add(sink.with_live_lines()),
            Ok(sink) => shown.add(sink),
            Err(SinkError::Output(error)) => abandoned(&error),
            Err(error) => return Err(error.into()),
        },
        Display::Quiet => {}
    }
    Ok(Audience {
        files,
        display: shown,
    })
}

/// JSON on a standard output of its own: the standard library's would be locked by a write that
/// waits for a reader.
fn json(event: &EventView) -> Result<JsonSink<File>, SinkError> {
    let own = io::stdout().as_fd().try_clone_to_owned();
    JsonSink::new(File::from(own.map_err(SinkError::Output)?), event.clone())
}

/// The text of `positions.csv`, of all games in the store.
fn positions(folder: &Path, end: &FinalStatistics) -> Result<String, SinkError> {
    let statistics = of_store(&Reader::open(folder)?)?.of_a_finished_run();
    Ok(positions_csv(end.get_or_init(|| statistics)))
}
