//! What the engine says while it thinks.

use super::bench::{Checked, none_of, wrong};
use super::info_lines::{
    goes_back, illegal_pv, last_pv, last_score, malformed, mate_problem, unsaid,
};
use super::rules::game;
use super::subject::{SearchAnswer, Subject};
use crate::chess::{Position, UciDialect};
use crate::uci::Score;

/// Different kinds of positions, none near its end.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
];

/// Boards on which a queen is missing, and who has it.
const QUEEN_ODDS: [(&str, &str); 2] = [
    ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR", "b"),
];

/// Positions in which mate is as many moves away; below 0 the side to move is mated.
pub(super) const MATES: [(&str, i32); 6] = [
    ("7k/R7/8/8/8/8/8/1R2K3 w - - 0 1", 1),
    ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
    ("7k/R7/8/8/8/8/8/1R2K3 b - - 0 1", -1),
    ("1r2k3/8/8/8/8/8/r7/7K b - - 0 1", 1),
    ("1r2k3/r7/8/8/8/8/8/7K b - - 0 1", 2),
    ("1r2k3/8/8/8/8/8/r7/7K w - - 0 1", -1),
];

/// A quick search of each position.
async fn searches(subject: &mut Subject<'_>) -> Checked<Vec<(Position, SearchAnswer)>> {
    let mut searches = Vec::new();
    for fen in POSITIONS {
        let game = game(fen)?;
        let (_, search) = subject.answer(&game, "movetime 200").await?;
        searches.push((game.position().clone(), search));
    }
    Ok(searches)
}

/// The first problem that a search has.
pub(super) async fn first_problem(
    subject: &mut Subject<'_>,
    problem: fn(&Position, &SearchAnswer) -> Option<String>,
) -> Checked {
    let searches = searches(subject).await?;
    let mut searches = searches.iter();
    none_of(searches.find_map(|(position, search)| problem(position, search)))
}

pub(super) fn info_lines(_: &Position, search: &SearchAnswer) -> Option<String> {
    let malformed = search.lines.iter().find_map(|line| malformed(line));
    let unsaid = || unsaid(&search.lines).map(|field| format!("no `info` line has {field}"));
    malformed.or_else(unsaid)
}

pub(super) fn info_order(_: &Position, search: &SearchAnswer) -> Option<String> {
    goes_back(&search.lines)
}

pub(super) fn pv_legal(position: &Position, search: &SearchAnswer) -> Option<String> {
    illegal_pv(position, &search.lines)
}

pub(super) fn pv_first(position: &Position, search: &SearchAnswer) -> Option<String> {
    let pv = last_pv(position, &search.lines)?;
    let first = position.uci(*pv.moves().first()?, UciDialect::Standard);
    let other = first != search.text.as_str();
    other.then(|| format!("its PV begins with {first}, and it plays {}", search.text))
}

pub(super) fn ponder_move(position: &Position, search: &SearchAnswer) -> Option<String> {
    let ponder = search.ponder.as_deref()?;
    let played = position.parse_uci(&search.text, UciDialect::Standard);
    let next = position.after(played.ok()?);
    let illegal = next.parse_uci(ponder, UciDialect::Standard).err();
    illegal.map(|error| format!("`ponder {ponder}` after {}: {error}", search.text))
}

/// In a game such a line does not count as an answer; other programs may take it for one.
pub(super) fn answer_words(_: &Position, search: &SearchAnswer) -> Option<String> {
    let is_other = |line: &&String| {
        let mut words = line.split_whitespace();
        let first = words.next();
        first != Some("info") && words.any(|word| matches!(word, "bestmove" | "readyok"))
    };
    let line = search.lines.iter().find(is_other)?;
    Some(format!(
        "{line:?}: only the beginning of a line counts in a game"
    ))
}

pub(super) async fn score_side(subject: &mut Subject<'_>) -> Checked {
    let odds = QUEEN_ODDS.iter();
    for ((board, owner), side) in odds.flat_map(|odds| [(odds, "w"), (odds, "b")]) {
        let (fen, ahead) = (format!("{board} {side} KQkq - 0 1"), *owner == side);
        let (_, search) = subject.answer(&game(&fen)?, "movetime 150").await?;
        let value = match last_score(&search.lines) {
            None => return wrong(format!("no exact score in {fen}")),
            Some(Score::Centipawns(value) | Score::Mate(value)) => value,
        };
        if (value > 0) != ahead || value == 0 {
            let queen = if ahead { "ahead" } else { "behind" };
            return wrong(format!("its score is {value}, a queen {queen}, in {fen}"));
        }
    }
    Ok(String::new())
}

pub(super) async fn mate_scores(subject: &mut Subject<'_>) -> Checked {
    let mut seen = 0;
    for (fen, truth) in MATES {
        let game = game(fen)?;
        let (mv, search) = subject.answer(&game, "movetime 200").await?;
        let Some(score) = last_score(&search.lines) else {
            continue;
        };
        if let Some(problem) = mate_problem(truth, score) {
            return wrong(format!("{problem}, in {fen}"));
        }
        if score == Score::Mate(1) && !game.position().mates(mv) {
            let words = format!("it says mate 1, and {} does not mate", search.text);
            return wrong(format!("{words}, in {fen}"));
        }
        seen += u32::from(matches!(score, Score::Mate(_)));
    }
    match seen {
        0 => wrong("it never says `score mate`"),
        seen => Ok(format!("{seen} of {} seen", MATES.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;

    /// Moves to mate, by force, for the side to move; at most `most`.
    fn mate_in(game: &mut Game, most: i32) -> Option<i32> {
        let all = |game: &Game| game.position().legal_moves().to_vec();
        (1..=most).find(|&moves| {
            all(game).into_iter().any(|mv| {
                game.play(mv);
                let mated = mated_in(game, moves - 1);
                game.pop();
                mated
            })
        })
    }

    /// Whether the other side can mate the side to move within this number of moves.
    fn mated_in(game: &mut Game, moves: i32) -> bool {
        let replies = game.position().legal_moves().to_vec();
        if replies.is_empty() {
            return game.position().in_check();
        }
        moves > 0
            && replies.into_iter().all(|mv| {
                game.play(mv);
                let mate = mate_in(game, moves).is_some();
                game.pop();
                mate
            })
    }

    #[test]
    fn the_mates_are_as_far_away_as_said() {
        for (fen, truth) in MATES {
            let mut game = game(fen).unwrap();
            if truth > 0 {
                assert_eq!(mate_in(&mut game, 3), Some(truth), "{fen}");
            } else {
                assert!(mated_in(&mut game, -truth), "{fen}");
            }
        }
    }

    #[test]
    fn the_positions_are_positions() {
        let odds = QUEEN_ODDS.map(|(board, side)| format!("{board} {side} KQkq - 0 1"));
        for fen in POSITIONS.map(str::to_owned).into_iter().chain(odds) {
            assert!(game(&fen).unwrap().ending().is_none(), "{fen}");
        }
    }
}
