//! `--log-engines`: all that runner and engines say to each other, with time stamps, in
//! files of the event's `log/engines`. A thread of its own writes; a lane only hands bytes
//! over, and when too many wait, because the disk is slow or an engine floods, they are
//! dropped and counted.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

use crate::clock::Stamp;
use crate::report::printable;
use crate::run::epoch::Epoch;

/// The folder within the event's `log`.
pub const FOLDER: &str = "engines";

/// Bytes that may wait for the disk, of all engines together.
const WAITING: usize = 16 << 20;

/// A file longer than this is set aside under `.old`, in the place of the one before it.
const LONGEST: u64 = 64 << 20;

/// A line longer than this is broken.
const LONGEST_LINE: usize = 64 << 10;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
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
pub struct Traffic {
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
pub struct Tap {
    traffic: Traffic,
    file: Arc<str>,
}

impl Traffic {
    /// Starts the writer. It ends, and the thread returns, when every [`Traffic`] and
    /// every [`Tap`] has gone.
    ///
    /// # Errors
    /// The folder cannot be made, or the system refuses a thread.
    pub fn begin(log: &Path, epoch: Epoch) -> io::Result<(Traffic, JoinHandle<()>)> {
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
        let thread = std::thread::Builder::new().name("traffic".to_owned());
        let thread = thread.spawn(move || writer.run())?;
        let traffic = Traffic {
            sender,
            waiting,
            dropped,
            epoch,
        };
        Ok((traffic, thread))
    }

    /// The way to the file of an engine in a place.
    pub fn tap(&self, place: &str, engine: &str) -> Tap {
        let file = format!("{place}-{}.uci", file_name(engine)).into();
        let traffic = self.clone();
        Tap { traffic, file }
    }
}

impl Tap {
    /// Hands in what was said just now. Never waits.
    pub fn note(&self, speaker: Speaker, bytes: &[u8]) {
        let traffic = &self.traffic;
        let waiting = traffic.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        let sent = waiting + bytes.len() <= WAITING
            && traffic.sender.send(self.words(speaker, bytes)).is_ok();
        if !sent {
            traffic.waiting.fetch_sub(bytes.len(), Ordering::Relaxed);
            traffic
                .dropped
                .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
    }

    fn words(&self, speaker: Speaker, bytes: &[u8]) -> Words {
        Words {
            file: Arc::clone(&self.file),
            speaker,
            at: self.traffic.epoch.now(),
            bytes: bytes.into(),
        }
    }
}

/// The writing down during a run, if there is any. Dropped when everything that speaks has
/// gone, it waits until all is in the files.
#[derive(Debug, Default)]
pub struct Recording {
    traffic: Option<Traffic>,
    writer: Option<JoinHandle<()>>,
}

impl Recording {
    /// Writes below this folder; without one, nothing.
    ///
    /// # Errors
    /// As [`Traffic::begin`].
    pub fn begin(log: Option<&Path>, epoch: Epoch) -> io::Result<Recording> {
        let Some(log) = log else {
            return Ok(Recording::default());
        };
        let (traffic, writer) = Traffic::begin(log, epoch)?;
        Ok(Recording {
            traffic: Some(traffic),
            writer: Some(writer),
        })
    }

    /// Where to hand in what was said.
    pub fn traffic(&self) -> Option<Traffic> {
        self.traffic.clone()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.traffic = None;
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

struct Writer {
    folder: PathBuf,
    receiver: Receiver<Words>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    files: HashMap<Arc<str>, Log>,
}

impl Writer {
    fn run(mut self) {
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
                self.files
                    .values_mut()
                    .for_each(|log| drop(log.out.flush()));
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

/// One file.
struct Log {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
    /// Lines that are not complete, and when they began.
    begun: HashMap<Speaker, (Stamp, Vec<u8>)>,
}

impl Log {
    fn open(path: PathBuf) -> io::Result<Log> {
        let file = OpenOptions::new().append(true).create(true).open(&path)?;
        Ok(Log {
            length: file.metadata()?.len(),
            path,
            out: BufWriter::new(file),
            begun: HashMap::new(),
        })
    }

    fn add(&mut self, words: &Words) -> io::Result<()> {
        for piece in words.bytes.split_inclusive(|byte| *byte == b'\n') {
            let (at, mut line) = self
                .begun
                .remove(&words.speaker)
                .unwrap_or((words.at, Vec::new()));
            line.extend(piece);
            if line.ends_with(b"\n") || line.len() > LONGEST_LINE {
                self.line(at, words.speaker.sign(), &line)?;
            } else {
                self.begun.insert(words.speaker, (at, line));
            }
        }
        Ok(())
    }

    /// `12.345678 < bestmove e2e4`, control characters made visible.
    fn line(&mut self, at: Stamp, sign: char, line: &[u8]) -> io::Result<()> {
        if self.length > LONGEST {
            self.out.flush()?;
            fs::rename(&self.path, self.path.with_extension("uci.old"))?;
            self.out = BufWriter::new(File::create(&self.path)?);
            self.length = 0;
        }
        let micros = at.0 / 1000;
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        let text = String::from_utf8_lossy(line);
        let text = printable(text.trim_end_matches(['\r', '\n']));
        let line = format!("{seconds}.{micros:06} {sign} {text}\n");
        self.length += line.len() as u64;
        self.out.write_all(line.as_bytes())
    }

    fn end(&mut self, dropped: u64) -> io::Result<()> {
        for (speaker, (at, line)) in std::mem::take(&mut self.begun) {
            self.line(at, speaker.sign(), &line)?;
        }
        if dropped > 0 {
            let words = "bytes of all engines together were not written down";
            writeln!(
                self.out,
                "# {dropped} {words}: more was said than the disk could take"
            )?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_harmless() {
        let folder = tempfile::tempdir().unwrap();
        let (traffic, writer) = Traffic::begin(folder.path(), Epoch::begin()).unwrap();
        let tap = traffic.tap("lane-1", "../A b");
        tap.note(Speaker::Runner, b"uci\nisready\n");
        tap.note(Speaker::Engine, b"id name \x1b[2J");
        tap.note(Speaker::Stderr, b"oh\n");
        tap.note(Speaker::Engine, b"x\r\nunended");
        drop((traffic, tap));
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
        let traffic = Traffic {
            sender,
            waiting: Arc::default(),
            dropped: Arc::default(),
            epoch: Epoch::begin(),
        };
        let tap = traffic.tap("lane-1", "A");
        let half = vec![b'x'; WAITING / 2];
        (0..3).for_each(|_| tap.note(Speaker::Engine, &half));
        assert_eq!(traffic.waiting.load(Ordering::Relaxed), WAITING);
        assert_eq!(
            traffic.dropped.load(Ordering::Relaxed),
            (WAITING / 2) as u64
        );
    }
}
