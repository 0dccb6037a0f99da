//! The shards: whether they are whole, at rest, and of one event.

use std::path::{Path, PathBuf};

use crate::event::UnixMillis;
use crate::event::identity::EventIdentity;
use crate::run::error::RunError;
use crate::run::merge_error::MergeError;
use crate::schedule::Shard;
use crate::store::{AcceptedIdentity, Reader, SHARD, StoreError};

/// The store of one shard.
#[derive(Debug)]
pub(super) struct ShardStore {
    pub(super) folder: PathBuf,
    pub(super) reader: Reader,
    pub(super) shard: Shard,
    /// The first first; there is one at least.
    pub(super) identities: Vec<AcceptedIdentity>,
}

impl ShardStore {
    fn open(folder: &Path) -> Result<ShardStore, RunError> {
        let own = || folder.to_path_buf();
        let reader = Reader::open(folder)?;
        reader.described()?;
        if reader.is_running() {
            return Err(MergeError::Running(own()).into());
        }
        if !reader.decisions().is_empty() {
            return Err(MergeError::Decided(own()).into());
        }
        let shard = reader.value(SHARD)?.and_then(|text| text.parse().ok());
        Ok(ShardStore {
            shard: shard.ok_or_else(|| MergeError::NoShard(own()))?,
            identities: reader.identities()?,
            folder: own(),
            reader,
        })
    }

    /// The identity in force.
    pub(super) fn identity(&self) -> &EventIdentity {
        // A store without one was refused.
        &self.identities[self.identities.len() - 1].identity
    }

    /// When it was begun.
    pub(super) fn created(&self) -> Result<UnixMillis, StoreError> {
        let stored = self.reader.value("created")?;
        let stored = stored.and_then(|text| text.parse().ok()).map(UnixMillis);
        Ok(stored.unwrap_or(self.identities[0].accepted))
    }

    /// Refuses another that is not of the same event.
    fn check(&self, other: &ShardStore) -> Result<(), MergeError> {
        let (first, second) = (self.folder.clone(), other.folder.clone());
        if self.shard.count() != other.shard.count() {
            return Err(MergeError::OtherDivision {
                first_folder: first,
                first: self.shard.to_string(),
                second_folder: second,
                second: other.shard.to_string(),
            });
        }
        if self.identities.len() != other.identities.len() {
            return Err(MergeError::OtherRevision {
                first,
                first_revisions: self.identities.len(),
                second,
                second_revisions: other.identities.len(),
            });
        }
        for (mine, theirs) in self.identities.iter().zip(&other.identities) {
            let differences = mine.identity.differences(&theirs.identity);
            if !differences.is_empty() {
                return Err(MergeError::OtherEvent {
                    first,
                    second,
                    differences,
                });
            }
        }
        Ok(())
    }
}

/// Opens all of them; there is one at least.
pub(super) fn open(folders: &[PathBuf]) -> Result<Vec<ShardStore>, RunError> {
    let parts: Vec<ShardStore> = folders
        .iter()
        .map(|folder| ShardStore::open(folder))
        .collect::<Result<_, _>>()?;
    for part in &parts[1..] {
        parts[0].check(part)?;
    }
    Ok(parts)
}
