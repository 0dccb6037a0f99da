//! Whether a side can mate at all, judged by the squares that the men can reach.
//!
//! In a mate on a square, some man attacks it; and every square around is attacked, or taken by
//! an own man. The attackers' king counts with one place for all of these squares, other men with
//! all of theirs, so that more mates seem possible than are.

use super::reach::{Man, Reach, around};
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Square};

/// Whether it is proved that a side can never mate; `false` says nothing.
pub(super) fn never_mates(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::of(board) else {
        return false;
    };
    let men = |color| {
        reach
            .men(color)
            .filter(|man: &&Man| man.kind != PieceKind::King)
    };
    let attacked = men(winner).fold(Bitboard::EMPTY, |set, man| set | man.attacks());
    let helped = men(!winner).fold(Bitboard::EMPTY, |set, man| set | man.squares | man.promoted);
    let kings = reach.king(winner);
    let mate = |on: Square| {
        let open = around(on) & !(attacked | helped);
        let far = kings & !(around(on) | on.bitboard());
        let covers = |king: Square| (open & !around(king)).is_empty();
        attacked.contains(on) && far.into_iter().any(covers)
    };
    !reach.king(!winner).into_iter().any(mate)
}
