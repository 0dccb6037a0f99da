//! Makes the file of an earlier run agree with the store, and loses nothing that only the file had.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::known::{self, Known};
use super::{PgnContext, Replacement, texts};
use crate::platform::files::{append_among_strangers, open_of_strangers, sync_folder};
use crate::sink::SinkError;
use crate::store::{PgnPart, Reader};

/// Time between two reports of progress.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A file whose compared part agrees with the store.
pub(super) struct Opened {
    pub(super) known: Known,
    /// The part that was not compared.
    pub(super) trusted: Vec<PgnPart>,
    /// Path to which the earlier file was moved.
    pub(super) kept: Option<PathBuf>,
}

/// How a file compares to the store's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Equal,
    /// Its beginning, or nothing at all.
    Part,
    /// Something else, or more.
    Other,
}

pub(super) fn open(
    reader: &Reader,
    path: &Path,
    context: &PgnContext,
) -> Result<Opened, SinkError> {
    let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut trusted = known::parts_within(reader, length)?;
    let mut known = Known::nothing(reader, context.parts.clone())?.after(trusted.last());
    let likeness = match known::last_is_whole(path, &trusted) {
        true => compare(reader, path, &mut known, context)?,
        false => Likeness::Other,
    };
    let mut kept = None;
    match likeness {
        Likeness::Equal => {}
        Likeness::Part => complete(reader, path, &mut known, context)?,
        Likeness::Other => {
            (context.before_rewriting)()?;
            let aside = keep_aside(path);
            kept = aside.map_err(|error| SinkError::file(path, error))?;
            trusted.clear();
            write_anew(reader, path, &mut known, None, context)?;
        }
    }
    Ok(Opened {
        known,
        trusted,
        kept,
    })
}

/// Compares what follows the known beginning, which grows by what is found to be equal.
fn compare(
    reader: &Reader,
    path: &Path,
    known: &mut Known,
    context: &PgnContext,
) -> Result<Likeness, SinkError> {
    let Ok(mut file) = open_of_strangers(path) else {
        return Ok(Likeness::Part);
    };
    if file.seek(SeekFrom::Start(known.length)).is_err() {
        return Ok(Likeness::Part);
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut found = Vec::new();
    let mut likeness = Likeness::Equal;
    let mut pace = ReadingProgress::new(reader, context, "comparing games.pgn with the store")?;
    texts::for_each(reader, known.games, |_, text| {
        found.clear();
        let mut part = file.by_ref().take(text.len() as u64);
        likeness = match part.read_to_end(&mut found) {
            Ok(_) if found == text => Likeness::Equal,
            Ok(_) if text.starts_with(&found) => Likeness::Part,
            Ok(_) => Likeness::Other,
            // A folder with this name, for example: writing the file again will report the error.
            Err(_) => Likeness::Part,
        };
        if likeness == Likeness::Equal {
            known.add(text);
            if known.is_due() {
                let told = known.tell(file.get_ref());
                told.map_err(|error| SinkError::file(path, error))?;
            }
            pace.step(known.games);
        }
        Ok(likeness == Likeness::Equal)
    })?;
    let goes_on = likeness == Likeness::Equal && file.read(&mut [0]).is_ok_and(|length| length > 0);
    Ok(if goes_on { Likeness::Other } else { likeness })
}

/// Cuts off a torn game at the end, and appends what is missing.
fn complete(
    reader: &Reader,
    path: &Path,
    known: &mut Known,
    context: &PgnContext,
) -> Result<(), SinkError> {
    let failed = |error: io::Error| SinkError::file(path, error);
    let file = append_among_strangers(path).map_err(failed)?;
    file.set_len(known.length).map_err(failed)?;
    append(reader, path, &file, known, None, context)?;
    file.sync_all().map_err(failed)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder).map_err(failed)?;
    }
    Ok(())
}

/// Writes the whole file from the store, up to this place in the order of finishing or all; the old one stays until the new one is
/// whole.
pub(super) fn write_anew(
    reader: &Reader,
    path: &Path,
    known: &mut Known,
    last: Option<u64>,
    context: &PgnContext,
) -> Result<(), SinkError> {
    let failed = |error: io::Error| SinkError::file(path, error);
    known.forget();
    let mut next = Replacement::begin(path).map_err(failed)?;
    append(reader, path, next.file(), known, last, context)?;
    next.commit().map(drop).map_err(failed)
}

/// Appends the games that are not known to be in the file: up to this place in the order of finishing, or all.
fn append(
    reader: &Reader,
    path: &Path,
    file: &File,
    known: &mut Known,
    last: Option<u64>,
    context: &PgnContext,
) -> Result<(), SinkError> {
    let failed = |error: io::Error| SinkError::file(path, error);
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let mut pace = ReadingProgress::new(reader, context, "writing games.pgn from the store")?;
    texts::for_each(reader, known.games, |stored, text| {
        out.write_all(text).map_err(failed)?;
        known.add(text);
        if known.is_due() {
            out.flush().map_err(failed)?;
            known.tell(file).map_err(failed)?;
        }
        pace.step(known.games);
        Ok(last != Some(stored.sequence))
    })?;
    out.flush().map_err(failed)
}

/// Moves a file that is not empty to the first free name of `NAME.old-1`, `NAME.old-2`, … in the same folder.
pub(crate) fn keep_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    if fs::metadata(path).map_or(0, |metadata| metadata.len()) == 0 {
        return Ok(None);
    }
    let name = |number: u32| PathBuf::from(format!("{}.old-{number}", path.display()));
    let free = (1..).map(name).find(|name| !name.exists());
    let free = free.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(path, &free)?;
    Ok(Some(free))
}

/// Reports progress once a second.
struct ReadingProgress<'a> {
    context: &'a PgnContext,
    what: &'a str,
    games: u64,
    told: Instant,
}

impl<'a> ReadingProgress<'a> {
    fn new(
        reader: &Reader,
        context: &'a PgnContext,
        what: &'a str,
    ) -> Result<ReadingProgress<'a>, SinkError> {
        Ok(ReadingProgress {
            context,
            what,
            games: reader.last_place()?,
            told: Instant::now(),
        })
    }

    fn step(&mut self, done: u64) {
        // Reading the clock costs little compared to a game's text, and less if done for every 64th game.
        if done.is_multiple_of(64) && self.told.elapsed() >= LONGEST_WAIT {
            self.told = Instant::now();
            (self.context.say)(&format!("{}: {done} of {} games", self.what, self.games));
        }
    }
}
