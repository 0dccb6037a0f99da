//! All variations of an event, by engine.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::chess::Game;
use crate::event::{PlayedGame, Seat};
use crate::store::{Reader, StoreError};
use crate::tournament::Roster;

use super::lint::{FlawKind, lint};

/// The variations of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
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
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (mut games, mut engines) = (0, BTreeMap::new());
        for stored in reader.games().take(most) {
            check(&stored?.game, roster, &mut engines);
            games += 1;
        }
        let engines = engines.into_values().collect();
        Ok(Variations { games, engines })
    }

    /// Checks one game.
    pub(crate) fn of_game(game: &PlayedGame, roster: &Roster) -> Variations {
        let mut engines = BTreeMap::new();
        check(game, roster, &mut engines);
        let engines = engines.into_values().collect();
        Variations { games: 1, engines }
    }
}

/// Adds the variations of a game.
fn check(game: &PlayedGame, roster: &Roster, engines: &mut BTreeMap<Seat, EngineVariations>) {
    let record = &game.record;
    let mut board = Game::of(record.start.clone(), record.opening.iter().copied());
    for played in &record.moves {
        if !played.thinking.pv.is_empty() {
            let seat = game.seat(board.position().side_to_move());
            let engine = engines.entry(seat).or_insert_with(|| EngineVariations {
                name: roster.name(seat),
                ..EngineVariations::default()
            });
            engine.variations += 1;
            let dialect = roster.variant.uci_dialect();
            if let Some(flaw) = lint(&board, &played.thinking, dialect) {
                engine.flaws[flaw.kind as usize] += 1;
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
