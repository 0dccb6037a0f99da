//! Whether a side can mate at all, judged by the squares that the pieces can reach.
//!
//! In a mate on a square, some piece attacks it; and every square around is attacked, or taken by
//! an own piece. The attackers' king counts with one place for all of these squares, other pieces with
//! all of theirs, so that more mates seem possible than are.

use super::reach::{Reach, Tracked, around};
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Square};

/// Whether it is proved that a side can never mate; `false` says nothing.
pub(super) fn never_mates(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::of(board) else {
        return false;
    };
    let pieces = |color| {
        reach
            .pieces(color)
            .filter(|piece: &&Tracked| piece.kind != PieceKind::King)
    };
    let attacked = pieces(winner).fold(Bitboard::EMPTY, |set, piece| set | piece.attacks());
    let helped = pieces(!winner).fold(Bitboard::EMPTY, |set, piece| {
        set | piece.squares | piece.promoted
    });
    let kings = reach.king(winner);
    let mate = |on: Square| {
        let open = around(on) & !(attacked | helped);
        let far = kings & !(around(on) | on.bitboard());
        let covers = |king: Square| (open & !around(king)).is_empty();
        attacked.contains(on) && far.into_iter().any(covers)
    };
    !reach.king(!winner).into_iter().any(mate)
}
