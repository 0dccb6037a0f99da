//! The way of cutechess-cli (`GameAdjudicator` and `ChessGame::onMoveMade`, version 1.5.1).
//!
//! As fastchess's for draws, except that the move number is half of the half-moves on the board, the book's moves
//! included; the counter of the start position is ignored. A resignation is checked only after the loser's own move;
//! with both engines the winner's own count must be as long. A move without a depth starts all counts of its side
//! again. The length of a game includes its book moves. Without a number of moves nobody resigns.
//!
//! Three things are not copied, because with them a score that nobody gave would end games: cutechess takes a missing
//! score for a won one, `mate 0` for an even one, and a bound for an exact score where the word for it comes at the end
//! of `score`.

use crate::chess::Color;
use crate::referee::{Adjudication, DrawRule, Outcome, ResignRule};
use crate::uci::Score;

use super::scored::{ScoredMove, is_level, is_lost, is_winning};
use super::{count, drawn, too_long, won};

/// What this way counts, and that of TCEC.
#[derive(Debug, Clone, Default)]
pub(super) struct CutechessCounts {
    /// Half-moves in a row with a score near zero.
    pub(super) level: u32,
    /// Moves in a row in which this side saw itself lost, or winning.
    pub(super) lost: [u32; 2],
    pub(super) winning: [u32; 2],
}

impl CutechessCounts {
    pub(super) fn judge(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        if played.irreversible {
            self.level = 0;
        }
        if played.depth == 0 {
            self.start_again(played.mover);
            return None;
        }
        let score = said(played);
        let drawn_now = limits
            .draw
            .is_some_and(|rule| self.is_drawn(&rule, score, played.plies));
        let resigned = limits
            .resign
            .is_some_and(|rule| self.resigns(&rule, score, played));
        drawn_now
            .then(drawn)
            .or_else(|| resigned.then(|| won(!played.mover)))
            .or_else(|| too_long(limits, played.plies))
    }

    fn is_drawn(&mut self, rule: &DrawRule, score: Option<Score>, plies: u32) -> bool {
        count(&mut self.level, is_level(score, rule.centipawns));
        plies / 2 >= rule.from_move && self.level >= rule.moves.saturating_mul(2)
    }

    fn resigns(&mut self, rule: &ResignRule, score: Option<Score>, played: &ScoredMove) -> bool {
        let (side, other) = (played.mover.index(), (!played.mover).index());
        self.see(played.mover, rule, score);
        let agreed = !rule.both_engines || self.winning[other] >= rule.moves;
        rule.moves > 0 && self.lost[side] >= rule.moves && agreed
    }
}

impl CutechessCounts {
    /// After a move of this side without a depth.
    pub(super) fn start_again(&mut self, side: Color) {
        self.level = 0;
        self.lost[side.index()] = 0;
        self.winning[side.index()] = 0;
    }

    /// Counts how this side sees itself.
    pub(super) fn see(&mut self, side: Color, rule: &ResignRule, score: Option<Score>) {
        let side = side.index();
        count(&mut self.lost[side], is_lost(score, rule.centipawns));
        count(&mut self.winning[side], is_winning(score, rule.centipawns));
    }
}

/// The score of a move. `mate 0` says that no move is possible, so it is not a score of a move.
pub(super) fn said(played: &ScoredMove) -> Option<Score> {
    played.score.filter(|score| *score != Score::Mate(0))
}
