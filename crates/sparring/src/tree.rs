//! The tree: alpha-beta with a table of positions, passing as a test, and captures played out at
//! the leaves.

use crate::evaluate::{MATE, MATED_AT_MOST, evaluate};
use crate::ordering::{is_tactical, ordered};
use crate::search::{INFINITY, MAX_PLY, Search};
use crate::table::{ScoreBound, TableEntry};
use arbiter960_chess::{Move, PieceKind, Position};

/// What a capture may gain beyond the value of what it takes.
const CAPTURE_MARGIN: i32 = 180;

impl Search<'_> {
    /// The score of a position for the side to move, within the window from `alpha` to `beta`.
    pub(crate) fn alpha_beta(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let checked = position.in_check();
        // A check must be answered before the position can be judged.
        let depth = depth + i32::from(checked);
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.captures(position, alpha, beta, ply);
        }
        self.line.clear(ply);
        if self.enter(ply) || (ply > 0 && self.is_draw(position)) {
            return 0;
        }
        let found = self.table.probe(position.key(), ply as i32);
        // Near the fifty-move limit scores may come from positions with another count.
        let usable =
            |entry: &TableEntry| ply > 0 && entry.depth >= depth && position.halfmove_clock() < 90;
        if let Some(score) = found
            .filter(usable)
            .and_then(|entry| entry.cuts(alpha, beta))
        {
            return score;
        }
        if !checked && depth >= 3 && self.passing_is_enough(position, beta, depth, ply) {
            return beta;
        }
        let known = found.and_then(|entry| entry.best);
        let (score, best) = self.try_moves(position, known, (alpha, beta), depth, ply);
        if !self.aborted {
            let bound = ScoreBound::from_score(score, alpha, beta);
            let entry = TableEntry {
                best,
                score,
                depth,
                bound,
            };
            self.table.store(position.key(), ply as i32, entry);
        }
        score
    }

    /// The best score, and the move that raised it above the window's lower end.
    fn try_moves(
        &mut self,
        position: &Position,
        known: Option<Move>,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
    ) -> (i32, Option<Move>) {
        let moves = ordered(position, known, &self.history, |_| true);
        if moves.is_empty() {
            let mated = ply as i32 - MATE;
            return (if position.in_check() { mated } else { 0 }, None);
        }
        let passed = std::mem::take(&mut self.passed);
        let (mut best, mut best_move) = (-INFINITY, None);
        for mv in moves {
            let next = position.after(mv);
            self.keys.push(next.key());
            let score = -self.alpha_beta(&next, -beta, -alpha, depth - 1, ply + 1);
            self.keys.pop();
            if self.aborted {
                break;
            }
            best = best.max(score);
            if score > alpha {
                (alpha, best_move) = (score, Some(mv));
                self.line.extend(ply, mv);
            }
            if alpha >= beta {
                if !is_tactical(position, mv) {
                    self.history.reward(position.side_to_move(), mv, depth);
                }
                break;
            }
        }
        self.passed = passed;
        (best, best_move)
    }

    /// Repetition (one is enough in a search), fifty moves, dead material.
    fn is_draw(&self, position: &Position) -> bool {
        let count = position.halfmove_clock() as usize;
        if count >= 100 {
            return position.has_legal_move() || !position.in_check();
        }
        let mut earlier = self.keys.iter().rev().skip(2).step_by(2).take(count / 2);
        earlier.any(|key| *key == position.key()) || position.is_dead_by_material()
    }

    /// If passing is good enough, a move is too (null move): except in zugzwang, which needs
    /// few pieces, and never twice in a row.
    fn passing_is_enough(
        &mut self,
        position: &Position,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> bool {
        let us = position.side_to_move();
        let simple = position.pieces(us, PieceKind::Pawn) | position.pieces(us, PieceKind::King);
        let idle = self.passed || position.by_color(us) == simple || beta.abs() >= MATED_AT_MOST;
        if ply == 0 || idle || self.judge(position) < beta {
            return false;
        }
        let Some(next) = position.play_null() else {
            return false;
        };
        self.keys.push(next.key());
        self.passed = true;
        let score = -self.alpha_beta(&next, -beta, 1 - beta, depth - 4, ply + 1);
        self.passed = false;
        self.keys.pop();
        score >= beta && !self.aborted
    }

    /// The worth of a position once the captures are over; in check, every evasion is tried.
    fn captures(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
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
        let tried = |gain: i32| checked || (gain > 0 && standing + gain + CAPTURE_MARGIN > alpha);
        for mv in ordered(position, None, &self.history, tried) {
            let next = position.after(mv);
            let score = -self.captures(&next, -beta, -alpha, ply + 1);
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
    fn judge(&self, position: &Position) -> i32 {
        evaluate(position) + self.strength.error(position.key())
    }
}
