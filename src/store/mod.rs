//! SQLite: schema, one writer thread, readers.
//!
//! | file | what |
//! |---|---|
//! | `schema.sql` | the tables and views; explained in `docs/store.md` |
//! | `checksum` | a checksum in every row that can change a result or a key |
//! | `open` | makes the tables; is a file ours, whole, of this version? |
//! | `lock` | one runner per event; on which file system is it, and are the files still the ones that were opened? |
//! | `writer` | the thread that writes, and groups waiting games |
//! | `insert` | a game into its rows |
//! | `inspection` | all stored games against plan, hash and their own end, during the run |
//! | `payload`, `move_row` | a record to text columns and back; a game as one JSON object |
//! | `decisions` | the arbiter's book |
//! | `running_games` | the moves of running games, in a file for each |
//! | `facts` | keys and values, identities, engines, starts that players made |
//! | `reader` | reads everything, also while a runner writes; rows back into games, a page at a time |
//! | `counts` | number of games, of fallen flags by whose fault, of voided games; processor time out of turn |
//! | `key` | which game a row is about; the stable words in the columns |
//! | `error` | what can go wrong |

mod checksum;
mod counts;
mod decisions;
mod error;
mod facts;
mod insert;
mod inspection;
mod key;
mod lock;
mod move_row;
mod open;
mod payload;
mod reader;
mod running_games;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use error::InFile;
use lock::StoreFiles;
use writer::{Reply, WriteRequest, Writer};

use crate::event::PlayedGame;

pub(crate) use counts::{FlagFalls, ReplayedGame, StoreCounts};
pub(crate) use decisions::{Signature, StoreVersion, StoredAct, record as record_decision};
pub(crate) use error::Result as StoreResult;
pub use error::StoreError;
pub(crate) use facts::{AcceptedIdentity, FACTS, MadeStart, PLANNED_ENCOUNTERS, PROGRAMS, SHARD};
pub use facts::{Description, EngineEntry};
pub(crate) use inspection::check_played;
pub use inspection::{Expectation, Inspection};
pub(crate) use lock::{EventLock, key_of, network_file_system};
pub use move_row::CUT_VARIATION;
pub(crate) use open::{free_name, set_aside};
pub(crate) use reader::StoredGame;
pub use reader::{Reader, ResultRow};
pub(crate) use running_games::{RecordedGame, RunningGameFile, RunningGameFiles};
pub use writer::StoreNotice;
pub(crate) use writer::{Announce, EventNotes};

/// The file of an event.
pub const EVENT_FILE: &str = "event.db";

/// The schema's version, in `PRAGMA user_version`. A file of any other version is refused.
pub const SCHEMA: i64 = 9;

/// The store of an event, open for writing: the authoritative record of the games.
///
/// Games are sent to a separate thread and come back through the callback once they are durable (write-ahead log,
/// `synchronous = FULL`). The queue needs no bound: each lane has at most two pairs in it, and waits between games when
/// it has more.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    requests: Sender<WriteRequest>,
    give_up: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Store {
    /// Opens the event in `folder`, locks it, and starts the writer, which calls `announce` after each transaction, on
    /// the writer's thread.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process plays this event; `Exists` or `Missing` if the mode does not fit;
    /// `Foreign`, `OtherVersion`, `Damaged` for a file that cannot be used; otherwise an error of the disk.
    pub fn open(folder: &Path, announce: Announce) -> Result<Store, StoreError> {
        open::prepare_folder(folder)?;
        let lock = lock::EventLock::acquire(folder)?;
        let file = folder.join(EVENT_FILE);
        let connection = open::writer(folder)?;
        let revision = facts::latest_revision(&connection);
        let decisions = decisions::read(&connection);
        let files = StoreFiles::beside(&file)?;
        let give_up = Arc::new(AtomicBool::new(false));
        let writer = Writer {
            files,
            revision: revision.at(&file)?,
            decisions: decisions.at(&file)?,
            connection,
            file,
            announce,
            told_of_a_cut: false,
            give_up: Arc::clone(&give_up),
            _lock: lock,
        };
        let (requests, queue) = channel();
        let thread = Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run(&queue))
            .at(folder)?;
        Ok(Store {
            folder: folder.to_path_buf(),
            requests,
            give_up,
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

    /// Submits a finished or voided game and returns at once. The callback announces it when it is durable, or that the
    /// writer has failed. A game submitted after a failure is not stored; that was announced before.
    pub fn submit(&self, game: PlayedGame) {
        // If the writer has ended, it has announced its failure.
        let _failed_before = self.requests.send(WriteRequest::Game(game));
    }

    /// Checks whether the arbiter has made new decisions, and returns at once: the callback announces them.
    pub(crate) fn look_for_decisions(&self) {
        // If the writer has ended, it has announced its failure.
        let _failed_before = self.requests.send(WriteRequest::LookForDecisions);
    }

    /// Records the event's identity, its facts and its engines, durably and in one transaction; returns the revision
    /// that is then current.
    ///
    /// # Errors
    /// An error of the disk; nothing is recorded then.
    pub fn describe(&self, description: Description) -> Result<u32, StoreError> {
        self.ask(|reply| WriteRequest::Describe(description, None, reply))
    }

    /// Sets values of the table `event`, as [`Store::describe`] does.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn set_event(&self, entries: &[(&str, &str)]) -> Result<(), StoreError> {
        self.set_decided(entries, None)
    }

    /// Sets values that follow from this number of decisions of the arbiter, if it is given.
    ///
    /// # Errors
    /// [`StoreError::Decided`]: there are more by now, and nothing is recorded; an error of the disk.
    pub(crate) fn set_decided(
        &self,
        entries: &[(&str, &str)],
        decisions: Option<u64>,
    ) -> Result<(), StoreError> {
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let description = Description {
            facts: entries.iter().map(own).collect(),
            ..Description::default()
        };
        let set = self.ask(|reply| WriteRequest::Describe(description, decisions, reply));
        set.map(drop)
    }

    /// Stops waiting for another program that has locked the store: if a write is not possible then, it fails.
    pub fn give_up(&self) {
        self.give_up.store(true, Ordering::Relaxed);
    }

    /// Takes values of the table `event` that nobody waits for.
    pub(crate) fn notes(&self) -> EventNotes {
        EventNotes(self.requests.clone())
    }

    fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> WriteRequest) -> Result<T, StoreError> {
        let (reply, answer) = sync_channel(1);
        let stopped = || StoreError::Stopped(self.folder.clone());
        let sent = self.requests.send(request(reply));
        sent.map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())?
    }

    /// Writes what is waiting, empties the write-ahead log into the file, and releases the lock.
    ///
    /// # Errors
    /// The error that ended the writer, if one did.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.finish()
    }

    /// The same for a store that is to be moved: its file has everything. The readers of this process must be gone, or
    /// end soon.
    ///
    /// # Errors
    /// The error that ended the writer, or a reader that does not end.
    pub(crate) fn close_into_file(mut self) -> Result<(), StoreError> {
        self.finish()?;
        open::empty_log(&self.folder)
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        // If the writer has already ended, joining it returns the reason.
        let _gone = self.requests.send(WriteRequest::Close);
        let stopped = StoreError::Stopped(self.folder.clone());
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or(Err(stopped)),
            None => Err(stopped),
        }
    }
}

/// Dropping a store closes it: what is waiting is written first.
impl Drop for Store {
    fn drop(&mut self) {
        if self.thread.is_some() {
            // The failure, if any, was announced to the callback.
            let _announced = self.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{ArbiterAct, UnixMillis};

    #[test]
    fn what_follows_from_decisions_is_not_recorded_after_another() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Box::new(|_| ())).unwrap();
        store.set_decided(&[("choice", "one")], Some(0)).unwrap();
        let signature = Signature {
            decided: UnixMillis(0),
            author: String::new(),
            reason: String::new(),
        };
        let words = String::new();
        let written = StoredAct {
            act: ArbiterAct::Announce { words },
            unpairs: Vec::new(),
        };
        record_decision::<StoreError>(folder.path(), &signature, |_| Ok(written)).unwrap();
        let late = store.set_decided(&[("choice", "two")], Some(0));
        assert!(matches!(late, Err(StoreError::Decided(_))), "{late:?}");
        let value = || store.reader().unwrap().value("choice").unwrap();
        assert_eq!(value().as_deref(), Some("one"));
        store.set_decided(&[("choice", "two")], Some(1)).unwrap();
        assert_eq!(value().as_deref(), Some("two"));
    }

    /// What a reader keeps in the log would be lost with a file that is moved without it.
    #[test]
    fn a_store_that_is_to_be_moved_is_in_its_file_or_not_closed_well() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Box::new(|_| ())).unwrap();
        store.set_event(&[("programs", "one")]).unwrap();
        let reader = open::reader(folder.path()).unwrap();
        reader.execute_batch("BEGIN; SELECT * FROM event").unwrap();
        store.set_event(&[("programs", "two")]).unwrap();
        assert!(store.close_into_file().is_err());
        drop(reader);
        open::empty_log(folder.path()).unwrap();
        let moved = tempfile::tempdir().unwrap();
        let place = |folder: &Path| folder.join(EVENT_FILE);
        std::fs::copy(place(folder.path()), place(moved.path())).unwrap();
        let moved = Reader::open(moved.path()).unwrap();
        assert_eq!(moved.value("programs").unwrap().as_deref(), Some("two"));
    }
}
