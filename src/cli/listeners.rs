//! The listeners of a run, and its log.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::conclusion::{EventEnd, MAX_LINTED_GAMES};
use crate::analysis::{EventStatistics, Verdict};
use crate::event::{PairId, Seat};
use crate::page::{Carried, EventFacts, page};
use crate::pgn::PgnDialect;
use crate::platform::files::append_untrusted;
use crate::platform::{Stream, make_folder_untrusted, terminal};
use crate::report::statistics::positions_csv;
use crate::report::variations::Variations;
use crate::run::{RunError, Session};
use crate::schedule::PairSpec;
use crate::sink::{
    FileAtEnd, JsonSink, LivePgnSink, PgnSink, ProgressSink, PublishedStatistics, RunOutputs,
    SinkError, Sinks, StandingsSink, VerdictOf, abandoned,
};
use crate::store::{Reader, StoreError};
use crate::text::tell;
use crate::tournament::{EventState, EventView, Roster};
use crate::web::{LiveEvent, WebSink};

pub(super) use super::conclusion::statistics;

/// The display while an event is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunDisplay {
    /// A bar and the lanes on a terminal, lines elsewhere.
    Progress,
    /// JSON on stdout.
    Json,
    /// Nothing.
    Quiet,
}

/// The outputs of a run in addition to the files of results.
#[derive(Debug, Clone)]
pub(crate) struct RunListeners {
    /// The display on this terminal.
    pub(crate) display: RunDisplay,
    /// Whether `report.html` is written.
    pub(crate) report: bool,
    /// Whether `live.pgn` is written, and in which dialect of PGN.
    pub(crate) live_pgn: Option<PgnDialect>,
    /// The page for others.
    pub(crate) web: Option<Arc<LiveEvent>>,
}

/// The listeners of a run: the files of the event, the display, and the files and pages for others. The data of the
/// last files is put into `end`.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(crate) fn listeners(
    session: &Session,
    event: &EventView,
    asked: &RunListeners,
    end: &Arc<EventEnd>,
) -> Result<RunOutputs, RunError> {
    let reader = session.reader()?;
    let folder = session.folder();
    let mut files = Sinks::default();
    let pgn = PgnSink::open_in(&reader, folder, session.pgn_context())?;
    if let Some(remark) = pgn.remark() {
        tell(&remark);
    }
    files.add(pgn);
    let verdict = verdict(folder, end);
    let mut standings = StandingsSink::new(folder, event.clone());
    standings.verdict = Some(Arc::clone(&verdict));
    files.add(standings);
    let at_the_end = |name: &str, text: fn(&Path, &EventEnd) -> Result<String, SinkError>| {
        let (stored, known) = (folder.to_path_buf(), Arc::clone(end));
        FileAtEnd::new(folder.join(name), move || text(&stored, &known))
    };
    files.add(at_the_end("positions.csv", positions));
    if asked.report {
        files.add(at_the_end("report.html", report_page));
    }
    let display = display(asked, event, verdict)?;
    let mut broadcast = Sinks::default();
    if let Some(dialect) = asked.live_pgn {
        broadcast.add(LivePgnSink::new(&reader, folder, dialect)?);
    }
    if let Some(page) = &asked.web {
        page.begin(&reader, event.clone(), true)?;
        page.expect(session.tournament(), coming(session)?);
        broadcast.add(WebSink(Arc::clone(page)));
    }
    Ok(RunOutputs {
        files,
        display,
        broadcast,
    })
}

/// What is shown on the terminal. If that cannot be opened, nothing is: the event matters more.
fn display(asked: &RunListeners, event: &EventView, verdict: VerdictOf) -> Result<Sinks, RunError> {
    let mut shown = Sinks::default();
    match asked.display {
        RunDisplay::Progress => match ProgressSink::new(event.clone()) {
            Ok(sink) => shown.add(sink),
            Err(error) => abandoned(&error),
        },
        // On a separate handle of standard output: the standard library's would be locked by a write that waits for a
        // reader.
        RunDisplay::Json => {
            let own = terminal::own(Stream::Out).map_err(SinkError::Output);
            match own.and_then(|own| JsonSink::new(own, event.clone())) {
                Ok(mut sink) => {
                    sink.verdict = Some(verdict);
                    shown.add(sink);
                }
                Err(SinkError::Output(error)) => abandoned(&error),
                Err(error) => return Err(error.into()),
            }
        }
        RunDisplay::Quiet => {}
    }
    Ok(shown)
}

/// The pairs of the plan that have not begun. Pairs that depend on results are not known yet; rounds have a separate
/// table.
fn coming(session: &Session) -> Result<Vec<(PairId, PairSpec)>, RunError> {
    let tournament = session.tournament();
    if tournament.rounds().is_some() {
        return Ok(Vec::new());
    }
    let work = session.work()?;
    let here = |pair| tournament.shard.is_none_or(|shard| shard.holds(pair));
    let open = work.plan.iter().filter(|(pair, spec)| {
        let withdrawn = |seat: Seat| work.withdrawn().contains(&seat.engine);
        let begun = work.settled(*pair).contains(&true);
        here(*pair) && !begun && !withdrawn(spec.first) && !withdrawn(spec.second)
    });
    Ok(open.collect())
}

/// The verdict for programs; at the end of the run with the statistics that its files are made of.
pub(super) fn verdict(folder: &Path, end: &Arc<EventEnd>) -> VerdictOf {
    let (stored, known) = (folder.to_path_buf(), Arc::clone(end));
    Arc::new(move |event, at_the_end| {
        let found = at_the_end.then(|| {
            let reader = Reader::open(&stored)?;
            statistics(&reader, &known)
        });
        let found = found.transpose().unwrap_or_else(|error: SinkError| {
            tracing::warn!(%error, "no statistics for the verdict");
            None
        });
        let mut event = event.read(EventState::clone);
        if at_the_end {
            // The games running now will be over when somebody reads this.
            event.runs(0);
        }
        let ratings = found.map(EventStatistics::ratings_by_engine);
        PublishedStatistics {
            verdict: serde_json::json!(Verdict::of_event(&event, found)),
            ratings: ratings.unwrap_or_default(),
        }
    })
}

/// The text of `positions.csv`, of all games in the store.
fn positions(folder: &Path, end: &EventEnd) -> Result<String, SinkError> {
    Ok(positions_csv(statistics(&Reader::open(folder)?, end)?))
}

/// The text of `report.html`.
fn report_page(folder: &Path, end: &EventEnd) -> Result<String, SinkError> {
    let reader = Reader::open(folder)?;
    let statistics = statistics(&reader, end)?.clone();
    let variations = Variations::of_event(&reader, &Roster::read(&reader)?, MAX_LINTED_GAMES)?;
    let variations = end.variations.get_or_init(|| variations).clone();
    let facts = EventFacts::read(&reader, statistics, Some(variations), Carried::SharedBy(1))?;
    Ok(page(&[facts], None))
}

/// From here on events are logged into the event's folder. A second call in one process changes nothing: the first log
/// stays in use.
///
/// # Errors
/// The log cannot be written.
pub(crate) fn begin_log(folder: &Path) -> Result<(), StoreError> {
    let folder = log_folder(folder);
    let opened = make_folder_untrusted(&folder);
    let opened = opened.and_then(|()| append_untrusted(&folder.join("run.log")));
    let file = opened.map_err(|error| StoreError::from_io(&folder, &error))?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        // On a full disk the run itself reports the error.
        .log_internal_errors(false)
        .with_writer(Mutex::new(file));
    let log = tracing_subscriber::registry().with(LevelFilter::INFO);
    // Fails if a log exists already.
    let _ = log.with(lines).try_init();
    Ok(())
}

/// Where logs are, for an event in this folder.
pub(crate) fn log_folder(event: &Path) -> PathBuf {
    event.join("log")
}
