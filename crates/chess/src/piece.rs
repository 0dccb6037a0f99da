//! Kinds of pieces and their letters.

use std::fmt;

use super::Color;

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
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind for an upper-case English letter.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter {
            'P' => PieceKind::Pawn,
            'N' => PieceKind::Knight,
            'B' => PieceKind::Bishop,
            'R' => PieceKind::Rook,
            'Q' => PieceKind::Queen,
            'K' => PieceKind::King,
            _ => return None,
        })
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
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece for a letter of a FEN.
    pub const fn from_fen_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match PieceKind::from_letter(letter.to_ascii_uppercase()) {
            Some(kind) => Some(Piece { color, kind }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.kind)
    }
}
