//! What both engines thought of a game: where they parted, and where the loser's
//! evaluation fell furthest.

use serde::Serialize;

use crate::chess::Color;
use crate::referee::GameRecord;
use crate::uci::Score;

/// Beyond ten pawns a game is decided: more is not worse, and a mate is this much.
const DECIDED: i32 = 1000;

/// Two evaluations that differ by this, in centipawns, are no longer the same opinion.
const APART: i32 = 100;

/// One engine's evaluation at its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Evaluation {
    /// Place among the engines' moves, from 0.
    pub index: usize,
    /// The ply of the move in the game, from 1, the book's counted.
    pub ply: usize,
    /// Whose it is.
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// Centipawns from White's view, ±1000 at most; mates are ±1000.
    pub centipawns: i32,
    /// Moves to mate from White's view, where mate was announced.
    pub mate: Option<i32>,
}

fn color<S: serde::Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}

/// What the evaluations say of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Judgement {
    /// The first two evaluations, one move after the other, that are a pawn apart.
    pub parted: Option<[Evaluation; 2]>,
    /// Two evaluations of the loser, one after the other, between which it lost most.
    pub drop: Option<[Evaluation; 2]>,
}

impl Judgement {
    /// Of a game that `loser` has lost.
    pub(crate) fn of(record: &GameRecord, loser: Color) -> Judgement {
        let all = evaluations(record);
        let next_to = |pair: &[Evaluation]| pair[1].index == pair[0].index + 1;
        let apart = |pair: &[Evaluation]| (pair[1].centipawns - pair[0].centipawns).abs() >= APART;
        let parted = all.windows(2).find(|pair| next_to(pair) && apart(pair));
        let own: Vec<Evaluation> = all
            .iter()
            .copied()
            .filter(|evaluation| evaluation.side == loser)
            .collect();
        let sign = if loser == Color::White { 1 } else { -1 };
        let fall = |pair: &[Evaluation]| sign * (pair[0].centipawns - pair[1].centipawns);
        let falls = own.windows(2).filter(|pair| fall(pair) > 0);
        // Of equal falls the first: the later ones follow from it.
        let drop = falls.rev().max_by_key(|pair| fall(pair));
        let two = |pair: &[Evaluation]| [pair[0], pair[1]];
        Judgement {
            parted: parted.map(two),
            drop: drop.map(two),
        }
    }

    /// The size of the drop in centipawns, from the loser's view.
    pub(crate) fn fall(&self) -> Option<i32> {
        self.drop
            .map(|[before, after]| (before.centipawns - after.centipawns).abs())
    }
}

fn evaluations(record: &GameRecord) -> Vec<Evaluation> {
    let mut side = record.first_mover();
    let mut found = Vec::new();
    for (index, played) in record.moves.iter().enumerate() {
        if let Some(score) = played.thinking.score {
            let sign = if side == Color::White { 1 } else { -1 };
            let (centipawns, mate) = match score {
                Score::Centipawns(value) => (value.clamp(-DECIDED, DECIDED), None),
                Score::Mate(moves @ 1..) => (DECIDED, Some(moves)),
                Score::Mate(moves) => (-DECIDED, Some(moves)),
            };
            found.push(Evaluation {
                index,
                ply: record.opening.len() + index + 1,
                side,
                centipawns: sign * centipawns,
                mate: mate.map(|moves| moves.saturating_mul(sign)),
            });
        }
        side = !side;
    }
    found
}
