//! All variations of an event, by engine.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::chess::{Game, UciDialect};
use crate::event::PlayedGame;
use crate::store::{Reader, StoreError};
use crate::tournament::Roster;

use super::lint::{FlawKind, lint};

/// The variations of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EngineVariations {
    /// The participant's name.
    pub name: String,
    /// Moves with a variation.
    pub variations: u64,
    /// Illegal moves, past the end, short of mate, wrong mate.
    pub flaws: [u64; 4],
    /// The first flaw.
    pub first: Option<FlawExample>,
}

/// A flaw, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FlawExample {
    /// The game, as the PGN `Round`.
    pub game: String,
    /// The ply of the move, from 1.
    pub ply: usize,
    /// The kind of flaw.
    pub kind: FlawKind,
    /// In words, with a quote of the engine's output.
    pub detail: String,
}

impl EngineVariations {
    /// Variations with a flaw.
    pub(crate) fn flawed(&self) -> u64 {
        self.flaws.iter().sum()
    }
}

/// The result for an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Variations {
    /// Games checked: the first ones of the event, or all.
    pub games: u64,
    /// The participants whose variations were seen, in the order of the event file.
    pub engines: Vec<EngineVariations>,
}

impl Variations {
    /// Checks the first `most` finished games of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn of_event(
        reader: &Reader,
        roster: &Roster,
        most: u64,
    ) -> Result<Variations, StoreError> {
        let mut tally = VariationTally::new(roster.variant.uci_dialect());
        for stored in reader
            .games()
            .take(usize::try_from(most).unwrap_or(usize::MAX))
        {
            tally.add(&stored?.game, roster);
        }
        Ok(tally.finish())
    }

    /// Checks one game.
    pub(crate) fn of_game(game: &PlayedGame, roster: &Roster, dialect: UciDialect) -> Variations {
        let mut tally = VariationTally::new(dialect);
        tally.add(game, roster);
        tally.finish()
    }
}

struct VariationTally {
    dialect: UciDialect,
    games: u64,
    engines: BTreeMap<crate::event::Seat, EngineVariations>,
}

impl VariationTally {
    fn new(dialect: UciDialect) -> VariationTally {
        VariationTally {
            dialect,
            games: 0,
            engines: BTreeMap::new(),
        }
    }

    fn add(&mut self, game: &PlayedGame, roster: &Roster) {
        self.games += 1;
        let record = &game.record;
        let mut board = Game::of(record.start.clone(), record.opening.iter().copied());
        for played in &record.moves {
            if !played.thinking.pv.is_empty() {
                let seat = game.seat(board.position().side_to_move());
                let engine = self
                    .engines
                    .entry(seat)
                    .or_insert_with(|| EngineVariations {
                        name: roster.name(seat),
                        variations: 0,
                        flaws: [0; 4],
                        first: None,
                    });
                engine.variations += 1;
                if let Some(flaw) = lint(&board, &played.thinking, self.dialect) {
                    engine.flaws[flaw.kind.index()] += 1;
                    engine.first.get_or_insert_with(|| FlawExample {
                        game: roster.games.name(game.id).into(),
                        ply: board.moves().len() + 1,
                        kind: flaw.kind,
                        detail: flaw.detail,
                    });
                }
            }
            board.play(played.chess_move);
        }
    }

    fn finish(self) -> Variations {
        Variations {
            games: self.games,
            engines: self.engines.into_values().collect(),
        }
    }
}
