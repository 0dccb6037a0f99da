//! An event from its checked file to its last game: the story of `run`.
//!
//! | file | what |
//! |---|---|
//! | `describe` | what the store says of the event and of its engines |
//! | `play` | lanes and dispatcher, from the first engine's start to the last lane's end |

mod describe;
mod play;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use crate::config::Tournament;
use crate::run::adaptive::Adaptive;
use crate::run::dispatcher::Ending;
use crate::run::error::RunError;
use crate::run::guardian::Guardian;
use crate::run::work::Work;
use crate::schedule::Plan;
use crate::sink::Sinks;
use crate::store::{OpenMode, Reader, Store, StoreNotice};

/// An event whose store is open and locked, not yet playing.
#[derive(Debug)]
pub struct Session {
    tournament: Arc<Tournament>,
    /// The event file's text, for the record.
    text: String,
    identity: Value,
    store: Store,
    notices: mpsc::UnboundedReceiver<StoreNotice>,
    /// Where to write down what is said, if anywhere.
    traffic_log: Option<PathBuf>,
}

impl Session {
    /// Opens or makes the event's folder below `results`.
    ///
    /// # Errors
    /// The store cannot be used; or the event was begun differently and
    /// `accept_changes` is not set. Nothing is changed then.
    pub fn open(
        tournament: Tournament,
        text: &str,
        identity: Value,
        results: &Path,
        accept_changes: bool,
    ) -> Result<Session, RunError> {
        let folder = folder_of(&tournament, results);
        let (sender, notices) = mpsc::unbounded_channel();
        // The receiver lives as long as the store.
        let announce = Box::new(move |notice| drop(sender.send(notice)));
        let store = Store::open(&folder, OpenMode::CreateOrResume, announce)?;
        let (tournament, text) = (Arc::new(tournament), text.to_owned());
        let session = Session {
            tournament,
            text,
            identity,
            store,
            notices,
            traffic_log: None,
        };
        session.settle_identity(accept_changes)?;
        Ok(session)
    }

    /// What runner and engines say to each other is written down below this folder.
    pub fn log_engines(&mut self, folder: PathBuf) {
        self.traffic_log = Some(folder);
    }

    /// The event.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// A reader of the event's store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reader(&self) -> Result<Reader, RunError> {
        Ok(self.store.reader()?)
    }

    /// Games that the plan has and the store has not, without those of disqualified
    /// engines.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn work(&self) -> Result<Work, RunError> {
        let reader = self.reader()?;
        let mut plan = self.plan()?;
        if let Some(adaptive) = self.adaptive(&reader)? {
            adaptive.complete(&mut plan);
        }
        let mut work = Work::new(plan, reader.finished_ids()?);
        for ruling in reader.conduct()?.rulings() {
            work.withdraw(ruling.engine);
        }
        Ok(work.with_replays(reader.replays()?))
    }

    fn adaptive(&self, reader: &Reader) -> Result<Option<Adaptive>, RunError> {
        Adaptive::new(&self.tournament, reader)
    }

    /// Whether nothing is left to play.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn is_complete(&self) -> Result<bool, RunError> {
        let work = self.work()?;
        let adaptive = self.adaptive(&self.reader()?)?;
        let over = adaptive.is_none_or(|adaptive| adaptive.is_over(work.plan()));
        Ok(over && work.missing_games() == 0)
    }

    fn plan(&self) -> Result<Plan, RunError> {
        // The event file was checked for all that a plan needs.
        Ok(self.tournament.plan().map_err(std::io::Error::other)?)
    }

    /// For an event with nothing left to play: its files are made whole, no
    /// engine is started.
    ///
    /// # Errors
    /// A file of results cannot be written.
    pub fn complete(self, mut sinks: Sinks) -> Result<Ending, RunError> {
        sinks.finish()?;
        self.store.close()?;
        Ok(Ending::default())
    }

    /// Plays what is missing. The sinks hear of every game that becomes durable.
    ///
    /// # Errors
    /// An engine cannot take part (then no game was played), the store or a file
    /// of results cannot be written, the system refuses a thread or a process.
    pub fn play(
        mut self,
        prepare_sinks: impl FnOnce(&Session) -> Result<Sinks, RunError>,
    ) -> Result<Ending, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let guardian = Guardian::start()?;
        let ending = runtime.block_on(self.play_on(&guardian, prepare_sinks));
        guardian.dismiss();
        // The store's own error, if any, was heard as a notice before.
        let closed = self.store.close();
        let ending = ending?;
        closed?;
        Ok(ending)
    }
}

/// Where an event's files are.
pub fn folder_of(tournament: &Tournament, results: &Path) -> PathBuf {
    results.join(&tournament.name)
}
