//! Pairs that are handed out and not begun. The dispatcher keeps it filled, a
//! few pairs ahead of the lanes, so that no lane waits for another thread
//! between two pairs; empty and closed, it ends the lanes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::event::PairId;
use crate::schedule::PairSpec;

/// A pair to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Its number in the plan.
    pub pair: PairId,
    /// Who plays what.
    pub spec: PairSpec,
    /// Which of its games are missing, by [`GameId::game`](crate::event::GameId).
    pub missing: [bool; 2],
    /// How often each of its games was voided because of a fault.
    pub replayed: [u32; 2],
}

impl Job {
    /// How many games are to be played.
    pub fn games(&self) -> u64 {
        self.missing.iter().filter(|missing| **missing).count() as u64
    }
}

/// The queue between the dispatcher and the lanes.
#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    /// Adds a pair at the end.
    pub fn push(&self, job: Job) {
        self.lock().jobs.push_back(job);
        self.changed.notify_one();
    }

    /// How many pairs wait.
    pub fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    /// Whether no pair waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// No pair follows those that wait.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_waiters();
    }

    /// Takes back the pairs that wait: they are not begun any more.
    pub fn clear(&self) {
        self.lock().jobs.clear();
    }

    /// Takes back the waiting pairs that this engine would play; how many there were.
    pub fn withdraw(&self, engine: u16) -> u64 {
        let mut state = self.lock();
        let before = state.jobs.len();
        state.jobs.retain(|job| !job.spec.concerns(engine));
        (before - state.jobs.len()) as u64
    }

    /// The next pair; waits for one. `None` when there is none and none will follow.
    pub async fn next(&self) -> Option<Job> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on a notification is not missed.
            changed.as_mut().enable();
            {
                let mut state = self.lock();
                if let Some(job) = state.jobs.pop_front() {
                    return Some(job);
                }
                if state.closed {
                    return None;
                }
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
