//! Files, ranks and squares.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// A file, a to h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

/// A rank, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// A square: a1 is 0, b1 is 1, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// The eight files, a first.
    pub const ALL: [File; 8] = [
        File(0),
        File(1),
        File(2),
        File(3),
        File(4),
        File(5),
        File(6),
        File(7),
    ];

    /// The file with this number, 0 for a to 7 for h.
    pub const fn new(index: u8) -> Option<File> {
        if index < 8 { Some(File(index)) } else { None }
    }

    /// The file named by `'a'` to `'h'`.
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => Some(File(letter as u8 - b'a')),
            _ => None,
        }
    }

    /// 0 for a to 7 for h.
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The lower-case letter, `'a'` to `'h'`.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

impl Rank {
    /// The eight ranks, the first rank first.
    pub const ALL: [Rank; 8] = [
        Rank(0),
        Rank(1),
        Rank(2),
        Rank(3),
        Rank(4),
        Rank(5),
        Rank(6),
        Rank(7),
    ];

    /// The rank with this number counted from zero: 0 for the first, 7 for the eighth.
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 8 { Some(Rank(index)) } else { None }
    }

    /// 0 for the first rank to 7 for the eighth.
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The digit, `'1'` to `'8'`.
    pub const fn digit(self) -> char {
        (b'1' + self.0) as char
    }

    /// The rank as this side counts it: White's second is Black's seventh.
    pub const fn seen_by(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank(7 - self.0),
        }
    }

    /// A side's first rank.
    pub const fn back(color: Color) -> Rank {
        Rank(0).seen_by(color)
    }
}

impl Square {
    /// The square on this file and rank.
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(rank.0 << 3 | file.0)
    }

    /// The square whose number is the low six bits of `bits`.
    pub(crate) const fn from_low_bits(bits: u32) -> Square {
        Square((bits & 63) as u8)
    }

    /// All squares, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }

    /// a1 = 0 to h8 = 63.
    pub const fn index(self) -> usize {
        // The mask tells the compiler that a table of 64 needs no bounds check.
        (self.0 & 63) as usize
    }

    /// The square's file.
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// The square's rank.
    pub const fn rank(self) -> Rank {
        Rank(self.0 >> 3)
    }

    /// The set with this square alone.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// Whether the square is dark, as a1 is.
    pub const fn is_dark(self) -> bool {
        (self.0 ^ (self.0 >> 3)) & 1 == 0
    }

    /// The square this many numbers further; the caller knows that it is on the board.
    pub(crate) const fn offset(self, by: i8) -> Square {
        Square(self.0.wrapping_add_signed(by) & 63)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square: a file a–h and a rank 1–8 are expected")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square((rank - b'1') << 3 | (file - b'a')))
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        assert_eq!("a1".parse::<Square>().unwrap().index(), 0);
        assert_eq!("h8".parse::<Square>().unwrap().index(), 63);
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for text in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn colours_of_squares() {
        assert!("a1".parse::<Square>().unwrap().is_dark());
        assert!(!"h1".parse::<Square>().unwrap().is_dark());
        assert!("h8".parse::<Square>().unwrap().is_dark());
    }
}
