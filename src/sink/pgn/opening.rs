//! Makes the file of an earlier run agree with the store, and loses nothing that only the file had.

use std::fs::{self, File};
use std::hash::Hasher as _;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::pgn::Comments;
use crate::platform::files::{append_untrusted, open_untrusted, sync_folder};
use crate::platform::rename;
use crate::sink::{InSinkFile, SinkError};
use crate::store::{EventNotes, Reader, free_name};

use super::texts::hash_of_tags;
use super::{PgnContext, Replacement, texts};

// The beginning of `games.pgn` that is known to agree with the store.

/// Number of games written before the store records that they are in the file.
const GAMES_BETWEEN_RECORDS: u64 = 1024;

/// The key of the table `event` with the part of the file that is known to agree with the store: so that resume need not
/// read a million games again.
const KNOWN_PART: &str = "games_pgn";

/// Up to this length the file consists of the games of the store up to one of them.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct KnownPart {
    /// The last of these games, by its place in the order of finishing.
    pub(super) games: u64,
    /// Bytes of the file.
    pub(super) length: u64,
    /// XXH3 (64 bits) of these bytes.
    hash: u64,
    /// A hash of everything in addition to the games that the text depends on.
    tags: u64,
    /// The latest revision of the identity.
    revision: u32,
}

/// How far the file agrees with the store.
pub(super) struct VerifiedPrefix {
    /// Its own hash is that of what was recorded last.
    pub(super) part: KnownPart,
    /// The hash of all of its bytes.
    hash: XxHash3_64,
    /// The games that the store has recorded.
    recorded: u64,
    /// Where it is recorded, if anywhere.
    notes: Option<EventNotes>,
}

impl VerifiedPrefix {
    /// Nothing is known of the file.
    pub(super) fn nothing(
        reader: &Reader,
        notes: Option<EventNotes>,
    ) -> Result<VerifiedPrefix, SinkError> {
        let revision = reader.revision()?;
        Ok(VerifiedPrefix {
            part: KnownPart {
                tags: hash_of_tags(reader, revision)?,
                revision,
                ..KnownPart::default()
            },
            hash: XxHash3_64::default(),
            recorded: 0,
            notes,
        })
    }

    /// What the store has recorded of the file, if the file still begins with these bytes.
    pub(super) fn recorded(
        reader: &Reader,
        path: &Path,
        notes: Option<EventNotes>,
    ) -> Result<VerifiedPrefix, SinkError> {
        let nothing = VerifiedPrefix::nothing(reader, notes)?;
        let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let Some(part) = reader.json_value::<KnownPart>(KNOWN_PART)? else {
            return Ok(nothing);
        };
        let fits = part.length <= length && part.games <= reader.last_place()?;
        if !fits || part.tags != hash_of_tags(reader, part.revision)? {
            return Ok(nothing);
        }
        Ok(match hash_of_beginning(path, part.length) {
            Ok(hash) if hash.finish() == part.hash => VerifiedPrefix {
                recorded: part.games,
                part: KnownPart {
                    games: part.games,
                    length: part.length,
                    ..nothing.part
                },
                hash,
                notes: nothing.notes,
            },
            _ => nothing,
        })
    }

    /// The file is written again from its beginning.
    pub(super) fn forget(&mut self) {
        if let Some(notes) = &self.notes {
            notes.set(KNOWN_PART, String::new());
        }
        (self.part.games, self.part.length, self.recorded) = (0, 0, 0);
        self.hash = XxHash3_64::default();
    }

    /// The file has the text of the next game too.
    pub(super) fn add(&mut self, text: &[u8]) {
        self.hash.write(text);
        self.part.games += 1;
        self.part.length += text.len() as u64;
    }

    /// Whether it is time to [record](Self::record) the games in the store.
    pub(super) fn is_due(&self) -> bool {
        self.part.games >= self.recorded + GAMES_BETWEEN_RECORDS
    }

    /// Records the games in the store, once the file is durable.
    pub(super) fn record(&mut self, file: &File) -> io::Result<()> {
        let is_more = self.part.games > self.recorded;
        let Some(notes) = self.notes.as_ref().filter(|_| is_more) else {
            return Ok(());
        };
        file.sync_data()?;
        self.part.hash = self.hash.finish();
        notes.set(KNOWN_PART, serde_json::json!(self.part).to_string());
        self.recorded = self.part.games;
        Ok(())
    }
}

fn hash_of_beginning(path: &Path, length: u64) -> io::Result<XxHash3_64> {
    let mut beginning = open_untrusted(path)?.take(length);
    let mut hash = XxHash3_64::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match beginning.read(&mut buffer)? {
            0 => return Ok(hash),
            read => hash.write(&buffer[..read]),
        }
    }
}

/// A file of games, and the store that it repeats.
#[derive(Clone, Copy)]
pub(super) struct GamesFile<'a> {
    reader: &'a Reader,
    path: &'a Path,
    context: &'a PgnContext,
}

impl<'a> GamesFile<'a> {
    pub(super) fn new(
        reader: &'a Reader,
        path: &'a Path,
        context: &'a PgnContext,
    ) -> GamesFile<'a> {
        GamesFile {
            reader,
            path,
            context,
        }
    }

    /// Makes the file agree with the store; returns what is known of it then, and the path to which an earlier file was
    /// moved, if it had anything that the store does not have.
    pub(super) fn open(self) -> Result<(VerifiedPrefix, Option<PathBuf>), SinkError> {
        let mut known =
            VerifiedPrefix::recorded(self.reader, self.path, self.context.notes.clone())?;
        let mut kept = None;
        let [is_equal, is_other] = self.compare(&mut known)?;
        if is_other {
            (self.context.before_rewriting)()?;
            kept = keep_aside(self.path).at(self.path)?;
            self.write_anew(&mut known, None)?;
        } else if !is_equal {
            self.complete(&mut known)?;
        }
        Ok((known, kept))
    }

    /// Compares what follows the known beginning, which grows by what is found to be equal; whether the file is the store's
    /// text, and whether it has anything but a beginning of it.
    fn compare(self, known: &mut VerifiedPrefix) -> Result<[bool; 2], SinkError> {
        let Ok(mut file) = open_untrusted(self.path) else {
            return Ok([false; 2]);
        };
        if file.seek(SeekFrom::Start(known.part.length)).is_err() {
            return Ok([false; 2]);
        }
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut found = Vec::new();
        let (mut is_equal, mut is_other) = (true, false);
        let usual = Comments::default();
        texts::for_each(self.reader, known.part.games, usual, |_, _, text| {
            found.clear();
            let mut part = file.by_ref().take(text.len() as u64);
            // A folder with this name, for example, cannot be read: writing will report the error.
            let is_read = part.read_to_end(&mut found).is_ok();
            is_equal = is_read && found == text;
            is_other = is_read && !text.starts_with(&found);
            if is_equal {
                known.add(text);
            }
            Ok(is_equal)
        })?;
        let goes_on = is_equal && file.read(&mut [0]).is_ok_and(|more| more > 0);
        Ok([is_equal && !goes_on, is_other || goes_on])
    }

    /// Cuts off a torn game at the end, and appends what is missing.
    fn complete(self, known: &mut VerifiedPrefix) -> Result<(), SinkError> {
        let file = append_untrusted(self.path).at(self.path)?;
        file.set_len(known.part.length).at(self.path)?;
        self.append(&file, known, None)?;
        file.sync_all().at(self.path)?;
        if let Some(folder) = self.path.parent() {
            sync_folder(folder).at(self.path)?;
        }
        Ok(())
    }

    /// Writes the whole file from the store, up to this place in the order of finishing or all; the old one stays
    /// until the new one is whole.
    pub(super) fn write_anew(
        self,
        known: &mut VerifiedPrefix,
        last: Option<u64>,
    ) -> Result<(), SinkError> {
        known.forget();
        let next = Replacement::begin(self.path).at(self.path)?;
        self.append(&next.file, known, last)?;
        next.commit().at(self.path)
    }

    /// Appends the games that are not known to be in the file: up to this place in the order of finishing, or all.
    fn append(
        self,
        file: &File,
        known: &mut VerifiedPrefix,
        last: Option<u64>,
    ) -> Result<(), SinkError> {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let usual = Comments::default();
        texts::for_each(self.reader, known.part.games, usual, |place, _, text| {
            out.write_all(text).at(self.path)?;
            known.add(text);
            Ok(last != Some(place))
        })?;
        out.flush().at(self.path)
    }
}

/// Moves a file that is not empty to the first free name of `NAME.old-1`, `NAME.old-2`, … in the same folder.
pub(crate) fn keep_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    if fs::metadata(path).map_or(0, |metadata| metadata.len()) == 0 {
        return Ok(None);
    }
    let free = free_name(path);
    rename(path, &free)?;
    Ok(Some(free))
}
