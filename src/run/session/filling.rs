//! Games from elsewhere into a new store, which gets its place when it is whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Session;
use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::event::{ArbiterAct, PlayedGame, UnixMillis};
use crate::platform::{files, rename};
use crate::run::error::RunError;
use crate::sink::{PGN_FILE, keep_aside};
use crate::store::{EVENT_FILE, Signature, StoreError, StoreNotice, StoredAct, record_decision};
use crate::text::tell;

/// This number of games may be on their way to the disk: more would only fill the memory.
const MAX_UNSTORED_GAMES: u64 = 1024;

/// A new store under a temporary name, while games from elsewhere go into it. Whatever ends that before the
/// store is in its place leaves nothing of it.
pub(super) struct Draft {
    pub(super) session: Session,
    /// Games that the store has not announced yet.
    unstored: u64,
    // The last to be dropped: the store must be closed.
    folder: DraftFolder,
}

struct DraftFolder(PathBuf);

impl Drop for DraftFolder {
    fn drop(&mut self) {
        // What is left of it is removed by the next attempt.
        let _left = fs::remove_dir_all(&self.0);
    }
}

impl Draft {
    /// An empty one in this folder; what a killed attempt has left there is removed.
    pub(super) fn begin(
        folder: PathBuf,
        tournament: Tournament,
        identity: EventIdentity,
    ) -> Result<Draft, RunError> {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::from_io(&folder, &error).into());
            }
            _ => {}
        }
        let folder = DraftFolder(folder);
        Ok(Draft {
            session: Session::open(tournament, identity, &folder.0, false)?,
            unstored: 0,
            folder,
        })
    }

    /// Stores a game, and waits while too many are on their way.
    pub(super) fn take(&mut self, game: PlayedGame) -> Result<(), RunError> {
        self.unstored += 1;
        self.session.store.submit(game);
        self.wait_for_the_disk(MAX_UNSTORED_GAMES)
    }

    /// Writes bids into the arbiter's book: who has which colour follows from them.
    pub(super) fn record(&self, bids: Vec<ArbiterAct>) -> Result<(), StoreError> {
        let signature = Signature {
            decided: UnixMillis::now(),
            author: "rebuild".to_owned(),
            reason: format!("the bid in {PGN_FILE}"),
        };
        for act in bids {
            record_decision(self.session.folder(), &signature, |_| {
                let unpairs = Vec::new();
                Ok::<_, StoreError>(StoredAct { act, unpairs })
            })?;
        }
        Ok(())
    }

    /// Waits until all games that were taken are stored.
    pub(super) fn settle(&mut self) -> Result<(), RunError> {
        self.wait_for_the_disk(0)
    }

    fn wait_for_the_disk(&mut self, most: u64) -> Result<(), RunError> {
        while self.unstored > most {
            match self.session.notices.blocking_recv() {
                Some(StoreNotice::Committed(games) | StoreNotice::Voided(games)) => {
                    self.unstored -= games.len() as u64;
                }
                Some(StoreNotice::Duplicate(games)) => self.unstored -= games.len() as u64,
                Some(StoreNotice::Waiting(words)) => tell(&words),
                Some(StoreNotice::Failed(error)) => return Err(error.into()),
                Some(StoreNotice::Decided) => {}
                None => return Err(io::Error::other("the store has stopped").into()),
            }
        }
        Ok(())
    }

    /// Moves the complete store to its place. A write-ahead log that is left there belongs to the old store
    /// that is gone: next to the new store it would be read as its own, so it is kept under another name.
    pub(super) fn put_in_place(self, folder: &Path) -> Result<(), RunError> {
        // Stops reading.
        drop(self.session.inspection);
        self.session.store.close_into_file()?;
        let failed = |error: io::Error| StoreError::from_io(folder, &error);
        let mut made = fs::read_dir(&self.folder.0).map_err(failed)?;
        let made = made.next().transpose().map_err(failed)?;
        let made = made.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
        let store = made.path().join(EVENT_FILE);
        for log in ["-wal", "-shm"] {
            keep_aside(&folder.join(format!("{EVENT_FILE}{log}"))).map_err(failed)?;
        }
        // For writing: Windows syncs no other.
        let opened = File::options().write(true).open(&store);
        let synced = opened.and_then(|store| store.sync_all());
        let placed = synced.and_then(|()| rename(&store, &folder.join(EVENT_FILE)));
        let placed = placed.and_then(|()| files::sync_folder(folder));
        Ok(placed.map_err(failed)?)
    }
}
