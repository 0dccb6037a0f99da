//! Where an event stands: one answer for the page, `status`, the terminal and JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::event::UnixMillis;

/// A round that does not begin before a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingRound {
    /// The round.
    pub round: u16,
    /// The moment, in milliseconds since 1970-01-01 UTC.
    pub starts_ms: i64,
}

impl fmt::Display for PendingRound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = UnixMillis(self.starts_ms).to_the_second();
        write!(out, "Round {} begins at {starts}.", self.round)
    }
}

/// What a run does with an event at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunActivity {
    /// Pairs are handed out, or the last ones are finished.
    Playing,
    /// No pair is handed out until the operator says so.
    Paused,
    /// The next pair waits for its round.
    Waiting(PendingRound),
}

/// Where an event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventPhase {
    /// No game was played yet, and no run plays.
    Before,
    /// A run plays it.
    Playing,
    /// A run has it, and hands out no pair until the operator says so.
    Paused,
    /// A run has it, and the next round has its time.
    Waiting(PendingRound),
    /// It is not over, and no run plays it.
    Stopped,
    /// Nothing is left to play.
    Over,
}

impl EventPhase {
    /// A stable word for programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            EventPhase::Before => "before",
            EventPhase::Playing => "playing",
            EventPhase::Paused => "paused",
            EventPhase::Waiting(_) => "waiting",
            EventPhase::Stopped => "stopped",
            EventPhase::Over => "over",
        }
    }
}

impl fmt::Display for EventPhase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventPhase::Before => out.write_str("The event has not begun."),
            EventPhase::Playing => out.write_str("The event is being played."),
            EventPhase::Paused => out.write_str("The event is paused by `arbiter960 control`."),
            EventPhase::Waiting(round) => round.fmt(out),
            EventPhase::Stopped => out.write_str("The event is stopped, and not over."),
            EventPhase::Over => out.write_str("The event is over."),
        }
    }
}
