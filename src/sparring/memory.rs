//! What the engine keeps from move to move: table, history, killers.

use super::search::MAX_PLY;
use super::table::Table;
use crate::chess::{Color, Move, Position};

/// The largest history value; updates draw towards it, so it is never passed.
const HISTORY_LIMIT: i32 = 8192;

/// Knowledge gained by searching; forgotten for a new game.
pub(super) struct Memory {
    pub(super) table: Table,
    /// How often a quiet move refuted its position: colour, from, to.
    history: Box<[[[i32; 64]; 64]; 2]>,
    /// The last quiet moves that refuted a position at each ply.
    killers: [[Option<Move>; 2]; MAX_PLY],
}

impl Memory {
    pub(super) fn new(mebibytes: usize) -> Memory {
        Memory {
            table: Table::new(mebibytes),
            history: Box::new([[[0; 64]; 64]; 2]),
            killers: [[None; 2]; MAX_PLY],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        *self.history = [[[0; 64]; 64]; 2];
        self.killers = [[None; 2]; MAX_PLY];
    }

    /// Takes another table, of so many mebibytes.
    pub(super) fn resize(&mut self, mebibytes: usize) {
        self.table.resize(mebibytes);
    }

    /// Begins the search of a new position.
    pub(super) fn age(&mut self) {
        self.table.age();
        self.killers = [[None; 2]; MAX_PLY];
        for value in self.history.iter_mut().flatten().flatten() {
            *value /= 2;
        }
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    #[inline]
    pub(super) fn history(&self, color: Color, mv: Move) -> i32 {
        self.history[color.index()][mv.from().index()][mv.to().index()]
    }

    /// A quiet move refuted the position; those tried before it did not.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        best: Move,
        tried: &[Move],
    ) {
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth).min(1200);
        let color = position.side_to_move();
        self.learn(color, best, bonus);
        for &mv in tried {
            self.learn(color, mv, -bonus);
        }
    }

    fn learn(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.history[color.index()][mv.from().index()][mv.to().index()];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}
