//! How a running search is ended, whether it runs, and how much time and how many nodes it may take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Deepest iteration.
pub const MAX_DEPTH: i32 = 64;

/// The limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When the search was asked for.
    pub started: Instant,
    /// No new iteration is begun after this time.
    pub soft: Option<Duration>,
    /// The search is broken off after this time.
    pub hard: Option<Duration>,
    /// Nodes, to the letter.
    pub nodes: u64,
    /// Nodes by the level of play; the first iteration is always finished.
    pub level_nodes: u64,
    /// Deepest iteration.
    pub depth: i32,
    /// The move is held back until [`Control::stop`](crate::Control::stop).
    pub infinite: bool,
}

/// Shared by the thread that reads commands and the one that thinks.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    finished: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Of a search that begins, perhaps on the opponent's time.
    pub fn new(pondering: bool) -> Control {
        Control {
            pondering: AtomicBool::new(pondering),
            ..Control::default()
        }
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Ordering::Relaxed));
    }

    /// The expected move was made: from here on its own clock runs.
    pub fn ponder_hit(&self) {
        self.change(|| self.pondering.store(false, Ordering::Relaxed));
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether it runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// The move has been said.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether the move has been said.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Waits until the move may be said: of an infinite search until somebody asks it to end, of
    /// one on the opponent's time until then or until its own clock runs.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
