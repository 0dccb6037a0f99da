//! The beginning of `games.pgn` that is known to agree with the store.

use std::fs::{self, File};
use std::hash::Hasher as _;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_64;

use super::texts::hash_of_tags;
use crate::platform::files::open_of_strangers;
use crate::sink::SinkError;
use crate::store::{PgnPart, PgnParts, Reader};

/// Number of games written before the store records that they are in the file.
const GAMES_BETWEEN_RECORDS: u64 = 1024;

/// How far the file agrees with the store, and the hash of these bytes.
pub(super) struct Known {
    /// The last game of the file, by its place in the order of finishing.
    pub(super) games: u64,
    /// Bytes of the file.
    pub(super) length: u64,
    hash: XxHash3_64,
    /// The games that the store has recorded.
    recorded: u64,
    tags: u64,
    revision: u32,
    parts: Option<PgnParts>,
}

impl Known {
    /// Nothing is known of the file.
    pub(super) fn nothing(reader: &Reader, parts: Option<PgnParts>) -> Result<Known, SinkError> {
        let revision = reader.revision()?;
        Ok(Known {
            games: 0,
            length: 0,
            hash: XxHash3_64::default(),
            recorded: 0,
            tags: hash_of_tags(reader, revision)?,
            revision,
            parts,
        })
    }

    /// What the store has recorded of the file, if the file still begins with these bytes.
    pub(super) fn recorded(
        reader: &Reader,
        path: &Path,
        parts: Option<PgnParts>,
    ) -> Result<Known, SinkError> {
        let nothing = Known::nothing(reader, parts)?;
        let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let Some(part) = reader.pgn_parts()?.pop() else {
            return Ok(nothing);
        };
        let fits = part.length <= length && part.games <= reader.last_place()?;
        if !fits || part.tags != hash_of_tags(reader, part.revision)? {
            return Ok(nothing);
        }
        Ok(match hash_of_beginning(path, part.length) {
            Ok(hash) if hash.finish() == part.hash => Known {
                games: part.games,
                length: part.length,
                hash,
                recorded: part.games,
                ..nothing
            },
            _ => nothing,
        })
    }

    /// The file is written again from its beginning.
    pub(super) fn forget(&mut self) {
        if let Some(parts) = &self.parts {
            parts.forget();
        }
        (self.games, self.length, self.recorded) = (0, 0, 0);
        self.hash = XxHash3_64::default();
    }

    /// The file has the text of the next game too.
    pub(super) fn add(&mut self, text: &[u8]) {
        self.hash.write(text);
        self.games += 1;
        self.length += text.len() as u64;
    }

    /// Whether it is time to [record](Self::record) the games in the store.
    pub(super) fn is_due(&self) -> bool {
        self.games >= self.recorded + GAMES_BETWEEN_RECORDS
    }

    /// Records the games in the store, once the file is durable.
    pub(super) fn record(&mut self, file: &File) -> io::Result<()> {
        let Some(parts) = self.parts.as_ref().filter(|_| self.games > self.recorded) else {
            return Ok(());
        };
        file.sync_data()?;
        parts.add(PgnPart {
            games: self.games,
            length: self.length,
            hash: self.hash.finish(),
            tags: self.tags,
            revision: self.revision,
        });
        self.recorded = self.games;
        Ok(())
    }
}

fn hash_of_beginning(path: &Path, length: u64) -> io::Result<XxHash3_64> {
    let mut beginning = open_of_strangers(path)?.take(length);
    let mut hash = XxHash3_64::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match beginning.read(&mut buffer)? {
            0 => return Ok(hash),
            read => hash.write(&buffer[..read]),
        }
    }
}
