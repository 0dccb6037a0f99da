//! Checks that the files of the store are still the ones that were opened.
//!
//! SQLite keeps writing to a file that has lost its name, and these data are lost when the last process closes the
//! file. It also does not notice when somebody truncates the file.

use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::platform::files;

/// The file of the event and its write-ahead log, which contains the newest games.
#[derive(Debug)]
pub(super) struct StoreFiles {
    file: FileName,
    log: FileName,
    /// Length of the event's file, which never becomes shorter.
    length: u64,
}

/// The file that a name refers to.
#[derive(Debug)]
struct FileName {
    path: PathBuf,
    /// Device and inode; `None` before the first check.
    known: Option<(u64, u64)>,
}

impl StoreFiles {
    /// The files of a store that has just been opened.
    pub(super) fn of(file: &Path) -> Result<StoreFiles, StoreError> {
        let log = PathBuf::from(format!("{}-wal", file.display()));
        let place = |path| FileName { path, known: None };
        let mut file = place(file.to_owned());
        let length = file.look()?;
        Ok(StoreFiles {
            file,
            log: place(log),
            length,
        })
    }

    /// Called after a transaction, before it is announced.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        self.log.look()?;
        let length = self.file.look()?;
        if length < self.length {
            return Err(self.file.moved());
        }
        self.length = length;
        Ok(())
    }
}

impl FileName {
    /// Its length, if it is still the same file.
    fn look(&mut self) -> Result<u64, StoreError> {
        let metadata = files::known(&self.path).map_err(|_| self.moved())?;
        let found = (metadata.device, metadata.inode);
        if *self.known.get_or_insert(found) != found {
            return Err(self.moved());
        }
        Ok(metadata.length)
    }

    fn moved(&self) -> StoreError {
        let file = self.path.clone();
        StoreError::Moved(file)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_may_grow_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        let [file, log, other] = ["event.db", "event.db-wal", "other"].map(path);
        fs::write(&file, "1234").unwrap();
        let mut files = StoreFiles::of(&file).unwrap();
        assert!(files.check().is_err(), "a transaction without a log");
        fs::write(&log, "12").unwrap();
        fs::write(&file, "123456").unwrap();
        files.check().unwrap();
        fs::write(&log, "").unwrap();
        files.check().unwrap();
        fs::write(&file, "12345").unwrap();
        assert!(files.check().is_err(), "cut short");
        fs::write(&file, "123456").unwrap();
        files.check().unwrap();
        for path in [&log, &file] {
            fs::copy(path, &other).unwrap();
            fs::rename(&other, path).unwrap();
            assert!(files.check().is_err(), "another file of the same content");
            files = StoreFiles::of(&file).unwrap();
            files.check().unwrap();
            fs::rename(path, &other).unwrap();
            assert!(files.check().is_err(), "moved");
            fs::rename(&other, path).unwrap();
        }
    }
}
