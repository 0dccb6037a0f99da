//! What can be wrong with a game, and where.

use std::{fmt, io};

use super::start::StartTagError;
use super::{MAX_GAME_BYTES, RawGame};
use crate::chess::{MoveText, SanError};

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
    /// Text before the first tag, with neither tags nor moves.
    #[error("text that is no game")]
    NotAGame,
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
    /// A null move passes the turn, which is not possible in check.
    #[error("{0}: a null move in check")]
    NullMoveInCheck(String),
    /// A null move where a legal move is needed.
    #[error("a null move: a book is played from, and no engine can pass")]
    NullMove,
    /// A move after the result.
    #[error("{0} after the result")]
    AfterResult(String),
    /// `{` without `}`.
    #[error("a comment that is never closed")]
    OpenComment,
    /// `(` without `)`.
    #[error("a variation that is never closed")]
    OpenVariation,
    /// `)` without `(`.
    #[error("`)` without a variation")]
    StrayVariationEnd,
}

/// Something odd in a game that can still be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: u64,
    /// The kind of oddity.
    pub kind: WarningKind,
}

/// The oddities of a tag section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarningKind {
    /// A line that begins with a bracket but is not a tag; it was skipped.
    UnreadableTag,
    /// A tag that occurs more than once with different values; the last is used.
    RepeatedTag(String),
    /// `Variation`, which names an opening, instead of `Variant`; it was ignored.
    VariationForVariant(String),
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarningKind::UnreadableTag => f.write_str("a tag that cannot be read"),
            WarningKind::RepeatedTag(name) => {
                write!(f, "tag {name} repeated with another value: the last counts")
            }
            WarningKind::VariationForVariant(value) => {
                write!(f, "tag Variation \"{value}\": did they mean Variant?")
            }
        }
    }
}

/// Something in the moves that deviates from PGN, and can be read in only one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The place in the file.
    pub place: PgnPlace,
    /// The kind of deviation.
    pub kind: StyleKind,
}

/// Notations that deviate from PGN and are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StyleKind {
    /// `--`, `Z0`: a move that passes the turn, which analysts write.
    NullMove(String),
    /// A move that is not in algebraic notation, such as `Pe4` or `o-o`.
    Move {
        /// The text.
        text: String,
        /// The move in algebraic notation.
        meant: MoveText,
    },
}

impl fmt::Display for StyleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StyleKind::NullMove(text) => write!(f, "{text}: a null move passes the turn"),
            StyleKind::Move { text, meant } => write!(f, "{text} is read as {meant}"),
        }
    }
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
