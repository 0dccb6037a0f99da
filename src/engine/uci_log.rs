//! All that runner and engines say to each other, with time stamps: `--log-engines` writes it to files
//! of the event's `log/engines`, and a front writes it to its own file. A separate thread writes; a lane
//! only hands lines over. When too many wait, because the disk is slow or an engine floods, they are
//! dropped and counted.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::SystemTime;

use crate::clock::Stamp;
use crate::host::epoch::Epoch;
use crate::platform::files::append_untrusted;
use crate::platform::{make_folder_untrusted, rename};
use crate::text::printable;

/// The folder within the event's `log`.
pub(crate) const FOLDER: &str = "engines";

/// Bytes that may wait for the disk, of all engines together.
const MAX_PENDING_BYTES: usize = 16 << 20;

/// What a line takes that waits, beyond its bytes.
const LINE_OVERHEAD_BYTES: usize = 128;

/// A line longer than this is broken, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The runner, to the engine's stdin.
    Runner,
    /// The engine, on stdout.
    Engine,
    /// The engine, on stderr.
    Stderr,
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
    fn line(&mut self, line: &SpokenLine) -> io::Result<()>;

    /// Nothing waits at the moment.
    ///
    /// # Errors
    /// What was written cannot be handed to the system.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Says, after the last line, that some are missing.
    fn lost(&mut self, words: &str);
}

/// Where lanes hand in what was said. All clones are one.
#[derive(Debug, Clone)]
pub(crate) struct UciLog {
    sender: Sender<SpokenLine>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    processes: Arc<AtomicU64>,
    epoch: Epoch,
}

/// An engine's process.
#[derive(Debug)]
pub(crate) struct LoggedProcess {
    /// The name of its file among those of `--log-engines`.
    file: Arc<str>,
    /// Where the engine plays: `start` or `lane-1`.
    pub(crate) place: String,
    pub(crate) engine: String,
    /// From 0, in the order in which they were started.
    pub(crate) number: u64,
}

/// A line, or the beginning of one.
#[derive(Debug)]
pub(crate) struct SpokenLine {
    /// When its first byte was handed in, since the run began.
    pub(crate) at: Stamp,
    /// The same by the time of day.
    pub(crate) time: SystemTime,
    pub(crate) process: Arc<LoggedProcess>,
    pub(crate) speaker: Speaker,
    bytes: Vec<u8>,
}

impl SpokenLine {
    /// The words without the line's end, control characters made visible.
    pub(crate) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        printable(text.trim_end_matches(['\r', '\n'])).into_owned()
    }

    fn weight(&self) -> usize {
        self.bytes.len() + LINE_OVERHEAD_BYTES
    }
}

/// The way of the words on one pipe of an engine. What is left of a line without an end is handed in when it is dropped.
#[derive(Debug)]
pub(crate) struct EngineLog {
    uci_log: UciLog,
    process: Arc<LoggedProcess>,
    speaker: Speaker,
    begun: Option<SpokenLine>,
}

impl UciLog {
    /// Starts the writer. It ends, and the thread returns, when every [`UciLog`] and
    /// every [`EngineLog`] has gone.
    ///
    /// # Errors
    /// Nothing can be written, or the system refuses a thread.
    fn begin(mut out: Box<dyn SpokenLines>, epoch: Epoch) -> io::Result<(UciLog, JoinHandle<()>)> {
        out.begin()?;
        let (sender, receiver) = channel();
        let uci_log = UciLog {
            sender,
            waiting: Arc::default(),
            dropped: Arc::default(),
            processes: Arc::default(),
            epoch,
        };
        let (waiting, dropped) = (Arc::clone(&uci_log.waiting), Arc::clone(&uci_log.dropped));
        let thread = std::thread::Builder::new().name("uci_log".to_owned());
        let thread = thread.spawn(move || write_down(&receiver, &waiting, &dropped, &mut *out))?;
        Ok((uci_log, thread))
    }

    /// The ways of the words of an engine that was started in a place: those that it is sent, its stdout, its stderr.
    pub(crate) fn engine_logs(&self, place: &str, engine: &str) -> [EngineLog; 3] {
        let process = Arc::new(LoggedProcess {
            file: format!("{place}-{}.uci", file_name(engine)).into(),
            place: place.to_owned(),
            engine: engine.to_owned(),
            number: self.processes.fetch_add(1, Ordering::Relaxed),
        });
        [Speaker::Runner, Speaker::Engine, Speaker::Stderr].map(|speaker| EngineLog {
            uci_log: self.clone(),
            process: Arc::clone(&process),
            speaker,
            begun: None,
        })
    }
}

impl EngineLog {
    /// Hands in the lines that end with what was said just now. Never waits.
    pub(crate) fn note(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = self.begun.get_or_insert_with(|| SpokenLine {
                at: self.uci_log.epoch.now(),
                time: SystemTime::now(),
                process: Arc::clone(&self.process),
                speaker: self.speaker,
                bytes: Vec::new(),
            });
            line.bytes.extend(piece);
            if piece.ends_with(b"\n") || line.bytes.len() > MAX_LINE_BYTES {
                self.hand_in();
            }
        }
    }

    fn hand_in(&mut self) {
        let Some(line) = self.begun.take() else {
            return;
        };
        let (bytes, weight, log) = (line.bytes.len() as u64, line.weight(), &self.uci_log);
        let waiting = log.waiting.fetch_add(weight, Ordering::Relaxed);
        if waiting + weight > MAX_PENDING_BYTES || log.sender.send(line).is_err() {
            log.waiting.fetch_sub(weight, Ordering::Relaxed);
            log.dropped.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for EngineLog {
    fn drop(&mut self) {
        self.hand_in();
    }
}

/// Writes what waits, until nobody is left who could hand in.
fn write_down(
    receiver: &Receiver<SpokenLine>,
    waiting: &AtomicUsize,
    dropped: &AtomicU64,
    out: &mut dyn SpokenLines,
) {
    let next = |out: &mut dyn SpokenLines| match receiver.try_recv() {
        Err(TryRecvError::Empty) => {
            // What was written goes to the files while nothing waits. An error shows at the next line.
            let _shown = out.flush();
            receiver.recv().ok()
        }
        line => line.ok(),
    };
    let mut failed = false;
    while let Some(line) = next(out) {
        waiting.fetch_sub(line.weight(), Ordering::Relaxed);
        if let Err(error) = out.line(&line)
            && !std::mem::replace(&mut failed, true)
        {
            tracing::warn!(%error, "what engines say cannot be written down");
        }
    }
    let dropped = dropped.load(Ordering::Relaxed);
    if dropped > 0 {
        tracing::warn!(dropped, "bytes of the engines' words were not written down");
        out.lost(&format!(
            "{dropped} bytes of all engines together were not written down: more was said than the disk \
             could take"
        ));
    }
    // Errors were told of when they first came.
    let _told = out.flush();
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
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let shown = engine.chars().take(60);
    shown
        .map(|c| if is_harmless(c) { c } else { '_' })
        .collect()
}

// The files of `--log-engines`, with speakers and time stamps.

/// A file longer than this, in bytes, is renamed to `.old` and replaces the one before it.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// A file for each engine and lane.
#[derive(Debug)]
pub(crate) struct LogFolder {
    folder: PathBuf,
    files: HashMap<Arc<str>, UciLogFile>,
}

#[derive(Debug)]
struct UciLogFile {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
}

impl LogFolder {
    /// Files in `engines` in this folder.
    pub(crate) fn new(log: &Path) -> LogFolder {
        LogFolder {
            folder: log.join(FOLDER),
            files: HashMap::new(),
        }
    }
}

impl SpokenLines for LogFolder {
    fn begin(&mut self) -> io::Result<()> {
        make_folder_untrusted(&self.folder)
    }

    fn line(&mut self, line: &SpokenLine) -> io::Result<()> {
        let file = &line.process.file;
        let log = match self.files.entry(Arc::clone(file)) {
            Entry::Occupied(log) => log.into_mut(),
            Entry::Vacant(place) => place.insert(UciLogFile::open(self.folder.join(&**file))?),
        };
        log.line(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        let all = self.files.values_mut();
        all.for_each(|log| drop(log.out.flush()));
        Ok(())
    }

    fn lost(&mut self, words: &str) {
        let all = self.files.values_mut();
        all.for_each(|log| drop(writeln!(log.out, "# {words}")));
    }
}

impl UciLogFile {
    fn open(path: PathBuf) -> io::Result<UciLogFile> {
        let file = append_untrusted(&path)?;
        Ok(UciLogFile {
            length: file.metadata()?.len(),
            path,
            out: BufWriter::new(file),
        })
    }

    /// `12.345678 < bestmove e2e4`.
    fn line(&mut self, line: &SpokenLine) -> io::Result<()> {
        if self.length > MAX_FILE_BYTES {
            self.out.flush()?;
            rename(&self.path, &self.path.with_extension("uci.old"))?;
            self.out = BufWriter::new(File::create_new(&self.path)?);
            self.length = 0;
        }
        let micros = line.at.0 / 1000;
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        let sign = match line.speaker {
            Speaker::Runner => '>',
            Speaker::Engine => '<',
            Speaker::Stderr => '!',
        };
        let line = format!("{seconds}.{micros:06} {sign} {}\n", line.text());
        self.length += line.len() as u64;
        self.out.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests;
