//! The way of this program: a draw is counted from the move from which it may be given, and a win is given as soon as
//! its conditions hold, after a move of either side.
//!
//! A move without a score, or with a bound alone, starts the counts of its side again, and that of
//! the draw. A mate is never level.

use crate::chess::Color;
use crate::referee::{Adjudication, DrawRule, Outcome, ResignRule};

use super::scored::{ScoredMove, is_level, is_lost, is_winning};
use super::{count, drawn, too_long, won};

#[derive(Debug, Clone, Default)]
pub(super) struct OwnCounts {
    /// Half-moves in a row with a score near zero.
    pub(super) level: u32,
    /// Moves in a row in which this side saw itself lost, or winning.
    pub(super) lost: [u32; 2],
    winning: [u32; 2],
    /// Half-moves by engines.
    plies: u32,
}

impl OwnCounts {
    pub(super) fn judge(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        self.plies += 1;
        let drawn_now = limits.draw.is_some_and(|rule| self.is_drawn(&rule, played));
        let resigned = limits.resign.and_then(|rule| self.resigned(&rule, played));
        resigned
            .or_else(|| drawn_now.then(drawn))
            .or_else(|| too_long(limits, self.plies))
    }

    fn is_drawn(&mut self, rule: &DrawRule, played: &ScoredMove) -> bool {
        let counts = played.move_number() >= rule.from_move;
        count(
            &mut self.level,
            counts && is_level(played.score, rule.centipawns),
        );
        self.level >= rule.moves.saturating_mul(2)
    }

    /// Either side may have become the loser: by its own score, or because the winner has now
    /// agreed.
    fn resigned(&mut self, rule: &ResignRule, played: &ScoredMove) -> Option<Outcome> {
        let side = played.mover.index();
        count(&mut self.lost[side], is_lost(played.score, rule.centipawns));
        count(
            &mut self.winning[side],
            is_winning(played.score, rule.centipawns),
        );
        let loses = |side: Color| {
            let agreed = !rule.both_engines || self.winning[(!side).index()] >= rule.moves;
            self.lost[side.index()] >= rule.moves && agreed
        };
        let loser = [played.mover, !played.mover]
            .into_iter()
            .find(|side| loses(*side))?;
        Some(won(!loser))
    }
}
