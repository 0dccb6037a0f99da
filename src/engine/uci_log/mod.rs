//! `--log-engines`: all that runner and engines say to each other, with time stamps, in
//! files of the event's `log/engines`. A thread of its own writes; a lane only hands bytes
//! over, and when too many wait, because the disk is slow or an engine floods, they are
//! dropped and counted.
//!
//! | file | what |
//! |---|---|
//! | this one | who speaks, and where it is handed in |
//! | `writer` | the thread that writes |
//! | `log` | one file |

mod log;
mod writer;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use crate::clock::Stamp;
use crate::host::epoch::Epoch;

use writer::Writer;

/// The folder within the event's `log`.
pub(crate) const FOLDER: &str = "engines";

/// Bytes that may wait for the disk, of all engines together.
const WAITING: usize = 16 << 20;

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

/// Where lanes hand in what was said. All clones are one.
#[derive(Debug, Clone)]
pub(crate) struct UciLog {
    sender: Sender<Words>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    epoch: Epoch,
}

#[derive(Debug)]
struct Words {
    file: Arc<str>,
    speaker: Speaker,
    at: Stamp,
    bytes: Box<[u8]>,
}

/// One engine's way to its file.
#[derive(Debug, Clone)]
pub(crate) struct EngineLog {
    uci_log: UciLog,
    file: Arc<str>,
}

impl UciLog {
    /// Starts the writer. It ends, and the thread returns, when every [`UciLog`] and
    /// every [`EngineLog`] has gone.
    ///
    /// # Errors
    /// The folder cannot be made, or the system refuses a thread.
    pub(crate) fn begin(log: &Path, epoch: Epoch) -> io::Result<(UciLog, JoinHandle<()>)> {
        let folder = log.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let (sender, receiver) = channel();
        let (waiting, dropped) = (Arc::default(), Arc::default());
        let writer = Writer {
            folder,
            receiver,
            waiting: Arc::clone(&waiting),
            dropped: Arc::clone(&dropped),
            files: HashMap::new(),
        };
        let thread = std::thread::Builder::new().name("uci_log".to_owned());
        let thread = thread.spawn(move || writer.run())?;
        let uci_log = UciLog {
            sender,
            waiting,
            dropped,
            epoch,
        };
        Ok((uci_log, thread))
    }

    /// The way to the file of an engine in a place.
    pub(crate) fn engine_log(&self, place: &str, engine: &str) -> EngineLog {
        let file = format!("{place}-{}.uci", file_name(engine)).into();
        let uci_log = self.clone();
        EngineLog { uci_log, file }
    }
}

impl EngineLog {
    /// Hands in what was said just now. Never waits.
    pub(crate) fn note(&self, speaker: Speaker, bytes: &[u8]) {
        let uci_log = &self.uci_log;
        let waiting = uci_log.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        let sent = waiting + bytes.len() <= WAITING
            && uci_log.sender.send(self.words(speaker, bytes)).is_ok();
        if !sent {
            uci_log.waiting.fetch_sub(bytes.len(), Ordering::Relaxed);
            uci_log
                .dropped
                .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
    }

    fn words(&self, speaker: Speaker, bytes: &[u8]) -> Words {
        Words {
            file: Arc::clone(&self.file),
            speaker,
            at: self.uci_log.epoch.now(),
            bytes: bytes.into(),
        }
    }
}

/// The writing down during a run, if there is any. Dropped when everything that speaks has
/// gone, it waits until all is in the files.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    uci_log: Option<UciLog>,
    writer: Option<JoinHandle<()>>,
}

impl Recording {
    /// Writes below this folder; without one, nothing.
    ///
    /// # Errors
    /// As [`UciLog::begin`].
    pub(crate) fn begin(log: Option<&Path>, epoch: Epoch) -> io::Result<Recording> {
        let Some(log) = log else {
            return Ok(Recording::default());
        };
        let (uci_log, writer) = UciLog::begin(log, epoch)?;
        Ok(Recording {
            uci_log: Some(uci_log),
            writer: Some(writer),
        })
    }

    /// Where to hand in what was said.
    pub(crate) fn uci_log(&self) -> Option<UciLog> {
        self.uci_log.clone()
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
    let harmless = |c: char| match c.is_ascii_alphanumeric() || c == '.' || c == '-' {
        true => c,
        false => '_',
    };
    engine.chars().take(60).map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_harmless() {
        let folder = tempfile::tempdir().unwrap();
        let (uci_log, writer) = UciLog::begin(folder.path(), Epoch::begin()).unwrap();
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
    fn what_the_disk_cannot_take_is_dropped_and_counted() {
        let (sender, _receiver) = channel();
        let uci_log = UciLog {
            sender,
            waiting: Arc::default(),
            dropped: Arc::default(),
            epoch: Epoch::begin(),
        };
        let engine_log = uci_log.engine_log("lane-1", "A");
        let half = vec![b'x'; WAITING / 2];
        (0..3).for_each(|_| engine_log.note(Speaker::Engine, &half));
        assert_eq!(uci_log.waiting.load(Ordering::Relaxed), WAITING);
        assert_eq!(
            uci_log.dropped.load(Ordering::Relaxed),
            (WAITING / 2) as u64
        );
    }
}
