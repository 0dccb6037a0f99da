//! What can be wrong with a game, and where.

use std::{fmt, io};

use super::start::StartTagError;
use super::{MAX_GAME_BYTES, RawGame};
use crate::chess::SanError;

/// A place in a file of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PgnPlace {
    /// The line, from 1.
    pub line: u64,
    /// The game, from 1; 0 before the first.
    pub game: u64,
    /// The half-move of the game, from 1; 0 before the first.
    pub ply: u32,
}

impl fmt::Display for PgnPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, game {}, ply {}",
            self.line, self.game, self.ply
        )
    }
}

/// Why a game is set aside, and where. Reading continues with the next game.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct PgnError {
    /// The place in the file.
    pub place: PgnPlace,
    /// The reason.
    #[source]
    pub kind: PgnErrorKind,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// The file cannot be read, or not beyond this place: no game follows.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// A game longer than the limit.
    #[error("a game of more than {} MiB", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// The start position cannot be determined.
    #[error(transparent)]
    Start(#[from] StartTagError),
    /// A move that is illegal or cannot be read.
    #[error("{reason}")]
    Move {
        /// The move as written in the file.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// What cannot be played here, for another reason.
    #[error("{0}")]
    AtMove(String),
    /// What is no game, or cannot be read as one.
    #[error("{0}")]
    Form(&'static str),
}

/// Something odd in a game that can still be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: u64,
    /// What is odd.
    pub words: String,
    /// Whether the tags may be as they were meant; else one could not be read, and was skipped.
    pub may_be_meant: bool,
}

/// Something in the moves that deviates from PGN, and can be read in only one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The place in the file.
    pub place: PgnPlace,
    /// How it is read.
    pub words: String,
}

impl PgnError {
    /// An error at a place in a game's text.
    pub(super) fn at(game: &RawGame<'_>, offset: usize, ply: u32, kind: PgnErrorKind) -> PgnError {
        let line = game.line_at(offset);
        PgnError {
            place: PgnPlace {
                line,
                game: game.number(),
                ply,
            },
            kind,
        }
    }
}
