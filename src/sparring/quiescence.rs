//! The leaves: captures are played out before a position is judged.

use super::evaluate::{evaluate, value};
use super::ordering::{Picker, victim};
use super::search::{MATE, MAX_PLY, Search, after};
use crate::chess::{Move, PieceKind, Position};

/// What a capture may gain beyond the value of what it takes.
const MARGIN: i32 = 180;

impl Search<'_> {
    /// The worth of a position once the captures are over; in check, every evasion is tried.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.line.clear(ply);
        if self.enter(ply) || position.is_dead_by_material() {
            return 0;
        }
        let checked = position.in_check();
        let standing = if checked {
            ply as i32 - MATE
        } else {
            self.judge(position)
        };
        if ply >= MAX_PLY - 1 || standing >= beta {
            return standing;
        }
        alpha = alpha.max(standing);
        let mut best = standing;
        for mv in self.noisy_moves(position, checked, ply) {
            if !checked && self.gains_too_little(position, mv, standing, alpha) {
                continue;
            }
            let next = after(position, mv);
            self.keys.push(next.key());
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1);
            self.keys.pop();
            if self.aborted {
                return 0;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.line.extend(ply, mv);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The evaluation with the error of the level of play.
    pub(super) fn judge(&self, position: &Position) -> i32 {
        evaluate(position) + self.strength.error(position.key())
    }

    fn noisy_moves(&self, position: &Position, checked: bool, ply: usize) -> Picker {
        if checked {
            Picker::all(position, None, self.memory, ply)
        } else {
            Picker::tactical(position)
        }
    }

    /// Even with what it takes, a move cannot reach alpha (delta pruning).
    fn gains_too_little(&self, position: &Position, mv: Move, standing: i32, alpha: i32) -> bool {
        let promoted = mv
            .promotion()
            .map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        let gain = victim(position, mv).map_or(0, value) + promoted;
        standing + gain + MARGIN <= alpha
    }
}
