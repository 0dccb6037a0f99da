//! What listens to events: PGN, standings, tables, JSON, progress.
//!
//! A sink receives a game only when it is durable in the store, so everything that a sink writes can be made again from
//! the store.
//!
//! | file | what |
//! |---|---|
//! | this one | listeners; files that are whole at every moment, or made at the end; what cannot be written |
//! | `pgn` | `games.pgn` |
//! | `live_pgn` | `live.pgn`: the round that is played |
//! | `standings` | `standings.json`, `schedule.json`, `crosstable.json`, `next-season.toml` |
//! | `json` | `--json`: one event a line |
//! | `terminal` | what is drawn on a terminal, the running games in a line each; a drawing is one write |
//! | `progress` | a bar on a terminal, plain lines elsewhere; how fast games end |

mod json;
mod live_pgn;
mod pgn;
mod progress;
mod standings;
mod terminal;

pub use json::JsonSink;
pub(crate) use json::{fault_json, write_event_lines};
pub(crate) use live_pgn::{FILE as LIVE_PGN_FILE, LivePgnSink, RoundGames};
pub(crate) use pgn::{
    FILE as PGN_FILE, PgnContext, keep_aside, rewrite_pgn, write_final_positions,
    write_selected_pgn,
};
pub use pgn::{PgnSink, write_pgn};
pub(crate) use progress::Pace;
pub use progress::ProgressSink;
pub use standings::{StandingsSink, standings_json};
pub(crate) use standings::{
    armageddon_words, crosstable_json, decision_word, schedule_json, won_without_games,
};

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use serde_json::Value;

use crate::event::live::LiveUpdate;
use crate::event::{ArbiterDecision, PairId, PlayedGame};
use crate::platform::{files, rename};
use crate::store::StoreError;
use crate::text::tell;
use crate::tournament::{EventView, Ratings};

/// The statistics of an event, for programs.
#[derive(Debug, Default)]
pub(crate) struct PublishedStatistics {
    /// What may be claimed.
    pub(crate) verdict: Value,
    /// The ratings; none while the event is played.
    pub(crate) ratings: Ratings,
}

/// The verdict on an event for programs, computed again each time; at the end with all statistics.
pub(crate) type VerdictOf = Arc<dyn Fn(&EventView, bool) -> PublishedStatistics + Send + Sync>;

/// A listener, on a thread that nothing else waits for. All calls come from that thread, in order. What a game means
/// for the event is in the state that the listener was made with; that state may be ahead of the game that the listener
/// receives.
pub trait Sink: Send {
    /// A lane, counted from 0, begins or continues a pair.
    ///
    /// # Errors
    /// What cannot be written.
    fn begun(&mut self, _pair: PairId, _lane: usize) -> Result<(), SinkError> {
        Ok(())
    }

    /// A finished game is durable.
    ///
    /// # Errors
    /// What cannot be written.
    fn committed(&mut self, _game: &PlayedGame) -> Result<(), SinkError> {
        Ok(())
    }

    /// An engine is disqualified by the games that are stored.
    fn disqualified(&mut self, _engine: u16) {}

    /// The arbiter has decided this: what is stored means something else than before.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        Ok(())
    }

    /// Whether [`Sink::live`] does anything: lanes report moves only if some listener wants them.
    fn wants_updates(&self) -> bool {
        false
    }

    /// An update that is not stored.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn live(&mut self, _update: &LiveUpdate) -> Result<(), SinkError> {
        Ok(())
    }

    /// A moment passed, or the state has changed.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn refresh(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    /// A message for the user; the listener that draws on the terminal shows it.
    fn say(&mut self, _words: &str) {}

    /// The run is over: whatever was held back is written now.
    ///
    /// # Errors
    /// As [`Sink::committed`].
    fn finish(&mut self) -> Result<(), SinkError>;
}

/// The listeners of a run, on three threads: a display whose reader is stuck delays neither the files of results nor
/// the files and pages for others.
#[derive(Default)]
pub struct RunOutputs {
    /// Files of results: one that cannot be written ends the run.
    pub files: Sinks,
    /// What is shown. An output that cannot be written is given up.
    pub display: Sinks,
    /// Files and pages for others: `live.pgn`, a page. Given up like the display, but not delayed by it.
    pub broadcast: Sinks,
}

/// Listeners that share a thread.
#[derive(Default)]
pub struct Sinks(Vec<Box<dyn Sink>>);

impl Sinks {
    /// Adds a listener; it receives each event after the listeners added before it.
    pub fn add(&mut self, sink: impl Sink + 'static) {
        self.0.push(Box::new(sink));
    }

    /// Whether any listener wants updates that are not stored.
    pub fn wants_updates(&self) -> bool {
        self.0.iter().any(|sink| sink.wants_updates())
    }

    /// Calls every listener. A listener whose output cannot be written, because its reader has closed it (as `head`
    /// does) or because the disk is full, is removed: the event matters more than its display.
    ///
    /// # Errors
    /// The first failure; all others are called all the same.
    pub fn each(
        &mut self,
        mut tell: impl FnMut(&mut dyn Sink) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        let mut first = Ok(());
        self.0.retain_mut(|sink| match tell(sink.as_mut()) {
            Err(SinkError::Output(error)) => {
                abandoned(&error);
                false
            }
            told => {
                if first.is_ok() {
                    first = told;
                }
                true
            }
        });
        first
    }
}

/// Whether so much time has passed since it was done last, if ever.
fn has_rested(last: Option<Instant>, interval: Duration) -> bool {
    last.is_none_or(|last| last.elapsed() >= interval)
}

/// Reports that an output is given up and the event continues.
pub(crate) fn abandoned(error: &io::Error) {
    tracing::warn!(%error, "the output cannot be written any more; the event goes on");
    if error.kind() != io::ErrorKind::BrokenPipe {
        let words = "warning: the output cannot be written any more";
        tell(&format!("{words}: {error}; the event goes on without it"));
    }
}

// Files that are whole at every moment and after a power cut, and those that are made once, at the end of a run
// (`positions.csv`, `report.html`).

/// A file being written in the folder of the file that it will replace.
pub(crate) struct Replacement {
    pub(crate) file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl Replacement {
    /// Begins a new version of `target`, in the same folder.
    pub(crate) fn begin(target: &Path) -> io::Result<Replacement> {
        let mut name = target.as_os_str().to_owned();
        name.push(".new");
        let temporary = PathBuf::from(name);
        // A file that an earlier run left there, or that somebody else put there, is removed first; a link is not
        // followed.
        let file = files::patiently(&temporary, || match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => File::create_new(&temporary),
        })?;
        let target = target.to_path_buf();
        Ok(Replacement {
            file,
            temporary,
            target,
        })
    }

    /// Makes it durable, and replaces the old version with it.
    pub(crate) fn commit(self) -> io::Result<()> {
        self.file.sync_all()?;
        rename(&self.temporary, &self.target)?;
        // A name without a folder is in the working folder.
        let here = |folder: &&Path| !folder.as_os_str().is_empty();
        let folder = self.target.parent().filter(here);
        files::sync_folder(folder.unwrap_or(Path::new(".")))
    }
}

/// Replaces a file by this content; a reader never sees half a file. A power cut may bring back an older version, until
/// it is made again from the store; without `durable` also an empty file.
pub(crate) fn replace_file(target: &Path, content: &[u8], durable: bool) -> io::Result<()> {
    let mut next = Replacement::begin(target)?;
    next.file.write_all(content)?;
    if durable {
        next.file.sync_all()?;
    }
    rename(&next.temporary, &next.target)
}

/// Why a sink failed.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// A file of results cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output or standard error cannot be written: its reader has closed it, as `head` does, or its disk is
    /// full. Nothing is damaged, and the run continues without this output.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
    /// The store, from which a file was to be rebuilt, cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The file that an error is about.
pub(crate) trait InSinkFile<T> {
    fn at(self, file: &Path) -> Result<T, SinkError>;
}

impl<T> InSinkFile<T> for io::Result<T> {
    fn at(self, file: &Path) -> Result<T, SinkError> {
        let file = file.to_path_buf();
        self.map_err(|source| SinkError::File { file, source })
    }
}

/// Makes the file's text from the store.
type Render = Box<dyn Fn() -> Result<String, SinkError> + Send>;

/// Writes a file at the end of a run. The file needs all games at once, so the sink keeps no games; its maker passes
/// the function that builds the text.
pub struct FileAtEnd {
    path: PathBuf,
    render: Render,
}

impl FileAtEnd {
    /// This file; `render` makes the text of all games stored.
    pub fn new(
        path: PathBuf,
        render: impl Fn() -> Result<String, SinkError> + Send + 'static,
    ) -> FileAtEnd {
        FileAtEnd {
            path,
            render: Box::new(render),
        }
    }
}

impl Sink for FileAtEnd {
    fn finish(&mut self) -> Result<(), SinkError> {
        let text = (self.render)()?;
        replace_file(&self.path, text.as_bytes(), true).at(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a folder that somebody else has made, `standings.json.new` may be a link to a file of the user who runs the
    /// program.
    #[test]
    fn a_link_in_the_place_of_the_new_version_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [target, victim] = ["standings.json", "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").unwrap();
        files::link(&victim, &folder.path().join("standings.json.new")).unwrap();
        replace_file(&target, b"new", true).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }
}
