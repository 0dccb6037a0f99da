//! The thread that writes down what waits, each engine in its own file.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

use super::Words;
use super::log::Log;

/// What the thread owns, and shares with those who hand in.
pub(super) struct Writer {
    pub folder: PathBuf,
    pub receiver: Receiver<Words>,
    pub waiting: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicU64>,
    pub files: HashMap<Arc<str>, Log>,
}

impl Writer {
    /// Until nobody is left who could hand in.
    pub(crate) fn run(mut self) {
        let mut failed = None;
        while let Some(words) = self.next() {
            self.waiting.fetch_sub(words.bytes.len(), Ordering::Relaxed);
            if let Err(error) = self.write(&words)
                && failed.is_none()
            {
                tracing::warn!(%error, "what engines say cannot be written down");
                failed = Some(error);
            }
        }
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            tracing::warn!(dropped, "bytes of the engines' words were not written down");
        }
        let lines = self.files.values_mut();
        lines.for_each(|log| drop(log.end(dropped)));
    }

    /// The next words; what was written goes to the files while nothing waits.
    fn next(&mut self) -> Option<Words> {
        match self.receiver.try_recv() {
            Ok(words) => Some(words),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                // An error shows at the next write.
                self.files.values_mut().for_each(|log| drop(log.flush()));
                self.receiver.recv().ok()
            }
        }
    }

    fn write(&mut self, words: &Words) -> io::Result<()> {
        let log = match self.files.get_mut(&words.file) {
            Some(log) => log,
            None => {
                let log = Log::open(self.folder.join(&*words.file))?;
                self.files.entry(Arc::clone(&words.file)).or_insert(log)
            }
        };
        log.add(words)
    }
}
