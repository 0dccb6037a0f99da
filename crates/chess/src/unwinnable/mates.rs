//! Whether a side can mate at all, judged by the squares that the pieces can reach.
//!
//! First all squares of all pieces count at once, but for the attackers' king: it has one
//! place. Where that leaves a mate possible, places are looked for, one for each man, from which
//! they do all of it together (`pattern`).

use super::pattern::MatePieces;
use super::reach::{Reach, ReachablePiece, around};
use crate::board::Board;
use crate::generate::count_legal_moves;
use crate::{Bitboard, Color, PieceKind, Square};

/// Whether the side to move is mated by `winner`.
pub(super) fn is_mate(board: &Board, winner: Color) -> bool {
    board.side_to_move != winner && !board.checkers().is_empty() && count_legal_moves(board) == 0
}

/// Whether it is proved that a side can never mate; `false` is no proof of the opposite.
pub(super) fn is_proved_unable_to_mate(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::new(board) else {
        return false;
    };
    let not_king = |piece: &&ReachablePiece| piece.kind != PieceKind::King;
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
    !squares.any(|on| MatePieces::new(on, reach.pieces(winner), pieces(!winner)).can(0))
}

/// Whether a side's pieces can never mate, on whatever squares they and the opponent's pieces are.
///
/// One knight against king and queens: let the king be at (0, 0) and the knight check from
/// (1, 2). A queen on (0, 1) or (1, 1) would take it, so both are empty and guarded by the king
/// on (0, 2), the only square that guards both and is no neighbour of the mated king. Then
/// (1, 0) is on the board, not guarded, and a queen there would take the knight too.
///
/// Bishops on one colour against king, queens, rooks and bishops on that colour: let the check come over (1, 1). The
/// squares (1, 0) and (0, 1) are of the other colour. A rook or queen there is not pinned and reaches (1, 1), so both
/// are empty; a king that guards both would be next to the mated king.
pub(super) fn has_insufficient_material(position: &Board, color: Color) -> bool {
    let own = |kind| position.pieces(color, kind);
    let theirs = |kind| position.pieces(!color, kind);
    let strong = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen];
    if strong.into_iter().any(|kind| !own(kind).is_empty()) {
        return false;
    }
    let (knights, bishops) = (own(PieceKind::Knight), own(PieceKind::Bishop));
    if knights.is_empty() && bishops.is_empty() {
        return true;
    }
    let helpers = theirs(PieceKind::Pawn) | theirs(PieceKind::Knight);
    if bishops.is_empty() {
        let helpers = helpers | theirs(PieceKind::Bishop) | theirs(PieceKind::Rook);
        return !knights.has_several() && helpers.is_empty();
    }
    let all_bishops = position.kind(PieceKind::Bishop);
    let one_colour =
        !(all_bishops.intersects(Bitboard::DARK) && all_bishops.intersects(Bitboard::LIGHT));
    knights.is_empty() && one_colour && helpers.is_empty()
}
