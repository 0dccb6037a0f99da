//! A worker: takes one pair for each free lane, plays the pairs, keeps them on its disk, and sends
//! them until the coordinator says that they are stored.
//!
//! | file | what |
//! |---|---|
//! | `mod` | how to be a worker; waits for the server |
//! | `station` | from event to event |
//! | `lanes` | the lanes of one event |
//! | `shift` | the pairs of one event: taken, played, kept and sent |

mod lanes;
mod shift;
mod station;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use station::Station;

use crate::run::farm::connection::Access;
use crate::run::farm::names::Farm;
use crate::run::farm_error::FarmError;
use crate::run::lane::runtime;
use crate::run::signals::SignalWatch;
use crate::store::{EventLock, StoreError};

/// How often a worker gives a sign of life.
const BEAT: Duration = Duration::from_secs(1);

/// How long a request for pairs waits at the server.
const WAIT: Duration = Duration::from_secs(2);

/// What did not work is tried again after this time.
const PAUSE: Duration = Duration::from_secs(2);

/// A worker that stops gives the coordinator this time to take what it has finished.
const FAREWELL: Duration = Duration::from_secs(5);

/// How to be a worker.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    /// The server.
    pub access: Access,
    /// The farm.
    pub farm: Farm,
    /// The name by which the coordinator knows this worker.
    pub name: Farm,
    /// Games at once.
    pub lanes: NonZeroUsize,
    /// What the owner of this machine calls it, for engines that need that.
    pub tags: Vec<String>,
    /// The public nkey of the coordinator whose events are played; `None`: of anyone who may announce one.
    pub coordinator: Option<String>,
    /// A server is used that lets everybody in.
    pub open_server: bool,
    /// Where finished pairs and engines are kept.
    pub folder: PathBuf,
}

/// A folder that no other worker has, as long as this lives.
///
/// # Errors
/// [`StoreError::Locked`] if another worker has it; what the disk says.
pub(crate) fn take_folder(folder: &Path) -> Result<EventLock, StoreError> {
    std::fs::create_dir_all(folder).map_err(|error| StoreError::from_io(folder, &error))?;
    EventLock::acquire(folder)
}

/// Works until a signal ends it, in a folder that only this worker uses; returns the exit code.
///
/// # Errors
/// The folder cannot be used, the server does not let us in.
pub(crate) fn work(
    worker: &Worker,
    _folder: &EventLock,
    signals: &SignalWatch,
) -> Result<u8, FarmError> {
    runtime()?.block_on(async {
        let mut signals = signals.attend();
        let name = worker.name.to_string();
        let connected = worker
            .access
            .when_there(&name, async |connected| Ok(connected), |_| {});
        tokio::select! {
            biased;
            connected = connected => {
                let (client, changes) = connected?;
                if !worker.open_server && worker.access.lets_everybody_in(&client) {
                    let server = worker.access.server.clone();
                    return Err(FarmError::Open { server });
                }
                Station::new(worker, client, changes)?.work(&mut signals).await
            }
            (_, code) = signals.next() => Ok(code),
        }
    })
}
