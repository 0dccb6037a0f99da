//! The engines' evaluations of a game that was lost: where they began to disagree, and which move of the loser cost
//! most.
//!
//! Views are compared as expected scores, because one pawn more or less means nothing once a game is lost. The engine's
//! own win, draw and loss are used if it gives them, otherwise its centipawns by 1 / (1 + 10^(-cp / 400)) (Chess
//! Programming Wiki, "Pawn Advantage, Win Percentage, and Elo").

use serde::Serialize;

use crate::chess::{Color, Game, Move, Position};
use crate::referee::{GameRecord, Outcome, Thinking, WonBy};
use crate::uci::Score;

/// Maximum of centipawns in JSON, and the value of a mate.
const MAX_CENTIPAWNS: i32 = 1000;

/// Two evaluations that differ by this, in centipawns, are no longer the same opinion.
const APART: i32 = 100;

/// At this expected score or less a game is lost: three pawns down.
const LOST: f64 = 0.15;

/// At this expected score or more a game is won: two pawns up.
const WINNING: f64 = 0.75;

/// A move that costs less than this counts as one of many small steps.
const ONE_MOVE: f64 = 0.10;

/// One engine's evaluation at its move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct MoveEvaluation {
    /// Place among the engines' moves, from 0.
    pub index: usize,
    /// The ply of the move in the game, from 1, the book's counted.
    pub ply: usize,
    /// The move that it chose, as `48...Kg6`.
    pub san: String,
    /// The side that made the move.
    pub side: Color,
    /// Centipawns from White's view, ±1000 at most; mates are ±1000.
    pub centipawns: i32,
    /// Moves to mate from White's view, where mate was announced.
    pub mate: Option<i32>,
    /// White's expected score, 0 to 1.
    pub expected: f64,
}

impl MoveEvaluation {
    /// The expected score of a side, 0 to 1.
    pub(super) fn expected_of(&self, side: Color) -> f64 {
        match side {
            Color::White => self.expected,
            Color::Black => 1.0 - self.expected,
        }
    }
}

/// How a game went from playable to lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decline {
    /// One move cost more than all others.
    Move,
    /// Many moves cost a little each.
    Slide,
    /// It was lost at the first evaluation.
    LostBefore,
    /// No evaluation showed it before the end.
    Unseen,
}

/// The findings from the evaluations of a game.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct Judgement {
    /// The first two evaluations, one move after the other, that are a pawn apart.
    pub parted: Option<[MoveEvaluation; 2]>,
    /// How the game went from playable to lost; `None` where no engine gave an evaluation.
    pub decline: Option<Decline>,
    /// Two evaluations of one engine, one after the other, between which the loser lost most for good.
    pub drop: Option<[MoveEvaluation; 2]>,
    /// The move of the loser between those two.
    pub costly: Option<String>,
    /// Place of that move among the engines' moves, from 0.
    #[serde(skip)]
    pub index: Option<usize>,
    /// The first and last evaluation of the way from playable to lost, by the same engine.
    pub way: Option<[MoveEvaluation; 2]>,
    /// The last evaluation before the drop by which the loser was winning.
    pub won_before: Option<MoveEvaluation>,
}

impl Judgement {
    /// For a game that `loser` has lost; `board` has all its moves.
    pub(crate) fn new(board: &Game, record: &GameRecord, loser: Color) -> Judgement {
        let all = evaluations(board, record);
        let is_apart = |[one, other]: &&[MoveEvaluation; 2]| {
            let apart = (other.centipawns - one.centipawns).abs() >= APART;
            apart && other.index == one.index + 1
        };
        let mut neighbours = all.windows(2).filter_map(<[_]>::first_chunk);
        let parted = neighbours.find(is_apart).cloned();
        let [own, other] = [loser, !loser].map(|viewer| View::new(&all, viewer, loser));
        // If the loser's evaluations never showed the loss, they cannot identify the move; the opponent's may.
        let is_lost = |view: &&View<'_>| view.expected.last().is_some_and(|last| *last <= LOST);
        let seen = [&own, &other].into_iter().find(is_lost);
        let judged = match seen {
            Some(view) => view.judged(),
            None => Judgement {
                decline: (!all.is_empty()).then_some(Decline::Unseen),
                ..Judgement::default()
            },
        };
        let name = |index| move_name(board, record.opening.len() + index + 1);
        Judgement {
            parted,
            costly: judged.index.map(name),
            ..judged
        }
    }
}

/// Who lost, if anybody did.
pub(super) fn loser(outcome: &Outcome) -> Option<Color> {
    match outcome {
        Outcome::Won { by, .. } => Some(!*by),
        _ => None,
    }
}

/// Whether the moves decided the game: no evaluation explains what the arbiter has ruled.
pub(super) fn is_judged(outcome: &Outcome) -> bool {
    use WonBy::{ArbiterForfeit, ArbiterRuling};
    !matches!(
        outcome,
        Outcome::Won {
            how: ArbiterForfeit | ArbiterRuling,
            ..
        }
    )
}

/// One engine's evaluations, as the loser's expected scores.
struct View<'a> {
    evaluations: Vec<&'a MoveEvaluation>,
    expected: Vec<f64>,
    loser: Color,
}

impl<'a> View<'a> {
    fn new(all: &'a [MoveEvaluation], viewer: Color, loser: Color) -> View<'a> {
        let own = all.iter().filter(|evaluation| evaluation.side == viewer);
        let (evaluations, expected) = own.map(|own| (own, own.expected_of(loser))).unzip();
        View {
            evaluations,
            expected,
            loser,
        }
    }

    /// The lasting cost of each step, at most half a point: the loser's score before it, minus the best score that the
    /// loser ever had after it.
    fn costs(&self) -> Vec<f64> {
        let held = |place: usize| self.expected[place].min(0.5);
        let mut best = held(self.expected.len() - 1);
        let mut costs = vec![0.0; self.expected.len() - 1];
        for place in (0..costs.len()).rev() {
            costs[place] = held(place) - best;
            best = best.max(held(place));
        }
        costs
    }

    fn judged(&self) -> Judgement {
        let pair =
            |from: usize, to: usize| Some([from, to].map(|place| self.evaluations[place].clone()));
        let costs = self.costs();
        let playable = |place: &usize| self.expected[*place] > LOST;
        let candidates = (0..costs.len()).filter(playable);
        // With equal costs the first is taken: the later ones follow from it.
        let dearest = candidates
            .rev()
            .max_by(|one, two| costs[*one].total_cmp(&costs[*two]));
        let Some(place) = dearest else {
            return Judgement {
                decline: Some(Decline::LostBefore),
                way: pair(0, self.expected.len() - 1),
                ..Judgement::default()
            };
        };
        let last_playable = (0..costs.len()).rev().find(playable).unwrap_or(place);
        let held = |place: &usize| self.expected[*place].min(0.5);
        let highest = (0..=last_playable).max_by(|one, two| held(one).total_cmp(&held(two)));
        let highest = highest.unwrap_or(place);
        let winning = |place: &usize| self.expected[*place] >= WINNING;
        let won_before = (0..place).rev().find(winning);
        let before = self.evaluations[place];
        Judgement {
            decline: Some(if costs[place] >= ONE_MOVE {
                Decline::Move
            } else {
                Decline::Slide
            }),
            drop: pair(place, place + 1),
            // The loser's move that it precedes.
            index: Some(before.index + usize::from(before.side != self.loser)),
            way: pair(highest, last_playable + 1),
            won_before: won_before.map(|place| self.evaluations[place].clone()),
            ..Judgement::default()
        }
    }
}

fn evaluations(board: &Game, record: &GameRecord) -> Vec<MoveEvaluation> {
    let mut side = record.first_mover();
    let mut found = Vec::new();
    for (index, played) in record.moves.iter().enumerate() {
        if let Some(score) = played.thinking.score {
            let is_won = matches!(score, Score::Mate(1..)) == (side == Color::White);
            let (centipawns, mate) = match score.of_white(side) {
                Score::Centipawns(value) => (value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS), None),
                Score::Mate(moves) if is_won => (MAX_CENTIPAWNS, Some(moves)),
                Score::Mate(moves) => (-MAX_CENTIPAWNS, Some(moves)),
            };
            let own = expected(&played.thinking, score);
            let ply = record.opening.len() + index + 1;
            found.push(MoveEvaluation {
                index,
                ply,
                san: move_name(board, ply),
                side,
                centipawns,
                mate,
                expected: match side {
                    Color::White => own,
                    Color::Black => 1.0 - own,
                },
            });
        }
        side = !side;
    }
    found
}

/// The mover's expected score, by its own view.
fn expected(thinking: &Thinking, score: Score) -> f64 {
    let said = thinking.wdl.filter(|wdl| wdl.iter().any(|part| *part > 0));
    match (score, said) {
        (Score::Mate(moves), _) => f64::from(u8::from(moves > 0)),
        (Score::Centipawns(_), Some(wdl)) => {
            let [win, draw, loss] = wdl.map(f64::from);
            (win + draw / 2.0) / (win + draw + loss)
        }
        (Score::Centipawns(value), None) => 1.0 / (1.0 + 10f64.powf(-f64::from(value) / 400.0)),
    }
}

/// The move that was made at this ply, from 1, as [`numbered`].
pub(super) fn move_name(board: &Game, ply: usize) -> String {
    numbered(&board.positions()[ply - 1], board.moves()[ply - 1])
}

/// `12. Nf3` or `12...d5`.
pub(super) fn numbered(here: &Position, played: Move) -> String {
    let dots = match here.side_to_move() {
        Color::White => ". ",
        Color::Black => "...",
    };
    format!("{}{dots}{}", here.fullmove_number(), here.san(played))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The views of a loser, Black, as expected scores; its n-th move is `n...`.
    fn judged(own: &[f64]) -> Judgement {
        let evaluation = |(place, expected): (usize, &f64)| MoveEvaluation {
            index: 2 * place + 1,
            ply: 2 * place + 2,
            san: String::new(),
            side: Color::Black,
            centipawns: 0,
            mate: None,
            expected: 1.0 - expected,
        };
        let all: Vec<MoveEvaluation> = own.iter().enumerate().map(evaluation).collect();
        View::new(&all, Color::Black, Color::Black).judged()
    }

    /// The number of the loser's move that is named, from 1, and how it was lost.
    fn named(own: &[f64]) -> (Option<usize>, Decline) {
        let found = judged(own);
        (
            found.index.map(|index| index / 2 + 1),
            found.decline.unwrap(),
        )
    }

    #[test]
    fn the_move_from_playable_to_lost_is_named() {
        use Decline::*;
        // From -6 to -8 costs almost nothing; from even to -3 loses the game.
        assert_eq!(named(&[0.5, 0.48, 0.12, 0.03, 0.01]), (Some(2), Move));
        // A loss that was regained later did not lose the game.
        assert_eq!(named(&[0.6, 0.1, 0.55, 0.5, 0.05]), (Some(4), Move));
        // A winning game that became even is not lost yet.
        assert_eq!(named(&[0.99, 0.55, 0.5, 0.1, 0.0]), (Some(3), Move));
        let won_before = judged(&[0.99, 0.55, 0.5, 0.1, 0.0]).won_before.unwrap();
        assert_eq!(won_before.index, 1);
        // Step by step.
        let slide = [0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.14, 0.05];
        assert_eq!(named(&slide), (Some(7), Slide));
        let way = judged(&slide).way.unwrap();
        assert_eq!((way[0].index, way[1].index), (1, 15));
        assert_eq!(named(&[0.1, 0.12, 0.02]), (None, LostBefore));
        assert_eq!(named(&[0.1]), (None, LostBefore));
    }

    #[test]
    fn the_named_move_always_begins_in_a_playable_position() {
        use proptest::prelude::*;
        proptest!(|(mut own in prop::collection::vec(0.0..1.0f64, 1..40), last in 0.0..LOST)| {
            own.push(last);
            let found = judged(&own);
            match found.index {
                Some(index) => prop_assert!(own[index / 2] > LOST),
                None => prop_assert!(own.iter().rev().skip(1).all(|view| *view <= LOST)),
            }
        });
    }

    #[test]
    fn expected_scores_are_those_of_the_engine_or_of_the_logistic() {
        let said = |wdl, score| {
            expected(
                &Thinking {
                    wdl,
                    ..Thinking::default()
                },
                score,
            )
        };
        assert_eq!(said(Some([100, 600, 300]), Score::Centipawns(-900)), 0.4);
        assert_eq!(said(None, Score::Centipawns(0)), 0.5);
        assert!((said(None, Score::Centipawns(-400)) - 1.0 / 11.0).abs() < 1e-12);
        assert_eq!(said(Some([0; 3]), Score::Centipawns(0)), 0.5);
        assert_eq!(said(None, Score::Mate(3)), 1.0);
        assert_eq!(said(None, Score::Mate(-3)), 0.0);
        assert_eq!(said(None, Score::Mate(0)), 0.0);
    }
}
