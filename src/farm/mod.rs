//! Other machines that play for a run: a coordinator, workers, and a NATS server between them. To `run` a farm is one
//! [`RemoteLanes`]; nothing else of the program knows of it.
//!
//! A farm is the operator's own machines. Who is not let in by the server plays nothing; who is let in is believed.
//!
//! | file | what |
//! |---|---|
//! | `names` | the names of a farm and of its workers, and the subjects and streams made of them |
//! | this one | how to reach the server, how to be a coordinator or a worker, and why that is not possible |
//! | `nats` | coordinator and worker; a build without the feature `nats` has neither and says so |

mod names;
#[cfg(feature = "nats")]
mod nats;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

pub(crate) use names::FarmName;
pub(crate) use nats::{coordinator, work};

/// Why nothing can be coordinated, or nothing worked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FarmError {
    /// A file of the connection's.
    #[error("cannot read {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    /// The server does not let us in.
    #[error(
        "the NATS server at {server} does not let us in: {reason}; look at user, nkey and certificates"
    )]
    Refused { server: String, reason: String },
    /// The address is none.
    #[error("\"{server}\" is not the address of a NATS server, such as nats://name:4222: {reason}")]
    NoAddress {
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server cannot be reached.
    #[error("there is no NATS server at {server}: {reason}")]
    Unreachable { server: String, reason: String },
    /// The server does not do what it was asked for.
    #[error("the NATS server at {server} {reason}")]
    Unfit {
        server: String,
        /// What it does instead.
        reason: String,
    },
    /// Another coordinator uses the farm.
    #[error(
        "the farm is used by another coordinator, for event \"{name}\" on {host}: stop that one, or choose \
         another --farm"
    )]
    Used { name: String, host: String },
    /// Another coordinator has announced an event since this one began.
    #[error(
        "the farm was taken over by another coordinator, for event \"{name}\" on {host}: this one stores nothing \
         more; run it again when that one has ended, or choose another --farm"
    )]
    TakenOver { name: String, host: String },
    /// The server asks nobody who he is.
    #[error(
        "the NATS server at {server} lets everybody in, so anybody could have programs run here: give it users \
         (`arbiter960 worker --print-nats-config`), or say --open-server if nobody else reaches it"
    )]
    Open { server: String },
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
        move |error| FarmError::File {
            path: path.clone(),
            error,
        }
    }

    /// What the server at this address does instead of what it was asked for.
    pub(crate) fn unfit(server: &str, reason: String) -> FarmError {
        let server = server.to_owned();
        FarmError::Unfit { server, reason }
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
