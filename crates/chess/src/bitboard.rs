//! Sets of squares in 64 bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{File, Rank, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use arbiter960_chess::{Bitboard, Square};
/// let e4: Square = "e4".parse().unwrap();
/// let set = e4.bitboard() | Bitboard::EMPTY;
/// assert!(set.contains(e4));
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [e4]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 64 squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);
    /// The light squares, h1 among them.
    pub const LIGHT: Bitboard = Bitboard(!0xAA55_AA55_AA55_AA55);

    pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
    pub(super) const FILE_H: u64 = 0x8080_8080_8080_8080;

    /// The squares of a file.
    pub const fn file(file: File) -> Bitboard {
        Bitboard(Self::FILE_A << file.index())
    }

    /// The squares of a rank.
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank.index()))
    }

    /// Whether the set holds no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares it holds.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it holds two squares or more (cheaper than counting).
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether it holds this square.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// Whether the two sets share a square.
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The square with the lowest number.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// The square with the highest number.
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros()))
        }
    }

    /// Every square one file towards a; those on the a-file drop out.
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_A) >> 1)
    }

    /// Every square one file towards h; those on the h-file drop out.
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_H) << 1)
    }
}

macro_rules! set_operator {
    ($operator:ident $method:ident $assign:ident $assign_method:ident) => {
        impl $operator for Bitboard {
            type Output = Bitboard;
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$method(other.0))
            }
        }
        impl $assign for Bitboard {
            fn $assign_method(&mut self, other: Bitboard) {
                self.0.$assign_method(other.0);
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign);
set_operator!(BitOr bitor BitOrAssign bitor_assign);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// The squares of a [`Bitboard`], a1 first.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_drop_out() {
        assert_eq!(Bitboard::ALL.west().len(), 56);
        assert_eq!(Bitboard::ALL.east().east().len(), 48);
        assert!(
            !Bitboard::ALL
                .east()
                .intersects(Bitboard::file(File::ALL[0]))
        );
    }

    #[test]
    fn dark_squares_are_those_that_say_so() {
        assert_eq!(
            Square::all()
                .filter(|square| square.is_dark())
                .collect::<Bitboard>(),
            Bitboard::DARK
        );
        assert_eq!(Bitboard::DARK | Bitboard::LIGHT, Bitboard::ALL);
    }
}
