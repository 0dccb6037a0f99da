//! The way of TCEC, as the fork of cutechess has it that TCEC's tournaments are played with
//! (`-tcecadj`; <https://github.com/coolchess123/tceccutechess>).
//!
//! As cutechess's, with two differences. A pawn move or a capture starts the count of a draw again
//! and is not counted itself, and no draw is given on it. A win needs both engines, each over its
//! own last moves, and is given after the move of either.

use crate::referee::{DrawRule, Outcome, ResignRule};
use crate::uci::Score;

use super::cutechess::said;
use super::scored::{ScoredMove, is_level, is_lost, is_winning};
use super::{Limits, count, drawn, too_long, won};

#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// Half-moves in a row with a score near zero.
    level: u32,
    /// Moves in a row in which this side saw itself lost, or winning.
    lost: [u32; 2],
    winning: [u32; 2],
}

impl Counts {
    pub(super) fn judge(&mut self, limits: &Limits, played: &ScoredMove) -> Option<Outcome> {
        if played.depth == 0 {
            self.level = 0;
            self.lost[played.mover.index()] = 0;
            self.winning[played.mover.index()] = 0;
            return None;
        }
        let score = said(played);
        let drawn_now = limits
            .draw
            .is_some_and(|rule| self.is_drawn(&rule, score, played));
        let resigned = limits
            .resign
            .and_then(|rule| self.resigned(&rule, score, played));
        drawn_now
            .then(drawn)
            .or(resigned)
            .or_else(|| too_long(limits, played.plies))
    }

    fn is_drawn(&mut self, rule: &DrawRule, score: Option<Score>, played: &ScoredMove) -> bool {
        if played.irreversible {
            self.level = 0;
            return false;
        }
        count(&mut self.level, is_level(score, rule.centipawns));
        played.plies / 2 >= rule.from_move && self.level >= rule.moves.saturating_mul(2)
    }

    fn resigned(
        &mut self,
        rule: &ResignRule,
        score: Option<Score>,
        played: &ScoredMove,
    ) -> Option<Outcome> {
        let (side, other) = (played.mover.index(), (!played.mover).index());
        count(&mut self.lost[side], is_lost(score, rule.centipawns));
        count(&mut self.winning[side], is_winning(score, rule.centipawns));
        let reached = |mine: u32, theirs: u32| mine >= rule.moves && theirs >= rule.moves;
        if reached(self.lost[side], self.winning[other]) {
            Some(won(!played.mover))
        } else if reached(self.winning[side], self.lost[other]) {
            Some(won(played.mover))
        } else {
            None
        }
    }
}
