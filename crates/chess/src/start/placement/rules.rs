//! What the rules of Chess960 say about a rank that is not full.

use std::sync::LazyLock;

use crate::PieceKind::{Bishop, King, Rook};
use crate::start::{BackRank, numbering};
use crate::{Color, PieceKind};

/// The pieces on a rank, from a to h.
pub(super) type PlacedRank = [Option<PieceKind>; 8];

/// Whether none, one or several starts of Chess960 have these pieces on these squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prospect {
    Impasse,
    Finished(BackRank),
    Open,
}

/// The 960 arrays, with which every rank is compared.
static STARTS: LazyLock<Vec<BackRank>> = LazyLock::new(|| (0..960).map(numbering::array).collect());

/// What becomes of a rank with these pieces.
pub(super) fn prospect(squares: &PlacedRank) -> Prospect {
    let fits = |rank: &&BackRank| {
        let mut pairs = squares.iter().zip(rank.kinds());
        pairs.all(|(square, kind)| square.is_none_or(|placed| placed == *kind))
    };
    let mut fitting = STARTS.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (None, _) => Prospect::Impasse,
        (Some(&only), None) => Prospect::Finished(only),
        (Some(_), Some(_)) => Prospect::Open,
    }
}

/// The rules of Chess960, as far as the pieces placed so far can break them.
pub(super) fn check_rules(squares: &PlacedRank) -> Result<(), PlacementError> {
    let files_of = |kind| (0..8).filter(move |&file| squares[file] == Some(kind));
    let bishops: Vec<usize> = files_of(Bishop).collect();
    if let [first, second] = bishops[..]
        && first % 2 == second % 2
    {
        return Err(PlacementError::BishopsOnOneColour);
    }
    let rooks: Vec<usize> = files_of(Rook).collect();
    let outside = |king: usize| match rooks[..] {
        [first, second] => !(first..second).contains(&king),
        // In the corner no rook finds room beyond the king.
        _ => king == 0 || king == 7,
    };
    if files_of(King).any(outside) {
        Err(PlacementError::KingNotBetweenRooks)
    } else {
        Ok(())
    }
}

/// Why a turn is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Only one rank is possible any more: the placing is over.
    #[error("only one start is left: the placing is over")]
    Finished,
    /// A piece must be moved before another can be placed.
    #[error("an impasse: move a piece so that the rank can be completed")]
    Impasse,
    /// The rank could not be completed after this move either.
    #[error("the rank could not be completed after this move either")]
    NoRepair,
    /// All pieces of this kind are placed, or a back rank has no such piece.
    #[error("there is no {} left to place", .0.letter())]
    NotInHand(PieceKind),
    /// This file already has a piece.
    #[error("a piece stands on {} already", file_letter(*.0))]
    Occupied(usize),
    /// This file has no piece.
    #[error("no piece stands on {}", file_letter(*.0))]
    Empty(usize),
    /// Files are 0 to 7.
    #[error("there is no file {0}: files are 0 (a) to 7 (h)")]
    NoSuchFile(usize),
    /// This player has moved a piece once already.
    #[error("{0} has moved a piece once already")]
    OptionUsed(Color),
    /// The bishops would be on one colour.
    #[error("bishops go on squares of different colours")]
    BishopsOnOneColour,
    /// The king would not be between the rooks.
    #[error("the king goes between the rooks")]
    KingNotBetweenRooks,
}

fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}
