//! Drawings of an event, made again from time to time.
//!
//! They cost as much as the statistics do, on processors that engines may need. So they are made by one thread of the
//! lowest priority, only while somebody is looking, and after each drawing the thread rests thirty times as long as the
//! work took.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::event::LiveEvent;
use crate::analysis::{Collector, EventStatistics};
use crate::page::{Carried, EventFacts, growing_figures};
use crate::platform::machine::give_way;
use crate::report::verdict::FirstLines;
use crate::sink::SinkError;
use crate::store::Reader;

/// Minimum rest between two drawings.
const REST: Duration = Duration::from_secs(5);

/// Rest between two drawings, as a multiple of the time that the work took.
const SHARE: u32 = 30;

/// Interval at which the thread checks whether somebody is looking.
const LOOK: Duration = Duration::from_millis(300);

/// Draws until the sender of `over` is dropped.
pub(super) fn draw(events: &[Arc<LiveEvent>], over: &Receiver<()>) {
    give_way(19);
    let mut drawn: Vec<Option<u64>> = vec![None; events.len()];
    let mut rest = LOOK;
    while over.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
        let begun = Instant::now();
        let mut worked = false;
        for (event, drawn) in events.iter().zip(&mut drawn) {
            let Some((folder, version)) = event.place() else {
                continue;
            };
            if *drawn == Some(version) || !event.wants_figures() {
                continue;
            }
            worked = true;
            if redraw(event, &folder) {
                *drawn = Some(version);
            }
        }
        rest = match worked {
            true => REST.max(begun.elapsed() * SHARE),
            false => LOOK,
        };
    }
}

/// Draws the figures of an event; if that fails they are still wanted.
fn redraw(event: &LiveEvent, folder: &Path) -> bool {
    match figures(folder) {
        Ok((figures, said)) => event.set_figures(figures, said),
        Err(error) => {
            tracing::warn!(%error, "no figures for the page; they are tried again");
            event.want_figures();
            return false;
        }
    }
    true
}

/// The drawings, and the first lines of an event that nobody plays.
fn figures(folder: &Path) -> Result<(String, FirstLines), SinkError> {
    let reader = Reader::open(folder)?;
    let mut collector = Collector::new(false);
    collector.add_store(&reader)?;
    let statistics = EventStatistics::new(&collector.finish());
    let facts = EventFacts::read(&reader, statistics, None, Carried::None)?;
    Ok((growing_figures(&facts), facts.said(reader.is_running())))
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
