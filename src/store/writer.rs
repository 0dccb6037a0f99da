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
use super::insert::{Inserted, Inserter};
use super::lock::EventLock;
use super::pgn_parts::{self, PgnPart};
use super::place::StoreFiles;
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

/// Counts of what the writer did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreSummary {
    /// Games made durable.
    pub finished: u64,
    /// Voided games logged.
    pub voided: u64,
    /// Games that were already stored.
    pub duplicates: u64,
    /// Transactions with games in them.
    pub commits: u64,
}

pub(super) type Reply<T> = SyncSender<Result<T, StoreError>>;

/// Nearly every request is a game: boxing it would cost more than it saves.
#[allow(clippy::large_enum_variant)]
pub(super) enum WriteRequest {
    Game(PlayedGame),
    /// The number: only if the arbiter has made no more decisions.
    Describe(Description, Option<u64>, Reply<u32>),
    PgnPart(PgnPart),
    ForgetPgnParts,
    LookForDecisions,
    Close,
}

/// Writes parts into the store; parts that the store can no longer write are dropped.
#[derive(Debug, Clone)]
pub struct PgnParts(Sender<WriteRequest>);

impl PgnParts {
    pub(super) fn new(requests: Sender<WriteRequest>) -> PgnParts {
        PgnParts(requests)
    }

    pub fn add(&self, part: PgnPart) {
        // A store that has ended has reported the reason.
        let _ended = self.0.send(WriteRequest::PgnPart(part));
    }

    /// Drops all parts, because the file is written again.
    pub fn forget(&self) {
        let _ended = self.0.send(WriteRequest::ForgetPgnParts);
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
    pub(super) inserter: Inserter,
    pub(super) summary: StoreSummary,
    /// Set when nobody wants to wait for other programs any longer.
    pub(super) give_up: Arc<AtomicBool>,
    /// Released when the thread ends.
    pub(super) _lock: EventLock,
}

/// A group of games in one transaction.
#[derive(Default)]
struct CommitGroup {
    committed: Vec<PlayedGame>,
    voided: Vec<PlayedGame>,
    duplicates: Vec<GameId>,
}

impl CommitGroup {
    fn new(games: Vec<PlayedGame>, inserted: Vec<Inserted>) -> CommitGroup {
        let mut group = CommitGroup::default();
        for (game, inserted) in games.into_iter().zip(inserted) {
            match inserted {
                Inserted::Finished => group.committed.push(game),
                Inserted::Voided => group.voided.push(game),
                Inserted::Duplicate => group.duplicates.push(game.id),
            }
        }
        group
    }
}

impl Writer {
    /// Serves requests until the store is closed or dropped, then empties the log.
    pub(super) fn run(
        mut self,
        requests: &Receiver<WriteRequest>,
    ) -> Result<StoreSummary, StoreError> {
        match self.serve(requests) {
            Ok(()) => {}
            Err(error) => {
                if matches!(error, StoreError::Moved { .. }) {
                    self.save_what_was_announced();
                }
                (self.announce)(StoreNotice::Failed(error.clone()));
                return Err(error);
            }
        }
        let checkpointed = open::checkpoint(&self.connection);
        checkpointed.at(&self.file)?;
        Ok(self.summary)
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
                    WriteRequest::PgnPart(part) => self.write_part(&part),
                    WriteRequest::ForgetPgnParts => self.forget_parts(),
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
        // Checked before the games are announced: if this fails, they are not in the file where readers look.
        self.files.check()?;
        self.publish(CommitGroup::new(games, inserted));
        Ok(rest)
    }

    /// Makes one durable transaction; if it fails, nothing of it remains.
    fn commit(&mut self, games: &[PlayedGame]) -> rusqlite::Result<Vec<Inserted>> {
        // Immediate: a transaction that first reads and then wants to write cannot wait for another writer.
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        if decisions::count(&transaction)? != self.decisions.len() {
            self.decisions = decisions::read(&transaction)?;
            (self.announce)(StoreNotice::Decided);
        }
        let mut insert = |game| {
            let inserter = &mut self.inserter;
            inserter.insert(&transaction, self.revision, &self.decisions, game)
        };
        let inserted = games.iter().map(&mut insert).collect::<Result<_, _>>()?;
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
                        self.tell_waiting();
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

    fn tell_waiting(&self) {
        let words = format!(
            "warning: {} is locked by {}: waiting until its transaction ends (no game is lost)",
            self.file.display(),
            lock_holder(&self.file)
        );
        tracing::warn!("{words}");
        (self.announce)(StoreNotice::Waiting(words));
    }

    fn publish(&mut self, group: CommitGroup) {
        self.summary.commits += 1;
        self.summary.finished += group.committed.len() as u64;
        self.summary.voided += group.voided.len() as u64;
        self.summary.duplicates += group.duplicates.len() as u64;
        // Announced first: a voided game may have been played again within the group.
        if !group.voided.is_empty() {
            (self.announce)(StoreNotice::Voided(group.voided));
        }
        if !group.committed.is_empty() {
            (self.announce)(StoreNotice::Committed(group.committed));
        }
        if !group.duplicates.is_empty() {
            (self.announce)(StoreNotice::Duplicate(group.duplicates));
        }
    }

    /// If a part of `games.pgn` is not recorded, the next run compares it again.
    fn write_part(&mut self, part: &PgnPart) {
        let written = self.patiently(|writer| pgn_parts::write(&writer.connection, part));
        if let Err(error) = written {
            tracing::warn!(%error, "what is known of games.pgn was not written down");
        }
    }

    fn forget_parts(&mut self) {
        let forgotten = self.patiently(|writer| pgn_parts::forget(&writer.connection));
        if let Err(error) = forgotten {
            tracing::warn!(%error, "what was known of games.pgn was not deleted");
        }
    }

    /// Reads the arbiter's book again: another process may have written into it.
    fn look_for_decisions(&mut self) {
        let known = self.decisions.len();
        let found = self.patiently(|writer| {
            if decisions::count(&writer.connection)? != known {
                writer.decisions = decisions::read(&writer.connection)?;
            }
            Ok(())
        });
        match found {
            Ok(()) if self.decisions.len() != known => (self.announce)(StoreNotice::Decided),
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "the arbiter's book cannot be read"),
        }
    }

    /// Writes a description of the event. The caller waits for the answer, and decides what a failure means.
    fn describe(&mut self, description: &Description, decisions: Option<u64>, reply: &Reply<u32>) {
        let written = self
            .patiently(|writer| facts::describe(&mut writer.connection, description, decisions));
        let overtaken = || StoreError::Decided(self.file.clone());
        let written = written.at(&self.file);
        let revision = written.and_then(|revision| revision.ok_or_else(overtaken));
        let revision = revision.and_then(|revision| self.files.check().map(|()| revision));
        if let Ok(revision) = revision {
            self.revision = revision;
        }
        // The caller may have gone; the data stay written.
        let _gone = reply.send(revision);
    }
}

/// Whether another program has locked the store.
fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
