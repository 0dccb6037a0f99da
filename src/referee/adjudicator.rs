//! Ends a game by score or by length, as the event file asks.
//!
//! The counters are those that engine testing has settled on (cutechess's `-draw`
//! and `-resign`): a number of full moves in a row, each engine judged by its own
//! scores; a move without a score, or a mate score where a draw is counted,
//! starts the count again.

use crate::chess::Color;
use crate::referee::{Adjudication, DrawRule, DrawnBy, Outcome, ResignRule, WonBy};
use crate::uci::Score;

/// Counts moves in a row that meet the rules.
#[derive(Debug, Clone)]
pub(crate) struct Adjudicator {
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    max_moves: Option<u32>,
    /// Half-moves in a row with a score near zero.
    level: u32,
    /// Moves in a row in which this side saw itself lost, or winning.
    lost: [u32; 2],
    winning: [u32; 2],
    /// Half-moves by engines.
    plies: u32,
}

impl Adjudicator {
    /// Nothing counted yet.
    pub(crate) fn new(rules: &Adjudication) -> Adjudicator {
        Adjudicator {
            draw: rules.draw,
            resign: rules.resign,
            max_moves: rules.max_moves,
            level: 0,
            lost: [0; 2],
            winning: [0; 2],
            plies: 0,
        }
    }

    /// Takes the score with which `mover` made its move, the game's full move
    /// number of that move, and says whether the game is over.
    pub(crate) fn judge(
        &mut self,
        mover: Color,
        score: Option<Score>,
        move_number: u32,
    ) -> Option<Outcome> {
        self.plies += 1;
        self.count_draw(score, move_number);
        self.count_resign(mover, score);
        self.resigned(mover).or_else(|| self.drawn())
    }

    fn count_draw(&mut self, score: Option<Score>, move_number: u32) {
        let Some(rule) = self.draw else { return };
        let level =
            matches!(score, Some(Score::Centipawns(cp)) if cp.unsigned_abs() <= rule.centipawns);
        self.level = if level && move_number >= rule.from_move {
            self.level + 1
        } else {
            0
        };
    }

    fn count_resign(&mut self, mover: Color, score: Option<Score>) {
        let Some(rule) = self.resign else { return };
        let limit = i32::try_from(rule.centipawns).unwrap_or(i32::MAX);
        let lost = score.is_some_and(|score| points(score) <= -limit);
        let winning = score.is_some_and(|score| points(score) >= limit);
        let side = mover.index();
        self.lost[side] = if lost { self.lost[side] + 1 } else { 0 };
        self.winning[side] = if winning { self.winning[side] + 1 } else { 0 };
    }

    /// Either side may have become the loser: by its own score, or because the
    /// winner has now agreed.
    fn resigned(&self, mover: Color) -> Option<Outcome> {
        let rule = self.resign?;
        let loses = |side: Color| {
            let agreed = !rule.both_engines || self.winning[(!side).index()] >= rule.moves;
            self.lost[side.index()] >= rule.moves && agreed
        };
        let loser = [mover, !mover].into_iter().find(|side| loses(*side))?;
        Some(Outcome::Won {
            by: !loser,
            how: WonBy::ScoreAdjudication,
        })
    }

    fn drawn(&self) -> Option<Outcome> {
        let by_score = self
            .draw
            .is_some_and(|rule| self.level >= rule.moves.saturating_mul(2));
        let by_length = self
            .max_moves
            .is_some_and(|most| self.plies >= most.saturating_mul(2));
        match (by_score, by_length) {
            (true, _) => Some(Outcome::Drawn(DrawnBy::ScoreAdjudication)),
            (_, true) => Some(Outcome::Drawn(DrawnBy::LengthAdjudication)),
            _ => None,
        }
    }
}

/// A mate is worth more than any centipawns. `mate 0` is said by the side that is mated.
fn points(score: Score) -> i32 {
    match score {
        Score::Centipawns(points) => points,
        Score::Mate(moves) if moves > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ply (from 1) after which the scores, White's first, end the game.
    fn ends(rules: &Adjudication, scores: &[i32]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, points)| {
            let mover = Color::ALL[ply % 2];
            let score = Some(Score::Centipawns(*points));
            let number = u32::try_from(ply / 2 + 1).unwrap();
            Some((ply + 1, adjudicator.judge(mover, score, number)?))
        })
    }

    #[test]
    fn a_draw_needs_both_engines_in_a_row_from_the_first_move_that_counts() {
        let draw = Some(DrawRule {
            from_move: 2,
            moves: 2,
            centipawns: 10,
        });
        let rules = Adjudication {
            draw,
            ..Adjudication::default()
        };
        let drawn = Outcome::Drawn(DrawnBy::ScoreAdjudication);
        assert_eq!(
            ends(&rules, &[0, 0, 10, -10, 0, 0]),
            Some((6, drawn.clone()))
        );
        assert_eq!(ends(&rules, &[0, 0, 0, 11, 0, 0, 0, 0]), Some((8, drawn)));
        assert_eq!(ends(&rules, &[0, 0, 0, 11, 0, 0, 0]), None);
    }

    #[test]
    fn a_resignation_waits_for_the_winner_if_both_must_agree() {
        let resign = |both_engines| {
            let rule = ResignRule {
                moves: 2,
                centipawns: 600,
                both_engines,
            };
            Adjudication {
                resign: Some(rule),
                ..Adjudication::default()
            }
        };
        let won = Outcome::Won {
            by: Color::White,
            how: WonBy::ScoreAdjudication,
        };
        let scores = [0, -600, 599, -700, 600, -700, 600];
        assert_eq!(ends(&resign(false), &scores), Some((4, won.clone())));
        assert_eq!(ends(&resign(true), &scores), Some((7, won)));
    }

    #[test]
    fn length_counts_the_engines_moves() {
        let rules = Adjudication {
            max_moves: Some(2),
            ..Adjudication::default()
        };
        let drawn = Outcome::Drawn(DrawnBy::LengthAdjudication);
        assert_eq!(ends(&rules, &[900, -900, 900, -900]), Some((4, drawn)));
    }

    #[test]
    fn a_mate_score_never_counts_towards_a_draw_and_always_towards_a_win() {
        let rules = Adjudication {
            draw: Some(DrawRule {
                from_move: 1,
                moves: 1,
                centipawns: u32::MAX,
            }),
            resign: Some(ResignRule {
                moves: 1,
                centipawns: 30_000,
                both_engines: true,
            }),
            ..Adjudication::default()
        };
        let mut adjudicator = Adjudicator::new(&rules);
        assert_eq!(
            adjudicator.judge(Color::White, Some(Score::Mate(3)), 1),
            None
        );
        let won = Outcome::Won {
            by: Color::White,
            how: WonBy::ScoreAdjudication,
        };
        assert_eq!(
            adjudicator.judge(Color::Black, Some(Score::Mate(-3)), 1),
            Some(won)
        );
    }
}
