//! What is read from a store at intervals: an event that nobody here plays (`serve`), and the drawings of any event.
//!
//! Drawings cost as much as the statistics do, on processors that engines may need. So they are made by one thread of the
//! lowest priority, only while somebody is looking, and after each drawing the thread rests thirty times as long as the
//! work took.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::analysis::{Collector, Compared, ComparisonReport, EventStatistics, Verdict};
use crate::page::{Carried, EventFacts, growing_figures};
use crate::platform::machine::give_way;
use crate::report::verdict::{FirstLines, first_lines};
use crate::sink::{InSinkFile, SinkError};
use crate::stats::match_statistics::DEFAULT_LEVEL;
use crate::store::{Reader, StoreError, StoreVersion};
use crate::tournament::{EventState, EventView};

use super::event::LiveEvent;

/// Minimum rest between two readings of a store, and between two drawings.
const MIN_READING_REST: Duration = Duration::from_secs(1);
const MIN_DRAWING_REST: Duration = Duration::from_secs(5);

/// Rest after either, as a multiple of the time that the work took.
const REST_FACTOR: u32 = 30;

/// Interval at which the thread that draws checks whether somebody is looking.
const CHECK_INTERVAL: Duration = Duration::from_millis(300);

/// Shows the event that is stored in this folder; a thread looks for changes from then on.
///
/// # Errors
/// The folder contains no event, or the event cannot be read.
pub(crate) fn watch(folder: &Path) -> Result<Arc<LiveEvent>, SinkError> {
    let reader = Reader::open(folder)?;
    let known = reader.version()?;
    let event = Arc::new(LiveEvent::default());
    event.begin(&reader, EventView::new(EventState::read(&reader)?), false)?;
    let (folder, shown) = (folder.to_path_buf(), Arc::clone(&event));
    let thread = std::thread::Builder::new().name("web-store".to_owned());
    let thread = thread.spawn(move || {
        give_way(19);
        follow(&folder, known, &shown);
    });
    thread.at(reader.file())?;
    Ok(event)
}

fn follow(folder: &Path, mut known: StoreVersion, event: &LiveEvent) {
    let mut rest = MIN_READING_REST;
    loop {
        std::thread::sleep(rest);
        rest = MIN_READING_REST;
        let begun = Instant::now();
        // The event may have been moved away for a while, or is being created again: it may be back later.
        let Ok(reader) = Reader::open(folder) else {
            continue;
        };
        let now = reader.version().unwrap_or(known);
        if now == known {
            continue;
        }
        match renew(&reader, event) {
            Ok(()) => known = now,
            Err(error) => tracing::warn!(%error, "the page of {} is old", folder.display()),
        }
        rest = MIN_READING_REST.max(begun.elapsed() * REST_FACTOR);
    }
}

fn renew(reader: &Reader, event: &LiveEvent) -> Result<(), SinkError> {
    let Some(view) = event.view() else {
        return Ok(());
    };
    let version = view.read(EventState::version) + 1;
    let fresh = EventState::read(reader)?.of_version(version);
    view.update(|state| *state = fresh);
    event.begin(reader, view, false)
}

/// The first lines about several events together.
#[derive(Debug)]
pub(super) struct Together {
    wanted: AtomicBool,
    said: Mutex<FirstLines>,
}

impl Together {
    /// For this number of events; of one there is nothing to say.
    pub(super) fn new(events: usize) -> Together {
        Together {
            wanted: AtomicBool::new(events > 1),
            said: Mutex::default(),
        }
    }

    /// What was said last; somebody is looking.
    pub(super) fn said(&self) -> MutexGuard<'_, FirstLines> {
        self.wanted.store(true, Ordering::Relaxed);
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says it again if somebody has looked and an event has changed; whether that was work.
    fn renew(&self, places: &[(PathBuf, u64)], known: &mut Vec<(PathBuf, u64)>) -> bool {
        if known == places || !self.wanted.swap(false, Ordering::Relaxed) {
            return false;
        }
        match together(places) {
            Ok(said) => {
                *self.said.lock().unwrap_or_else(PoisonError::into_inner) = said;
                places.clone_into(known);
            }
            Err(error) => tracing::warn!(%error, "no answer of all events together"),
        }
        true
    }
}

fn together(places: &[(PathBuf, u64)]) -> Result<FirstLines, StoreError> {
    let mut collector = Collector::new(false);
    collector.compares = true;
    let (mut sources, mut each) = (Vec::new(), Vec::new());
    for (folder, _) in places {
        let reader = Reader::open(folder)?;
        collector.add_store(&reader)?;
        let mut own = Collector::new(false);
        own.add_store(&reader)?;
        let source = reader.described()?.remove("name").unwrap_or_default();
        let collection = own.finish();
        each.push(Verdict::of_games(&EventStatistics::new(&collection)));
        sources.push(Compared { source, collection });
    }
    let together = Verdict::of_games(&EventStatistics::new(&collector.finish()));
    let maps = ComparisonReport::new(&sources, DEFAULT_LEVEL).ok();
    let names = sources.iter().map(|source| source.source.as_str());
    let each: Vec<_> = names.zip(&each).collect();
    Ok(first_lines(&together.beside(&each, maps.as_ref())))
}

/// Draws until the sender of `over` is dropped.
pub(super) fn draw(events: &[Arc<LiveEvent>], together: &Together, over: &Receiver<()>) {
    give_way(19);
    let mut drawn: Vec<Option<u64>> = vec![None; events.len()];
    let mut known = Vec::new();
    let mut rest = CHECK_INTERVAL;
    while over.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
        let begun = Instant::now();
        let mut worked = false;
        for (event, drawn) in events.iter().zip(&mut drawn) {
            if let Some((folder, version)) = event.place()
                && *drawn != Some(version)
                && event.wants_figures()
            {
                worked = true;
                if redraw(event, &folder) {
                    *drawn = Some(version);
                }
            }
        }
        let places: Vec<_> = events.iter().filter_map(|event| event.place()).collect();
        worked |= together.renew(&places, &mut known);
        rest = CHECK_INTERVAL;
        if worked {
            rest = MIN_DRAWING_REST.max(begun.elapsed() * REST_FACTOR);
        }
    }
}

/// Draws the figures of an event, and sets the first lines of one that nobody plays; if that fails they are still wanted.
fn redraw(event: &LiveEvent, folder: &Path) -> bool {
    let drawn = || -> Result<(), SinkError> {
        let reader = Reader::open(folder)?;
        let facts = EventFacts::analysed(&reader, Carried::None)?;
        event.set_figures(growing_figures(&facts), facts.said(reader.is_running()));
        Ok(())
    };
    let done = drawn();
    if let Err(error) = &done {
        tracing::warn!(%error, "no figures for the page; they are tried again");
        event.want_figures();
    }
    done.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_cannot_be_drawn_stay_wanted() {
        let (event, folder) = (LiveEvent::default(), tempfile::tempdir().unwrap());
        assert!(!event.wants_figures());
        assert!(!redraw(&event, folder.path()));
        assert!(event.wants_figures());
    }
}
