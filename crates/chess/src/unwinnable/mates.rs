//! Whether a side can mate at all, judged by the squares that the pieces can reach.
//!
//! First all squares of all pieces count at once, but for the attackers' king: it has one
//! place. Where that leaves a mate possible, places are looked for, one for each man, from which
//! they do all of it together (`pattern`).

use super::pattern::MateMen;
use super::reach::{Reach, Tracked, around};
use crate::board::Board;
use crate::generate::count_legal_moves;
use crate::{Bitboard, Color, PieceKind, Square};

/// Whether the side to move is mated by `winner`.
pub(super) fn is_mate(board: &Board, winner: Color) -> bool {
    board.side_to_move != winner && !board.checkers().is_empty() && count_legal_moves(board) == 0
}

/// Whether it is proved that a side can never mate; `false` is no proof of the opposite.
pub(super) fn never_mates(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::of(board) else {
        return false;
    };
    let not_king = |piece: &&Tracked| piece.kind != PieceKind::King;
    let pieces = |color| reach.pieces(color).filter(not_king);
    let attacked = pieces(winner).fold(Bitboard::EMPTY, |set, piece| set | piece.attacks());
    let helped = pieces(!winner).fold(Bitboard::EMPTY, |set, piece| {
        set | piece.squares | piece.promoted
    });
    let kings = reach.king(winner);
    let mate = |on: &Square| {
        let open = around(*on) & !(attacked | helped);
        let far = kings & !(around(*on) | on.bitboard());
        let covers = |king: Square| (open & !around(king)).is_empty();
        attacked.contains(*on) && far.into_iter().any(covers)
    };
    let mut squares = reach.king(!winner).into_iter().filter(mate);
    !squares.any(|on| MateMen::new(on, reach.pieces(winner), pieces(!winner)).can(0))
}
