//! How a running search is ended, and whether it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

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
