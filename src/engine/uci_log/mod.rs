//! All that runner and engines say to each other, with time stamps: `--log-engines` writes it to files
//! of the event's `log/engines`, and a front writes it to its own file. A separate thread writes; a lane
//! only hands bytes over. When too many wait, because the disk is slow or an engine floods, they are
//! dropped and counted.
//!
//! | file | what |
//! |---|---|
//! | this one | who speaks, and where it is handed in |
//! | `writer` | the thread that writes whole lines, and the files of `--log-engines` |

mod writer;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use crate::clock::Stamp;
use crate::host::epoch::Epoch;
pub(crate) use writer::{LogFolder, SpokenLine};
use writer::{PartialLines, UciLogWriter};

/// The folder within the event's `log`.
pub(crate) const FOLDER: &str = "engines";

/// Bytes that may wait for the disk, of all engines together.
const MAX_PENDING_BYTES: usize = 16 << 20;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Speaker {
    /// The runner, to the engine's stdin.
    Runner,
    /// The engine, on stdout.
    Engine,
    /// The engine, on stderr.
    Stderr,
}

impl Speaker {
    fn sign(self) -> char {
        match self {
            Speaker::Runner => '>',
            Speaker::Engine => '<',
            Speaker::Stderr => '!',
        }
    }
}

/// One who writes down the lines of all engines, in the order in which they were handed in.
pub(crate) trait SpokenLines: Send + std::fmt::Debug {
    /// Before the first line.
    ///
    /// # Errors
    /// Nothing can be written.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// A line.
    ///
    /// # Errors
    /// It cannot be written.
    fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()>;

    /// Nothing waits at the moment.
    ///
    /// # Errors
    /// What was written cannot be handed to the system.
    fn flush(&mut self) -> io::Result<()>;

    /// Nothing follows; `dropped` is the number of bytes that are missing.
    ///
    /// # Errors
    /// As [`SpokenLines::flush`].
    fn end(&mut self, dropped: u64) -> io::Result<()>;
}

/// The message about bytes that are missing.
pub(crate) fn missing(dropped: u64) -> String {
    format!(
        "{dropped} bytes of all engines together were not written down: more was said than the disk \
         could take"
    )
}

/// Where lanes hand in what was said. All clones are one.
#[derive(Debug, Clone)]
pub(crate) struct UciLog {
    sender: Sender<LoggedBytes>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    processes: Arc<AtomicU64>,
    epoch: Epoch,
}

#[derive(Debug)]
struct LoggedBytes {
    process: Arc<LoggedProcess>,
    speaker: Speaker,
    at: Stamp,
    bytes: Box<[u8]>,
}

/// An engine's process.
#[derive(Debug)]
struct LoggedProcess {
    /// The name of its file among those of `--log-engines`.
    file: Arc<str>,
    place: String,
    engine: String,
    /// From 0, in the order in which they were started.
    number: u64,
}

/// The way of an engine's words.
#[derive(Debug, Clone)]
pub(crate) struct EngineLog {
    uci_log: UciLog,
    process: Arc<LoggedProcess>,
}

impl UciLog {
    /// Starts the writer. It ends, and the thread returns, when every [`UciLog`] and
    /// every [`EngineLog`] has gone.
    ///
    /// # Errors
    /// Nothing can be written, or the system refuses a thread.
    fn begin(mut out: Box<dyn SpokenLines>, epoch: Epoch) -> io::Result<(UciLog, JoinHandle<()>)> {
        out.begin()?;
        let now = Duration::from_nanos(epoch.now().0);
        let begin = SystemTime::now().checked_sub(now);
        let (sender, receiver) = channel();
        let (waiting, dropped) = (Arc::default(), Arc::default());
        let writer = UciLogWriter {
            receiver,
            waiting: Arc::clone(&waiting),
            dropped: Arc::clone(&dropped),
            lines: PartialLines::new(begin.unwrap_or(SystemTime::UNIX_EPOCH)),
            out,
        };
        let thread = std::thread::Builder::new().name("uci_log".to_owned());
        let thread = thread.spawn(move || writer.run())?;
        let uci_log = UciLog {
            sender,
            waiting,
            dropped,
            processes: Arc::default(),
            epoch,
        };
        Ok((uci_log, thread))
    }

    /// The way of the words of an engine that was started in a place.
    pub(crate) fn engine_log(&self, place: &str, engine: &str) -> EngineLog {
        let process = LoggedProcess {
            file: format!("{place}-{}.uci", file_name(engine)).into(),
            place: place.to_owned(),
            engine: engine.to_owned(),
            number: self.processes.fetch_add(1, Ordering::Relaxed),
        };
        EngineLog {
            uci_log: self.clone(),
            process: Arc::new(process),
        }
    }
}

impl EngineLog {
    /// Hands in what was said just now. Never waits.
    pub(crate) fn note(&self, speaker: Speaker, bytes: &[u8]) {
        let uci_log = &self.uci_log;
        let waiting = uci_log.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        let words = LoggedBytes {
            process: Arc::clone(&self.process),
            speaker,
            at: uci_log.epoch.now(),
            bytes: bytes.into(),
        };
        if waiting + bytes.len() > MAX_PENDING_BYTES || uci_log.sender.send(words).is_err() {
            uci_log.waiting.fetch_sub(bytes.len(), Ordering::Relaxed);
            uci_log
                .dropped
                .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
    }
}

/// The writing down during a run, if there is any. Dropped when everything that speaks has
/// gone, it waits until all is in the files.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    /// Where to hand in what was said.
    pub(crate) uci_log: Option<UciLog>,
    writer: Option<JoinHandle<()>>,
}

impl Recording {
    /// Writes there; otherwise nothing.
    ///
    /// # Errors
    /// As [`UciLog::begin`].
    pub(crate) fn begin(out: Option<Box<dyn SpokenLines>>, epoch: Epoch) -> io::Result<Recording> {
        let begun = out.map(|out| UciLog::begin(out, epoch)).transpose()?;
        let (uci_log, writer) = begun.unzip();
        Ok(Recording { uci_log, writer })
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.uci_log = None;
        // A writer that panicked has said so on stderr already.
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

/// Letters, digits, dots and hyphens of a name.
fn file_name(engine: &str) -> String {
    let harmless = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' || c == '-' {
            c
        } else {
            '_'
        }
    };
    engine.chars().take(60).map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_whole_and_harmless() {
        let folder = tempfile::tempdir().unwrap();
        let out = Box::new(LogFolder::new(folder.path()));
        let (uci_log, writer) = UciLog::begin(out, Epoch::begin()).unwrap();
        let engine_log = uci_log.engine_log("lane-1", "../A b");
        engine_log.note(Speaker::Runner, b"uci\nisready\n");
        engine_log.note(Speaker::Engine, b"id name \x1b[2J");
        engine_log.note(Speaker::Stderr, b"oh\n");
        engine_log.note(Speaker::Engine, b"x\r\nunended");
        drop((uci_log, engine_log));
        writer.join().unwrap();
        let file = folder.path().join(FOLDER).join("lane-1-.._A_b.uci");
        let text = fs::read_to_string(file).unwrap();
        let said: Vec<&str> = text
            .lines()
            .map(|line| line.split_once(' ').unwrap().1)
            .collect();
        let expected = [
            "> uci",
            "> isready",
            "! oh",
            r"< id name \u{1b}[2Jx",
            "< unended",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_line_is_not_continued_by_the_next_process_of_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let out = Box::new(LogFolder::new(folder.path()));
        let (uci_log, writer) = UciLog::begin(out, Epoch::begin()).unwrap();
        let first = uci_log.engine_log("lane-1", "A");
        first.note(Speaker::Engine, b"info dep");
        let second = uci_log.engine_log("lane-1", "A");
        second.note(Speaker::Engine, b"uciok\n");
        drop((uci_log, first, second));
        writer.join().unwrap();
        let text = fs::read_to_string(folder.path().join(FOLDER).join("lane-1-A.uci")).unwrap();
        let said: Vec<&str> = text
            .lines()
            .map(|line| line.split_once(' ').unwrap().1)
            .collect();
        assert_eq!(said, ["< info dep", "< uciok"]);
    }

    #[test]
    fn what_the_disk_cannot_take_is_dropped_and_counted() {
        let (sender, _receiver) = channel();
        let uci_log = UciLog {
            sender,
            waiting: Arc::default(),
            dropped: Arc::default(),
            processes: Arc::default(),
            epoch: Epoch::begin(),
        };
        let engine_log = uci_log.engine_log("lane-1", "A");
        let half = vec![b'x'; MAX_PENDING_BYTES / 2];
        (0..3).for_each(|_| engine_log.note(Speaker::Engine, &half));
        assert_eq!(uci_log.waiting.load(Ordering::Relaxed), MAX_PENDING_BYTES);
        assert_eq!(
            uci_log.dropped.load(Ordering::Relaxed),
            (MAX_PENDING_BYTES / 2) as u64
        );
    }
}
