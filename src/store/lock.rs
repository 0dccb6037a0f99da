//! Whose store it is: the kernel's lock on an event, which ends with the process, however that ends; on which kind of file
//! system it lies, and whether its files are still the ones that were opened.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::EVENT_FILE;
use super::error::{InFile, StoreError};
use crate::platform::files::{self, lockable_folder, open_own, open_untrusted};
use crate::platform::locks::{self, are_strangers};
use crate::platform::machine;
use crate::platform::marks::MarkKey;
use crate::platform::read_text_untrusted;

/// The file that is locked, and that contains the runner's process number and the key of the marks of its engines. It is
/// never removed; if somebody removes it, the lock on the folder itself still keeps a second runner out.
pub(crate) const LOCK_FILE: &str = "event.lock";

/// Maximum time that a lock may still be held by a runner that is gone.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// Exclusive `flock`s on the event's lock file and on its folder, held as long as this lives. Unlike a file, the folder
/// cannot be replaced without moving the event itself. (The store's own file is
/// not locked: closing it again would release SQLite's locks on it.) The standard library opens files close-on-exec, so
/// no engine inherits them.
#[derive(Debug)]
pub(crate) struct EventLock {
    _file: File,
    /// `None` if the file system cannot lock folders.
    _folder: Option<File>,
}

impl EventLock {
    /// Locks the event in this folder, which must exist.
    pub(crate) fn acquire(folder: &Path) -> Result<EventLock, StoreError> {
        let path = folder.join(LOCK_FILE);
        let mut file = open_own(&path).at(&path)?;
        match try_for_a_while(&file) {
            Err(TryLockError::WouldBlock) => return Err(locked(folder, &mut file)),
            tried => tried.map_err(io::Error::from).at(&path)?,
        }
        let inner = lockable_folder(folder).at(folder)?;
        let inner = match inner.as_ref().map(try_for_a_while) {
            Some(Ok(())) => inner,
            // Whoever may read a folder can lock it.
            Some(Err(TryLockError::WouldBlock)) if are_strangers(folder, folder) => None,
            Some(Err(TryLockError::WouldBlock)) => return Err(locked(folder, &mut file)),
            Some(Err(TryLockError::Error(_))) | None => None,
        };
        leave_word(&mut file).at(&path)?;
        Ok(EventLock {
            _file: file,
            _folder: inner,
        })
    }

    /// The right to write the files of an event that is not being played; `None` if a runner plays it.
    ///
    /// # Errors
    /// The folder contains no event, or an error of the disk.
    pub(crate) fn unless_played(folder: &Path) -> Result<Option<EventLock>, StoreError> {
        if !folder.join(EVENT_FILE).exists() {
            return Err(StoreError::Missing(folder.to_path_buf()));
        }
        match EventLock::acquire(folder) {
            Ok(lock) => Ok(Some(lock)),
            Err(StoreError::Locked { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Tries for a while, because a runner that was killed while it started an engine leaves its lock, for an instant, to
/// the unfinished new process: with an immediate refusal, a user would have to start the runner twice.
fn try_for_a_while(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                std::thread::sleep(LOCK_TIMEOUT / 20);
            }
            decided => return decided,
        }
    }
}

/// Whether a runner holds the lock of this event now. Read from the kernel's list of locks, if there is one. Otherwise
/// the lock is taken for an instant; a runner that starts just then waits for it.
pub(crate) fn is_held(folder: &Path) -> bool {
    let file = folder.join(LOCK_FILE);
    if locks::are_known() {
        return locks::flock_owner(folder).is_some() || locks::flock_owner(&file).is_some();
    }
    let is_locked = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let folder = lockable_folder(folder).ok().flatten();
    folder.is_some_and(is_locked) || open_untrusted(&file).is_ok_and(is_locked)
}

fn locked(folder: &Path, file: &mut File) -> StoreError {
    let mut text = String::new();
    // The number only improves the message: if it cannot be read, it is left out.
    let read = file.read_to_string(&mut text).ok();
    let process = read.and_then(|_| text.lines().next()?.parse().ok());
    StoreError::Locked {
        folder: folder.to_path_buf(),
        process: process.or_else(|| locks::flock_owner(folder)),
    }
}

/// The key of the marks of the engines of the event in this folder, which is locked; a new one if it cannot be read.
pub(crate) fn key_of(folder: &Path) -> MarkKey {
    let text = read_text_untrusted(&folder.join(LOCK_FILE)).ok();
    let key = text.and_then(|text| key_in(&text));
    key.unwrap_or_else(MarkKey::new)
}

fn key_in(text: &str) -> Option<MarkKey> {
    MarkKey::parse(text.lines().nth(1)?)
}

fn leave_word(file: &mut File) -> io::Result<()> {
    let mut text = String::new();
    // What is no text has no key.
    let _foreign = file.read_to_string(&mut text);
    let key = key_in(&text).unwrap_or_else(MarkKey::new);
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}\n{key}", std::process::id())
}

// SQLite keeps writing to a file that has lost its name, and these data are lost when the last process closes the
// file. It also does not notice when somebody truncates the file.

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
        StoreError::Moved(self.path.clone())
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
    use crate::platform::capabilities::{Capability, has};

    #[test]
    fn a_second_runner_is_told_who_holds_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let first = EventLock::acquire(folder.path()).unwrap();
        assert!(is_held(folder.path()));
        let second = EventLock::acquire(folder.path()).unwrap_err();
        let expected = StoreError::Locked {
            folder: folder.path().to_path_buf(),
            process: Some(std::process::id()),
        };
        assert_eq!(second, expected);
        let key = key_of(folder.path());
        drop(first);
        assert!(!is_held(folder.path()));
        let _again = EventLock::acquire(folder.path()).unwrap();
        assert_eq!(key_of(folder.path()), key);
    }

    #[test]
    fn a_deleted_lock_file_lets_no_second_runner_in() {
        let folder = tempfile::tempdir().unwrap();
        let _first = EventLock::acquire(folder.path()).unwrap();
        fs::remove_file(folder.path().join(LOCK_FILE)).unwrap();
        assert!(is_held(folder.path()));
        let second = EventLock::acquire(folder.path()).unwrap_err();
        let expected = StoreError::Locked {
            folder: folder.path().to_path_buf(),
            process: has(Capability::LockHolders).then(std::process::id),
        };
        assert_eq!(second, expected);
    }
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
