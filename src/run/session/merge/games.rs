//! Game after game of all shards into the new store, in the order in which they ended.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::parts::ShardStore;
use crate::chess::{FenDialect, Move};
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::hash::moves_hash;
use crate::referee::Outcome;
use crate::run::error::RunError;
use crate::run::merge_error::MergeError;
use crate::run::session::filling::Draft;
use crate::schedule::Shard;
use crate::store::{Description, StoreError, StoredGame, VoidedGame};

/// What distinguishes one playing of a game from another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Trace {
    started: UnixMillis,
    ended: UnixMillis,
    moves_hash: u64,
    outcome: Outcome,
}

impl Trace {
    fn of(game: &PlayedGame) -> Trace {
        let record = &game.record;
        let start = record.start.fen(FenDialect::XFen);
        Trace {
            started: game.started,
            ended: game.ended,
            moves_hash: moves_hash(&start, record.all_moves().map(Move::bits)),
            outcome: record.outcome.clone(),
        }
    }
}

/// What has been taken from the shards.
#[derive(Debug, Default)]
pub(super) struct MergedGames {
    /// Each finished game, with the part that it is of.
    finished: HashMap<GameId, (usize, Trace)>,
    voided: HashMap<GameId, Vec<Trace>>,
    /// Games that were found more than once.
    pub(super) repeated: u64,
}

impl MergedGames {
    /// Finished games.
    pub(super) fn games(&self) -> u64 {
        self.finished.len() as u64
    }

    /// Voided games.
    pub(super) fn voided(&self) -> u64 {
        self.voided.values().map(|traces| traces.len() as u64).sum()
    }

    /// Finished games of this shard.
    pub(super) fn games_of(&self, shard: Shard) -> u64 {
        let games = self.finished.keys().filter(|id| shard.holds(id.pair));
        games.count() as u64
    }

    /// Whether this very playing of a game is among them.
    pub(super) fn has(&self, game: &PlayedGame) -> bool {
        let trace = Trace::of(game);
        if game.record.outcome.is_void() {
            let known = self.voided.get(&game.id);
            return known.is_some_and(|known| known.contains(&trace));
        }
        let known = self.finished.get(&game.id);
        known.is_some_and(|(_, known)| *known == trace)
    }

    /// Adds a game of a part: whether it is new, or else whose it is if it is another playing.
    fn add(&mut self, part: usize, game: &PlayedGame) -> Result<bool, usize> {
        let trace = Trace::of(game);
        if game.record.outcome.is_void() {
            let known = self.voided.entry(game.id).or_default();
            let is_new = !known.contains(&trace);
            if is_new {
                known.push(trace);
            }
            return Ok(is_new);
        }
        match self.finished.get(&game.id) {
            Some((_, known)) if *known == trace => {
                self.repeated += 1;
                Ok(false)
            }
            Some((other, _)) => Err(*other),
            None => {
                self.finished.insert(game.id, (part, trace));
                Ok(true)
            }
        }
    }
}

/// A game of a part.
struct MergeEntry {
    revision: u32,
    /// Which voided one; 0 of a finished game.
    attempt: u64,
    game: PlayedGame,
}

/// The games of one part, finished or voided, in order.
type GameStream<'p> = Box<dyn Iterator<Item = Result<MergeEntry, StoreError>> + 'p>;

/// The place of a game in the new store, and the stream that it comes from.
type MergeOrder = Reverse<(u32, UnixMillis, GameId, usize)>;

/// The new store while it is filled.
pub(super) struct Writing<'p> {
    draft: &'p mut Draft,
    parts: &'p [ShardStore],
    /// What is to be said of the event, until that was done.
    facts: Vec<(String, String)>,
    revision: u32,
    taken: MergedGames,
}

impl<'p> Writing<'p> {
    /// Takes all games of all parts.
    pub(super) fn all(
        draft: &'p mut Draft,
        parts: &'p [ShardStore],
        facts: Vec<(String, String)>,
    ) -> Result<MergedGames, RunError> {
        let mut writing = Writing {
            draft,
            parts,
            facts,
            revision: 0,
            taken: MergedGames::default(),
        };
        let mut streams: Vec<GameStream<'_>> = Vec::new();
        for part in parts {
            streams.push(finished(part));
            streams.push(voided(part)?);
        }
        let mut first: Vec<Option<MergeEntry>> = Vec::new();
        let mut places = BinaryHeap::new();
        for (stream, games) in streams.iter_mut().enumerate() {
            let entry = games.next().transpose()?;
            places.extend(entry.as_ref().map(|entry| place(entry, stream)));
            first.push(entry);
        }
        while let Some(Reverse((.., stream))) = places.pop() {
            let next = streams[stream].next().transpose()?;
            places.extend(next.as_ref().map(|entry| place(entry, stream)));
            if let Some(entry) = std::mem::replace(&mut first[stream], next) {
                writing.take(entry, stream / 2)?;
            }
        }
        let revisions = parts[0].identities.len();
        writing.reach_revision(u32::try_from(revisions).unwrap_or(u32::MAX))?;
        writing.draft.settle()?;
        Ok(writing.taken)
    }

    fn take(&mut self, entry: MergeEntry, part: usize) -> Result<(), RunError> {
        let mut game = entry.game;
        let folder = |part: usize| self.parts[part].folder.clone();
        match self.taken.add(part, &game) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(other) => {
                let (id, first, second) = (game.id, folder(other), folder(part));
                return Err(MergeError::PlayedTwice { id, first, second }.into());
            }
        }
        self.reach_revision(entry.revision)?;
        if game.record.outcome.is_void() || !game.record.faults.is_empty() {
            let dialogue = self.parts[part].reader.dialogue(game.id, entry.attempt)?;
            game.record.dialogue = dialogue.map(Box::new);
        }
        self.draft.take(game)
    }

    /// What follows was played under this revision of the event.
    fn reach_revision(&mut self, revision: u32) -> Result<(), RunError> {
        while self.revision < revision {
            self.draft.settle()?;
            let part = &self.parts[0];
            let Some(accepted) = part.identities.get(self.revision as usize) else {
                break;
            };
            self.revision += 1;
            self.draft.session.store.describe(Description {
                identity: Some((accepted.accepted, accepted.identity.clone())),
                facts: std::mem::take(&mut self.facts),
                engines: part.reader.engines(self.revision)?,
            })?;
        }
        Ok(())
    }
}

fn place(entry: &MergeEntry, stream: usize) -> MergeOrder {
    Reverse((entry.revision, entry.game.ended, entry.game.id, stream))
}

fn finished(part: &ShardStore) -> GameStream<'_> {
    let entry = |game: Result<StoredGame, StoreError>| {
        game.map(|stored| MergeEntry {
            revision: stored.revision,
            attempt: 0,
            game: stored.game,
        })
    };
    Box::new(part.reader.games_after(0).map(entry))
}

fn voided(part: &ShardStore) -> Result<GameStream<'_>, StoreError> {
    let entry = |void: VoidedGame| {
        Ok(MergeEntry {
            revision: void.revision,
            attempt: void.attempt,
            game: void.game,
        })
    };
    Ok(Box::new(part.reader.voided()?.into_iter().map(entry)))
}
