//! Checks and pins: the two masks that a legal move respects.

use crate::attacks::{between, bishop_rays, knight_attacks, pawn_attacks, rook_rays};
use crate::board::Board;
use crate::color::Side;
use crate::{Bitboard, PieceKind, Square};

/// What every move of the side to move must respect.
pub(super) struct Constraints {
    pub(super) king: Square,
    pub(super) checkers: Bitboard,
    /// Where a move that is not the king's must end.
    pub(super) evasions: Bitboard,
    /// Diagonal lines from the king to a slider with one piece between.
    pub(super) diagonal_pins: Bitboard,
    /// The same along ranks and files.
    pub(super) straight_pins: Bitboard,
}

impl Constraints {
    #[inline(always)]
    pub(super) fn new<S: Side>(board: &Board) -> Constraints {
        let (us, them) = (S::COLOR, S::Other::COLOR);
        let king = board.king(us);
        let mut found = Constraints {
            king,
            checkers: board.color(them)
                & (knight_attacks(king) & board.kind(PieceKind::Knight)
                    | pawn_attacks(us, king) & board.kind(PieceKind::Pawn)),
            evasions: Bitboard::ALL,
            diagonal_pins: Bitboard::EMPTY,
            straight_pins: Bitboard::EMPTY,
        };
        if !found.checkers.is_empty() {
            found.evasions = found.checkers;
        }
        let occupied = board.occupied();
        for slider in bishop_rays(king) & board.diagonal_sliders(them) {
            let pin = found.line(slider, occupied);
            found.diagonal_pins |= pin;
        }
        for slider in rook_rays(king) & board.straight_sliders(them) {
            let pin = found.line(slider, occupied);
            found.straight_pins |= pin;
        }
        found
    }

    /// The pin line of an enemy slider that looks at the king, if there is one; notes it as a checker if no piece is
    /// between.
    ///
    /// A single *enemy* piece between makes a line too. That is harmless: none of our pieces is on it.
    #[inline(always)]
    fn line(&mut self, slider: Square, occupied: Bitboard) -> Bitboard {
        let line = between(self.king, slider);
        let blockers = line & occupied;
        if blockers.is_empty() {
            self.checkers |= slider.bitboard();
            self.evasions = line | slider.bitboard();
            Bitboard::EMPTY
        } else if blockers.has_several() {
            Bitboard::EMPTY
        } else {
            line | slider.bitboard()
        }
    }
}
