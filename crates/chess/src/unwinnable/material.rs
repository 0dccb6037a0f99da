//! Proofs by the pieces alone, on any squares.

use crate::board::Board;
use crate::{Bitboard, Color, PieceKind};

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
pub(super) fn too_little_material(position: &Board, color: Color) -> bool {
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
