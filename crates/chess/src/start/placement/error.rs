//! What can be wrong with a turn of the placing.

use std::error::Error;
use std::fmt;

use crate::{Color, PieceKind};

/// Why a turn is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementError {
    /// Only one rank is possible any more: the placing is over.
    Finished,
    /// A piece must be moved before another can be placed.
    Impasse,
    /// The rank could not be completed after this move either.
    NoRepair,
    /// All pieces of this kind are placed, or a back rank has no such piece.
    NotInHand(PieceKind),
    /// This file already has a piece.
    Occupied(usize),
    /// This file has no piece.
    Empty(usize),
    /// Files are 0 to 7.
    NoSuchFile(usize),
    /// This player has moved a piece once already.
    OptionUsed(Color),
    /// The bishops would be on one colour.
    BishopsOnOneColour,
    /// The king would not be between the rooks.
    KingNotBetweenRooks,
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |file: &usize| char::from(b'a' + *file as u8);
        match self {
            Self::Finished => f.write_str("only one start is left: the placing is over"),
            Self::Impasse => {
                f.write_str("an impasse: move a piece so that the rank can be completed")
            }
            Self::NoRepair => f.write_str("the rank could not be completed after this move either"),
            Self::NotInHand(kind) => write!(f, "there is no {} left to place", kind.letter()),
            Self::Occupied(square) => write!(f, "a piece stands on {} already", file(square)),
            Self::Empty(square) => write!(f, "no piece stands on {}", file(square)),
            Self::NoSuchFile(square) => {
                write!(f, "there is no file {square}: files are 0 (a) to 7 (h)")
            }
            Self::OptionUsed(player) => write!(f, "{player} has moved a piece once already"),
            Self::BishopsOnOneColour => f.write_str("bishops go on squares of different colours"),
            Self::KingNotBetweenRooks => f.write_str("the king goes between the rooks"),
        }
    }
}

impl Error for PlacementError {}
