//! A thread, its queue and its listeners.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use crate::run::error::RunError;
use crate::run::live_updates::LiveUpdates;
use crate::sink::{Sink, SinkError, Sinks};
use crate::store::Reader;

use super::queue::{Backlog, ListenerQueue};

/// The handle of the thread.
#[derive(Debug)]
pub(super) struct ListenerThread {
    pub(super) queue: Arc<ListenerQueue>,
    thread: Option<JoinHandle<()>>,
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
        let mut worker = ListenerWorker {
            sinks,
            folder: folder.to_owned(),
            known,
            failures,
        };
        let waiting = Arc::clone(&queue);
        let work = move || {
            let _until_the_end = alive;
            while worker.hears(waiting.take()) {
                if !worker.sinks.wants_updates() {
                    waiting.wants_no_updates();
                }
            }
            waiting.wants_no_updates();
        };
        let thread = Builder::new().name(name.to_owned()).spawn(work)?;
        if wants_updates {
            let queue = Arc::clone(&queue);
            let deliver = move |update| queue.update(update);
            live_updates.subscribe(Box::new(deliver))?;
        }
        Ok(ListenerThread {
            queue,
            thread: Some(thread),
            ended,
        })
    }

    /// Nothing follows: waits until the thread has ended.
    pub(super) fn join(&mut self) {
        self.queue.put(|waiting| waiting.finish = true);
        if let Some(thread) = self.thread.take() {
            // A panic has said so on stderr already; the store has everything.
            let _panicked = thread.join();
        }
    }

    /// Nothing follows: waits for this time at most; a thread that has not ended then is left behind.
    pub(super) fn ends_within(&self, limit: Duration) {
        self.queue.put(|waiting| waiting.finish = true);
        // Nothing is ever sent.
        let _ended = self.ended.recv_timeout(limit);
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
