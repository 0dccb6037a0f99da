//! LiveUpdates on their way from the lanes to those who listen.
//!
//! ```text
//!  lane 0 ──┐ try_send   ┌─────────┐ games that run     ┌── the display's queue
//!  lane 1 ──┼───────────▶│ a queue │──────▶ a thread ───┼── a page
//!  lane k ──┘  of 1024   └─────────┘                    └── …
//! ```
//!
//! **Invariant: a lane never waits for a listener.** It puts a live update into a queue of bounded
//! size, after the stamp and where no clock runs, and drops it if the queue is full. The thread
//! that empties the queue looks twenty times a second, so that no lane ever has to wake it.
//! Listeners that cannot take a live update lose it: the lost ones are counted, and the whole game that
//! lost one is sent again. While nobody listens there is no thread, and a lane reads only one
//! number per turn.
//!
//! | file | what |
//! |---|---|
//! | this one | the queue, and how to listen |
//! | `hub` | what the thread does: from the queue to each listener |
//! | `lane_reporter` | a lane's end of it: what to tell of its game, and when |

mod hub;
mod lane_reporter;

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::Duration;

use crate::event::live::{LaneUpdate, LiveUpdate};

use hub::Hub;
pub(crate) use lane_reporter::LaneReporter;

/// LiveUpdates that wait at most, of all lanes.
const MAX_PENDING_UPDATES: usize = 1024;

/// How long the thread rests between two looks at the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What became of an update that was handed to a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It has it.
    Taken,
    /// It has no room for it now, and gets all games that run when it has.
    Full,
    /// It listens no more.
    Gone,
}

/// Takes an update, without a wait: all other listeners would wait for that.
pub(crate) type Deliver = Box<dyn FnMut(LiveUpdate) -> Delivery + Send>;

/// The way of the live updates; every copy is the same one.
#[derive(Debug, Clone)]
pub struct LiveUpdates(Arc<UpdateChannel>);

#[derive(Debug)]
struct UpdateChannel {
    queue: SyncSender<LaneUpdate>,
    /// Odd while somebody listens, and another number each time somebody begins: lanes then
    /// tell their games from the beginning. Changed only by who holds the hub.
    audience: AtomicU32,
    /// What did not fit into the queue.
    dropped: AtomicU64,
    hub: Mutex<Hub>,
}

impl Default for LiveUpdates {
    fn default() -> LiveUpdates {
        let (queue, waiting) = sync_channel(MAX_PENDING_UPDATES);
        LiveUpdates(Arc::new(UpdateChannel {
            queue,
            audience: AtomicU32::new(0),
            dropped: AtomicU64::new(0),
            hub: Mutex::new(Hub::new(waiting)),
        }))
    }
}

impl LiveUpdates {
    /// From now on this listener gets all live updates, and before them the games that run. If
    /// nobody has listened before, it gets each of these as soon as something happens in it.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn subscribe(&self, deliver: Deliver) -> io::Result<()> {
        let mut hub = self.0.hub();
        if !self.0.is_heard() {
            hub.begin(self.start()?);
            self.0.audience.fetch_add(1, Ordering::Relaxed);
        }
        hub.add(deliver, self.dropped());
        Ok(())
    }

    /// Nothing follows: delivers what waits, and then ends all listening.
    pub fn close(&self) {
        let thread = {
            let mut hub = self.0.hub();
            hub.round(self.dropped());
            self.0.nobody_listens();
            hub.end()
        };
        if let Some(thread) = thread {
            thread.thread().unpark();
            // A panic has said so on stderr already, and a live update may be lost.
            let _panicked = thread.join();
        }
    }

    /// How many live updates did not fit into the queue.
    pub fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Who listens: `None` for nobody, another number each time somebody begins.
    fn audience(&self) -> Option<u32> {
        let number = self.0.audience.load(Ordering::Relaxed);
        (number % 2 == 1).then_some(number)
    }

    /// Puts a live update into the queue; whether there was room.
    fn send(&self, lane_update: LaneUpdate) -> bool {
        let sent = self.0.queue.try_send(lane_update).is_ok();
        if !sent {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
        }
        sent
    }

    fn start(&self) -> io::Result<JoinHandle<()>> {
        let way = Arc::clone(&self.0);
        Builder::new()
            .name("live_updates".to_owned())
            .spawn(move || {
                while way.round() {
                    park_timeout(POLL_INTERVAL);
                }
            })
    }
}

impl UpdateChannel {
    fn hub(&self) -> MutexGuard<'_, Hub> {
        // Nothing in here can leave it half changed.
        self.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_heard(&self) -> bool {
        self.audience.load(Ordering::Relaxed) % 2 == 1
    }

    fn nobody_listens(&self) {
        if self.is_heard() {
            self.audience.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Tells what waits; whether anybody is left to be told more.
    fn round(&self) -> bool {
        let mut hub = self.hub();
        if !self.is_heard() {
            return false;
        }
        let listened = hub.round(self.dropped.load(Ordering::Relaxed));
        if !listened {
            self.nobody_listens();
        }
        listened
    }
}

#[cfg(test)]
mod tests;
