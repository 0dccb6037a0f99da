//! A thread, its queue and its listeners.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::platform::lock;
use crate::run::error::RunError;
use crate::run::live_updates::{Delivery, LiveUpdates};
use crate::sink::{Sink, SinkError, Sinks};
use crate::store::Reader;

/// The handle of the thread.
#[derive(Debug)]
pub(super) struct ListenerThread {
    pub(super) queue: Arc<ListenerQueue>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl ListenerThread {
    /// Starts a thread for these listeners. They know the games up to the place `known` in the store,
    /// and get the live updates of running games if they want them.
    pub(super) fn start(
        name: &str,
        sinks: Sinks,
        folder: &Path,
        known: u64,
        failures: UnboundedSender<SinkError>,
        live_updates: &LiveUpdates,
    ) -> Result<ListenerThread, RunError> {
        let queue = Arc::new(ListenerQueue::default());
        let wants_updates = sinks.wants_updates();
        let (alive, ended) = channel();
        let worker = ListenerWorker {
            sinks,
            folder: folder.to_owned(),
            known,
            failures,
        };
        let waiting = Arc::clone(&queue);
        let work = move || {
            let _until_the_end = alive;
            // Dropped before that.
            let mut worker = worker;
            while worker.hears(waiting.take()) {
                if !worker.sinks.wants_updates() {
                    waiting.wants_no_updates();
                }
            }
            waiting.wants_no_updates();
        };
        Builder::new().name(name.to_owned()).spawn(work)?;
        if wants_updates {
            let queue = Arc::clone(&queue);
            let deliver = move |update| queue.update(update);
            live_updates.subscribe(Box::new(deliver))?;
        }
        Ok(ListenerThread { queue, ended })
    }

    /// Nothing follows: waits until the thread has ended, or for this time at most; then it is left behind.
    pub(super) fn finish(&self, limit: Option<Duration>) {
        self.queue.put(|waiting| waiting.finish = true);
        // Nothing is ever sent. A panic has said so on stderr already; the store has everything.
        let _ended = match limit {
            Some(limit) => self.ended.recv_timeout(limit).is_err(),
            None => self.ended.recv().is_err(),
        };
    }
}

/// What the thread owns.
struct ListenerWorker {
    sinks: Sinks,
    folder: PathBuf,
    /// The place in the store of the last game that the listeners have heard of.
    known: u64,
    failures: UnboundedSender<SinkError>,
}

impl ListenerWorker {
    /// Passes the waiting on; whether more will come.
    fn hears(&mut self, waiting: Backlog) -> bool {
        let mut begun = waiting.begun.iter().peekable();
        for (place, game) in waiting.games.iter().enumerate() {
            while let Some((_, pair, lane)) = begun.next_if(|(before, ..)| *before <= place) {
                self.tell(|sink| sink.begun(*pair, *lane));
            }
            self.known += 1;
            self.tell(|sink| sink.committed(game));
        }
        for (_, pair, lane) in begun {
            self.tell(|sink| sink.begun(*pair, *lane));
        }
        if waiting.behind > 0 {
            let read = self.catch_up(self.known + waiting.behind);
            self.told(read);
        }
        for update in &waiting.updates {
            self.tell(|sink| sink.live(update));
        }
        for engine in waiting.disqualified {
            self.tell(|sink| {
                sink.disqualified(engine);
                Ok(())
            });
        }
        if !waiting.decisions.is_empty() {
            self.tell(|sink| sink.decided(&waiting.decisions));
        }
        for words in &waiting.words {
            self.tell(|sink| {
                sink.say(words);
                Ok(())
            });
        }
        if waiting.refresh {
            self.tell(|sink| sink.refresh());
        }
        if waiting.finish {
            self.tell(|sink| sink.finish());
        }
        !waiting.finish
    }

    /// Reads the games that did not fit into the queue.
    fn catch_up(&mut self, until: u64) -> Result<(), SinkError> {
        let reader = Reader::open(&self.folder)?;
        for stored in reader.games_after(self.known) {
            let stored = stored?;
            if stored.sequence > until {
                break;
            }
            self.known = stored.sequence;
            self.tell(|sink| sink.committed(&stored.game));
        }
        self.known = until;
        Ok(())
    }

    fn tell(&mut self, tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>) {
        let told = self.sinks.each(tell);
        self.told(told);
    }

    fn told(&self, told: Result<(), SinkError>) {
        if let Err(error) = told {
            // Without a dispatcher the run is over, and its end has been told.
            let _ = self.failures.send(error);
        }
    }
}

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
    waiting: Mutex<Option<Backlog>>,
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
        self.put(|waiting| {
            if waiting.updates.len() < MAX_PENDING_UPDATES {
                waiting.updates.push_back(update)
            } else {
                delivery = Delivery::Full
            }
        });
        delivery
    }

    /// From now on live updates are not wanted.
    pub(super) fn wants_no_updates(&self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    /// Waits for something, and takes all of it.
    pub(super) fn take(&self) -> Backlog {
        let waiting = lock(&self.waiting);
        let filled = self
            .changed
            .wait_while(waiting, |waiting| waiting.is_none());
        let mut filled = filled.unwrap_or_else(PoisonError::into_inner);
        filled.take().unwrap_or_default()
    }

    /// Adds something to what waits.
    pub(super) fn put(&self, put: impl FnOnce(&mut Backlog)) {
        put(lock(&self.waiting).get_or_insert_default());
        self.changed.notify_one();
    }
}
