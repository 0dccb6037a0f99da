//! What ends a run before its plan does, and is no matter of results: its time.

use std::time::{Duration, Instant};

use crate::config::Tournament;

/// The time that a run may take.
#[derive(Debug)]
pub(crate) struct StopRule {
    begun: Instant,
    longest: Option<Duration>,
}

impl StopRule {
    /// The rule of an event; its time begins now.
    pub(crate) fn new(tournament: &Tournament) -> StopRule {
        let test = tournament.sprt.as_ref();
        StopRule {
            begun: Instant::now(),
            longest: test.and_then(|settings| settings.max_time),
        }
    }

    /// Whether the event's time is over.
    pub(crate) fn time_is_up(&self) -> bool {
        self.longest
            .is_some_and(|longest| self.begun.elapsed() >= longest)
    }
}
