//! What waits for a thread of listeners: bounded, and never waited for by those who put
//! something in.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::run::live_updates::Delivery;

/// Games that wait at most; those beyond are read from the store.
const MAX_PENDING_GAMES: usize = 256;

/// Beginnings of pairs that wait at most; those beyond are lost.
const MAX_PENDING_BEGINNINGS: usize = 1024;

/// Maximum number of live updates that wait; those beyond are lost, and the games that run are sent again.
const MAX_PENDING_UPDATES: usize = 256;

/// Lines for the user that wait at most; those beyond are lost.
const MAX_PENDING_LINES: usize = 256;

/// All that waited.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    /// Games, in the order of the store.
    pub games: VecDeque<Arc<PlayedGame>>,
    /// So many more games follow these in the store.
    pub behind: u64,
    /// Pairs that a lane has begun with, each with the number of games before it among `games`.
    pub begun: VecDeque<(usize, PairId, usize)>,
    /// What passes in the games that run.
    pub updates: VecDeque<LiveUpdate>,
    /// Engines that were disqualified.
    pub disqualified: Vec<u16>,
    /// What the arbiter has decided.
    pub decisions: Vec<ArbiterDecision>,
    /// Lines for the user.
    pub words: VecDeque<String>,
    /// Whether a moment passed.
    pub refresh: bool,
    /// Whether nothing follows.
    pub finish: bool,
}

impl Backlog {
    fn is_empty(&self) -> bool {
        let quiet = self.games.is_empty() && self.behind == 0 && self.disqualified.is_empty();
        let quiet = quiet && self.decisions.is_empty() && self.begun.is_empty();
        quiet && self.updates.is_empty() && self.words.is_empty() && !self.refresh && !self.finish
    }

    /// A game is durable. Called in the order of the store.
    pub(super) fn committed(&mut self, game: &Arc<PlayedGame>) {
        // Those that follow one that was left out are left out, too: the order stays.
        if self.behind > 0 || self.games.len() >= MAX_PENDING_GAMES {
            self.behind += 1;
        } else {
            self.games.push_back(Arc::clone(game));
        }
    }

    /// A lane begins with a pair.
    pub(super) fn begun(&mut self, pair: PairId, lane: usize) {
        if self.begun.len() < MAX_PENDING_BEGINNINGS {
            self.begun.push_back((self.games.len(), pair, lane));
        }
    }

    /// Words for the user.
    pub(super) fn say(&mut self, words: &str) {
        if self.words.len() < MAX_PENDING_LINES {
            self.words.push_back(words.to_owned());
        }
    }
}

/// A bounded queue. Games of which there are too many are counted, and nothing else of them is kept.
#[derive(Debug, Default)]
pub(super) struct ListenerQueue {
    waiting: Mutex<Backlog>,
    changed: Condvar,
    /// Nobody wants to hear of live updates any more.
    deaf: AtomicBool,
}

impl ListenerQueue {
    /// Something passed, if there is room for it.
    pub(super) fn update(&self, update: LiveUpdate) -> Delivery {
        if self.deaf.load(Ordering::Relaxed) {
            return Delivery::Gone;
        }
        let mut delivery = Delivery::Taken;
        self.put(
            |waiting| match waiting.updates.len() < MAX_PENDING_UPDATES {
                true => waiting.updates.push_back(update),
                false => delivery = Delivery::Full,
            },
        );
        delivery
    }

    /// From now on live updates are not wanted.
    pub(super) fn wants_no_updates(&self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    /// Waits for something, and takes all of it.
    pub(super) fn take(&self) -> Backlog {
        let mut waiting = self.lock();
        while waiting.is_empty() {
            let woken = self.changed.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut waiting)
    }

    /// Adds something to what waits.
    pub(super) fn put(&self, put: impl FnOnce(&mut Backlog)) {
        put(&mut self.lock());
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Backlog> {
        // Nothing in here can leave it half changed.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
