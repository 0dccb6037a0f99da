//! Pairs that are handed out and not begun. The dispatcher keeps it filled, a
//! few pairs ahead of the lanes, so that no lane waits for another thread
//! between two pairs; empty and closed, it ends the lanes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::run::job::Job;

/// So many pairs wait for other machines at least: their workers go on while the coordinator is away.
pub(crate) const AHEAD: usize = 64;

/// The queue between the dispatcher and the lanes.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<QueueState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct QueueState {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    /// Adds a pair at the end.
    pub(crate) fn push(&self, job: Job) {
        self.lock().jobs.push_back(job);
        // Not one alone: the system may hold that one up for ever.
        self.changed.notify_waiters();
    }

    /// How many pairs wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    /// No pair follows those that wait.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_waiters();
    }

    /// Takes back the pairs that wait: they are not begun any more.
    pub(crate) fn take_back(&self) -> Vec<Job> {
        std::mem::take(&mut self.lock().jobs).into()
    }

    /// Takes back the waiting pairs that this engine would play.
    pub(crate) fn withdraw(&self, engine: u16) -> Vec<Job> {
        let mut state = self.lock();
        let jobs = std::mem::take(&mut state.jobs).into_iter();
        let (withdrawn, left) = jobs.partition(|job| job.spec.concerns(engine));
        state.jobs = VecDeque::from(left);
        withdrawn
    }

    /// The next pair; waits for one. `None` when no pair is left and none will follow.
    pub(crate) async fn next(&self) -> Option<Job> {
        let next = |state: &mut QueueState| match state.jobs.pop_front() {
            None if !state.closed => None,
            next => Some(next),
        };
        self.wait_for(next).await
    }

    /// Waits until no pair will follow those that wait.
    pub(crate) async fn closed(&self) {
        self.wait_for(|state| state.closed.then_some(())).await;
    }

    async fn wait_for<T>(&self, look: impl Fn(&mut QueueState) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on a notification is not missed.
            changed.as_mut().enable();
            let found = look(&mut self.lock());
            if let Some(found) = found {
                return found;
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // Nothing in here can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
