//! `games.pgn`: every finished game in the order of finishing.
//!
//! | file | what |
//! |---|---|
//! | this one | the listener |
//! | `opening` | the file of an earlier run is made what the store says; the part of the file that need not be compared |
//! | `texts` | stored games as text |

mod opening;
mod texts;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::event::{ArbiterDecision, Decisions, PlayedGame};
use crate::pgn::{EventTags, write_game};
use crate::platform::files;
use crate::store::{EventNotes, Reader, StoreError};
use crate::text::tell;
use crate::tournament::{game_names, is_in_rounds};

use super::{InSinkFile, Replacement, Sink, SinkError};
pub(crate) use opening::keep_aside;
use opening::{GamesFile, VerifiedPrefix};
pub use texts::write_pgn;
pub(crate) use texts::{event_tags, place, text_of, write_final_positions, write_selected_pgn};

/// The file's name in the event's folder.
pub(crate) const FILE: &str = "games.pgn";

/// What the file of an event needs of the run.
#[derive(Clone)]
pub struct PgnContext {
    /// Records in the store which part of the file agrees with it.
    pub(crate) notes: Option<EventNotes>,
    /// Called before anything in the file that the store does not have is replaced by the store's text; a damaged store
    /// must not replace it.
    pub before_rewriting: Arc<dyn Fn() -> Result<(), StoreError> + Send + Sync>,
}

impl Default for PgnContext {
    /// Records nothing and asks nothing.
    fn default() -> PgnContext {
        PgnContext {
            notes: None,
            before_rewriting: Arc::new(|| Ok(())),
        }
    }
}

/// Appends each finished game to `games.pgn`.
pub struct PgnSink {
    file: File,
    path: PathBuf,
    folder: PathBuf,
    tags: EventTags,
    /// Whether the event is played in rounds.
    in_rounds: bool,
    /// What the arbiter has decided, up to the last decision received.
    decisions: Decisions,
    text: String,
    known: VerifiedPrefix,
    context: PgnContext,
    /// Path to which the earlier file was moved, if it had anything that the store does not have.
    kept: Option<PathBuf>,
}

impl PgnSink {
    /// Opens the file of the event in `folder`. If it differs from the store in any byte (a torn end after a power cut,
    /// a file edited or lost), it is rewritten first. If it had more than a part of the store's text (games that a
    /// damaged store has lost, or somebody's remarks), the old file is kept in the same folder.
    ///
    /// # Errors
    /// The store cannot be read, or the file cannot be written.
    pub fn open(reader: &Reader, folder: &Path) -> Result<PgnSink, SinkError> {
        PgnSink::open_in(reader, folder, PgnContext::default())
    }

    /// The same within a run, where of the part that the store has recorded only the hash is compared.
    ///
    /// # Errors
    /// As [`open`](Self::open), and what `before_rewriting` says.
    pub fn open_in(
        reader: &Reader,
        folder: &Path,
        context: PgnContext,
    ) -> Result<PgnSink, SinkError> {
        let path = folder.join(FILE);
        let (known, kept) = GamesFile::new(reader, &path, &context).open()?;
        let file = appended(&path)?;
        Ok(PgnSink {
            file,
            in_rounds: is_in_rounds(reader)?,
            decisions: reader.decisions().clone(),
            tags: texts::event_tags(reader, reader.revision()?)?,
            path,
            folder: folder.to_path_buf(),
            text: String::new(),
            known,
            context,
            kept,
        })
    }

    /// A message for the user about the old file that was kept, if any.
    pub fn remark(&self) -> Option<String> {
        let kept = self.kept.as_ref()?;
        Some(format!(
            "warning: {} was not what the store says, and was written anew; what it was is kept as {}",
            self.path.display(),
            kept.display()
        ))
    }

    /// Whether the open file is still the one under this name, and nobody else has written to it.
    fn is_in_place(&self) -> Result<bool, SinkError> {
        let own = files::known_open(&self.file).at(&self.path)?;
        Ok(files::known(&self.path).is_ok_and(|found| {
            (found.device, found.inode) == (own.device, own.inode)
                && found.length == self.known.part.length
        }))
    }

    /// Writes the file again from the store: up to this place in the order of finishing, or all.
    fn write_anew(&mut self, last: Option<u64>) -> Result<(), SinkError> {
        let reader = Reader::open(&self.folder)?;
        self.kept = opening::keep_aside(&self.path).at(&self.path)?;
        let file = GamesFile::new(&reader, &self.path, &self.context);
        file.write_anew(&mut self.known, last)?;
        self.file = appended(&self.path)?;
        let path = self.path.display();
        let gone = || format!("warning: {path} was gone, and was written anew");
        let words = self.remark().unwrap_or_else(gone);
        tracing::warn!("{words}");
        tell(&words);
        Ok(())
    }

    /// Writes the file again by the arbiter's decisions, up to the last game that is in it. The earlier text also
    /// follows from the store, and is not kept.
    fn write_as_decided(&mut self, last: u64) -> Result<(), SinkError> {
        let reader = Reader::open(&self.folder)?;
        self.decisions = reader.decisions().clone();
        // What is recorded is valid for other decisions.
        self.known = VerifiedPrefix::nothing(&reader, self.context.notes.clone())?;
        self.tags.games = game_names(&reader)?;
        if last > 0 {
            let file = GamesFile::new(&reader, &self.path, &self.context);
            file.write_anew(&mut self.known, Some(last))?;
        }
        self.file = appended(&self.path)?;
        Ok(())
    }
}

impl Sink for PgnSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        if !self.is_in_place()? {
            return self.write_anew(Some(self.known.part.games + 1));
        }
        if self.decisions.changes(game.id) {
            return self.write_as_decided(self.known.part.games + 1);
        }
        if self.in_rounds {
            texts::place(&mut self.tags, game.id, &self.folder)?;
        }
        self.text.clear();
        write_game(&mut self.text, &self.tags, game);
        self.file.write_all(self.text.as_bytes()).at(&self.path)?;
        self.known.add(self.text.as_bytes());
        if self.known.is_due() {
            self.known.record(&self.file).at(&self.path)?;
        }
        Ok(())
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.write_as_decided(self.known.part.games)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        if !self.is_in_place()? {
            self.write_anew(None)?;
        }
        self.file.sync_all().at(&self.path)?;
        self.known.record(&self.file).at(&self.path)
    }
}

/// Writes the file of an event that is not running, by the arbiter's decisions.
///
/// # Errors
/// The store cannot be read, or the file cannot be written.
pub(crate) fn rewrite_pgn(reader: &Reader, folder: &Path) -> Result<(), SinkError> {
    let path = folder.join(FILE);
    let mut known = VerifiedPrefix::nothing(reader, None)?;
    GamesFile::new(reader, &path, &PgnContext::default()).write_anew(&mut known, None)
}

fn appended(path: &Path) -> Result<File, SinkError> {
    files::append_untrusted(path).at(path)
}
