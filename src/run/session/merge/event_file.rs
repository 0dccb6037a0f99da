//! The event as the shards have it. Whoever merges need not have its engines.

use std::fs;
use std::path::Path;

use super::parts::ShardStore;
use crate::config::{Tournament, parse_as_recorded};
use crate::run::error::RunError;
use crate::run::merge_error::MergeError;

/// The event of a shard, from the text that its store has or from this file.
pub(super) fn read(part: &ShardStore, event: Option<&Path>) -> Result<Tournament, RunError> {
    let identity = part.identity();
    let unreadable = |words: String| MergeError::EventFile(words);
    let (text, source) = match event {
        Some(path) => {
            let text = fs::read_to_string(path);
            let words = |error| unreadable(format!("{}: {error}", path.display()));
            (text.map_err(words)?, path.to_path_buf())
        }
        None => {
            let value = |key: &str| part.reader.value(key);
            let stored = value("config")?.zip(value("source")?);
            let stored = stored.ok_or_else(|| unreadable("the store does not have it".to_owned()));
            let (text, source) = stored?;
            (text, source.into())
        }
    };
    let seed = Some(identity.organisers_seed());
    let read = parse_as_recorded(&text, &source, seed, identity);
    let tournament = read.map_err(|errors| unreadable(errors.to_string()))?;
    let differences = identity.differences(&tournament.identity_like(identity));
    match differences.is_empty() {
        true => Ok(tournament),
        false => Err(MergeError::OtherEventFile(differences).into()),
    }
}
