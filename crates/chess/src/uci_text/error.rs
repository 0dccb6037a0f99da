//! Everything that can be wrong with a move as text, by name.

use super::UciText;
use crate::{PieceKind, Square};

/// Why a text is not a legal move here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UciMoveError {
    /// Not two squares and perhaps a promotion.
    #[error(
        "{0:?} is not a move: two squares are expected, as e2e4, and q, r, b or n for a promotion"
    )]
    Malformed(String),
    /// `0000` or `(none)`.
    #[error("{text:?} is no move, but the side to move has {legal} legal moves")]
    NoMove {
        /// The text.
        text: String,
        /// How many moves there are.
        legal: usize,
    },
    /// The first square is empty.
    #[error("{text}: there is no piece on {from}")]
    NoPiece {
        /// The text.
        text: String,
        /// The empty square.
        from: Square,
    },
    /// The opponent's piece.
    #[error("{text}: the {kind} on {from} belongs to the opponent")]
    NotYourPiece {
        /// The text.
        text: String,
        /// The square of the piece.
        from: Square,
        /// What it is.
        kind: PieceKind,
    },
    /// A pawn reaches the last rank without a promotion letter.
    #[error("{0}: a pawn on the last rank becomes a q, r, b or n; the letter is missing")]
    PromotionMissing(String),
    /// A promotion letter on another move.
    #[error("{0}: only a pawn that reaches the last rank is promoted")]
    NotAPromotion(String),
    /// Castling written in the other dialect.
    #[error("{text}: castling is written {expected} here")]
    OtherDialect {
        /// The text.
        text: String,
        /// The text in the right dialect.
        expected: UciText,
    },
    /// Castling that is not legal.
    #[error("{text}: the king may not castle: {reason}")]
    Castling {
        /// The text.
        text: String,
        /// Why not.
        reason: CastlingRefusal,
    },
    /// The king would be in check.
    #[error("{0}: the king would be in check")]
    KingInCheck(String),
    /// The piece does not move like that.
    #[error("{text}: the {kind} on {from} cannot go to {to}")]
    CannotReach {
        /// The text.
        text: String,
        /// What moves.
        kind: PieceKind,
        /// Its square.
        from: Square,
        /// Where it cannot go.
        to: Square,
    },
}

/// Why a king may not castle with a rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CastlingRefusal {
    /// King or rook has moved.
    #[error("the right to castle with that rook is gone")]
    NoRight,
    /// The king is in check.
    #[error("it is in check")]
    InCheck,
    /// A square that king or rook pass or reach is occupied.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The king would pass or reach an attacked square.
    #[error("{0} is attacked")]
    Attacked(Square),
}
