//! An event that is read from its store, again and again: `serve`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::LiveEvent;
use crate::platform::machine::give_way;
use crate::sink::SinkError;
use crate::store::{Reader, StoreError};
use crate::tournament::{EventState, EventView};

/// How often a store is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// After reading it, as a multiple of the time that took.
const SHARE: u32 = 20;

/// Shows the event in this folder from now on, as its store has it; a thread looks for what is new.
///
/// # Errors
/// There is no event, or it cannot be read.
pub(crate) fn watch(folder: &Path) -> Result<Arc<LiveEvent>, SinkError> {
    let reader = Reader::open(folder)?;
    let known = Known::read(&reader)?;
    let event = Arc::new(LiveEvent::default());
    event.begin(&reader, EventView::new(state(&reader, 0)?), false)?;
    let (folder, shown) = (folder.to_path_buf(), Arc::clone(&event));
    let thread = std::thread::Builder::new().name("web-store".to_owned());
    let thread = thread.spawn(move || {
        give_way(19);
        follow(&folder, known, &shown);
    });
    thread.map_err(|error| SinkError::file(reader.file(), error))?;
    Ok(event)
}

/// What another content of the store is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    last: u64,
    voided: u64,
    decisions: u64,
    revision: u32,
}

impl Known {
    fn read(reader: &Reader) -> Result<Known, StoreError> {
        Ok(Known {
            last: reader.last_place()?,
            voided: reader.counts()?.voided,
            decisions: reader.decisions().len(),
            revision: reader.revision()?,
        })
    }
}

fn follow(folder: &Path, mut known: Known, event: &LiveEvent) {
    let mut rest = LOOK;
    loop {
        std::thread::sleep(rest);
        rest = LOOK;
        let begun = Instant::now();
        // An event that is moved away for a while, or is being made anew, is there again later.
        let Ok(reader) = Reader::open(folder) else {
            continue;
        };
        let Ok(now) = Known::read(&reader) else {
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

fn renew(reader: &Reader, known: &Known, event: &LiveEvent) -> Result<(), SinkError> {
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
