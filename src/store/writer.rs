//! The only writer: a thread of its own, so that nobody else waits for the disk.
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

use super::decisions;
use super::error::StoreError;
use super::facts::{self, Description};
use super::holders;
use super::insert::{Inserted, Inserter};
use super::lock::EventLock;
use super::open;
use super::pgn_parts::{self, PgnPart};
use super::place::Files;

/// The most games in one transaction: it bounds what a failed one loses.
const LARGEST_GROUP: usize = 512;

/// So often the log is tried to be brought into the file when its name was taken away.
const ATTEMPTS: u32 = 5;

/// How often it is told that the store is locked.
const REMINDER: Duration = Duration::from_secs(30);

/// What the writer announces, in the order in which it happened.
#[derive(Debug)]
pub enum StoreNotice {
    /// These games are durable, in the order in which the store keeps them.
    Committed(Vec<PlayedGame>),
    /// These voided games are in the log.
    Voided(Vec<PlayedGame>),
    /// These had arrived before; nothing was written.
    Duplicate(Vec<GameId>),
    /// The arbiter's book has more decisions than before. Games that were announced before this, and
    /// only those, were stored without them.
    Decided,
    /// Another program has locked the store: words for the user. It is written as soon as the
    /// other lets go.
    Waiting(String),
    /// Nothing more will be written: games submitted and not yet announced are
    /// not in the store, and will be missing on resume.
    Failed(StoreError),
}

/// Where notices go; called on the writer's thread.
pub(crate) type Announce = Box<dyn Fn(StoreNotice) + Send>;

/// What the writer did, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreSummary {
    /// Games made durable.
    pub finished: u64,
    /// Voided games logged.
    pub voided: u64,
    /// Games that had arrived before.
    pub duplicates: u64,
    /// Transactions with games in them.
    pub commits: u64,
}

pub(super) type Reply<T> = SyncSender<Result<T, StoreError>>;

/// Nearly every request is a game: boxing it would cost more than it saves.
#[allow(clippy::large_enum_variant)]
pub(super) enum Request {
    Game(PlayedGame),
    Describe(Description, Reply<u32>),
    PgnPart(PgnPart),
    ForgetPgnParts,
    LookForDecisions,
    Close,
}

/// Writes parts into the store; what the store cannot write any more is left out.
#[derive(Debug, Clone)]
pub struct PgnParts(Sender<Request>);

impl PgnParts {
    pub(super) fn new(requests: Sender<Request>) -> PgnParts {
        PgnParts(requests)
    }

    /// One more part.
    pub fn add(&self, part: PgnPart) {
        // A store that has ended has said why.
        let _ended = self.0.send(Request::PgnPart(part));
    }

    /// The file is written anew.
    pub fn forget(&self) {
        let _ended = self.0.send(Request::ForgetPgnParts);
    }
}

pub(super) struct Writer {
    pub(super) files: Files,
    pub(super) connection: Connection,
    pub(super) file: PathBuf,
    pub(super) revision: u32,
    /// The arbiter's book, as far as it has been read.
    pub(super) decisions: Decisions,
    pub(super) announce: Announce,
    pub(super) inserter: Inserter,
    pub(super) summary: StoreSummary,
    /// Nobody waits for other programs any more.
    pub(super) give_up: Arc<AtomicBool>,
    /// Held to the very end: released when the thread ends.
    pub(super) _lock: EventLock,
}

/// A group of games on their way through one transaction.
#[derive(Default)]
struct Group {
    committed: Vec<PlayedGame>,
    voided: Vec<PlayedGame>,
    duplicates: Vec<GameId>,
}

impl Group {
    fn of(games: Vec<PlayedGame>, inserted: Vec<Inserted>) -> Group {
        let mut group = Group::default();
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
    pub(super) fn run(mut self, requests: &Receiver<Request>) -> Result<StoreSummary, StoreError> {
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
        checkpointed.map_err(|error| StoreError::from_sqlite(&self.file, &error))?;
        Ok(self.summary)
    }

    /// A log that has lost its name is lost with the last connection to it, and the games in it have been
    /// announced: as long as it is open here they can be brought into the file. When a connection is
    /// closed SQLite does so by itself only if no reader of this process is open then.
    fn save_what_was_announced(&self) {
        for _ in 0..ATTEMPTS {
            // It waits for readers by itself, for a second.
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

    fn serve(&mut self, requests: &Receiver<Request>) -> Result<(), StoreError> {
        while let Ok(first) = requests.recv() {
            let mut next = Some(first);
            while let Some(request) = next.take() {
                match request {
                    Request::Game(game) => next = self.write_group(game, requests)?,
                    Request::Close => return Ok(()),
                    Request::Describe(description, reply) => self.describe(&description, &reply),
                    Request::PgnPart(part) => self.write_part(&part),
                    Request::ForgetPgnParts => self.forget_parts(),
                    Request::LookForDecisions => self.look_for_decisions(),
                }
            }
        }
        Ok(())
    }

    /// Writes this game and those that wait behind it. Returns the request that
    /// ended the group, if it was not a game.
    fn write_group(
        &mut self,
        first: PlayedGame,
        requests: &Receiver<Request>,
    ) -> Result<Option<Request>, StoreError> {
        let mut games = vec![first];
        let mut rest = None;
        while games.len() < LARGEST_GROUP && rest.is_none() {
            match requests.try_recv() {
                Ok(Request::Game(game)) => games.push(game),
                Ok(other) => rest = Some(other),
                Err(_) => break,
            }
        }
        let inserted = self.patiently(|writer| writer.commit(&games));
        let inserted = inserted.map_err(|error| StoreError::from_sqlite(&self.file, &error))?;
        // Before anybody hears of them: these games are not where they are looked for.
        self.files.check()?;
        self.publish(Group::of(games, inserted));
        Ok(rest)
    }

    /// One durable transaction; nothing of it remains if it fails.
    fn commit(&mut self, games: &[PlayedGame]) -> rusqlite::Result<Vec<Inserted>> {
        // At once: who reads first and then wants to write cannot wait for another writer.
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

    /// Writes as soon as nobody else does: a user's own program may keep the store locked for as
    /// long as it likes, and no game is lost by it.
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
        let holder = holders::of_store(&self.file);
        let words = format!(
            "warning: {} is locked by {}: waiting until its transaction ends (no game is lost)",
            self.file.display(),
            holder.unwrap_or_else(|| "another program".to_owned())
        );
        tracing::warn!("{words}");
        (self.announce)(StoreNotice::Waiting(words));
    }

    fn publish(&mut self, group: Group) {
        self.summary.commits += 1;
        self.summary.finished += group.committed.len() as u64;
        self.summary.voided += group.voided.len() as u64;
        self.summary.duplicates += group.duplicates.len() as u64;
        // First: a voided game may have been played again within the group.
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

    /// Whatever is not written down of `games.pgn` is compared again by the next run.
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

    /// Somebody else may have written into the arbiter's book.
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

    /// Writes what is said of the event. Whoever asked waits for the answer, and decides what
    /// a failure means.
    fn describe(&mut self, description: &Description, reply: &Reply<u32>) {
        let written = self.patiently(|writer| facts::describe(&mut writer.connection, description));
        let written = written.map_err(|error| StoreError::from_sqlite(&self.file, &error));
        let revision = written.and_then(|revision| self.files.check().map(|()| revision));
        if let Ok(revision) = revision {
            self.revision = revision;
        }
        // Whoever asked may have gone; what was written stays written.
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
