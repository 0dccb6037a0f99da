//! Which move to try first: the table's, good captures, killers, history, bad captures.

use super::evaluate::{VALUES, value};
use super::memory::Memory;
use crate::chess::attacks::pawn_attacks;
use crate::chess::{Color, Move, MoveList, PieceKind, Position};

const FIRST: i32 = 1 << 24;
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 16;
const BAD_CAPTURE: i32 = -(1 << 20);

/// Hands out moves, the most promising first, sorting only as far as it is asked.
pub(super) struct Picker {
    moves: MoveList,
    scores: [i32; 256],
    order: [u8; 256],
    given: usize,
}

impl Picker {
    /// All legal moves.
    pub(super) fn all(
        position: &Position,
        known: Option<Move>,
        memory: &Memory,
        ply: usize,
    ) -> Picker {
        let color = position.side_to_move();
        let killers = memory.killers(ply);
        Picker::new(position.legal_moves(), |mv| {
            if Some(mv) == known {
                return Some(FIRST);
            }
            let tactical = tactical_score(position, mv);
            Some(
                tactical.unwrap_or_else(|| match killers.iter().position(|k| *k == Some(mv)) {
                    Some(rank) => KILLER - rank as i32,
                    None => memory.history(color, mv),
                }),
            )
        })
    }

    /// Captures and promotions that do not lose material at first sight.
    pub(super) fn tactical(position: &Position) -> Picker {
        let score = |mv| tactical_score(position, mv).filter(|score| *score > 0);
        Picker::new(position.legal_moves(), score)
    }

    fn new(moves: MoveList, score: impl Fn(Move) -> Option<i32>) -> Picker {
        let mut kept = MoveList::new();
        let mut scores = [0; 256];
        for &mv in &moves {
            if let Some(score) = score(mv) {
                scores[kept.len()] = score;
                kept.push(mv);
            }
        }
        Picker {
            moves: kept,
            scores,
            order: std::array::from_fn(|i| i as u8),
            given: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let left = self.given..self.moves.len();
        let best = left
            .rev()
            .max_by_key(|&i| self.scores[usize::from(self.order[i])])?;
        self.order.swap(self.given, best);
        let mv = self.moves[usize::from(self.order[self.given])];
        self.given += 1;
        Some(mv)
    }
}

/// Whether a move changes the material.
#[inline]
pub(super) fn is_tactical(position: &Position, mv: Move) -> bool {
    mv.promotion().is_some() || position.is_capture(mv)
}

/// What a capture takes; a pawn if it is en passant.
pub(super) fn victim(position: &Position, mv: Move) -> Option<PieceKind> {
    let standing = || {
        position
            .piece_at(mv.to())
            .map_or(PieceKind::Pawn, |piece| piece.kind)
    };
    position.is_capture(mv).then(standing)
}

/// Most valuable victim by the least valuable attacker; `None` for a quiet move.
fn tactical_score(position: &Position, mv: Move) -> Option<i32> {
    let taken = victim(position, mv);
    let promoted = mv.promotion();
    if taken.is_none() && promoted.is_none() {
        return None;
    }
    if promoted.is_some_and(|kind| kind != PieceKind::Queen) {
        return Some(BAD_CAPTURE);
    }
    let gain = taken.map_or(0, value) + promoted.map_or(0, value);
    let attacker = position
        .piece_at(mv.from())
        .map_or(PieceKind::Pawn, |piece| piece.kind);
    let base = if loses_exchange(position, mv, gain, attacker) {
        BAD_CAPTURE
    } else {
        GOOD_CAPTURE
    };
    Some(base + 16 * gain - VALUES[attacker.index()])
}

/// A dearer piece takes a cheaper one that a pawn protects.
fn loses_exchange(position: &Position, mv: Move, gain: i32, attacker: PieceKind) -> bool {
    let us: Color = position.side_to_move();
    gain + 50 < value(attacker)
        && pawn_attacks(us, mv.to()).intersects(position.pieces(!us, PieceKind::Pawn))
}
