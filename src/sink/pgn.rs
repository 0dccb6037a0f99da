//! `games.pgn`: every finished game in the order of finishing.

use std::collections::btree_map::{BTreeMap, Entry};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::chess::start::Variant;
use crate::event::FinishedGame;
use crate::pgn::{EngineTags, EventTags, write_game};
use crate::store::{Reader, StoreError};

use super::Sink;
use super::atomic::Replacement;
use super::error::SinkError;

/// The file's name in the event's folder.
const FILE: &str = "games.pgn";

/// Appends each finished game to `games.pgn`.
pub struct PgnSink {
    file: File,
    path: PathBuf,
    tags: EventTags,
    text: String,
    /// Where the file is that was there before, if it had anything of its own.
    kept: Option<PathBuf>,
}

/// What a file is, beside what the store says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Equal,
    /// Its beginning, or nothing at all.
    Part,
    /// Something else, or more.
    Other,
}

impl PgnSink {
    /// Opens the file of the event in `folder`. If it is not, byte for byte,
    /// what the store says (a torn end after a power cut, a file edited or
    /// lost), it is written anew first. What had more in it than a part of the store
    /// is kept beside it: games that a damaged store has lost, or somebody's remarks.
    ///
    /// # Errors
    /// The store cannot be read, or the file cannot be written.
    pub fn open(reader: &Reader, folder: &Path) -> Result<PgnSink, SinkError> {
        let path = folder.join(FILE);
        let kept = match compare(reader, &path)? {
            Likeness::Equal => None,
            Likeness::Part => {
                rebuild(reader, &path)?;
                None
            }
            Likeness::Other => {
                let kept = keep_aside(&path).map_err(|error| SinkError::file(&path, error))?;
                rebuild(reader, &path)?;
                Some(kept)
            }
        };
        let file = OpenOptions::new().append(true).create(true).open(&path);
        Ok(PgnSink {
            file: file.map_err(|error| SinkError::file(&path, error))?,
            tags: event_tags(reader, reader.revision()?)?,
            path,
            text: String::new(),
            kept,
        })
    }

    /// Words for the user about a file that was kept, if one was.
    pub fn remark(&self) -> Option<String> {
        let kept = self.kept.as_ref()?;
        Some(format!(
            "warning: {} was not what the store says, and was written anew; what it was is kept as {}",
            self.path.display(),
            kept.display()
        ))
    }
}

impl Sink for PgnSink {
    fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError> {
        self.text.clear();
        write_game(&mut self.text, &self.tags, game);
        let written = self.file.write_all(self.text.as_bytes());
        written.map_err(|error| SinkError::file(&self.path, error))
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let synced = self.file.sync_all();
        synced.map_err(|error| SinkError::file(&self.path, error))
    }
}

/// Writes all finished games of a store as PGN, as `games.pgn` has them.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub fn write_pgn(reader: &Reader, out: &mut dyn Write) -> Result<(), SinkError> {
    for_each_text(reader, |text| {
        out.write_all(text).map_err(SinkError::output)?;
        Ok(true)
    })?;
    out.flush().map_err(SinkError::output)
}

/// Each game's text; `take` says whether to go on.
fn for_each_text(
    reader: &Reader,
    mut take: impl FnMut(&[u8]) -> Result<bool, SinkError>,
) -> Result<(), SinkError> {
    let mut tags: BTreeMap<u32, EventTags> = BTreeMap::new();
    let mut text = String::new();
    for stored in reader.games() {
        let stored = stored?;
        let tags = match tags.entry(stored.revision) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(event_tags(reader, stored.revision)?),
        };
        text.clear();
        write_game(&mut text, tags, &stored.game);
        if !take(text.as_bytes())? {
            break;
        }
    }
    Ok(())
}

fn compare(reader: &Reader, path: &Path) -> Result<Likeness, SinkError> {
    let Ok(file) = File::open(path) else {
        return Ok(Likeness::Part);
    };
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut found = Vec::new();
    let mut likeness = Likeness::Equal;
    for_each_text(reader, |text| {
        found.clear();
        let mut part = file.by_ref().take(text.len() as u64);
        let read = part.read_to_end(&mut found);
        likeness = match read {
            Ok(_) if found == text => Likeness::Equal,
            Ok(_) if text.starts_with(&found) => Likeness::Part,
            Ok(_) => Likeness::Other,
            // A folder in its place, say: writing it anew will tell.
            Err(_) => Likeness::Part,
        };
        Ok(likeness == Likeness::Equal)
    })?;
    let goes_on = likeness == Likeness::Equal && file.read(&mut [0]).is_ok_and(|length| length > 0);
    Ok(if goes_on { Likeness::Other } else { likeness })
}

/// Moves a file to the first free name of `NAME.old-1`, `NAME.old-2`, … beside it.
fn keep_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| PathBuf::from(format!("{}.old-{number}", path.display()));
    let free = (1..).map(name).find(|name| !name.exists());
    let free = free.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &free)?;
    Ok(free)
}

fn rebuild(reader: &Reader, path: &Path) -> Result<(), SinkError> {
    let failed = |error: std::io::Error| SinkError::file(path, error);
    let mut next = Replacement::begin(path).map_err(failed)?;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, next.file());
    for_each_text(reader, |text| {
        out.write_all(text).map_err(failed)?;
        Ok(true)
    })?;
    out.flush().map_err(failed)?;
    drop(out);
    next.commit().map_err(failed)?;
    Ok(())
}

/// The tags of games played under one revision of the identity.
fn event_tags(reader: &Reader, revision: u32) -> Result<EventTags, SinkError> {
    let mut event = reader.event()?;
    let mut value = |key: &str| event.remove(key);
    let variant: Variant = match value("variant") {
        Some(name) => name.parse().map_err(|_| unknown_variant(reader))?,
        None => Variant::Chess960,
    };
    let engines = reader
        .engines(revision)?
        .into_iter()
        .map(|engine| EngineTags {
            name: engine.name,
            version: engine.id_name,
            options: engine.options,
            time_control: engine.time_control,
        });
    Ok(EventTags {
        event: value("name").unwrap_or_default(),
        site: value("site").unwrap_or_default(),
        variant,
        variant_tag: value("variant_tag"),
        engines: engines.collect(),
    })
}

fn unknown_variant(reader: &Reader) -> StoreError {
    let file = reader.file().to_path_buf();
    StoreError::Damaged {
        file,
        detail: "unknown variant".to_owned(),
    }
}
