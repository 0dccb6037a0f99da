//! The only writer: a thread of its own, so that nobody else waits for the disk.
//!
//! Games that arrive while a transaction is being made durable share the next
//! one, so the slower the disk, the larger the groups.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender};

use rusqlite::Connection;
use serde_json::Value;

use crate::event::{FinishedGame, GameId, UnixMillis};

use super::error::StoreError;
use super::facts::{self, EngineEntry};
use super::insert::{Inserted, Inserter};
use super::lock::EventLock;
use super::open;
use super::place::Files;

/// The most games in one transaction: it bounds what a failed one loses.
const LARGEST_GROUP: usize = 512;

/// What the writer announces, in the order in which it happened.
#[derive(Debug)]
pub enum StoreNotice {
    /// These games are durable, in the order in which the store keeps them.
    Committed(Vec<FinishedGame>),
    /// These voided games are in the log.
    Voided(Vec<FinishedGame>),
    /// These had arrived before; nothing was written.
    Duplicate(Vec<GameId>),
    /// Nothing more will be written: games submitted and not yet announced are
    /// not in the store, and will be missing on resume.
    Failed(StoreError),
}

/// Where notices go; called on the writer's thread.
pub type Announce = Box<dyn Fn(StoreNotice) + Send>;

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
    Game(FinishedGame),
    Event(Vec<(String, String)>, Reply<()>),
    Engines(Vec<EngineEntry>, Reply<()>),
    Identity(UnixMillis, Value, Reply<u32>),
    Close,
}

pub(super) struct Writer {
    pub(super) files: Files,
    pub(super) connection: Connection,
    pub(super) file: PathBuf,
    pub(super) revision: u32,
    pub(super) announce: Announce,
    pub(super) inserter: Inserter,
    pub(super) summary: StoreSummary,
    /// Held to the very end: released when the thread ends.
    pub(super) _lock: EventLock,
}

/// A group of games on their way through one transaction.
#[derive(Default)]
struct Group {
    committed: Vec<FinishedGame>,
    voided: Vec<FinishedGame>,
    duplicates: Vec<GameId>,
}

impl Writer {
    /// Serves requests until the store is closed or dropped, then empties the log.
    pub(super) fn run(mut self, requests: &Receiver<Request>) -> Result<StoreSummary, StoreError> {
        match self.serve(requests) {
            Ok(()) => {}
            Err(error) => {
                (self.announce)(StoreNotice::Failed(error.clone()));
                return Err(error);
            }
        }
        let checkpointed = open::checkpoint(&self.connection);
        checkpointed.map_err(|error| StoreError::from_sqlite(&self.file, &error))?;
        Ok(self.summary)
    }

    fn serve(&mut self, requests: &Receiver<Request>) -> Result<(), StoreError> {
        while let Ok(first) = requests.recv() {
            let mut next = Some(first);
            while let Some(request) = next.take() {
                match request {
                    Request::Game(game) => next = self.write_group(game, requests)?,
                    Request::Close => return Ok(()),
                    other => self.write_fact(other),
                }
            }
        }
        Ok(())
    }

    /// Writes this game and those that wait behind it. Returns the request that
    /// ended the group, if it was not a game.
    fn write_group(
        &mut self,
        first: FinishedGame,
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
        let group = self.commit(games);
        let group = group.map_err(|error| StoreError::from_sqlite(&self.file, &error))?;
        // Before anybody hears of them: these games are not where they are looked for.
        self.files.check()?;
        self.publish(group);
        Ok(rest)
    }

    /// One durable transaction; nothing of it remains if it fails.
    fn commit(&mut self, games: Vec<FinishedGame>) -> rusqlite::Result<Group> {
        let transaction = self.connection.transaction()?;
        let mut group = Group::default();
        for game in games {
            match self.inserter.insert(&transaction, self.revision, &game)? {
                Inserted::Finished => group.committed.push(game),
                Inserted::Voided => group.voided.push(game),
                Inserted::Duplicate => group.duplicates.push(game.id),
            }
        }
        transaction.commit()?;
        Ok(group)
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

    /// Small facts are answered: whoever asked waits, and decides what a failure means.
    fn write_fact(&mut self, request: Request) {
        let connection = &self.connection;
        let failed = |error: rusqlite::Error| StoreError::from_sqlite(&self.file, &error);
        match request {
            Request::Event(entries, reply) => {
                answer(
                    &reply,
                    facts::write_event(connection, &entries).map_err(failed),
                );
            }
            Request::Engines(engines, reply) => {
                let written = facts::write_engines(connection, self.revision, &engines);
                answer(&reply, written.map_err(failed));
            }
            Request::Identity(accepted, identity, reply) => {
                let written = facts::write_identity(connection, accepted, &identity);
                let revision = written.map_err(failed);
                if let Ok(revision) = revision {
                    self.revision = revision;
                }
                answer(&reply, revision);
            }
            Request::Game(_) | Request::Close => {}
        }
    }
}

/// Whoever asked may have gone; what was written stays written.
fn answer<T>(reply: &Reply<T>, result: Result<T, StoreError>) {
    let _gone = reply.send(result);
}
