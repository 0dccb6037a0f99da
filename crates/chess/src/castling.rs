//! The squares that king and rook go to when they castle, and which squares must be empty and safe.
//!
//! A castling right is the square of its rook: a rook on its side's first rank that may still castle. Together with the
//! king's file this is enough in every variant. Where a king may go to any square of its first rank instead, the right
//! is the king's own square.

use super::{Bitboard, File, Square};

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
        File::ALL[landings(self, king.index() as u8, rook.index() as u8).0 as usize]
    }

    /// The file on which the rook lands.
    pub const fn rook_landing(self, king: File, rook: File) -> File {
        File::ALL[landings(self, king.index() as u8, rook.index() as u8).1 as usize]
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

/// One castling on a first rank.
#[derive(Clone, Copy)]
pub(crate) struct CastlingPath {
    /// Where the king lands.
    pub(crate) king_to: Square,
    /// Where the rook lands.
    pub(crate) rook_to: Square,
    /// What has to be empty, apart from the king and the rook themselves.
    pub(crate) empty: Bitboard,
    /// What the king crosses and where it lands: nothing there may be attacked.
    pub(crate) safe: Bitboard,
}

impl CastlingPath {
    /// The path for a king and a rook on these squares of their first rank; not used in Moab chess.
    pub(crate) fn new(rule: CastlingRule, king: Square, rook: Square) -> &'static CastlingPath {
        let side = king.index() / 32;
        &PATHS[rule as usize & 1][side][king.file().index()][rook.file().index()]
    }
}

/// By rule, side, king's file and rook's file.
static PATHS: [[[[CastlingPath; 8]; 8]; 2]; 2] =
    [paths(CastlingRule::Fischer), paths(CastlingRule::Chess480)];

const fn paths(rule: CastlingRule) -> [[[CastlingPath; 8]; 8]; 2] {
    let mut table = [[[path(rule, 0, 0, 0); 8]; 8]; 2];
    let mut index = 0;
    while index < 2 * 8 * 8 {
        let (side, king, rook) = (index / 64, index / 8 % 8, index % 8);
        table[side][king][rook] = path(rule, side as u32, king as u8, rook as u8);
        index += 1;
    }
    table
}

/// On White's side, 0, or Black's, 1.
const fn path(rule: CastlingRule, side: u32, king: u8, rook: u8) -> CastlingPath {
    let (king_to, rook_to) = landings(rule, king, rook);
    let themselves = 1 << king | 1 << rook;
    let empty = (span(king, king_to) | span(rook, rook_to)) & !themselves;
    let safe = span(king, king_to) & !(1 << king) | 1 << king_to;
    let first = 56 * side;
    CastlingPath {
        king_to: Square::from_low_bits(first + king_to as u32),
        rook_to: Square::from_low_bits(first + rook_to as u32),
        empty: Bitboard((empty as u64) << first),
        safe: Bitboard((safe as u64) << first),
    }
}

/// The files on which king and rook land.
const fn landings(rule: CastlingRule, king: u8, rook: u8) -> (u8, u8) {
    match rule {
        CastlingRule::Fischer | CastlingRule::Moab if rook > king => (6, 5),
        CastlingRule::Fischer | CastlingRule::Moab => (2, 3),
        CastlingRule::Chess480 if rook > king && king < 6 => (king + 2, king + 1),
        CastlingRule::Chess480 if rook < king && king > 1 => (king - 2, king - 1),
        CastlingRule::Chess480 => (rook, king),
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

    fn landed(path: CastlingPath) -> [String; 2] {
        [path.king_to, path.rook_to].map(|square| square.to_string())
    }

    #[test]
    fn standard_castling() {
        let short = path(CastlingRule::Fischer, 0, 4, 7);
        assert_eq!(landed(short), ["g1", "f1"]);
        assert_eq!((short.empty.0, short.safe.0), (0b0110_0000, 0b0110_0000));
        let long = path(CastlingRule::Fischer, 1, 4, 0);
        assert_eq!(landed(long), ["c8", "d8"]);
        let squares = (long.empty.0 >> 56, long.safe.0 >> 56);
        assert_eq!(squares, (0b0000_1110, 0b0000_1100));
    }

    #[test]
    fn neighbours_in_the_corner_change_places_in_chess480() {
        let path = path(CastlingRule::Chess480, 0, 6, 7);
        assert_eq!(
            (landed(path), path.empty.0),
            (["h1", "g1"].map(str::to_owned), 0)
        );
    }
}
