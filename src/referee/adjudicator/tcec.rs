//! The way of TCEC, as the fork of cutechess has it that TCEC's tournaments are played with
//! (`-tcecadj`; <https://github.com/coolchess123/tceccutechess>).
//!
//! As cutechess's, with three differences. What starts the count of a draw again is not counted itself, and no draw is
//! given on it. The move of a rook with which its king could have castled starts it again, too (`WesternBoard::vMakeMove`).
//! A win needs both engines, each over its own last moves, and is given after the move of either.

use crate::referee::{Adjudication, DrawRule, Outcome, ResignRule};
use crate::uci::Score;

use super::cutechess::{self, said};
use super::scored::{ScoredMove, is_level};
use super::{count, drawn, too_long, won};

#[derive(Debug, Clone, Default)]
pub(super) struct TcecCounts(cutechess::CutechessCounts);

impl TcecCounts {
    pub(super) fn judge(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        if played.depth == 0 {
            self.0.start_again(played.mover);
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
        if played.irreversible || played.moves_castling_rook {
            self.0.level = 0;
            return false;
        }
        count(&mut self.0.level, is_level(score, rule.centipawns));
        played.plies / 2 >= rule.from_move && self.0.level >= rule.moves.saturating_mul(2)
    }

    fn resigned(
        &mut self,
        rule: &ResignRule,
        score: Option<Score>,
        played: &ScoredMove,
    ) -> Option<Outcome> {
        let (side, other) = (played.mover.index(), (!played.mover).index());
        self.0.see(played.mover, rule, score);
        let reached = |mine: u32, theirs: u32| mine >= rule.moves && theirs >= rule.moves;
        if reached(self.0.lost[side], self.0.winning[other]) {
            Some(won(!played.mover))
        } else if reached(self.0.winning[side], self.0.lost[other]) {
            Some(won(played.mover))
        } else {
            None
        }
    }
}
