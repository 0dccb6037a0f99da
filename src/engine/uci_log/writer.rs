//! The thread that writes down what waits, and one file of `--log-engines`: whole lines with their speaker and time stamps.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

use super::lines::PartialLines;
use super::{LoggedBytes, LoggedProcess, SpokenLine, SpokenLines, missing};
use crate::platform::files::append_untrusted;
use crate::platform::rename;

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

/// A file longer than this, in bytes, is renamed to `.old` and replaces the one before it.
const MAX_FILE_BYTES: u64 = 64 << 20;

pub(super) struct UciLogFile {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
}

impl UciLogFile {
    pub(crate) fn open(path: PathBuf) -> io::Result<UciLogFile> {
        let file = append_untrusted(&path)?;
        Ok(UciLogFile {
            length: file.metadata()?.len(),
            path,
            out: BufWriter::new(file),
        })
    }

    /// `12.345678 < bestmove e2e4`.
    pub(crate) fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()> {
        if self.length > MAX_FILE_BYTES {
            self.out.flush()?;
            rename(&self.path, &self.path.with_extension("uci.old"))?;
            self.out = BufWriter::new(File::create_new(&self.path)?);
            self.length = 0;
        }
        let micros = line.at.0 / 1000;
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        let (sign, text) = (line.speaker.sign(), &line.text);
        let line = format!("{seconds}.{micros:06} {sign} {text}\n");
        self.length += line.len() as u64;
        self.out.write_all(line.as_bytes())
    }

    /// Hands what was written to the system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// How much is missing of all that was said.
    pub(crate) fn end(&mut self, dropped: u64) -> io::Result<()> {
        if dropped > 0 {
            writeln!(self.out, "# {}", missing(dropped))?;
        }
        self.out.flush()
    }
}
