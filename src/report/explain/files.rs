//! An event's store, and its data about the engines and their limits.

use crate::chess::Color;
use crate::chess::start::Variant;
use crate::event::identity::{EventEngine, EventIdentity};
use crate::event::{GameId, Named, PlayedGame, Seat};
use crate::referee::{Dialogue, PlayerSettings};
use crate::store::{Reader, StoreError};
use crate::tournament::Roster;
use crate::tournament::fault_counts::FaultCounts;

/// A game of the store with all that is kept of it.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSource {
    /// The game.
    pub game: PlayedGame,
    /// The revision of the identity under which it was played.
    pub revision: u32,
    /// The last lines before a fault.
    pub dialogue: Option<Dialogue>,
    /// How often the game was voided for a fault before.
    pub replays: u32,
}

/// What is needed to explain any game of an event.
#[derive(Debug)]
pub struct EventFiles {
    reader: Reader,
    /// Who plays.
    pub roster: Roster,
    /// The variant.
    pub variant: Variant,
    /// Who was disqualified, and why.
    pub fault_counts: FaultCounts,
    /// The identities, in the order of their revisions.
    identities: Vec<EventIdentity>,
}

impl EventFiles {
    /// For the event that `reader` reads.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn new(reader: Reader) -> Result<EventFiles, StoreError> {
        let roster = Roster::read(&reader)?;
        let identities = reader.identities()?.into_iter();
        Ok(EventFiles {
            variant: roster.variant,
            fault_counts: crate::tournament::fault_counts(&reader)?,
            identities: identities.map(|accepted| accepted.identity).collect(),
            roster,
            reader,
        })
    }

    /// The store.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The games of this name that were begun: one, or those of a pair; empty if no game has this name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn games(&self, name: &str, voided: bool) -> Result<Vec<GameSource>, StoreError> {
        let ids = match self.roster.games.find(name) {
            Some(Named::Game(id)) => vec![id],
            Some(Named::Pair(pair)) => (0..2).map(|game| GameId { pair, game }).collect(),
            None => Vec::new(),
        };
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.game(id, voided)?);
        }
        Ok(found)
    }

    /// The finished game with this key; if it is not finished, or `voided` is set, its last voided attempt.
    ///
    /// # Errors
    /// The store cannot be read.
    fn game(&self, id: GameId, voided: bool) -> Result<Option<GameSource>, StoreError> {
        let replayed = self.reader.replayed_games()?;
        let replays = replayed.iter().filter(|game| game.id == id).count() as u32;
        let finished = if voided { None } else { self.reader.game(id)? };
        if let Some(stored) = finished {
            return Ok(Some(GameSource {
                dialogue: self.reader.dialogue(id, 0)?,
                revision: stored.revision,
                game: stored.game,
                replays,
            }));
        }
        let mut voided = self.reader.voided()?.into_iter();
        let last = voided.rfind(|voided| voided.game.id == id);
        last.map(|voided| {
            Ok(GameSource {
                dialogue: self.reader.dialogue(id, voided.sequence)?,
                revision: voided.revision,
                game: voided.game,
                replays: replays.saturating_sub(1),
            })
        })
        .transpose()
    }

    /// The engine in the identity of this revision.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the identity does not have the engine.
    pub fn engine(&self, revision: u32, seat: Seat) -> Result<&EventEngine, StoreError> {
        let place = usize::try_from(revision).ok();
        let place = place.and_then(|revision| revision.checked_sub(1));
        let identity = place.and_then(|place| self.identities.get(place));
        let engine = identity.and_then(|identity| identity.engines.get(usize::from(seat.engine)));
        engine.ok_or_else(|| StoreError::Damaged {
            file: self.reader.file().to_path_buf(),
            detail: format!("revision {revision} has no engine {}", seat.engine),
        })
    }

    /// The limits of each side of a game, by [`Color::index`]. Node limits that were drawn are in the records of the
    /// moves.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] for an engine that the identity does not have.
    pub fn players(&self, source: &GameSource) -> Result<[PlayerSettings; 2], StoreError> {
        let given = self.reader.time_given()?;
        let given = given.get(&source.game.id.pair.0).copied();
        let given = given.unwrap_or_default();
        let [white, black] = Color::ALL.map(|side| {
            let engine = self.engine(source.revision, source.game.seat(side))?;
            let player = PlayerSettings {
                limits: engine.limits.clone(),
                margin: engine.margin(),
                fen: engine.fen,
                ponder: false,
                node_draw: None,
            };
            Ok::<_, StoreError>(player.after_giving(given[side.index()]))
        });
        Ok([white?, black?])
    }
}
