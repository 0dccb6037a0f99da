//! Kinds of pieces and their letters, and the two sides.

use std::fmt;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::Bitboard;

crate::worded! {
    /// The kind of a piece, without its colour.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum PieceKind,
    /// The English letter of SAN and of White's pieces in a FEN: `P N B R Q K`.
    letter: char {
        /// A pawn.
        Pawn = 'P',
        /// A knight.
        Knight = 'N',
        /// A bishop.
        Bishop = 'B',
        /// A rook.
        Rook = 'R',
        /// A queen.
        Queen = 'Q',
        /// A king.
        King = 'K',
    }
}

impl PieceKind {
    /// The kinds a pawn may become, the queen first.
    pub const PROMOTIONS: [PieceKind; 4] = [
        PieceKind::Queen,
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Knight,
    ];

    /// 0 for the pawn to 5 for the king.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind for an upper-case English letter.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        let mut kinds = PieceKind::ALL.into_iter();
        kinds.find(|kind| kind.letter() == letter)
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Queen => "queen",
            PieceKind::King => "king",
        })
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Who owns it.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// The letter of a FEN: upper case for White, lower case for Black.
    ///
    /// ```
    /// use arbiter960_chess::{Color, Piece, PieceKind};
    /// let knight = Piece { color: Color::Black, kind: PieceKind::Knight };
    /// assert_eq!(knight.fen_letter(), 'n');
    /// assert_eq!(Piece::from_fen_letter('n'), Some(knight));
    /// ```
    pub const fn fen_letter(self) -> char {
        self.color.cased(self.kind.letter())
    }

    /// The piece for a letter of a FEN.
    pub fn from_fen_letter(letter: char) -> Option<Piece> {
        let (color, kind) = (Color::of_case(letter), letter.to_ascii_uppercase());
        PieceKind::from_letter(kind).map(|kind| Piece { color, kind })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.kind)
    }
}

// The two sides, as a value and as a type.

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    /// The side that moves first in a start position.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// A letter of FEN in this side's case: capital for White.
    pub(crate) const fn cased(self, letter: char) -> char {
        match self {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The side whose letters of FEN have this case.
    pub(crate) fn of_case(letter: char) -> Color {
        if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        }
    }

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Of what White and Black have, this side's and the other's.
    pub fn own_and_other<T>(self, both: &mut [T; 2]) -> [&mut T; 2] {
        let [white, black] = both;
        match self {
            Color::White => [white, black],
            Color::Black => [black, white],
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A colour known at compile time: move generation is compiled once for each
/// side, so that pawn directions and ranks are constants.
pub(crate) trait Side {
    /// The other side.
    type Other: Side<Other = Self>;
    /// This side as a value.
    const COLOR: Color;
    /// Its first rank.
    const BACK_RANK: Bitboard;
    /// The rank its pawns reach by a single step from their home (the 3rd, for Black the 6th).
    const THIRD_RANK: Bitboard;
    /// The rank on which its pawns promote.
    const LAST_RANK: Bitboard;
    /// How far a pawn's step moves it in square numbers.
    const FORWARD: i8;

    /// Every square of the set one step forward.
    fn forward(set: Bitboard) -> Bitboard;
}

/// White as a type.
pub(crate) struct White;

/// Black as a type.
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const BACK_RANK: Bitboard = Bitboard(0xFF);
    const THIRD_RANK: Bitboard = Bitboard(0xFF << 16);
    const LAST_RANK: Bitboard = Bitboard(0xFF << 56);
    const FORWARD: i8 = 8;

    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 << 8)
    }
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const BACK_RANK: Bitboard = Bitboard(0xFF << 56);
    const THIRD_RANK: Bitboard = Bitboard(0xFF << 40);
    const LAST_RANK: Bitboard = Bitboard(0xFF);
    const FORWARD: i8 = -8;

    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 >> 8)
    }
}
