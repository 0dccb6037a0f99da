//! The shards: whether they are whole, at rest, and of one event; and that event.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::{Tournament, parse_as_recorded};
use crate::event::identity::EventIdentity;
use crate::run::error::{RunError, listed};
use crate::schedule::Shard;
use crate::store::{AcceptedIdentity, Reader, SHARD};

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
        let shown = folder.display();
        let reader = Reader::open(folder)?;
        reader.described()?;
        if reader.is_running() {
            return Err(RunError::Refused(format!(
                "{shown} is being played: wait until its run has ended, or stop it (SIGUSR1)"
            )));
        }
        if !reader.decisions().is_empty() {
            return Err(RunError::Refused(format!(
                "the arbiter has decided something in {shown}: decisions are about the whole event, after the merge"
            )));
        }
        let shard = reader.value(SHARD)?.and_then(|text| text.parse().ok());
        Ok(ShardStore {
            shard: shard.ok_or_else(|| {
                RunError::Refused(format!(
                    "{shown} is not the store of a shard: `arbiter960 run EVENT.toml --shard I/N` makes such"
                ))
            })?,
            identities: reader.identities()?,
            folder: folder.to_path_buf(),
            reader,
        })
    }

    /// The identity in force.
    pub(super) fn identity(&self) -> &EventIdentity {
        // A store without one was refused.
        &self.identities[self.identities.len() - 1].identity
    }

    /// The event as the shard has it, from the text that its store has or from this file. Whoever merges need not
    /// have its engines.
    pub(super) fn tournament(&self, event: Option<&Path>) -> Result<Tournament, RunError> {
        let identity = self.identity();
        let unreadable = |words: String| {
            RunError::Refused(format!(
                "the event file as the shards have it cannot be read here: name it, with its book, by --event:\n{words}"
            ))
        };
        let (text, source) = match event {
            Some(path) => {
                let text = fs::read_to_string(path);
                let words = |error| unreadable(format!("{}: {error}", path.display()));
                (text.map_err(words)?, path.to_path_buf())
            }
            None => {
                let value = |key: &str| self.reader.value(key);
                let stored = value("config")?.zip(value("source")?);
                let nothing = || unreadable("the store does not have it".to_owned());
                let (text, source) = stored.ok_or_else(nothing)?;
                (text, source.into())
            }
        };
        let seed = Some(identity.organisers_seed());
        let read = parse_as_recorded(&text, &source, seed, identity);
        let tournament = read.map_err(|errors| unreadable(errors.to_string()))?;
        let differences = identity.differences(&tournament.identity_like(identity));
        if differences.is_empty() {
            Ok(tournament)
        } else {
            let differences = listed(&differences);
            let words = format!("the event file is not that of the shards:{differences}");
            Err(RunError::Refused(words))
        }
    }

    fn difference(&self, other: &ShardStore) -> Option<String> {
        if self.shard.count() != other.shard.count() {
            let (one, other) = (self.shard, other.shard);
            let words = "shards of one event have the same N";
            return Some(format!("they are {one} and {other}: {words}"));
        }
        let [mine, theirs] = [self, other].map(|part| part.identities.len());
        if mine != theirs {
            return Some(format!(
                "they have {mine} and {theirs} revisions of it: run the one with fewer once more with the event file \
                 of the other and --accept-changes"
            ));
        }
        let mut revisions = self.identities.iter().zip(&other.identities);
        revisions.find_map(|(mine, theirs)| {
            let differences = mine.identity.differences(&theirs.identity);
            (!differences.is_empty()).then(|| listed(&differences))
        })
    }
}

/// Opens all of them; there is one at least.
pub(super) fn open(folders: &[PathBuf]) -> Result<Vec<ShardStore>, RunError> {
    let parts = folders.iter().map(|folder| ShardStore::open(folder));
    let parts: Vec<ShardStore> = parts.collect::<Result<_, _>>()?;
    for part in &parts[1..] {
        if let Some(what) = parts[0].difference(part) {
            let [first, second] = [&parts[0], part].map(|part| part.folder.display());
            let words = format!("{first} and {second} are not of one event: {what}");
            return Err(RunError::Refused(words));
        }
    }
    Ok(parts)
}
