//! The kernel's lock on an event: it dies with the process, however it dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::StoreError;

/// The file that is locked; it is never removed, so that two runners can never
/// hold locks on two files of one name.
pub const LOCK_FILE: &str = "event.lock";

/// How long a lock may be held by a runner that is gone.
const PATIENCE: Duration = Duration::from_millis(500);

/// An exclusive `flock` on the event's lock file, held as long as this lives.
/// The standard library opens files close-on-exec, so no engine inherits it.
#[derive(Debug)]
pub(crate) struct EventLock {
    _file: File,
}

impl EventLock {
    /// Locks the event in this folder, which must exist.
    pub(crate) fn acquire(folder: &Path) -> Result<EventLock, StoreError> {
        let path = folder.join(LOCK_FILE);
        let failed = |error: &std::io::Error| StoreError::from_io(&path, error);
        let mut file = open(&path).map_err(|error| failed(&error))?;
        match try_for_a_while(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        leave_process_number(&mut file).map_err(|error| failed(&error))?;
        Ok(EventLock { _file: file })
    }
}

/// A runner that was killed while it started an engine leaves its lock, for an instant,
/// to that half-born process: refused at once, whoever starts it again would have to
/// try twice.
fn try_for_a_while(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 20);
            }
            decided => return decided,
        }
    }
}

/// Whether a runner holds the lock of this event now. Read from the kernel's
/// list of locks, because trying to lock could make a starting runner fail.
pub(crate) fn is_held(folder: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(folder.join(LOCK_FILE)) else {
        return false;
    };
    std::fs::read_to_string("/proc/locks").is_ok_and(|locks| lists(&locks, inode(&metadata)))
}

fn inode(metadata: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ino()
}

/// `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`. The device is
/// not compared: some file systems show another one there than in `stat`.
fn lists(locks: &str, inode: u64) -> bool {
    locks.lines().any(|line| {
        let mut words = line.split_whitespace().skip(1);
        let kind = words.next();
        let file = words.nth(3).and_then(|id| id.rsplit(':').next());
        kind == Some("FLOCK") && file.and_then(|text| text.parse().ok()) == Some(inode)
    })
}

fn open(path: &PathBuf) -> std::io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn locked(folder: &Path, file: &mut File) -> StoreError {
    let mut text = String::new();
    // The number only makes the message better: unreadable is the same as absent.
    let read = file.read_to_string(&mut text);
    StoreError::Locked {
        folder: folder.to_path_buf(),
        process: read.ok().and_then(|_| text.trim().parse().ok()),
    }
}

fn leave_process_number(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        drop(first);
        assert!(!is_held(folder.path()));
        EventLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn the_list_of_locks_is_searched_by_inode() {
        let locks = "1: POSIX  ADVISORY  WRITE 7 fe:00:99 0 EOF\n2: FLOCK  ADVISORY  WRITE 8 fe:00:77 0 EOF\n";
        assert!(lists(locks, 77));
        assert!(!lists(locks, 99));
    }
}
