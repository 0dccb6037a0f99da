//! SQLite: schema, migrations, one writer thread, readers.
//!
//! | file | what |
//! |---|---|
//! | `schema.sql`, `schema_2.sql`, `views.sql` | the tables of version 1, what later versions add, and the views; explained in `docs/store.md` |
//! | `open` | is the file ours, whole, of a known version? |
//! | `lock` | one runner an event |
//! | `writer` | the thread that writes, and groups games that wait |
//! | `place` | are the files still the ones that were opened? |
//! | `insert` | a game into its rows |
//! | `payload`, `move_row` | a record to text columns and back |
//! | `evidence_row` | what the host did, as JSON |
//! | `dialogues` | the evidence of faults |
//! | `conduct` | faults and strikes |
//! | `words` | the stable words in the columns |
//! | `facts` | keys and values, identities, engines |
//! | `identity` | is the event file still that of the store? |
//! | `reader` | everything back, also while a runner writes |
//! | `key`, `rows`, `pages` | which game a row is about, rows back into games, a page at a time |
//! | `tallies` | what statistics need of every game, fast |
//! | `aside` | `--fresh`: an old event is moved, never deleted |
//! | `error` | what can go wrong |

mod aside;
mod conduct;
mod dialogues;
mod error;
mod evidence_row;
mod facts;
mod identity;
mod insert;
mod key;
mod lock;
mod move_row;
mod open;
mod pages;
mod payload;
mod place;
mod reader;
mod rows;
mod tallies;
mod words;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use serde_json::Value;

use crate::event::{FinishedGame, UnixMillis};

pub use aside::set_aside;
pub use conduct::{PLANNED_ENCOUNTERS, ReplayedGame};
pub use error::StoreError;
pub use facts::{AcceptedIdentity, EngineEntry};
pub use identity::{Difference, compare_identity};
pub use lock::LOCK_FILE;
pub use open::{APPLICATION_ID, EVENT_FILE, OpenMode, SCHEMA};
pub use pages::{Games, Results};
pub use reader::{Counts, FlagFalls, Reader};
pub use rows::{GameResult, StoredGame, VoidedGame};
pub use tallies::Tally;
pub use writer::{Announce, StoreNotice, StoreSummary};

use place::Files;
use writer::{Reply, Request, Writer};

/// The store of an event, open for writing: the truth about what was played.
///
/// Games go to a thread of its own and come back through the callback once
/// they are durable (write-ahead log, `synchronous = FULL`). The queue between
/// is unbounded: a lane never waits. It holds a second's games at most, unless
/// the disk stalls.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    requests: Sender<Request>,
    thread: Option<JoinHandle<Result<StoreSummary, StoreError>>>,
}

impl Store {
    /// Opens the event in `folder`, locks it, and starts the writer, which
    /// calls `announce` after each transaction, on its own thread.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process plays this event; `Exists` or
    /// `Missing` if the mode does not fit; `Foreign`, `Newer`, `Damaged` for a
    /// file that cannot be used; otherwise what the disk says.
    pub fn open(folder: &Path, mode: OpenMode, announce: Announce) -> Result<Store, StoreError> {
        open::prepare_folder(folder, mode)?;
        let lock = lock::EventLock::acquire(folder)?;
        let file = folder.join(EVENT_FILE);
        let connection = open::writer(folder)?;
        let revision = facts::latest_revision(&connection);
        let files = Files::of(&file)?;
        let writer = Writer {
            files,
            revision: revision.map_err(|error| StoreError::from_sqlite(&file, &error))?,
            connection,
            file,
            announce,
            inserter: insert::Inserter::default(),
            summary: StoreSummary::default(),
            _lock: lock,
        };
        let (requests, queue) = channel();
        let thread = Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&queue))
            .map_err(|error| StoreError::from_io(folder, &error))?;
        Ok(Store {
            folder: folder.to_path_buf(),
            requests,
            thread: Some(thread),
        })
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A reader of this event.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn reader(&self) -> Result<Reader, StoreError> {
        Reader::open(&self.folder)
    }

    /// Hands over a finished or voided game and returns at once. The callback
    /// announces it when it is durable, or that the writer has failed. A game
    /// handed over after a failure is not stored; that was announced already.
    pub fn submit(&self, game: FinishedGame) {
        // The writer is gone only after it has announced its failure.
        let _failed_before = self.requests.send(Request::Game(game));
    }

    /// Sets values of the table `event` (such as `name`, `site`, `seed`,
    /// `variant`, `created`, `program`, `config`), durably.
    ///
    /// # Errors
    /// What the disk says.
    pub fn set_event(&self, entries: &[(&str, &str)]) -> Result<(), StoreError> {
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let entries = entries.iter().map(own).collect();
        self.ask(|reply| Request::Event(entries, reply))
    }

    /// Records the engines under the current revision of the identity, durably;
    /// again, when more is known of them.
    ///
    /// # Errors
    /// What the disk says.
    pub fn set_engines(&self, engines: Vec<EngineEntry>) -> Result<(), StoreError> {
        self.ask(|reply| Request::Engines(engines, reply))
    }

    /// Records what the event is from now on; returns the revision's number,
    /// which the games that follow carry.
    ///
    /// # Errors
    /// What the disk says.
    pub fn accept_identity(&self, identity: Value, at: UnixMillis) -> Result<u32, StoreError> {
        self.ask(|reply| Request::Identity(at, identity, reply))
    }

    fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> Request) -> Result<T, StoreError> {
        let (reply, answer) = sync_channel(1);
        let stopped = || StoreError::Stopped {
            folder: self.folder.clone(),
        };
        let sent = self.requests.send(request(reply));
        sent.map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())?
    }

    /// Writes what waits, empties the write-ahead log into the file, and
    /// releases the lock.
    ///
    /// # Errors
    /// The error that ended the writer, if one did.
    pub fn close(mut self) -> Result<StoreSummary, StoreError> {
        self.finish()
    }

    fn finish(&mut self) -> Result<StoreSummary, StoreError> {
        // A writer that is gone already says why when it is joined.
        let _gone = self.requests.send(Request::Close);
        let stopped = StoreError::Stopped {
            folder: self.folder.clone(),
        };
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or(Err(stopped)),
            None => Err(stopped),
        }
    }
}

/// A store that is dropped is closed: what waits is written first.
impl Drop for Store {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // The failure, if any, was announced to the callback.
            let _announced = self.finish();
        }
    }
}
