//! The thread that writes down what waits: whole lines out of the pieces in which the dialogue arrives; and the files of
//! `--log-engines`, with speakers and time stamps.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, SystemTime};

use super::{LoggedBytes, LoggedProcess, Speaker, SpokenLines, missing};
use crate::clock::Stamp;
use crate::platform::files::append_untrusted;
use crate::platform::{make_folder_untrusted, rename};
use crate::text::printable;

/// What the thread owns, and shares with those who hand in.
pub(super) struct UciLogWriter {
    pub receiver: Receiver<LoggedBytes>,
    pub waiting: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicU64>,
    pub lines: PartialLines,
    pub out: Box<dyn SpokenLines>,
}

impl UciLogWriter {
    /// Until nobody is left who could hand in.
    pub(super) fn run(mut self) {
        let mut failed = false;
        while let Some(words) = self.next() {
            self.waiting.fetch_sub(words.bytes.len(), Ordering::Relaxed);
            if let Err(error) = self.lines.add(&words, &mut *self.out)
                && !std::mem::replace(&mut failed, true)
            {
                tracing::warn!(%error, "what engines say cannot be written down");
            }
        }
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            tracing::warn!(dropped, "bytes of the engines' words were not written down");
        }
        // Errors were told of when they first came.
        let _told = self.lines.end(&mut *self.out);
        let _told = self.out.end(dropped);
    }

    /// The next words; what was written goes to the files while nothing waits.
    fn next(&mut self) -> Option<LoggedBytes> {
        match self.receiver.try_recv() {
            Ok(words) => Some(words),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                // An error shows at the next line.
                let _shown = self.out.flush();
                self.receiver.recv().ok()
            }
        }
    }
}

/// A line longer than this is broken, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct SpokenLine<'a> {
    /// When its first byte was handed in, since the run began.
    pub(crate) at: Stamp,
    /// The same by the time of day.
    pub(crate) time: SystemTime,
    /// The name of its file, if it has one.
    file: &'a Arc<str>,
    /// Where the engine plays: `start` or `lane-1`.
    pub(crate) place: &'a str,
    /// The engine that speaks or is spoken to.
    pub(crate) engine: &'a str,
    /// Its process, from 0 in the order in which they were started.
    pub(crate) process: u64,
    pub(crate) speaker: Speaker,
    /// The words without the line's end, control characters made visible.
    pub(crate) text: String,
}

/// Lines that are not complete: of each engine in each place, by who speaks.
#[derive(Debug)]
pub(super) struct PartialLines {
    /// The time of day of stamp 0.
    begin: SystemTime,
    begun: HashMap<(Arc<str>, Speaker), Begun>,
}

/// A line that is not complete.
#[derive(Debug)]
struct Begun {
    process: Arc<LoggedProcess>,
    at: Stamp,
    bytes: Vec<u8>,
}

impl PartialLines {
    /// Nothing has been said yet; stamps are counted from this time of day.
    pub(super) fn new(begin: SystemTime) -> PartialLines {
        PartialLines {
            begin,
            begun: HashMap::new(),
        }
    }

    /// Takes in what was said and hands on the lines that are complete.
    ///
    /// # Errors
    /// That of `out`; the lines behind it are lost.
    fn add(&mut self, words: &LoggedBytes, out: &mut dyn SpokenLines) -> io::Result<()> {
        let key = (Arc::clone(&words.process.file), words.speaker);
        for piece in words.bytes.split_inclusive(|byte| *byte == b'\n') {
            let fresh = || Begun {
                process: Arc::clone(&words.process),
                at: words.at,
                bytes: Vec::new(),
            };
            let mut line = match self.begun.remove(&key) {
                Some(line) if line.process.number == words.process.number => line,
                // The engine was started again in the middle of a line.
                Some(broken) => {
                    out.line(&self.whole(words.speaker, &broken))?;
                    fresh()
                }
                None => fresh(),
            };
            line.bytes.extend(piece);
            if line.bytes.ends_with(b"\n") || line.bytes.len() > MAX_LINE_BYTES {
                out.line(&self.whole(words.speaker, &line))?;
            } else {
                self.begun.insert(key.clone(), line);
            }
        }
        Ok(())
    }

    /// Hands on the lines that never ended.
    ///
    /// # Errors
    /// As [`PartialLines::add`].
    fn end(&mut self, out: &mut dyn SpokenLines) -> io::Result<()> {
        for ((_, speaker), line) in std::mem::take(&mut self.begun) {
            out.line(&self.whole(speaker, &line))?;
        }
        Ok(())
    }

    fn whole<'a>(&self, speaker: Speaker, line: &'a Begun) -> SpokenLine<'a> {
        let Begun { process, at, bytes } = line;
        let text = String::from_utf8_lossy(bytes);
        SpokenLine {
            at: *at,
            time: self.begin + Duration::from_nanos(at.0),
            file: &process.file,
            place: &process.place,
            engine: &process.engine,
            process: process.number,
            speaker,
            text: printable(text.trim_end_matches(['\r', '\n'])).into_owned(),
        }
    }
}

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
            folder: log.join(super::FOLDER),
            files: HashMap::new(),
        }
    }
}

impl SpokenLines for LogFolder {
    fn begin(&mut self) -> io::Result<()> {
        make_folder_untrusted(&self.folder)
    }

    fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()> {
        let log = match self.files.entry(Arc::clone(line.file)) {
            Entry::Occupied(log) => log.into_mut(),
            Entry::Vacant(place) => place.insert(UciLogFile::open(self.folder.join(&**line.file))?),
        };
        log.line(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.files
            .values_mut()
            .for_each(|log| drop(log.out.flush()));
        Ok(())
    }

    fn end(&mut self, dropped: u64) -> io::Result<()> {
        if dropped > 0 {
            let all = self.files.values_mut();
            all.for_each(|log| drop(writeln!(log.out, "# {}", missing(dropped))));
        }
        self.flush()
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
    fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()> {
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
}
