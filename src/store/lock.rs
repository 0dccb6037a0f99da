//! The kernel's lock on an event: it ends with the process, however that ends.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::{InFile, StoreError};
use super::open::EVENT_FILE;
use crate::platform::files::{lockable_folder, open_own, open_untrusted};
use crate::platform::locks::{self, are_strangers};
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
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(StoreError::from_io(&path, &error)),
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
    let read = file.read_to_string(&mut text);
    StoreError::Locked {
        folder: folder.to_path_buf(),
        process: read
            .ok()
            .and_then(|_| text.lines().next()?.parse().ok())
            .or_else(|| locks::flock_owner(folder)),
    }
}

/// The key of the marks of the engines of the event in this folder, which is locked; a new one if it cannot be read.
pub(crate) fn key_of(folder: &Path) -> MarkKey {
    let text = read_text_untrusted(&folder.join(LOCK_FILE));
    text.ok()
        .and_then(|text| key_in(&text))
        .unwrap_or_else(MarkKey::new)
}

fn key_in(text: &str) -> Option<MarkKey> {
    MarkKey::parse(text.lines().nth(1)?)
}

fn leave_word(file: &mut File) -> std::io::Result<()> {
    let mut text = String::new();
    // What is no text has no key.
    let _foreign = file.read_to_string(&mut text);
    let key = key_in(&text).unwrap_or_else(MarkKey::new);
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}\n{key}", std::process::id())
}

#[cfg(test)]
mod tests {
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
        std::fs::remove_file(folder.path().join(LOCK_FILE)).unwrap();
        assert!(is_held(folder.path()));
        let second = EventLock::acquire(folder.path()).unwrap_err();
        let expected = StoreError::Locked {
            folder: folder.path().to_path_buf(),
            process: has(Capability::LockHolders).then(std::process::id),
        };
        assert_eq!(second, expected);
    }
}
