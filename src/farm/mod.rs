//! Other machines that play for a run: a coordinator, workers, and a NATS server between them. To `run` a farm is one
//! [`RemoteLanes`]; nothing else of the program knows of it.
//!
//! A farm is the operator's own machines. Who is not let in by the server plays nothing; who is let in is believed.
//!
//! | file | what |
//! |---|---|
//! | this one | how to reach the server, how to be a coordinator or a worker, and why that is not possible; the names of a farm and of its workers, and the subjects and streams made of them |
//! | `nats` | coordinator and worker; a build without the feature `nats` has neither and says so |

#[cfg(feature = "nats")]
mod nats;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use crate::event::PairId;
use crate::store::StoreError;

#[cfg(not(feature = "nats"))]
mod nats {
    use std::sync::Arc;

    use super::{CoordinatorSettings, FarmError, WorkerSettings};
    use crate::run::signals::SignalWatch;
    use crate::run::source::RemoteLanes;
    use crate::store::EventLock;

    pub(crate) fn coordinator(_: CoordinatorSettings) -> Result<Arc<dyn RemoteLanes>, FarmError> {
        Err(FarmError::NotBuilt)
    }

    pub(crate) fn work(
        _: &WorkerSettings,
        _: &EventLock,
        _: &SignalWatch,
    ) -> Result<u8, FarmError> {
        Err(FarmError::NotBuilt)
    }
}

pub(crate) use nats::{coordinator, work};

/// Why nothing can be coordinated, or nothing worked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FarmError {
    /// The server cannot be reached.
    #[error("there is no NATS server at {server}: {reason}")]
    Unreachable { server: String, reason: String },
    /// Server, farm or files cannot be used as they are, in words.
    #[error("{0}")]
    Unusable(String),
    /// This program has no farm.
    #[cfg(not(feature = "nats"))]
    #[error("this arbiter960 was built without farms: build it with `cargo build --features nats`")]
    NotBuilt,
    /// The event's store or a worker's folder cannot be used.
    #[error(transparent)]
    Storage(#[from] StoreError),
    /// The system refuses a thread, a file or a process.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

impl FarmError {
    /// What keeps this file from being read.
    pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> FarmError {
        let path = path.to_owned();
        move |error| FarmError::Unusable(format!("cannot read {}: {error}", path.display()))
    }

    /// What the server at this address does instead of what it was asked for.
    pub(crate) fn unfit(server: &str, reason: String) -> FarmError {
        FarmError::Unusable(format!("the NATS server at {server} {reason}"))
    }

    /// The server at this address does not let us in.
    pub(crate) fn refused(server: &str, reason: &str) -> FarmError {
        let words = "look at user, nkey and certificates";
        FarmError::unfit(server, format!("does not let us in: {reason}; {words}"))
    }
}

/// How to reach the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerAccess {
    /// `nats://…` or `tls://…`, several with commas.
    pub server: String,
    /// The user, with a password from this file.
    pub user: Option<(String, PathBuf)>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A file with a JWT and the seed of its nkey.
    pub credentials: Option<PathBuf>,
    /// A file with the certificate of an authority, in addition to those of the system.
    pub authority: Option<PathBuf>,
    /// A certificate of one's own, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// How to be a coordinator.
#[derive(Debug, Clone)]
pub(crate) struct CoordinatorSettings {
    pub access: ServerAccess,
    pub farm: FarmName,
    /// How long a worker may be silent before its pairs go to others.
    pub lease: Duration,
}

/// How to be a worker.
#[derive(Debug, Clone)]
pub(crate) struct WorkerSettings {
    pub access: ServerAccess,
    pub farm: FarmName,
    /// The name by which the coordinator knows this worker.
    pub name: FarmName,
    /// Games at once.
    pub lanes: NonZeroUsize,
    /// A server is used that lets everybody in.
    pub open_server: bool,
    /// Where finished pairs and engines are kept.
    pub folder: PathBuf,
}

// Subjects and streams. Everything of one farm begins with its name.

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
    /// A stream: `jobs`, with the pairs to be played; `results`, with those that were played; `event`, with the event
    /// that is played; and `files`, the object store with engines and other files.
    pub(crate) fn stream(&self, what: &str) -> String {
        format!("{self}-{what}")
    }

    /// The consumer of an event's pairs, and in its own stream that of its results.
    pub(crate) fn consumer(event: &str) -> String {
        format!("event-{event}")
    }

    /// A subject of the whole farm: `event`, what is played now; `coordinator`, its heartbeats; `who`, on which it answers
    /// who it is.
    pub(crate) fn subject(&self, what: &str) -> String {
        format!("{self}.{what}")
    }

    /// A pair to be played, by its number; `*` for all of an event.
    pub(crate) fn job(&self, event: &str, pair: impl fmt::Display) -> String {
        format!("{self}.jobs.{event}.{pair}")
    }

    /// A pair that a worker has played; `*` for all of them, or of all workers.
    pub(crate) fn result(&self, worker: &str, event: &str, pair: impl fmt::Display) -> String {
        format!("{self}.results.{worker}.{event}.{pair}")
    }

    /// What became of a worker's results.
    pub(crate) fn receipts(&self, worker: &str) -> String {
        format!("{self}.receipts.{worker}")
    }

    /// Heartbeats of a worker; `*` for all.
    pub(crate) fn heartbeats(&self, worker: &str) -> String {
        format!("{self}.beats.{worker}")
    }
}

/// The pair at the end of a subject, and the worker where there is one.
pub(crate) fn pair_of(subject: &str) -> Option<PairId> {
    let last = subject.rsplit('.').next()?;
    last.parse().ok().map(PairId)
}

/// The worker in the subject of a result.
pub(crate) fn worker_of(subject: &str) -> Option<&str> {
    subject.split('.').nth(2)
}
