//! How to reach the server of a farm, and how to be a coordinator or a worker.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::names::FarmName;

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
