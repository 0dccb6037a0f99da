//! The four schools of adjudication against a model that looks at whole games: it has no counters,
//! and asks of every half-move whether the last ones satisfy the rule.

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;
use arbiter960::uci::Score;
use proptest::prelude::*;

use super::study;

/// A game so far, judged by looking back over it.
struct Model<'a> {
    rules: &'a Adjudication,
    /// The moves by engines up to the one that is judged.
    moves: &'a [ScoredMove],
}

impl Model<'_> {
    fn school(&self) -> School {
        self.rules.school
    }

    fn last(&self) -> &ScoredMove {
        &self.moves[self.moves.len() - 1]
    }

    /// The score that a school takes for one; with cutechess's, of a move with a depth alone.
    fn score(&self, played: &ScoredMove) -> Option<Score> {
        let cutechess = matches!(self.school(), School::Cutechess | School::Tcec);
        match self.school() {
            School::Fastchess => played.score.or(played.bound),
            _ if cutechess && (played.depth == 0 || played.score == Some(Score::Mate(0))) => None,
            _ => played.score,
        }
    }

    /// Whether a move has a score, and it is such a mate or so many points.
    fn says(
        &self,
        played: &ScoredMove,
        mate: impl Fn(i32) -> bool,
        points: impl Fn(i64) -> bool,
    ) -> bool {
        match self.score(played) {
            Some(Score::Centipawns(score)) => points(score.into()),
            Some(Score::Mate(moves)) => mate(moves),
            None => false,
        }
    }

    /// The last so many moves, if there are so many.
    fn window(&self, moves: u32) -> Option<&[ScoredMove]> {
        let before = self.moves.len().checked_sub(2 * moves as usize)?;
        Some(&self.moves[before..])
    }

    /// Whether the last `2 * moves` half-moves make a draw.
    fn drawn(&self) -> bool {
        let Some(rule) = self.rules.draw else {
            return false;
        };
        let Some(window) = self.window(rule.moves) else {
            return false;
        };
        let limit = i64::from(rule.centipawns);
        let is_level = |points: i64| (-limit..=limit).contains(&points);
        let level = |played: &ScoredMove| self.says(played, |_| false, is_level);
        let quiet = |moves: &[ScoredMove]| moves.iter().all(|played| !played.irreversible);
        let castles = |played: &ScoredMove| played.moves_castling_rook;
        let number = |played: &ScoredMove| match played.mover {
            Color::White => played.fullmove_number,
            Color::Black => played.fullmove_number - 1,
        };
        let last = self.last();
        window.iter().all(level)
            && match self.school() {
                School::Arbiter960 => number(&window[0]) >= rule.from_move,
                School::Fastchess => quiet(&window[1..]) && last.fullmove_number > rule.from_move,
                School::Cutechess => quiet(&window[1..]) && last.plies / 2 >= rule.from_move,
                School::Tcec => {
                    quiet(window) && !window.iter().any(castles) && last.plies / 2 >= rule.from_move
                }
            }
    }

    /// Whether the last `moves` moves of a side all satisfy a condition.
    fn row(&self, side: Color, moves: u32, condition: impl Fn(&ScoredMove) -> bool) -> bool {
        let own: Vec<&ScoredMove> = self.moves.iter().filter(|own| own.mover == side).collect();
        let row = own.iter().rev().take(moves as usize);
        own.len() >= moves as usize && row.into_iter().all(|played| condition(played))
    }

    /// Who loses by score.
    fn loser(&self) -> Option<Color> {
        let rule = self.rules.resign?;
        let limit = i64::from(rule.centipawns);
        let mover = self.last().mover;
        let is_lost = |played: &ScoredMove| {
            let mated = |moves| moves < 0 || moves == 0 && self.school() != School::Fastchess;
            self.says(played, mated, |points| points <= -limit)
        };
        let is_won =
            |played: &ScoredMove| self.says(played, |moves| moves > 0, |points| points >= limit);
        let lost = |side| self.row(side, rule.moves, is_lost);
        let winning = |side| self.row(side, rule.moves, is_won);
        let agreed = |side: Color| lost(side) && winning(!side);
        let moved_and = |loses: bool| loses.then_some(mover);
        match (self.school(), rule.both_engines) {
            (School::Arbiter960, true) | (School::Tcec, _) => {
                Color::ALL.into_iter().find(|side| agreed(*side))
            }
            // If both sides see themselves lost, the side that has just moved loses.
            (School::Arbiter960, false) => [mover, !mover].into_iter().find(|side| lost(*side)),
            (School::Cutechess, true) => moved_and(agreed(mover)),
            (School::Cutechess, false) => moved_and(lost(mover)),
            (School::Fastchess, both) => {
                let far = |played: &ScoredMove| {
                    self.says(played, |_| true, |points| points.abs() >= limit)
                };
                let resigns = match both {
                    true => self
                        .window(rule.moves)
                        .is_some_and(|window| window.iter().all(far)),
                    false => lost(Color::White) || lost(Color::Black),
                };
                let behind = self.says(self.last(), |moves| moves < 0, |points| points < 0);
                moved_and(resigns && behind)
            }
        }
    }

    fn too_long(&self) -> bool {
        let Some(most) = self.rules.max_moves else {
            return false;
        };
        match self.school() {
            School::Arbiter960 | School::Fastchess => self.moves.len() >= 2 * most as usize,
            // It is not looked at after a move without a depth.
            School::Cutechess | School::Tcec => {
                self.last().plies >= 2 * most && self.last().depth > 0
            }
        }
    }

    fn verdict(&self) -> Option<Outcome> {
        let drawn = Outcome::Drawn(DrawnBy::ScoreAdjudication);
        let drawn = self.drawn().then_some(drawn);
        let won = self.loser().map(|loser| Outcome::Won {
            by: !loser,
            how: WonBy::ScoreAdjudication,
        });
        let by_score = match self.school() {
            School::Arbiter960 | School::Fastchess => won.or(drawn),
            School::Cutechess | School::Tcec => drawn.or(won),
        };
        let too_long = Outcome::Drawn(DrawnBy::LengthAdjudication);
        by_score.or(self.too_long().then_some(too_long))
    }
}

fn modelled(rules: &Adjudication, moves: &[ScoredMove]) -> Option<(usize, Outcome)> {
    (1..=moves.len()).find_map(|after| {
        let moves = &moves[..after];
        Some((after, Model { rules, moves }.verdict()?))
    })
}

fn judged(rules: &Adjudication, moves: &[ScoredMove]) -> Option<(usize, Outcome)> {
    let mut adjudicator = Adjudicator::new(rules);
    let mut moves = moves.iter().zip(1..);
    moves.find_map(|(played, after)| Some((after, adjudicator.judge(played)?)))
}

fn score() -> impl Strategy<Value = Score> {
    let points = prop::sample::select(vec![-900, -600, -599, -11, -10, -1, 0, 7, 10, 11, 599, 600]);
    prop_oneof![
        20 => points.prop_map(Score::Centipawns),
        2 => (-4..5).prop_map(Score::Mate),
    ]
}

/// What an engine says with a move: a score and no bound, a bound, or neither.
fn said() -> impl Strategy<Value = (Option<Score>, Option<Score>)> {
    prop_oneof![
        20 => score().prop_map(|score| (Some(score), None)),
        1 => score().prop_map(|score| (None, Some(score))),
        1 => Just((None, None)),
    ]
}

/// Games in which each engine's scores stay for a while, so that rows come about.
fn game() -> impl Strategy<Value = Vec<ScoredMove>> {
    let stretch = (said(), said(), 1..7_usize);
    let stretches = prop::collection::vec(stretch, 1..8);
    let marks = prop::collection::vec((0..20_u32, 0..25_u32), 90);
    (stretches, marks, 0..5_u32, 1..6_u32).prop_map(|(stretches, marks, book, number)| {
        let said = stretches
            .into_iter()
            .flat_map(|(white, black, moves)| [white, black].repeat(moves));
        let moves = said.zip(marks).enumerate();
        moves
            .map(|(ply, ((score, bound), (pawn, depth)))| {
                let plies = ply as u32 + 1 + 2 * book;
                ScoredMove {
                    mover: Color::ALL[ply % 2],
                    score,
                    bound,
                    depth: if depth == 0 { 0 } else { depth },
                    fullmove_number: number + plies / 2,
                    plies,
                    irreversible: pawn == 0,
                    moves_castling_rook: pawn == 1,
                }
            })
            .collect()
    })
}

fn rules() -> impl Strategy<Value = Adjudication> {
    let draw = prop::option::weighted(0.8, (0..14_u32, 1..5_u32, 0..12_u32));
    let resign = prop::option::weighted(0.8, (1..5_u32, 1..700_u32, any::<bool>()));
    use School::{Arbiter960, Cutechess, Fastchess, Tcec};
    let school = prop::sample::select(vec![Arbiter960, Fastchess, Cutechess, Tcec]);
    let most = prop::option::weighted(0.3, 1..40_u32);
    (school, draw, resign, most).prop_map(|(school, draw, resign, max_moves)| Adjudication {
        school,
        draw: draw.map(|(from_move, moves, centipawns)| DrawRule {
            from_move,
            moves,
            centipawns,
        }),
        resign: resign.map(|(moves, centipawns, both_engines)| ResignRule {
            moves,
            centipawns,
            both_engines,
        }),
        max_moves,
        ..Adjudication::default()
    })
}

/// The same rule, with this number of moves more.
fn slower(rules: &Adjudication, more: u32) -> Adjudication {
    let mut slower = rules.clone();
    if let Some(draw) = &mut slower.draw {
        draw.moves += more;
    }
    if let Some(resign) = &mut slower.resign {
        resign.moves += more;
    }
    slower
}

proptest! {
    #![proptest_config(ProptestConfig { cases: study::cases(4000), ..ProptestConfig::default() })]

    #[test]
    fn every_school_ends_games_as_a_model_without_counters_does(rules in rules(), moves in game()) {
        prop_assert_eq!(judged(&rules, &moves), modelled(&rules, &moves));
    }

    #[test]
    fn what_was_not_said_ends_no_game(rules in rules(), moves in game(), silent in 0..2_usize) {
        let rules = Adjudication { max_moves: None, ..rules };
        let silence = |(ply, played): (usize, &ScoredMove)| ScoredMove {
            score: played.score.filter(|_| ply % 2 != silent),
            bound: None,
            ..*played
        };
        let moves: Vec<ScoredMove> = moves.iter().enumerate().map(silence).collect();
        let verdict = judged(&rules, &moves);
        // One engine alone can resign, if the rule lets it; it cannot draw, and nobody can win by silence.
        let alone = rules.resign.is_some_and(|rule| !rule.both_engines);
        match verdict {
            Some((_, Outcome::Won { by, .. })) => {
                prop_assert!(alone && by == Color::ALL[silent], "{:?}", by);
            }
            other => prop_assert_eq!(other, None),
        }
    }

    #[test]
    fn a_rule_that_waits_longer_never_ends_a_game_earlier(
        rules in rules(), moves in game(), more in 1..4_u32,
    ) {
        let after = |rules: &Adjudication| {
            judged(rules, &moves).map_or(usize::MAX, |(after, _)| after)
        };
        prop_assert!(after(&slower(&rules, more)) >= after(&rules));
    }
}
