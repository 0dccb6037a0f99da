//! The way of fastchess (`DrawTracker`, `ResignTracker`, `MaxMovesTracker` of its
//! `matchmaking/match`, version 1.8.2).
//!
//! Level half-moves are counted from the first move; a pawn move or a capture starts the count again and is counted
//! itself. A draw is given when the count is long enough and enough full moves are complete, by the counter of the
//! position. With both engines a win needs decided scores of either sign, one after the other; the loser is the engine
//! that moved last and reported that it is behind. A bound counts where an engine gave no other score. The length
//! counts only the engines' moves.

use crate::chess::Color;
use crate::referee::{Adjudication, DrawRule, Outcome, ResignRule};
use crate::uci::Score;

use super::scored::{ScoredMove, is_level};
use super::{count, drawn, too_long, won};

#[derive(Debug, Clone, Default)]
pub(super) struct FastchessCounts {
    /// Half-moves in a row with a score near zero.
    level: u32,
    /// Moves in a row in which this side saw itself lost.
    lost: [u32; 2],
    /// Half-moves in a row with a score far from zero.
    decided: u32,
    /// Half-moves by engines.
    plies: u32,
}

impl FastchessCounts {
    pub(super) fn judge(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        self.plies += 1;
        let score = played.score.or(played.bound);
        let drawn_now = limits
            .draw
            .is_some_and(|rule| self.is_drawn(&rule, score, played));
        let resigns = limits
            .resign
            .is_some_and(|rule| self.resigns(&rule, score, played.mover));
        let behind = score.is_some_and(is_behind);
        let resigned = (resigns && behind).then(|| won(!played.mover));
        resigned
            .or_else(|| drawn_now.then(drawn))
            .or_else(|| too_long(limits, self.plies))
    }

    fn is_drawn(&mut self, rule: &DrawRule, score: Option<Score>, played: &ScoredMove) -> bool {
        if played.irreversible {
            self.level = 0;
        }
        count(&mut self.level, is_level(score, rule.centipawns));
        played.full_moves() >= rule.from_move && self.level >= rule.moves.saturating_mul(2)
    }

    fn resigns(&mut self, rule: &ResignRule, score: Option<Score>, mover: Color) -> bool {
        if rule.both_engines {
            count(&mut self.decided, is_decided(score, rule.centipawns));
            return self.decided >= rule.moves.saturating_mul(2);
        }
        let lost = match score {
            Some(Score::Centipawns(points)) => i64::from(points) <= -i64::from(rule.centipawns),
            Some(Score::Mate(moves)) => moves < 0,
            None => false,
        };
        count(&mut self.lost[mover.index()], lost);
        self.lost.iter().any(|&moves| moves >= rule.moves)
    }
}

fn is_decided(score: Option<Score>, limit: u32) -> bool {
    match score {
        Some(Score::Centipawns(points)) => points.unsigned_abs() >= limit,
        Some(Score::Mate(_)) => true,
        None => false,
    }
}

fn is_behind(score: Score) -> bool {
    match score {
        Score::Centipawns(value) | Score::Mate(value) => value < 0,
    }
}
