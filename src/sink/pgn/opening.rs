//! Makes the file of an earlier run agree with the store, and loses nothing that only the file had.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::known::Known;
use super::{PgnContext, Replacement, texts};
use crate::pgn::Comments;
use crate::platform::files::{append_among_strangers, open_of_strangers, sync_folder};
use crate::platform::rename;
use crate::sink::{InSinkFile, SinkError};
use crate::store::Reader;

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// How a file compares to the store's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Equal,
    /// Its beginning, or nothing at all.
    Part,
    /// Something else, or more.
    Other,
}

/// A file of games, and the store that it repeats.
#[derive(Clone, Copy)]
pub(super) struct GamesFile<'a> {
    reader: &'a Reader,
    path: &'a Path,
    context: &'a PgnContext,
}

impl<'a> GamesFile<'a> {
    pub(super) fn of(reader: &'a Reader, path: &'a Path, context: &'a PgnContext) -> GamesFile<'a> {
        GamesFile {
            reader,
            path,
            context,
        }
    }

    /// Makes the file agree with the store; returns what is known of it then, and the path to which an earlier file was
    /// moved, if it had anything that the store does not have.
    pub(super) fn open(self) -> Result<(Known, Option<PathBuf>), SinkError> {
        let mut known = Known::recorded(self.reader, self.path, self.context.parts.clone())?;
        let mut kept = None;
        match self.compare(&mut known)? {
            Likeness::Equal => {}
            Likeness::Part => self.complete(&mut known)?,
            Likeness::Other => {
                (self.context.before_rewriting)()?;
                kept = keep_aside(self.path).at(self.path)?;
                self.write_anew(&mut known, None)?;
            }
        }
        Ok((known, kept))
    }

    /// Compares what follows the known beginning, which grows by what is found to be equal.
    fn compare(self, known: &mut Known) -> Result<Likeness, SinkError> {
        let Ok(mut file) = open_of_strangers(self.path) else {
            return Ok(Likeness::Part);
        };
        if file.seek(SeekFrom::Start(known.length)).is_err() {
            return Ok(Likeness::Part);
        }
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut found = Vec::new();
        let mut likeness = Likeness::Equal;
        let mut pace = ReadingProgress::new(self, "comparing games.pgn with the store")?;
        let usual = Comments::default();
        texts::for_each(self.reader, known.games, usual, |_, _, text| {
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
                    known.record(file.get_ref()).at(self.path)?;
                }
                pace.step(known.games);
            }
            Ok(likeness == Likeness::Equal)
        })?;
        let goes_on =
            likeness == Likeness::Equal && file.read(&mut [0]).is_ok_and(|length| length > 0);
        Ok(if goes_on { Likeness::Other } else { likeness })
    }

    /// Cuts off a torn game at the end, and appends what is missing.
    fn complete(self, known: &mut Known) -> Result<(), SinkError> {
        let file = append_among_strangers(self.path).at(self.path)?;
        file.set_len(known.length).at(self.path)?;
        self.append(&file, known, None)?;
        file.sync_all().at(self.path)?;
        if let Some(folder) = self.path.parent() {
            sync_folder(folder).at(self.path)?;
        }
        Ok(())
    }

    /// Writes the whole file from the store, up to this place in the order of finishing or all; the old one stays
    /// until the new one is whole.
    pub(super) fn write_anew(self, known: &mut Known, last: Option<u64>) -> Result<(), SinkError> {
        known.forget();
        let mut next = Replacement::begin(self.path).at(self.path)?;
        self.append(next.file(), known, last)?;
        next.commit().map(drop).at(self.path)
    }

    /// Appends the games that are not known to be in the file: up to this place in the order of finishing, or all.
    fn append(self, file: &File, known: &mut Known, last: Option<u64>) -> Result<(), SinkError> {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let mut pace = ReadingProgress::new(self, "writing games.pgn from the store")?;
        let usual = Comments::default();
        texts::for_each(self.reader, known.games, usual, |place, _, text| {
            out.write_all(text).at(self.path)?;
            known.add(text);
            if known.is_due() {
                out.flush().at(self.path)?;
                known.record(file).at(self.path)?;
            }
            pace.step(known.games);
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
    let name = |number: u32| PathBuf::from(format!("{}.old-{number}", path.display()));
    let free = (1..).map(name).find(|name| !name.exists());
    let free = free.ok_or(io::ErrorKind::AlreadyExists)?;
    rename(path, &free)?;
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
    fn new(file: GamesFile<'a>, what: &'a str) -> Result<ReadingProgress<'a>, SinkError> {
        Ok(ReadingProgress {
            context: file.context,
            what,
            games: file.reader.last_place()?,
            told: Instant::now(),
        })
    }

    fn step(&mut self, done: u64) {
        // Reading the clock costs little compared to a game's text, and less if done for every 64th game.
        if done.is_multiple_of(64) && self.told.elapsed() >= REPORT_INTERVAL {
            self.told = Instant::now();
            (self.context.say)(&format!("{}: {done} of {} games", self.what, self.games));
        }
    }
}
