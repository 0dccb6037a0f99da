//! Moves in two bytes, and lists of them on the stack.

use std::fmt;
use std::ops::Deref;

use super::{PieceKind, Square};

/// A move: from, to, and the piece that a pawn is promoted to. Castling is always written as the king taking its own
/// rook, so that no two moves of a position are ever equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A move without promotion; for castling `to` is the square of the own rook.
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn's move to the last rank.
    pub const fn promoting(from: Square, to: Square, kind: PieceKind) -> Move {
        Move(Move::new(from, to).0 | (kind as u16) << 12)
    }

    /// The square that the piece leaves.
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Where it goes; for castling the square of the own rook.
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 >> 6) as u32)
    }

    /// What the pawn becomes.
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.0 >> 12 {
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            _ => None,
        }
    }

    /// Sixteen bits for storage: from in bits 0–5, to in 6–11, promotion in 12–14
    /// (0 none, 1 knight, 2 bishop, 3 rook, 4 queen).
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A move from [`Move::bits`]; `None` for bits that do not encode a move.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 <= 4 {
            Some(Move(bits))
        } else {
            None
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As UCI writes it with `UCI_Chess960`: `e2e4`, `e7e8q`, and castling as `e1h1`. A position is
/// needed for the other dialect and for algebraic notation: `Position::uci`, `Position::san`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

/// More than any position with sixteen pieces a side can have (the known maximum is 218).
const CAPACITY: usize = 256;

/// Moves on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub(crate) fn new() -> MoveList {
        MoveList {
            moves: [Move(0); CAPACITY],
            len: 0,
        }
    }

    /// Adds a move at the end.
    ///
    /// # Panics
    /// If the list holds 256 moves already, which no position has.
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, CAPACITY>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_survive_storage() {
        let (from, to) = ("b7".parse().unwrap(), "a8".parse().unwrap());
        for kind in PieceKind::PROMOTIONS {
            let mv = Move::promoting(from, to, kind);
            assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, Some(kind)));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        assert_eq!(Move::new(from, to).promotion(), None);
        assert_eq!(Move::from_bits(5 << 12), None);
    }
}
