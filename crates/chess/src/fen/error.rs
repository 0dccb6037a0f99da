//! Everything that can be wrong with a FEN, by name.

use crate::{Color, File, Piece, Rank, Square};

/// Why a text is not the FEN of a legal position. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// Neither six fields nor four.
    #[error(
        "a FEN has six fields (pieces, side to move, castling, en passant, half-move clock, move \
         number) or the first four of them, here are {0}"
    )]
    FieldCount(usize),
    /// A character that is no piece, digit or slash among the pieces.
    #[error("column {1}: {0:?} is neither a piece (PNBRQK, pnbrqk) nor a digit 1–8")]
    UnknownPiece(char, usize),
    /// Not eight ranks.
    #[error("the board has eight ranks separated by '/', here are {0}")]
    RankCount(usize),
    /// A rank that does not have eight squares.
    #[error("rank {0} describes {1} squares instead of eight")]
    RankLength(Rank, usize),
    /// Two digits side by side, as in `44`.
    #[error("column {0}: two numbers of empty squares side by side; write their sum")]
    AdjacentDigits(usize),
    /// A side without a king or with several.
    #[error("{0} has {1} kings instead of one")]
    KingCount(Color, u32),
    /// A pawn on the first or last rank.
    #[error("a {0} pawn stands on {1}, where no pawn can be")]
    PawnOnEdge(Color, Square),
    /// More than sixteen pieces.
    #[error("{0} has {1} pieces, more than sixteen")]
    TooManyPieces(Color, u32),
    /// More than eight pawns.
    #[error("{0} has {1} pawns, more than eight")]
    TooManyPawns(Color, u32),
    /// More additional pieces than pawns are missing.
    #[error(
        "{color} has {promoted} pieces that must be promoted pawns, but only {missing} pawns are missing"
    )]
    TooManyPromoted {
        /// Which side.
        color: Color,
        /// Pieces beyond a queen and two of every other kind.
        promoted: u32,
        /// Pawns that are no longer there.
        missing: u32,
    },
    /// The second field is not `w` or `b`.
    #[error("the side to move is 'w' or 'b', not {0:?}")]
    SideToMove(String),
    /// A character that is no castling right.
    #[error("castling field {1:?}: {0:?} is neither one of KQkq nor the file of a rook (A–H, a–h)")]
    UnknownCastling(char, String),
    /// A character that is no right to evacuate.
    #[error("castling field {1:?}: {0:?} is neither M nor m, and nobody castles in Moab chess")]
    UnknownEvacuation(char, String),
    /// One right given twice, as in `KK` or `HK`.
    #[error("castling field {1:?}: {0:?} names a right that was given already")]
    RepeatedCastling(char, String),
    /// Two rooks on one side of the king.
    #[error(
        "castling field {1:?}: {0} can have the right with only one rook on each side of the king"
    )]
    TwoCastlingRooks(Color, String),
    /// A castling right while the king is not on its first rank.
    #[error(
        "castling right {found:?}, but the {color} king stands on {king}, not on its first rank"
    )]
    CastlingKing {
        /// The letter.
        found: char,
        /// Whose right.
        color: Color,
        /// The square of the king.
        king: Square,
    },
    /// A castling right without its rook.
    #[error("castling right {found:?}, but {color} has no rook {place}")]
    CastlingRook {
        /// The letter.
        found: char,
        /// Whose right.
        color: Color,
        /// Where the rook would have to be, in words.
        place: CastlingRookPlace,
    },
    /// The fourth field is neither `-` nor a square.
    #[error("the en passant field is '-' or a square, not {0:?}")]
    EnPassantField(String),
    /// An en passant square that is not behind a double step of the other side.
    #[error("en passant on {square}: with {color} to move it is a square of rank {rank}")]
    EnPassantRank {
        /// The square.
        square: Square,
        /// The side to move.
        color: Color,
        /// The rank it would be on.
        rank: Rank,
    },
    /// No pawn that has just made a double step.
    #[error(
        "en passant on {square}: there is no {color} pawn on {pawn} that has just moved two squares"
    )]
    EnPassantPawn {
        /// The square.
        square: Square,
        /// Whose pawn is missing.
        color: Color,
        /// The square where it would be.
        pawn: Square,
    },
    /// A piece on the square the pawn skipped or on the one it came from.
    #[error(
        "en passant on {square}: the pawn cannot have come over {occupied}, where a {piece} stands"
    )]
    EnPassantBlocked {
        /// The square.
        square: Square,
        /// Which square is occupied.
        occupied: Square,
        /// By whom.
        piece: Piece,
    },
    /// A check that was there before the double step.
    #[error("en passant on {0}: {1} would have been in check before the double step already")]
    EnPassantCheck(Square, Color),
    /// The side that has just moved left its king in check.
    #[error("{0} is in check from {1}, but it is not {0}'s turn")]
    OpponentInCheck(Color, Square),
    /// Three checkers or more.
    #[error("{0} is in check from {1} pieces at once, and no move gives more than two checks")]
    TooManyCheckers(Color, u32),
    /// Two checkers of which no single move can be the cause.
    #[error("{color} is in check from {first} and {second} at once, and no move gives both checks")]
    ImpossibleDoubleCheck {
        /// The side to move.
        color: Color,
        /// One checker.
        first: Square,
        /// The other.
        second: Square,
    },
    /// The fifth field is not a number.
    #[error("the half-move clock is a number from 0 to 9999, not {0:?}")]
    HalfmoveClock(String),
    /// The sixth field is not a number.
    #[error("the move number is a number from 1 to 99999, not {0:?}")]
    MoveNumber(String),
}

/// Where the rook of a castling right was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingRookPlace {
    /// On a file named by its letter.
    On(Square),
    /// On the h-side of the king.
    HSideOf(File),
    /// On the a-side of the king.
    ASideOf(File),
}

impl std::fmt::Display for CastlingRookPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CastlingRookPlace::On(square) => write!(f, "on {square}"),
            CastlingRookPlace::HSideOf(file) => {
                write!(
                    f,
                    "on its first rank between the king's {file}-file and the h-file"
                )
            }
            CastlingRookPlace::ASideOf(file) => {
                write!(
                    f,
                    "on its first rank between the a-file and the king's {file}-file"
                )
            }
        }
    }
}
