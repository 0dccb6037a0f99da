//! Games from elsewhere into a new store, which gets its place when it is whole.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::Session;
use crate::platform::files;
use crate::run::error::RunError;
use crate::sink::keep_aside;
use crate::store::{EVENT_FILE, StoreError, StoreNotice};
use crate::text::tell;

/// This number of games may be on their way to the disk: more would only fill the memory.
pub(super) const UNDER_WAY: u64 = 1024;

impl Session {
    /// Waits until no more games than this are on their way to the disk; `under_way` are those that
    /// the store has not announced yet.
    pub(super) fn wait_for_the_disk(
        &mut self,
        under_way: &mut u64,
        most: u64,
    ) -> Result<(), RunError> {
        while *under_way > most {
            match self.notices.blocking_recv() {
                Some(StoreNotice::Committed(games) | StoreNotice::Voided(games)) => {
                    *under_way -= games.len() as u64;
                }
                Some(StoreNotice::Duplicate(games)) => *under_way -= games.len() as u64,
                Some(StoreNotice::Waiting(words)) => tell(&words),
                Some(StoreNotice::Failed(error)) => return Err(error.into()),
                Some(StoreNotice::Decided) => {}
                None => return Err(io::Error::other("the store has stopped").into()),
            }
        }
        Ok(())
    }
}

/// Moves the store that is whole to its place. A write-ahead log that is left there belongs to the one
/// that is gone: beside a new one it would be taken for its own, so it is kept under another name.
pub(super) fn put_in_place(draft: &Path, folder: &Path) -> Result<(), RunError> {
    let failed = |error: io::Error| StoreError::from_io(folder, &error);
    let mut made = fs::read_dir(draft).map_err(failed)?;
    let made = made.next().transpose().map_err(failed)?;
    let made = made.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
    let store = made.path().join(EVENT_FILE);
    for log in ["-wal", "-shm"] {
        keep_aside(&folder.join(format!("{EVENT_FILE}{log}"))).map_err(failed)?;
    }
    // For writing: Windows syncs no other.
    File::options()
        .write(true)
        .open(&store)
        .and_then(|store| store.sync_all())
        .and_then(|()| files::replace(&store, &folder.join(EVENT_FILE)))
        .and_then(|()| files::sync_folder(folder))
        .map_err(failed)?;
    Ok(())
}

/// Removes a draft, and does not mind that there is none.
pub(super) fn clear(draft: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::from_io(draft, &error))
        }
        _ => Ok(()),
    }
}
