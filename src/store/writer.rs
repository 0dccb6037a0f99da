//! The only writer: a separate thread, so that no other thread waits for the disk.
//!
//! Games that arrive while a transaction is being made durable share the next
//! one, so the slower the disk, the larger the groups.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::event::{Decisions, GameId, PlayedGame};

use super::error::{InFile, StoreError, lock_holder};
use super::facts::{self, Description};
use super::insert::{self, Inserted};
use super::lock::{EventLock, StoreFiles};
use super::move_row::MAX_VARIATION_BYTES;
use super::{decisions, open};

/// Maximum number of games in one transaction, which are lost if it fails.
const MAX_GAMES_A_COMMIT: usize = 512;

/// Number of attempts to move the log into the file after the log has lost its name.
const MAX_COMMIT_ATTEMPTS: u32 = 5;

/// Interval between messages that the store is locked.
const REMINDER: Duration = Duration::from_secs(30);

/// What the writer announces, in the order in which it happened.
#[derive(Debug)]
pub enum StoreNotice {
    /// These games are durable, in the order in which the store keeps them.
    Committed(Vec<PlayedGame>),
    /// These voided games are in the log.
    Voided(Vec<PlayedGame>),
    /// These games were already stored; nothing was written.
    Duplicate(Vec<GameId>),
    /// The arbiter's book has more decisions than before. Games that were announced before this, and
    /// only those, were stored without them.
    Decided,
    /// Another program has locked the store: a message for the user. Writing continues as soon as the lock is released.
    Waiting(String),
    /// Nothing more will be written: games submitted and not yet announced are
    /// not in the store, and will be missing on resume.
    Failed(StoreError),
}

/// Receives the notices; called on the writer's thread.
pub(crate) type Announce = Box<dyn Fn(StoreNotice) + Send>;

pub(super) type Reply<T> = SyncSender<Result<T, StoreError>>;

/// Nearly every request is a game: boxing it would cost more than it saves.
#[allow(clippy::large_enum_variant)]
pub(super) enum WriteRequest {
    Game(PlayedGame),
    /// The number: only if the arbiter has made no more decisions.
    Describe(Description, Option<u64>, Reply<u32>),
    /// A key and a value of the table `event`.
    Note(&'static str, String),
    LookForDecisions,
    Close,
}

/// Writes values of the table `event` without a wait; what the store can no longer write is dropped.
#[derive(Debug, Clone)]
pub(crate) struct EventNotes(pub(super) Sender<WriteRequest>);

impl EventNotes {
    pub(crate) fn set(&self, key: &'static str, value: String) {
        // A store that has ended has reported the reason.
        let _ended = self.0.send(WriteRequest::Note(key, value));
    }
}

pub(super) struct Writer {
    pub(super) files: StoreFiles,
    pub(super) connection: Connection,
    pub(super) file: PathBuf,
    pub(super) revision: u32,
    /// The decisions in the arbiter's book that were read so far.
    pub(super) decisions: Decisions,
    pub(super) announce: Announce,
    /// The log has a warning of a variation that was shortened: an engine that does this does it all the time.
    pub(super) told_of_a_cut: bool,
    /// Set when nobody wants to wait for other programs any longer.
    pub(super) give_up: Arc<AtomicBool>,
    /// Released when the thread ends.
    pub(super) _lock: EventLock,
}

impl Writer {
    /// Serves requests until the store is closed or dropped, then empties the log.
    pub(super) fn run(mut self, requests: &Receiver<WriteRequest>) -> Result<(), StoreError> {
        if let Err(error) = self.serve(requests) {
            if matches!(error, StoreError::Moved { .. }) {
                self.save_what_was_announced();
            }
            (self.announce)(StoreNotice::Failed(error.clone()));
            return Err(error);
        }
        let checkpointed = open::checkpoint(&self.connection);
        checkpointed.at(&self.file).map(drop)
    }

    /// A log that has lost its name is lost with the last connection to it, and its games have been announced. While it
    /// is open here, they can be moved into the file. When a connection is closed, SQLite does this by itself only if
    /// no reader of this process is open.
    fn save_what_was_announced(&self) {
        for _ in 0..MAX_COMMIT_ATTEMPTS {
            // The call itself waits for readers, for one second.
            match open::checkpoint(&self.connection) {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the log was not brought into the store");
                    return;
                }
            }
        }
        tracing::warn!("the log was not brought wholly into the store: a reader was in the way");
    }

    fn serve(&mut self, requests: &Receiver<WriteRequest>) -> Result<(), StoreError> {
        while let Ok(first) = requests.recv() {
            let mut next = Some(first);
            while let Some(request) = next.take() {
                match request {
                    WriteRequest::Game(game) => next = self.write_group(game, requests)?,
                    WriteRequest::Close => return Ok(()),
                    WriteRequest::Describe(description, decisions, reply) => {
                        self.describe(&description, decisions, &reply)
                    }
                    WriteRequest::Note(key, value) => self.note(key, value),
                    WriteRequest::LookForDecisions => self.look_for_decisions(),
                }
            }
        }
        Ok(())
    }

    /// Writes this game and those that are waiting after it. Returns the request that ended the group, if it was not a
    /// game.
    fn write_group(
        &mut self,
        first: PlayedGame,
        requests: &Receiver<WriteRequest>,
    ) -> Result<Option<WriteRequest>, StoreError> {
        let mut games = vec![first];
        let mut rest = None;
        while games.len() < MAX_GAMES_A_COMMIT && rest.is_none() {
            match requests.try_recv() {
                Ok(WriteRequest::Game(game)) => games.push(game),
                Ok(other) => rest = Some(other),
                Err(_) => break,
            }
        }
        let inserted = self.patiently(|writer| writer.commit(&games));
        let inserted = inserted.at(&self.file)?;
        if !self.told_of_a_cut
            && let Some(game) = games.iter().find(|game| insert::is_cut(game))
        {
            self.told_of_a_cut = true;
            let id = game.id;
            tracing::warn!(%id, "a variation has more than {MAX_VARIATION_BYTES} bytes: its beginning is stored");
        }
        // Checked before the games are announced: if this fails, they are not in the file where readers look.
        self.files.check()?;
        self.publish(games, inserted);
        Ok(rest)
    }

    /// Makes one durable transaction; if it fails, nothing of it remains.
    fn commit(&mut self, games: &[PlayedGame]) -> rusqlite::Result<Vec<Inserted>> {
        // Immediate: a transaction that first reads and then wants to write cannot wait for another writer.
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        if renew(&mut self.decisions, &transaction)? {
            (self.announce)(StoreNotice::Decided);
        }
        let insert = |game| insert::insert(&transaction, self.revision, &self.decisions, game);
        let inserted = games.iter().map(insert).collect::<Result<_, _>>()?;
        transaction.commit()?;
        Ok(inserted)
    }

    /// Writes as soon as no other program does: a user's own program may keep the store locked for any time without
    /// loss of games.
    fn patiently<T>(
        &mut self,
        mut write: impl FnMut(&mut Writer) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let mut told: Option<Instant> = None;
        loop {
            match write(self) {
                Err(error) if is_busy(&error) && !self.give_up.load(Ordering::Relaxed) => {
                    if told.is_none_or(|told| told.elapsed() > REMINDER) {
                        told = Some(Instant::now());
                        let words = format!(
                            "warning: {} is locked by {}: waiting until its transaction ends (no game is lost)",
                            self.file.display(),
                            lock_holder(&self.file)
                        );
                        tracing::warn!("{words}");
                        (self.announce)(StoreNotice::Waiting(words));
                    }
                }
                written => {
                    if told.is_some() && written.is_ok() {
                        let words = format!("{} is free again", self.file.display());
                        (self.announce)(StoreNotice::Waiting(words));
                    }
                    return written;
                }
            }
        }
    }

    fn publish(&self, games: Vec<PlayedGame>, inserted: Vec<Inserted>) {
        let (mut committed, mut voided, mut duplicates) = (Vec::new(), Vec::new(), Vec::new());
        for (game, inserted) in games.into_iter().zip(inserted) {
            match inserted {
                Inserted::Finished => committed.push(game),
                Inserted::Voided => voided.push(game),
                Inserted::Duplicate => duplicates.push(game.id),
            }
        }
        // Voided ones first: one may have been played again within the group.
        let notices = [
            (voided.is_empty(), StoreNotice::Voided(voided)),
            (committed.is_empty(), StoreNotice::Committed(committed)),
            (duplicates.is_empty(), StoreNotice::Duplicate(duplicates)),
        ];
        let notices = notices.into_iter().filter(|(is_empty, _)| !is_empty);
        notices.for_each(|(_, notice)| (self.announce)(notice));
    }

    /// Writes a value whose loss costs the next run only time.
    fn note(&mut self, key: &str, value: String) {
        let entry = [(key.to_owned(), value)];
        let written = self.patiently(|writer| facts::write_event(&writer.connection, &entry));
        if let Err(error) = written {
            tracing::warn!(%error, key, "a value of the event was not written down");
        }
    }

    fn look_for_decisions(&mut self) {
        match self.patiently(|writer| renew(&mut writer.decisions, &writer.connection)) {
            Ok(true) => (self.announce)(StoreNotice::Decided),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the arbiter's book cannot be read"),
        }
    }

    /// Writes a description of the event. The caller waits for the answer, and decides what a failure means.
    fn describe(&mut self, description: &Description, decisions: Option<u64>, reply: &Reply<u32>) {
        let write =
            |writer: &mut Writer| facts::describe(&mut writer.connection, description, decisions);
        let written = self.patiently(write).at(&self.file);
        let overtaken = || StoreError::Decided(self.file.clone());
        let revision = written.and_then(|revision| revision.ok_or_else(overtaken));
        let revision = revision.and_then(|revision| self.files.check().map(|()| revision));
        if let Ok(revision) = revision {
            self.revision = revision;
        }
        // The caller may have gone; the data stay written.
        let _gone = reply.send(revision);
    }
}

/// Reads the arbiter's book again if another process has written into it; whether one has.
fn renew(known: &mut Decisions, connection: &Connection) -> rusqlite::Result<bool> {
    let is_other = decisions::count(connection)? != known.len();
    if is_other {
        *known = decisions::read(connection)?;
    }
    Ok(is_other)
}

/// Whether another program has locked the store.
fn is_busy(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseBusy | DatabaseLocked)
    )
}
