//! Proofs that a side cannot mate, for many games: tried only where success is likely.

use crate::chess::{Bitboard, Color, PieceKind, Position, Winnability};

/// With at most this number of pieces a quick proof is always tried.
const FEW_MEN: u32 = 6;

/// Maximum number of positions of the complete search.
const MOST_POSITIONS: u32 = 1_000;

/// Whether it is proved that neither side can mate any more. The complete search is used only for the second side,
/// after the quick proof has succeeded for the first.
pub(super) fn is_dead(position: &Position) -> bool {
    if !(is_locked(position) || position.occupied().len() <= FEW_MEN) {
        return false;
    }
    let quick = Color::ALL.map(|side| position.cannot_win(side));
    match quick {
        [true, true] => true,
        [false, false] => false,
        [white, _] => {
            let other = if white { Color::Black } else { Color::White };
            is_locked(position) && proved(position, other)
        }
    }
}

/// Whether it is proved that a side can never mate: quickly, and in locked positions by the
/// complete search.
pub(super) fn never_mates(position: &Position, side: Color) -> bool {
    position.cannot_win(side) || is_locked(position) && proved(position, side)
}

fn proved(position: &Position, side: Color) -> bool {
    position.winnability(side, MOST_POSITIONS) == Winnability::Unwinnable
}

/// Whether there are pawns and all are blocked. In other positions mates are nearly always possible, and looking for
/// them would take longer than replaying the game.
fn is_locked(position: &Position) -> bool {
    let pawns = |color| position.pieces(color, PieceKind::Pawn);
    let ahead = pawns(Color::White).0 << 8 | pawns(Color::Black).0 >> 8;
    ahead != 0 && (Bitboard(ahead) & !position.occupied()).is_empty()
}
