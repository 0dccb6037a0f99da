//! Where the store lies: on which kind of file system, and whether its files are still the ones that were opened.
//!
//! SQLite keeps writing to a file that has lost its name, and these data are lost when the last process closes the
//! file. It also does not notice when somebody truncates the file.

use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::platform::{files, machine};

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
    pub(super) fn beside(file: &Path) -> Result<StoreFiles, StoreError> {
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

/// Numbers of network file systems (`statfs(2)`, `linux/magic.h`), and their names.
const NETWORKS: [(i64, &str); 13] = [
    (0x6969, "NFS"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x517b, "SMB"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x564c, "NCP"),
    (0x00c3_6400, "Ceph"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x0102_1997, "9P"),
    (0x6573_5546, "FUSE, as sshfs"),
];

/// The name of the network file system that contains this folder; `None` for a local one, or if the system does not
/// report it.
pub(crate) fn network_file_system(folder: &Path) -> Option<&'static str> {
    let kind = machine::file_system(folder)?;
    // Some systems extend the sign of the highest of 32 bits.
    let number = kind & 0xffff_ffff;
    let known = NETWORKS.iter().find(|(known, _)| *known == number);
    known.map(|(_, name)| *name)
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
        let mut files = StoreFiles::beside(&file).unwrap();
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
            files = StoreFiles::beside(&file).unwrap();
            files.check().unwrap();
            fs::rename(path, &other).unwrap();
            assert!(files.check().is_err(), "moved");
            fs::rename(&other, path).unwrap();
        }
    }

    #[test]
    fn the_folder_of_a_test_is_on_no_network_that_is_not_named() {
        // FUSE and 9P may hold the files of a container.
        let found = network_file_system(&std::env::temp_dir());
        assert!(
            matches!(found, None | Some("FUSE, as sshfs" | "9P")),
            "{found:?}"
        );
        assert_eq!(network_file_system(Path::new("/no/such/folder")), None);
    }
}
