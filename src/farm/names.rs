//! Subjects and streams. Everything of one farm begins with its name.

use std::fmt;
use std::str::FromStr;

use crate::event::PairId;

/// A name of which subjects and streams are made: a farm's, or a worker's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FarmName(String);

/// A text that cannot be a part of a subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to 60 letters, digits, `-` and `_`")]
pub(crate) struct InvalidFarmName;

impl FromStr for FarmName {
    type Err = InvalidFarmName;

    fn from_str(text: &str) -> Result<FarmName, InvalidFarmName> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        if (1..=60).contains(&text.len()) && text.chars().all(fits) {
            Ok(FarmName(text.to_owned()))
        } else {
            Err(InvalidFarmName)
        }
    }
}

impl fmt::Display for FarmName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl FarmName {
    /// The stream with the pairs to be played.
    pub(crate) fn jobs_stream(&self) -> String {
        format!("{self}-jobs")
    }

    /// The stream with the pairs that were played.
    pub(crate) fn results_stream(&self) -> String {
        format!("{self}-results")
    }

    /// The stream with the event that is played.
    pub(crate) fn event_stream(&self) -> String {
        format!("{self}-event")
    }

    /// The object store with engines and other files.
    pub(crate) fn bucket(&self) -> String {
        format!("{self}-files")
    }

    /// The consumer of an event's pairs, and in its own stream that of its results.
    pub(super) fn consumer(event: &str) -> String {
        format!("event-{event}")
    }

    /// What is played now.
    pub(super) fn event(&self) -> String {
        format!("{self}.event")
    }

    /// All pairs of an event to be played.
    pub(super) fn jobs(&self, event: &str) -> String {
        format!("{self}.jobs.{event}.*")
    }

    /// A pair to be played.
    pub(super) fn job(&self, event: &str, pair: PairId) -> String {
        format!("{self}.jobs.{event}.{}", pair.0)
    }

    /// Results of an event, of all workers.
    pub(super) fn results(&self, event: &str) -> String {
        format!("{self}.results.*.{event}.*")
    }

    /// A pair that a worker has played.
    pub(super) fn result(&self, worker: &str, event: &str, pair: PairId) -> String {
        format!("{self}.results.{worker}.{event}.{}", pair.0)
    }

    /// What became of a worker's results.
    pub(super) fn receipts(&self, worker: &str) -> String {
        format!("{self}.receipts.{worker}")
    }

    /// Heartbeats of a worker; `*` for all.
    pub(super) fn heartbeats(&self, worker: &str) -> String {
        format!("{self}.beats.{worker}")
    }

    /// Heartbeats of the coordinator.
    pub(super) fn coordinator(&self) -> String {
        format!("{self}.coordinator")
    }

    /// The subject on which the coordinator answers who it is.
    pub(super) fn who(&self) -> String {
        format!("{self}.who")
    }
}

/// The pair at the end of a subject, and the worker where there is one.
pub(super) fn pair_of(subject: &str) -> Option<PairId> {
    let last = subject.rsplit('.').next()?;
    last.parse().ok().map(PairId)
}

/// The worker in the subject of a result.
pub(super) fn worker_of(subject: &str) -> Option<&str> {
    subject.split('.').nth(2)
}
