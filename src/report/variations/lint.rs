//! One principal variation, checked against the rules and its own score.

use serde::Serialize;

use crate::chess::{Ending, Game, UciDialect};
use crate::referee::Thinking;
use crate::store::CUT_VARIATION;
use crate::uci::Score;

crate::chess::worded! {
    /// The errors that a variation can have.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum FlawKind,
    /// What a variation with it is.
    words: &'static str {
        /// A move that is not legal, or no move at all.
        IllegalMove = "with an illegal move",
        /// Moves after mate, stalemate or a draw by the rules that the referee applies.
        PastTheEnd = "past the end of the game",
        /// Mate was announced, and the variation ends before it.
        ShortOfMate = "mate line too short",
        /// Mate was announced, and the variation has another length, or does not end in mate.
        WrongMate = "mate in another number of moves",
    }
}

/// The first error of one variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// The kind of error.
    pub kind: FlawKind,
    /// The same in words, with a quote of the engine's output.
    pub detail: String,
}

/// Looks at the variation of a search in the present position of `game`. It is compared to the score only if the score
/// is exact.
pub(crate) fn lint(game: &Game, thinking: &Thinking, dialect: UciDialect) -> Option<Flaw> {
    let words: Vec<&str> = thinking.pv.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    let mut game = game.clone();
    for (index, word) in words.iter().enumerate() {
        if *word == CUT_VARIATION {
            // The store has not kept the rest: its end is unknown.
            return None;
        }
        if let Some(ending) = game.ending().filter(|_| index > 0) {
            let left = words.len() - index;
            let detail = format!(
                "goes on for {left} plies after {ending}: {word:?} is ply {}",
                index + 1
            );
            return Some(flaw(FlawKind::PastTheEnd, detail));
        }
        if let Err(error) = game.play_uci(word, dialect) {
            let detail = format!("at ply {} of it, {error}", index + 1);
            return Some(flaw(FlawKind::IllegalMove, detail));
        }
    }
    match (thinking.score, thinking.bound) {
        (Some(Score::Mate(moves)), None) => mate(&game, moves, words.len()),
        _ => None,
    }
}

/// A mate in N by the engine takes 2N − 1 plies, a mate in N against it 2N.
fn mate(end: &Game, moves: i32, plies: usize) -> Option<Flaw> {
    let announced = match moves {
        1.. => 2 * i64::from(moves) - 1,
        _ => -2 * i64::from(moves),
    };
    let plies = plies as i64;
    let is_mate = matches!(end.ending(), Some(Ending::Checkmate { .. }));
    if is_mate && plies == announced {
        return None;
    }
    let (kind, end) = match is_mate {
        false if plies < announced => (FlawKind::ShortOfMate, "no mate"),
        false => (FlawKind::WrongMate, "no mate"),
        true => (FlawKind::WrongMate, "mate"),
    };
    let detail = format!(
        "mate {moves} means {announced} plies; the variation has {plies} and ends in {end}"
    );
    Some(flaw(kind, detail))
}

fn flaw(kind: FlawKind, detail: String) -> Flaw {
    Flaw { kind, detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::uci::Bound;

    fn found(fen: &str, pv: &str, score: Option<Score>) -> Option<FlawKind> {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let thinking = Thinking {
            score,
            pv: pv.to_owned(),
            ..Thinking::default()
        };
        lint(&game, &thinking, UciDialect::Standard).map(|flaw| flaw.kind)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const FOOL: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    const BARE: &str = "8/8/8/8/8/2k5/1p6/K7 w - - 0 1";

    #[test]
    fn sound_variations_have_no_flaw() {
        assert_eq!(found(START, "e2e4 e7e5 g1f3", None), None);
        assert_eq!(found(START, "", Some(Score::Mate(3))), None);
        assert_eq!(found(FOOL, "d8h4", Some(Score::Mate(1))), None);
        assert_eq!(
            found(START, "f2f3 e7e5 g2g4 d8h4", Some(Score::Mate(-2))),
            None
        );
    }

    #[test]
    fn illegal_moves_and_moves_after_the_end() {
        assert_eq!(found(START, "e2e4 e2e4", None), Some(FlawKind::IllegalMove));
        assert_eq!(found(START, "e2e4 zzzz", None), Some(FlawKind::IllegalMove));
        assert_eq!(found(FOOL, "d8h4 e1f2", None), Some(FlawKind::PastTheEnd));
        assert_eq!(
            found(BARE, "a1b1 c3b3", Some(Score::Mate(-9))),
            Some(FlawKind::ShortOfMate)
        );
        // After the pawn is taken neither side can mate.
        let taken = "8/8/8/8/8/1k6/1p6/1K6 b - - 0 1";
        assert_eq!(
            found(taken, "b3c3 b1a2 b2b1q a2b1 c3d3", None),
            Some(FlawKind::PastTheEnd)
        );
    }

    #[test]
    fn moves_after_the_third_repetition() {
        let dance = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(found(START, dance, None), None);
        let further = format!("{dance} e2e4");
        assert_eq!(found(START, &further, None), Some(FlawKind::PastTheEnd));
    }

    #[test]
    fn mates_that_do_not_hold() {
        assert_eq!(
            found(FOOL, "d8h4", Some(Score::Mate(2))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8h4", Some(Score::Mate(-1))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(1))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(5))),
            Some(FlawKind::ShortOfMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(0))),
            Some(FlawKind::WrongMate)
        );
    }

    #[test]
    fn a_bound_promises_no_mate() {
        let game = Game::new(Position::from_fen(FOOL).unwrap());
        let thinking = Thinking {
            score: Some(Score::Mate(4)),
            bound: Some(Bound::Lower),
            pv: "d8e7".to_owned(),
            ..Thinking::default()
        };
        assert_eq!(lint(&game, &thinking, UciDialect::Standard), None);
    }
}
