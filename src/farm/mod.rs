//! Other machines that play for a run: a coordinator, workers, and a NATS server between them. To `run` a farm is one
//! [`RemoteLanes`]; nothing else of the program knows of it.
//!
//! A farm is the operator's own machines. Who is not let in by the server plays nothing; who is let in is believed.
//!
//! | file | what |
//! |---|---|
//! | `names` | the names of a farm and of its workers, and the subjects and streams made of them |
//! | `settings` | how to reach the server, and how to be a coordinator or a worker |
//! | `error` | why other machines cannot play for this one, or this one for another |
//! | `nats` | coordinator and worker; a build without the feature `nats` has neither and says so |

mod error;
mod names;
#[cfg(feature = "nats")]
mod nats;
mod settings;

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

pub(crate) use error::FarmError;
pub(crate) use names::FarmName;
pub(crate) use nats::{coordinator, work};
pub(crate) use settings::{CoordinatorSettings, ServerAccess, WorkerSettings};
