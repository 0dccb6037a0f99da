//! The files of `--log-engines`, with speakers and time stamps.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Speaker, SpokenLine, SpokenLines};
use crate::platform::files::append_untrusted;
use crate::platform::{make_folder_untrusted, rename};

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
