//! An event that is read from its store at intervals: `serve`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::LiveEvent;
use crate::platform::machine::give_way;
use crate::sink::{InSinkFile, SinkError};
use crate::store::{Reader, StoreError};
use crate::tournament::{EventState, EventView};

/// Minimum interval between two readings of a store.
const LOOK: Duration = Duration::from_secs(1);

/// Rest after reading, as a multiple of the time that reading took.
const SHARE: u32 = 20;

/// Shows the event that is stored in this folder; a thread looks for changes from then on.
///
/// # Errors
/// The folder contains no event, or the event cannot be read.
pub(crate) fn watch(folder: &Path) -> Result<Arc<LiveEvent>, SinkError> {
    let reader = Reader::open(folder)?;
    let known = StoreMarks::read(&reader)?;
    let event = Arc::new(LiveEvent::default());
    event.begin(&reader, EventView::new(state(&reader, 0)?), false)?;
    let (folder, shown) = (folder.to_path_buf(), Arc::clone(&event));
    let thread = std::thread::Builder::new().name("web-store".to_owned());
    let thread = thread.spawn(move || {
        give_way(19);
        follow(&folder, known, &shown);
    });
    thread.at(reader.file())?;
    Ok(event)
}

/// The values by which a change of the store is noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StoreMarks {
    last: u64,
    voided: u64,
    decisions: u64,
    revision: u32,
}

impl StoreMarks {
    fn read(reader: &Reader) -> Result<StoreMarks, StoreError> {
        Ok(StoreMarks {
            last: reader.last_place()?,
            voided: reader.counts()?.voided,
            decisions: reader.decisions().len(),
            revision: reader.revision()?,
        })
    }
}

fn follow(folder: &Path, mut known: StoreMarks, event: &LiveEvent) {
    let mut rest = LOOK;
    loop {
        std::thread::sleep(rest);
        rest = LOOK;
        let begun = Instant::now();
        // The event may have been moved away for a while, or is being created again: it may be back later.
        let Ok(reader) = Reader::open(folder) else {
            continue;
        };
        let Ok(now) = StoreMarks::read(&reader) else {
            continue;
        };
        if now == known {
            continue;
        }
        match renew(&reader, &known, event) {
            Ok(()) => known = now,
            Err(error) => tracing::warn!(%error, "the page of {} is old", folder.display()),
        }
        rest = LOOK.max(begun.elapsed() * SHARE);
    }
}

fn renew(reader: &Reader, known: &StoreMarks, event: &LiveEvent) -> Result<(), SinkError> {
    let Some(view) = event.view() else {
        return Ok(());
    };
    let version = view.read(EventState::version) + 1;
    let fresh = state(reader, version)?;
    view.update(|state| *state = fresh);
    let decided = reader.decisions().len() != known.decisions;
    if decided || reader.revision()? != known.revision {
        return event.begin(reader, view, false);
    }
    for stored in reader.games_after(known.last) {
        event.committed(&stored?.game);
    }
    Ok(())
}

/// The state of a stored event.
fn state(reader: &Reader, version: u64) -> Result<EventState, StoreError> {
    Ok(EventState::read(reader)?.of_version(version))
}
