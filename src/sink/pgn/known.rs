//! The beginning of `games.pgn` that is known to agree with the store.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use twox_hash::XxHash3_64;

use super::texts::hash_of_tags;
use crate::platform::files::open_of_strangers;
use crate::sink::SinkError;
use crate::store::{PgnPart, PgnParts, Reader};

/// Number of games written before the store records that they are in the file.
const A_PART: u64 = 1024;

/// How far the file agrees with the store, and the hash of the text added since the store last recorded it.
pub(super) struct Known {
    /// The last game of the file, by its place in the order of finishing.
    pub(super) games: u64,
    /// Bytes of the file.
    pub(super) length: u64,
    /// The same for the last part recorded in the store.
    told: u64,
    hash: XxHash3_64,
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
            told: 0,
            hash: XxHash3_64::default(),
            tags: hash_of_tags(reader, revision)?,
            revision,
            parts,
        })
    }

    /// Forgets everything after this part.
    pub(super) fn after(self, part: Option<&PgnPart>) -> Known {
        let (games, length) = part.map_or((0, 0), |part| (part.games, part.length));
        Known {
            games,
            length,
            told: games,
            hash: XxHash3_64::default(),
            ..self
        }
    }

    /// The file is written again from its beginning.
    pub(super) fn forget(&mut self) {
        if let Some(parts) = &self.parts {
            parts.forget();
        }
        (self.games, self.length, self.told) = (0, 0, 0);
        self.hash = XxHash3_64::default();
    }

    /// The file has the text of the next game too.
    pub(super) fn add(&mut self, text: &[u8]) {
        self.hash.write(text);
        self.games += 1;
        self.length += text.len() as u64;
    }

    /// Whether it is time to [record](Self::tell) the part in the store.
    pub(super) fn is_due(&self) -> bool {
        self.games >= self.told + A_PART
    }

    /// Records the part in the store, once the file is durable.
    pub(super) fn tell(&mut self, file: &File) -> io::Result<()> {
        let Some(parts) = self.parts.as_ref().filter(|_| self.games > self.told) else {
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
        self.told = self.games;
        self.hash = XxHash3_64::default();
        Ok(())
    }
}

/// The recorded parts that fit in a file of this length, if they were made of this file; parts after a change of the
/// tags are left out.
pub(super) fn parts_within(reader: &Reader, length: u64) -> Result<Vec<PgnPart>, SinkError> {
    let last = reader.last_place()?;
    let mut parts = Vec::new();
    let mut tags = None;
    for part in reader.pgn_parts()? {
        let (_, hash) = match tags {
            Some(known @ (revision, _)) if revision == part.revision => known,
            _ => *tags.insert((part.revision, hash_of_tags(reader, part.revision)?)),
        };
        if part.tags != hash || part.length > length || part.games > last {
            break;
        }
        parts.push(part);
    }
    Ok(parts)
}

/// Whether the bytes of the last of these parts still have the hash that was recorded.
pub(super) fn last_is_whole(path: &Path, parts: &[PgnPart]) -> bool {
    match parts {
        [] => true,
        [part] => is_whole(path, 0, part),
        [.., before, part] => is_whole(path, before.length, part),
    }
}

/// Whether the bytes of all parts still have their hashes.
pub(super) fn are_whole(path: &Path, parts: &[PgnPart]) -> bool {
    let begins = std::iter::once(0).chain(parts.iter().map(|part| part.length));
    begins
        .zip(parts)
        .all(|(begin, part)| is_whole(path, begin, part))
}

fn is_whole(path: &Path, begin: u64, part: &PgnPart) -> bool {
    let hash = || -> io::Result<u64> {
        let mut file = open_of_strangers(path)?;
        file.seek(SeekFrom::Start(begin))?;
        let mut rest = file.take(part.length.saturating_sub(begin));
        let mut hash = XxHash3_64::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match rest.read(&mut buffer)? {
                0 => return Ok(hash.finish()),
                read => hash.write(&buffer[..read]),
            }
        }
    };
    hash().is_ok_and(|hash| hash == part.hash)
}
