//! The listeners of a run, on separate threads.
//!
//! **Invariant: a listener holds nothing up.** A fact goes to the store first, and then into a
//! queue of bounded size, without a wait. A listener that falls behind, because nobody reads
//! the pipe that it writes to, catches up from the store: it misses no game, and costs no more
//! memory than its queue.
//!
//! | file | what |
//! |---|---|
//! | this one | three threads: for files of results, for what is shown, for what others look at |
//! | `listener_thread` | a thread, its listeners, and what waits for it |

mod listener_thread;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use listener_thread::{Backlog, ListenerThread};
use tokio::sync::mpsc;

use super::error::RunError;
use super::live_updates::LiveUpdates;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::sink::{RunOutputs, SinkError, Sinks};
use crate::store::Reader;

/// Maximum wait until the output of a listener is read; then it is left behind.
const READER_TIMEOUT: Duration = Duration::from_secs(2);

/// The same after a stop.
const READER_TIMEOUT_AT_STOP: Duration = Duration::from_millis(500);

/// The threads of a run's listeners.
#[derive(Debug)]
pub(crate) struct Listeners {
    files: ListenerThread,
    display: Option<ListenerThread>,
    broadcast: Option<ListenerThread>,
    failures: mpsc::UnboundedReceiver<SinkError>,
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
        let (sender, failures) = mpsc::unbounded_channel();
        let listener_thread = |name, sinks| {
            ListenerThread::start(name, sinks, folder, known, sender.clone(), live_updates)
        };
        let files = listener_thread("files", audience.files)?;
        let unless_empty = |name, sinks: Sinks| {
            if sinks.is_empty() {
                Ok(None)
            } else {
                listener_thread(name, sinks).map(Some)
            }
        };
        Ok(Listeners {
            files,
            display: unless_empty("display", audience.display)?,
            broadcast: unless_empty("broadcast", audience.broadcast)?,
            failures,
        })
    }

    fn tell(&self, put: impl Fn(&mut Backlog)) {
        let shown = self.display.iter().chain(&self.broadcast);
        for listener_thread in [&self.files].into_iter().chain(shown) {
            listener_thread.queue.put(&put);
        }
    }

    /// A finished game is durable, and counted in the state of the event.
    pub(crate) fn committed(&self, game: &Arc<PlayedGame>) {
        self.tell(|waiting| waiting.committed(game));
    }

    /// A lane begins with a pair.
    pub(crate) fn begun(&self, pair: PairId, lane: usize) {
        self.tell(|waiting| waiting.begun(pair, lane));
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
        if let Some(display) = &self.display {
            display.queue.put(|waiting| waiting.say(words));
        }
    }

    /// Words for all who look on.
    pub(crate) fn say_to_all(&self, words: &str) {
        self.say(words);
        if let Some(broadcast) = &self.broadcast {
            broadcast.queue.put(|waiting| waiting.say(words));
        }
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
        if let Some(broadcast) = self.broadcast {
            broadcast.finish(Some(limit));
        }
        if let Some(display) = self.display {
            display.finish(stopped.then_some(limit));
        }
    }
}
