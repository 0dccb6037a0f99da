//! A line of thinking, `DEPTH SCORE TIME NODES [SELDEPTH NPS TBHITS\t] MOVES`, as `info`.

use super::board::read_move;
use crate::chess::{Position, UciDialect};

/// Scores beyond this are mates; the excess is the number of moves.
const MATE: i64 = 100_000;

/// The line as UCI has it; `None` if it is not a line of thinking.
pub(super) fn info(line: &str, position: &Position, dialect: UciDialect) -> Option<String> {
    let (head, tail) = match line.split_once('\t') {
        Some((head, tail)) if head.split_ascii_whitespace().count() >= 4 => (head, Some(tail)),
        _ => (line, None),
    };
    let mut words = head.split_ascii_whitespace();
    let depth = words
        .next()?
        .trim_end_matches(|one: char| !one.is_ascii_digit());
    let depth: u32 = depth.parse().ok()?;
    let mut number = || words.next()?.parse::<i64>().ok();
    let (score, time, nodes) = (number()?, number()?, number()?);
    let mut text = format!("info depth {depth}");
    let mut moves = tail.unwrap_or_default().split_ascii_whitespace();
    let rest: Vec<&str> = words.collect();
    if tail.is_some() {
        let names = ["seldepth", "nps", "tbhits"];
        for (name, value) in names.into_iter().zip(&rest) {
            if value.parse::<u64>().is_ok_and(|value| value > 0) {
                text += &format!(" {name} {value}");
            }
        }
    }
    text += &match score.abs() {
        MATE.. if score > 0 => format!(" score mate {}", score - MATE),
        MATE.. => format!(" score mate {}", score + MATE),
        _ => format!(" score cp {score}"),
    };
    text += &format!(" time {} nodes {}", time.max(0) * 10, nodes.max(0));
    let mut own = rest.into_iter();
    let moves: &mut dyn Iterator<Item = &str> = match tail {
        Some(_) => &mut moves,
        None => &mut own,
    };
    let line = variation(moves, position, dialect);
    if !line.is_empty() {
        text += &format!(" pv{line}");
    }
    Some(text)
}

/// The moves, up to the first word that is not one; numbers, dots and remarks are skipped.
fn variation(
    words: &mut dyn Iterator<Item = &str>,
    position: &Position,
    dialect: UciDialect,
) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for word in words {
        let word = word.trim_start_matches(|one: char| one.is_ascii_digit());
        let word = word.trim_start_matches('.');
        if word.is_empty() {
            continue;
        }
        let Some(played) = read_move(&position, word) else {
            break;
        };
        text += &format!(" {}", position.uci(played, dialect));
        position.play(played);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_thinking_are_translated() {
        let info = |line: &str| info(line, &Position::standard(), UciDialect::Standard);
        assert_eq!(
            info("9 25 112 12345 1. e4 e5 2. Nf3 rest").unwrap(),
            "info depth 9 score cp 25 time 1120 nodes 12345 pv e2e4 e7e5 g1f3"
        );
        assert_eq!(
            info("9. -100003 1 5 20 1000 0\te2e4").unwrap(),
            "info depth 9 seldepth 20 nps 1000 score mate -3 time 10 nodes 5 pv e2e4"
        );
        assert_eq!(info("hello 1 2 3"), None);
        assert_eq!(info("1. e4"), None);
    }
}
