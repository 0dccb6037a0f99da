//! The thread that writes down what waits.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

use super::lines::PartialLines;
use super::log::UciLogFile;
use super::{LoggedBytes, LoggedProcess, SpokenLine, SpokenLines};

/// What the thread owns, and shares with those who hand in.
pub(super) struct UciLogWriter {
    pub receiver: Receiver<LoggedBytes>,
    pub waiting: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicU64>,
    pub lines: PartialLines,
    pub out: Out,
}

/// Where whole lines go.
pub(super) enum Out {
    /// Each engine's in its own file of this folder.
    Files(PathBuf, HashMap<Arc<str>, UciLogFile>),
    /// All to one.
    One(Box<dyn SpokenLines>),
}

impl UciLogWriter {
    /// Until nobody is left who could hand in.
    pub(crate) fn run(mut self) {
        let mut failed = None;
        while let Some(words) = self.next() {
            self.waiting.fetch_sub(words.bytes.len(), Ordering::Relaxed);
            let (lines, out) = (&mut self.lines, &mut self.out);
            if let Err(error) = lines.add(&words, |process, line| out.line(process, &line))
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
        let (lines, out) = (&mut self.lines, &mut self.out);
        // Errors were told of when they first came.
        let _told = lines.end(|process, line| out.line(process, &line));
        out.end(dropped);
    }

    /// The next words; what was written goes to the files while nothing waits.
    fn next(&mut self) -> Option<LoggedBytes> {
        match self.receiver.try_recv() {
            Ok(words) => Some(words),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                self.out.flush();
                self.receiver.recv().ok()
            }
        }
    }
}

impl Out {
    fn line(&mut self, process: &Arc<LoggedProcess>, line: &SpokenLine<'_>) -> io::Result<()> {
        let (folder, files) = match self {
            Out::One(lines) => return lines.line(line),
            Out::Files(folder, files) => (folder, files),
        };
        let log = match files.get_mut(&process.file) {
            Some(log) => log,
            None => {
                let log = UciLogFile::open(folder.join(&*process.file))?;
                files.entry(Arc::clone(&process.file)).or_insert(log)
            }
        };
        log.line(line)
    }

    /// An error shows at the next line.
    fn flush(&mut self) {
        match self {
            Out::Files(_, files) => files.values_mut().for_each(|log| drop(log.flush())),
            Out::One(lines) => drop(lines.flush()),
        }
    }

    fn end(&mut self, dropped: u64) {
        match self {
            Out::Files(_, files) => files.values_mut().for_each(|log| drop(log.end(dropped))),
            Out::One(lines) => drop(lines.end(dropped)),
        }
    }
}
