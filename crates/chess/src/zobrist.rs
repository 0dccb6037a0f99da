//! Keys of positions: a random number for every fact, joined by exclusive or
//! (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
//!
//! By the FIDE Laws of Chess (9.2.3) these facts make two positions the same: the pieces, the side to move, the
//! castling rights, and an en passant capture that is legal.

use super::board::Board;
use super::random::SplitMix64;
use super::{Bitboard, Color, PieceKind};

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    /// By the square of the rook that may castle.
    castling: [u64; 64],
    /// By the square behind the pawn that may be taken.
    en_passant: [u64; 64],
    black_to_move: u64,
}

static KEYS: Keys = keys();

/// The key of a board, computed from nothing.
pub(crate) fn key(board: &Board) -> u64 {
    difference(&Board::empty(board.rule), board)
}

/// What to exclusive-or the key of `before` with to have that of `after`.
pub(crate) fn difference(before: &Board, after: &Board) -> u64 {
    let mut key = 0;
    for kind in PieceKind::ALL {
        for color in Color::ALL {
            let changed = before.pieces(color, kind) ^ after.pieces(color, kind);
            key ^= sum(&KEYS.pieces[color.index()][kind.index()], changed);
        }
    }
    key ^= sum(&KEYS.castling, before.castling_rooks ^ after.castling_rooks);
    key ^= sum(&KEYS.en_passant, before.en_passant ^ after.en_passant);
    if before.side_to_move != after.side_to_move {
        key ^= KEYS.black_to_move;
    }
    key
}

fn sum(keys: &[u64; 64], squares: Bitboard) -> u64 {
    squares
        .into_iter()
        .fold(0, |key, square| key ^ keys[square.index()])
}

const fn keys() -> Keys {
    let mut seeder = SplitMix64(0x9606_0960);
    let mut pieces = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 {
        pieces[index / 6][index % 6] = random_numbers(&mut seeder);
        index += 1;
    }
    Keys {
        pieces,
        castling: random_numbers(&mut seeder),
        en_passant: random_numbers(&mut seeder),
        black_to_move: seeder.next_u64(),
    }
}

const fn random_numbers(seeder: &mut SplitMix64) -> [u64; 64] {
    let mut numbers = [0; 64];
    let mut index = 0;
    while index < 64 {
        numbers[index] = seeder.next_u64();
        index += 1;
    }
    numbers
}
