//! Why other machines cannot play for this one, or this one for another.

use std::io;
use std::path::{Path, PathBuf};

use crate::store::StoreError;

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
