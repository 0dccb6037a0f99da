//! How other machines play for a run: the thread that coordinates them begins before the first game.

use std::io;
#[cfg(feature = "nats")]
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::Session;
use crate::run::control::FarmShown;
use crate::run::dispatcher::Dispatcher;
use crate::run::error::RunError;
#[cfg(feature = "nats")]
use crate::run::farm::{Coordination, Coordinator};
use crate::run::source::LocalSource;
#[cfg(feature = "nats")]
use crate::run::work::settled_ids;
#[cfg(feature = "nats")]
use crate::tournament::WorkerCounts;

/// The thread that coordinates other machines.
pub(super) type CoordinatorThread = JoinHandle<io::Result<()>>;

/// The same, and word of it that the first game may begin: it has begun, or waits for its server.
type Coordinating = (CoordinatorThread, mpsc::Receiver<()>);

/// How the thread has ended.
pub(super) fn ended(thread: CoordinatorThread) -> io::Result<()> {
    // One that panicked has said so on stderr already.
    let ended = thread.join();
    ended.map_err(|_| io::Error::other("the coordinator panicked"))?
}

impl Session {
    /// Begins to connect with the other machines, if any play for this one, and waits until the first game may begin,
    /// or a signal ends the run before.
    pub(super) async fn with_a_farm(
        &self,
        source: &Arc<LocalSource>,
        dispatcher: &mut Dispatcher<'_>,
    ) -> Result<Option<CoordinatorThread>, RunError> {
        let shown = Arc::clone(&dispatcher.farm);
        let Some((thread, mut ready)) = self.begin_to_coordinate(source, shown)? else {
            return Ok(None);
        };
        tokio::select! {
            ready = ready.recv() => if ready.is_none() {
                ended(thread).map_err(RunError::of_lane)?;
                return Ok(None);
            },
            (stop, code) = dispatcher.signals.next() => dispatcher.obey(stop, code),
        }
        Ok(Some(thread))
    }
}

#[cfg(feature = "nats")]
impl Session {
    /// Other machines play for this one, which has as many games at once as its own lanes.
    pub(crate) fn coordinate(&mut self, coordination: Coordination) {
        let lanes = NonZeroUsize::new(coordination.lanes).unwrap_or(NonZeroUsize::MIN);
        Arc::make_mut(&mut self.tournament).concurrency = lanes;
        self.farm = Some(coordination);
    }

    /// Number of lanes on this machine, and number of lanes that represent other machines.
    pub(super) fn lanes(&self) -> (usize, usize) {
        match &self.farm {
            Some(coordination) => (coordination.lanes, 1),
            None => (self.tournament.concurrency.get(), 0),
        }
    }

    /// Begins to connect with the other machines.
    fn begin_to_coordinate(
        &self,
        source: &Arc<LocalSource>,
        shown: FarmShown,
    ) -> Result<Option<Coordinating>, RunError> {
        let Some(coordination) = self.farm.clone() else {
            return Ok(None);
        };
        let reader = self.reader()?;
        let coordinator = Coordinator {
            source: Arc::clone(source),
            coordination,
            tournament: Arc::clone(&self.tournament),
            identity: self.identity.clone(),
            revision: reader.revision()?,
            created: reader.value("created")?.unwrap_or_default(),
            stored: settled_ids(&reader)?.into_iter().collect(),
            counts: WorkerCounts::read(&reader)?,
            shown,
            folder: self.folder().to_owned(),
        };
        Ok(Some(coordinator.begin()?))
    }
}

#[cfg(not(feature = "nats"))]
impl Session {
    /// Number of lanes on this machine, and number of lanes that represent other machines.
    pub(super) fn lanes(&self) -> (usize, usize) {
        (self.tournament.concurrency.get(), 0)
    }

    /// Nobody else plays.
    fn begin_to_coordinate(
        &self,
        _: &Arc<LocalSource>,
        _: FarmShown,
    ) -> Result<Option<Coordinating>, RunError> {
        Ok(None)
    }
}
