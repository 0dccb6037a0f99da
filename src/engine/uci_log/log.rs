//! One file of what is said: whole lines, signed, with time stamps.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use crate::clock::Stamp;
use crate::text::printable;

use super::{Speaker, Words};

/// A file longer than this is set aside under `.old`, in the place of the one before it.
const LONGEST: u64 = 64 << 20;

/// A line longer than this is broken.
const LONGEST_LINE: usize = 64 << 10;

/// One file.
pub(super) struct Log {
    path: PathBuf,
    out: BufWriter<File>,
    length: u64,
    /// Lines that are not complete, and when they began.
    begun: HashMap<Speaker, (Stamp, Vec<u8>)>,
}

impl Log {
    pub(crate) fn open(path: PathBuf) -> io::Result<Log> {
        let file = OpenOptions::new().append(true).create(true).open(&path)?;
        Ok(Log {
            length: file.metadata()?.len(),
            path,
            out: BufWriter::new(file),
            begun: HashMap::new(),
        })
    }

    /// What was said; what does not end in a line end yet waits for its end.
    pub(crate) fn add(&mut self, words: &Words) -> io::Result<()> {
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

    /// Hands what was written to the system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Lines that never ended, and how much is missing of all that was said.
    pub(crate) fn end(&mut self, dropped: u64) -> io::Result<()> {
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
