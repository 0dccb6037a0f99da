//! The formats in which the files of games are written.

use std::sync::Arc;

use super::cutechess;
use super::fastchess::pgn::FastchessPgn;
use crate::event::PlayedGame;

/// The runner whose format is used.
#[derive(Debug, Clone)]
pub(super) enum WrittenGames {
    /// As fastchess does, in the order in which games end.
    Fastchess(FastchessPgn),
    /// As cutechess-cli does, in the order of their numbers.
    Cutechess(Arc<cutechess::CutechessPgn>),
}

impl WrittenGames {
    /// The PGN of a game.
    pub(super) fn text(&self, game: &PlayedGame) -> String {
        match self {
            WrittenGames::Fastchess(games) => games.text(game),
            WrittenGames::Cutechess(games) => games.text(game),
        }
    }

    /// The line of EPD of its last position.
    pub(super) fn final_position(&self, game: &PlayedGame) -> String {
        match self {
            WrittenGames::Fastchess(games) => games.final_position(game),
            WrittenGames::Cutechess(games) => games.final_position(game),
        }
    }

    /// Whether the checksum of the file is printed after each game.
    pub(super) fn tells_checksum(&self) -> bool {
        match self {
            WrittenGames::Fastchess(games) => games.options.crc,
            WrittenGames::Cutechess(_) => false,
        }
    }

    /// The number of a game, from 0, if games are written in the order of their numbers.
    pub(super) fn place(&self, game: &PlayedGame) -> Option<u64> {
        match self {
            WrittenGames::Fastchess(_) => None,
            WrittenGames::Cutechess(games) => {
                let games = u64::from(games.plan.games_per_pair());
                Some(game.id.pair.0 * games + u64::from(game.id.game))
            }
        }
    }
}
