//! One file of the dialogue, as `--log-engines` writes it: whole lines with their speaker and time stamps.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::{SpokenLine, missing};
use crate::platform::files::append_untrusted;
use crate::platform::rename;

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
