//! The squares that king and rook go to when they castle, and which squares must be empty and safe.
//!
//! A castling right is the square of its rook: a rook on its side's first rank that may still castle. Together with the
//! king's file this is enough in every variant. Where a king may go to any square of its first rank instead, the right
//! is the king's own square.

use super::piece::Side;
use super::{File, Square};

/// Where the king and the rook land.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingRule {
    /// Chess960: on the h-side the king lands on g and the rook on f, on the a-side on c and d
    /// (FIDE Laws of Chess, guidelines II). Standard chess is a case of it.
    #[default]
    Fischer,
    /// Chess480: the king goes two squares towards the rook and the rook to the square the king
    /// crossed. Side by side in the corner (king b, rook a; king g, rook h) they change places.
    Chess480,
    /// Moab chess: nobody castles. A king that has not moved and is not in check may go to any empty square of its
    /// first rank that is not attacked, even over pieces in between: it evacuates.
    Moab,
}

impl CastlingRule {
    /// The file on which a king lands that castles with a rook on that file of its first rank.
    pub const fn king_landing(self, king: File, rook: File) -> File {
        File::ALL[path(self, king.index() as u8, rook.index() as u8).king_to as usize]
    }

    /// The file on which the rook lands.
    pub const fn rook_landing(self, king: File, rook: File) -> File {
        File::ALL[path(self, king.index() as u8, rook.index() as u8).rook_to as usize]
    }
}

/// Towards which edge a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Towards the h-file, `O-O`.
    KingSide,
    /// Towards the a-file, `O-O-O`.
    QueenSide,
}

impl CastlingSide {
    /// The side on which this rook is from the king's point of view.
    pub fn towards(king: Square, rook: Square) -> CastlingSide {
        if rook.file() > king.file() {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        }
    }

    /// `"O-O"` or `"O-O-O"`, with the capital letter O.
    pub const fn san(self) -> &'static str {
        match self {
            CastlingSide::KingSide => "O-O",
            CastlingSide::QueenSide => "O-O-O",
        }
    }
}

/// One castling on a first rank; sets of files are bits, the a-file lowest.
#[derive(Clone, Copy)]
pub(crate) struct CastlingPath {
    king_to: u8,
    rook_to: u8,
    empty: u8,
    safe: u8,
}

impl CastlingPath {
    /// The path for a king and a rook on these squares of their first rank; not used in Moab chess.
    #[inline(always)]
    pub(crate) fn new(rule: CastlingRule, king: Square, rook: Square) -> &'static CastlingPath {
        &PATHS[rule as usize & 1][king.file().index()][rook.file().index()]
    }

    /// Where the king lands.
    #[inline(always)]
    pub(crate) fn king_to<S: Side>(&self) -> Square {
        Square::from_low_bits(u32::from(self.king_to) + back_rank_start::<S>())
    }

    /// Where the rook lands.
    #[inline(always)]
    pub(crate) fn rook_to<S: Side>(&self) -> Square {
        Square::from_low_bits(u32::from(self.rook_to) + back_rank_start::<S>())
    }

    /// What has to be empty, apart from the king and the rook themselves.
    #[inline(always)]
    pub(crate) fn empty<S: Side>(&self) -> super::Bitboard {
        super::Bitboard(u64::from(self.empty) << back_rank_start::<S>())
    }

    /// What the king crosses and where it lands: nothing there may be attacked.
    #[inline(always)]
    pub(crate) fn safe<S: Side>(&self) -> super::Bitboard {
        super::Bitboard(u64::from(self.safe) << back_rank_start::<S>())
    }
}

/// The number of the a-file square of a side's first rank.
#[inline(always)]
fn back_rank_start<S: Side>() -> u32 {
    S::BACK_RANK.0.trailing_zeros()
}

/// By rule, king's file and rook's file.
static PATHS: [[[CastlingPath; 8]; 8]; 2] =
    [paths(CastlingRule::Fischer), paths(CastlingRule::Chess480)];

const fn paths(rule: CastlingRule) -> [[CastlingPath; 8]; 8] {
    let mut table = [[CastlingPath {
        king_to: 0,
        rook_to: 0,
        empty: 0,
        safe: 0,
    }; 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            table[king as usize][rook as usize] = path(rule, king, rook);
            rook += 1;
        }
        king += 1;
    }
    table
}

const fn path(rule: CastlingRule, king: u8, rook: u8) -> CastlingPath {
    let (king_to, rook_to) = match rule {
        CastlingRule::Fischer | CastlingRule::Moab if rook > king => (6, 5),
        CastlingRule::Fischer | CastlingRule::Moab => (2, 3),
        CastlingRule::Chess480 if rook > king && king < 6 => (king + 2, king + 1),
        CastlingRule::Chess480 if rook < king && king > 1 => (king - 2, king - 1),
        CastlingRule::Chess480 => (rook, king),
    };
    let themselves = 1 << king | 1 << rook;
    CastlingPath {
        king_to,
        rook_to,
        empty: (span(king, king_to) | span(rook, rook_to)) & !themselves,
        safe: span(king, king_to) & !(1 << king) | 1 << king_to,
    }
}

/// The files from one to the other, both included.
const fn span(a: u8, b: u8) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (0xFF << low) & (0xFF >> (7 - high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_castling() {
        let short = path(CastlingRule::Fischer, 4, 7);
        assert_eq!((short.king_to, short.rook_to), (6, 5));
        assert_eq!((short.empty, short.safe), (0b0110_0000, 0b0110_0000));
        let long = path(CastlingRule::Fischer, 4, 0);
        assert_eq!((long.king_to, long.rook_to), (2, 3));
        assert_eq!((long.empty, long.safe), (0b0000_1110, 0b0000_1100));
    }

    #[test]
    fn neighbours_in_the_corner_change_places_in_chess480() {
        let path = path(CastlingRule::Chess480, 6, 7);
        assert_eq!((path.king_to, path.rook_to, path.empty), (7, 6, 0));
    }
}
