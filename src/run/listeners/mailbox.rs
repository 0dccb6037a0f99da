//! What waits for a thread of listeners: bounded, and never waited for by those who put
//! something in.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::event::live::Update;
use crate::event::{ArbiterDecision, FinishedGame};
use crate::run::glimpses::Delivery;

/// Games that wait at most; those beyond are read from the store.
const GAMES: usize = 256;

/// Glimpses that wait at most; those beyond are lost, and what runs is told again.
const UPDATES: usize = 256;

/// Lines for the user that wait at most; those beyond are lost.
const WORDS: usize = 256;

/// All that waited.
#[derive(Debug, Default)]
pub(super) struct Mail {
    /// Games, in the order of the store.
    pub games: VecDeque<Arc<FinishedGame>>,
    /// So many more games follow these in the store.
    pub behind: u64,
    /// What passes in the games that run.
    pub updates: VecDeque<Update>,
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

impl Mail {
    fn is_empty(&self) -> bool {
        let quiet = self.games.is_empty() && self.behind == 0 && self.disqualified.is_empty();
        let quiet = quiet && self.decisions.is_empty();
        quiet && self.updates.is_empty() && self.words.is_empty() && !self.refresh && !self.finish
    }
}

/// A mailbox. Games of which there are too many are counted, and nothing else of them is kept.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    mail: Mutex<Mail>,
    changed: Condvar,
    /// Nobody wants to hear of glimpses any more.
    deaf: AtomicBool,
}

impl Mailbox {
    /// A game is durable. Called in the order of the store.
    pub(super) fn committed(&self, game: &Arc<FinishedGame>) {
        self.put(|mail| {
            // Those that follow one that was left out are left out, too: the order stays.
            if mail.behind > 0 || mail.games.len() >= GAMES {
                mail.behind += 1;
            } else {
                mail.games.push_back(Arc::clone(game));
            }
        });
    }

    /// Something passed, if there is room for it.
    pub(super) fn update(&self, update: Update) -> Delivery {
        if self.deaf.load(Ordering::Relaxed) {
            return Delivery::Gone;
        }
        let mut delivery = Delivery::Taken;
        self.put(|mail| match mail.updates.len() < UPDATES {
            true => mail.updates.push_back(update),
            false => delivery = Delivery::Full,
        });
        delivery
    }

    /// From now on glimpses are not wanted.
    pub(super) fn wants_no_updates(&self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    /// An engine is disqualified.
    pub(super) fn disqualified(&self, engine: u16) {
        self.put(|mail| mail.disqualified.push(engine));
    }

    /// The arbiter has decided this.
    pub(super) fn decided(&self, decisions: &[ArbiterDecision]) {
        self.put(|mail| mail.decisions.extend_from_slice(decisions));
    }

    /// A moment passed.
    pub(super) fn refresh(&self) {
        self.put(|mail| mail.refresh = true);
    }

    /// Words for the user.
    pub(super) fn say(&self, words: &str) {
        self.put(|mail| {
            if mail.words.len() < WORDS {
                mail.words.push_back(words.to_owned());
            }
        });
    }

    /// Nothing follows.
    pub(super) fn finish(&self) {
        self.put(|mail| mail.finish = true);
    }

    /// Waits for something, and takes all of it.
    pub(super) fn take(&self) -> Mail {
        let mut mail = self.lock();
        while mail.is_empty() {
            let woken = self.changed.wait(mail);
            mail = woken.unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut mail)
    }

    fn put(&self, put: impl FnOnce(&mut Mail)) {
        put(&mut self.lock());
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Mail> {
        // Nothing in here can leave it half changed.
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
