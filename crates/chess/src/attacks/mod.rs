//! Which squares a piece attacks; which squares lie between two others.
//!
//! * `sliders`: bishops, rooks and queens by magic multiplication, tables made at compile time
//! * here: kings, knights, pawns, rays on the empty board, squares between

mod sliders;

use crate::piece::Side;
use crate::{Bitboard, Color, Piece, PieceKind, Square};

pub use sliders::{bishop_attacks, rook_attacks};

const KNIGHT_STEPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

static KNIGHT: [u64; 64] = attack_table(&KNIGHT_STEPS, false);
static KING: [u64; 64] = attack_table(&KING_STEPS, false);
static PAWN: [[u64; 64]; 2] = [
    attack_table(&[(-1, 1), (1, 1)], false),
    attack_table(&[(-1, -1), (1, -1)], false),
];
static ROOK_RAYS: [u64; 64] = attack_table(&[(0, 1), (1, 0), (0, -1), (-1, 0)], true);
static BISHOP_RAYS: [u64; 64] = attack_table(&[(1, 1), (1, -1), (-1, -1), (-1, 1)], true);
static BETWEEN: [[u64; 64]; 64] = between_table();

/// The squares a knight attacks.
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares a king attacks.
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares a pawn of this colour attacks.
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// The squares that a piece attacks from a square.
pub(crate) fn piece_attacks(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind {
        PieceKind::Pawn => pawn_attacks(piece.color, from),
        PieceKind::Knight => knight_attacks(from),
        PieceKind::Bishop => bishop_attacks(from, occupied),
        PieceKind::Rook => rook_attacks(from, occupied),
        PieceKind::Queen => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
        PieceKind::King => king_attacks(from),
    }
}

/// The squares that any pawn of the set attacks.
pub(crate) fn pawn_set_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    let ahead = S::forward(pawns);
    ahead.west() | ahead.east()
}

/// The squares a rook attacks on the empty board.
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    Bitboard(ROOK_RAYS[square.index()])
}

/// The squares a bishop attacks on the empty board.
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(BISHOP_RAYS[square.index()])
}

/// The squares strictly between two squares on one line; none if they are on no common line.
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The square a step away, if it is on the board.
const fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let file = square as i32 % 8 + files;
    let rank = square as i32 / 8 + ranks;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

/// What a piece attacks by these steps on the empty board; a slider goes on in every direction.
const fn attack_table(steps: &[(i32, i32)], slides: bool) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < steps.len() {
            let mut at = square;
            while let Some(next) = step(at, steps[index]) {
                table[square] |= 1 << next;
                at = next;
                if !slides {
                    break;
                }
            }
            index += 1;
        }
        square += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < 8 {
            let (mut at, mut passed) = (square, 0);
            while let Some(next) = step(at, KING_STEPS[index]) {
                table[square][next] = passed;
                passed |= 1 << next;
                at = next;
            }
            index += 1;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn set(names: &str) -> Bitboard {
        names.split_whitespace().map(square).collect()
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight_attacks(square("a1")), set("b3 c2"));
        assert_eq!(king_attacks(square("h8")), set("g8 g7 h7"));
        assert_eq!(pawn_attacks(Color::White, square("a2")), set("b3"));
        assert_eq!(pawn_attacks(Color::Black, square("h7")), set("g6"));
    }

    #[test]
    fn between_is_strict_and_symmetric() {
        assert_eq!(between(square("a1"), square("d4")), set("b2 c3"));
        assert_eq!(between(square("d4"), square("a1")), set("b2 c3"));
        assert_eq!(between(square("e1"), square("e2")), Bitboard::EMPTY);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
    }
}
