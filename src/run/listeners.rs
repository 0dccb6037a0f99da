//! The listeners of a run, on separate threads: for files of results, for what is shown, for what others look at.
//!
//! **Invariant: a listener holds nothing up.** A fact goes to the store first, and then into a
//! queue of bounded size, without a wait. A listener that falls behind, because nobody reads
//! the pipe that it writes to, catches up from the store: it misses no game, and costs no more
//! memory than its queue.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::error::RunError;
use super::live_updates::{Delivery, LiveUpdates};
use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::platform::lock;
use crate::sink::{RunOutputs, Sink, SinkError, Sinks};
use crate::store::Reader;

/// Maximum wait until the output of a listener is read; then it is left behind.
const READER_TIMEOUT: Duration = Duration::from_secs(2);

/// The same after a stop.
const READER_TIMEOUT_AT_STOP: Duration = Duration::from_millis(500);

/// The threads of a run's listeners.
#[derive(Debug)]
pub(crate) struct Listeners {
    files: ListenerThread,
    display: ListenerThread,
    broadcast: ListenerThread,
    failures: UnboundedReceiver<SinkError>,
}

impl Listeners {
    /// Starts the threads of these listeners, who know of everything that is in the store in
    /// `folder`, and are told of live updates if they want to be.
    ///
    /// # Errors
    /// The store cannot be read, or the system refuses a thread.
    pub(crate) fn start(
        audience: RunOutputs,
        folder: &Path,
        live_updates: &LiveUpdates,
    ) -> Result<Listeners, RunError> {
        let known = Reader::open(folder)?.last_place()?;
        let (sender, failures) = unbounded_channel();
        let listener_thread = |name, sinks| {
            ListenerThread::start(name, sinks, folder, known, sender.clone(), live_updates)
        };
        Ok(Listeners {
            files: listener_thread("files", audience.files)?,
            display: listener_thread("display", audience.display)?,
            broadcast: listener_thread("broadcast", audience.broadcast)?,
            failures,
        })
    }

    fn tell(&self, put: impl Fn(&mut Backlog)) {
        for thread in [&self.files, &self.display, &self.broadcast] {
            thread.queue.put(&put);
        }
    }

    /// A finished game is durable, and counted in the state of the event. Called in the order of the store.
    pub(crate) fn committed(&self, game: &Arc<PlayedGame>) {
        self.tell(|waiting| {
            // Those that follow one that was left out are left out, too: the order stays.
            if waiting.behind > 0 || waiting.games.len() >= MAX_PENDING_GAMES {
                waiting.behind += 1;
            } else {
                waiting.games.push_back(Arc::clone(game));
            }
        });
    }

    /// A lane begins with a pair.
    pub(crate) fn begun(&self, pair: PairId, lane: usize) {
        self.tell(|waiting| {
            if waiting.begun.len() < MAX_PENDING_BEGINNINGS {
                waiting.begun.push_back((waiting.games.len(), pair, lane));
            }
        });
    }

    /// An engine is disqualified, and the state of the event contains that.
    pub(crate) fn disqualified(&self, engine: u16) {
        self.tell(|waiting| waiting.disqualified.push(engine));
    }

    /// The arbiter has decided this, and the state of the event contains it.
    pub(crate) fn decided(&self, decisions: &[ArbiterDecision]) {
        self.tell(|waiting| waiting.decisions.extend_from_slice(decisions));
    }

    pub(crate) fn refresh(&self) {
        self.tell(|waiting| waiting.refresh = true);
    }

    /// Words for the user.
    pub(crate) fn say(&self, words: &str) {
        self.display.queue.put(|waiting| waiting.say(words));
    }

    /// Words for all who look on.
    pub(crate) fn say_to_all(&self, words: &str) {
        self.say(words);
        self.broadcast.queue.put(|waiting| waiting.say(words));
    }

    /// The next file that cannot be written. Nothing is lost if the wait is given up.
    pub(crate) async fn failure(&mut self) -> SinkError {
        match self.failures.recv().await {
            Some(error) => error,
            None => std::future::pending().await,
        }
    }

    /// The run is over: the files of results are finished, and on the disk.
    ///
    /// # Errors
    /// The first failure of any of them.
    pub(crate) fn finish_files(&mut self) -> Result<(), SinkError> {
        self.files.finish(None);
        match self.failures.try_recv() {
            Ok(error) => Err(error),
            Err(_) => Ok(()),
        }
    }

    /// What is shown is finished. A reader that is slow is waited for, as any program waits
    /// for the reader of its pipe; but not for long if the run was `stopped`.
    pub(crate) fn finish_display(self, stopped: bool) {
        let limit = if stopped {
            READER_TIMEOUT_AT_STOP
        } else {
            READER_TIMEOUT
        };
        self.broadcast.finish(Some(limit));
        self.display.finish(stopped.then_some(limit));
    }
}

/// The handle of the thread.
#[derive(Debug)]
struct ListenerThread {
    queue: Arc<ListenerQueue>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl ListenerThread {
    /// Starts a thread for these listeners. They know the games up to the place `known` in the store,
    /// and get the live updates of running games if they want them.
    fn start(
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
    fn finish(&self, limit: Option<Duration>) {
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
struct Backlog {
    /// Games, in the order of the store.
    games: VecDeque<Arc<PlayedGame>>,
    /// So many more games follow these in the store.
    behind: u64,
    /// Pairs that a lane has begun with, each with the number of games before it among `games`.
    begun: VecDeque<(usize, PairId, usize)>,
    /// What passes in the games that run.
    updates: VecDeque<LiveUpdate>,
    disqualified: Vec<u16>,
    decisions: Vec<ArbiterDecision>,
    words: VecDeque<String>,
    refresh: bool,
    finish: bool,
}

impl Backlog {
    fn say(&mut self, words: &str) {
        if self.words.len() < MAX_PENDING_LINES {
            self.words.push_back(words.to_owned());
        }
    }
}

/// A bounded queue. Games of which there are too many are counted, and nothing else of them is kept.
#[derive(Debug, Default)]
struct ListenerQueue {
    waiting: Mutex<Option<Backlog>>,
    changed: Condvar,
    /// Nobody wants to hear of live updates any more.
    deaf: AtomicBool,
}

impl ListenerQueue {
    /// Something passed, if there is room for it.
    fn update(&self, update: LiveUpdate) -> Delivery {
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
    fn wants_no_updates(&self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    /// Waits for something, and takes all of it.
    fn take(&self) -> Backlog {
        let waiting = lock(&self.waiting);
        let is_empty = |waiting: &mut Option<Backlog>| waiting.is_none();
        let filled = self.changed.wait_while(waiting, is_empty);
        let mut filled = filled.unwrap_or_else(PoisonError::into_inner);
        filled.take().unwrap_or_default()
    }

    /// Adds something to what waits.
    fn put(&self, put: impl FnOnce(&mut Backlog)) {
        put(lock(&self.waiting).get_or_insert_default());
        self.changed.notify_one();
    }
}
