//! Other machines that play for a run: the thread that gives them pairs begins before the first game.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::Session;
use crate::run::control::SharedRemoteStatus;
use crate::run::dispatcher::Dispatcher;
use crate::run::error::{RemoteError, RunError};
use crate::run::source::{LocalSource, RemoteLanes, RemoteRun, RemoteThread};

/// Lanes on other machines, and how many lanes this machine has beside them.
#[derive(Debug)]
pub(super) struct RemotePlay {
    lanes: Arc<dyn RemoteLanes>,
    local: usize,
}

/// How the thread has ended.
pub(super) fn ended(thread: JoinHandle<Result<(), RemoteError>>) -> Result<(), RunError> {
    // One that panicked has said so on stderr already.
    let ended = thread.join();
    let ended = ended.map_err(|_| io::Error::other("the thread for other machines panicked"))?;
    ended.map_err(RunError::Remote)
}

impl Session {
    /// Other machines play for this one, which has so many games at once itself.
    pub(crate) fn play_with_remote_lanes(&mut self, lanes: Arc<dyn RemoteLanes>, local: usize) {
        let concurrency = NonZeroUsize::new(local).unwrap_or(NonZeroUsize::MIN);
        Arc::make_mut(&mut self.tournament).concurrency = concurrency;
        self.remote = Some(RemotePlay { lanes, local });
    }

    /// Number of lanes on this machine, and number of lanes that represent other machines.
    pub(super) fn lanes(&self) -> (usize, usize) {
        match &self.remote {
            Some(remote) => (remote.local, 1),
            None => (self.tournament.concurrency.get(), 0),
        }
    }

    /// Begins to connect with the other machines, if any play for this one.
    pub(super) fn begin_remote_lanes(
        &self,
        source: &Arc<LocalSource>,
        status: SharedRemoteStatus,
    ) -> Result<Option<RemoteThread>, RunError> {
        let begin = |remote: &RemotePlay| {
            let run = RemoteRun {
                source: Arc::clone(source),
                tournament: Arc::clone(&self.tournament),
                identity: self.identity.clone(),
                folder: self.folder().to_owned(),
                lane: remote.local,
                status,
            };
            remote.lanes.begin(run)
        };
        Ok(self.remote.as_ref().map(begin).transpose()?)
    }
}

/// Waits until the first game may begin, or a signal ends the run before.
pub(super) async fn begun(
    remote: Option<RemoteThread>,
    dispatcher: &mut Dispatcher<'_>,
) -> Result<Option<JoinHandle<Result<(), RemoteError>>>, RunError> {
    let Some(RemoteThread { thread, mut ready }) = remote else {
        return Ok(None);
    };
    tokio::select! {
        ready = ready.recv() => if ready.is_none() {
            ended(thread)?;
            return Ok(None);
        },
        (stop, code) = dispatcher.operator.signals.next() => dispatcher.obey(stop, code),
    }
    Ok(Some(thread))
}
