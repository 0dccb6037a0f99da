//! What the engine says of its thinking.

use std::fmt::Write as _;
use std::time::Duration;

use arbiter960_sparring::{IterationReport, MATE, MATED_AT_MOST, SearchOutcome};

use crate::chess::{Move, Position, UciDialect};

/// An `info` line with score and line of play.
pub(super) fn finding(
    found: &IterationReport<'_>,
    position: &Position,
    dialect: UciDialect,
) -> String {
    let mut text = format!(
        "info depth {} seldepth {} score ",
        found.depth, found.seldepth
    );
    push_score(&mut text, found.score);
    push_totals(&mut text, found.nodes, found.time);
    let _ = write!(text, " hashfull {} pv", found.fill);
    push_line(&mut text, found.line, position, dialect);
    text
}

/// The end of a search: totals where the last iteration was broken off, and the move.
pub(super) fn outcome(outcome: &SearchOutcome, position: &Position, dialect: UciDialect) -> String {
    let mut text = String::new();
    if outcome.unfinished {
        text.push_str("info");
        push_totals(&mut text, outcome.nodes, outcome.time);
        text.push('\n');
    }
    let Some(best) = outcome.best else {
        let score = if position.in_check() {
            "mate 0"
        } else {
            "cp 0"
        };
        let _ = write!(text, "info depth 0 score {score}\nbestmove (none)");
        return text;
    };
    let _ = write!(text, "bestmove {}", position.uci(best, dialect));
    if let Some(ponder) = outcome.ponder {
        let _ = write!(
            text,
            " ponder {}",
            position.after(best).uci(ponder, dialect)
        );
    }
    text
}

/// Centipawns, or mate in moves.
fn push_score(text: &mut String, score: i32) {
    // Writing to a String cannot fail.
    let _ = if score.abs() < MATED_AT_MOST {
        write!(text, "cp {score}")
    } else {
        let moves = (MATE - score.abs() + 1) / 2;
        write!(text, "mate {}", moves * score.signum())
    };
}

fn push_totals(text: &mut String, nodes: u64, time: Duration) {
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    let _ = write!(text, " nodes {nodes} nps {nps} time {}", time.as_millis());
}

fn push_line(text: &mut String, line: &[Move], position: &Position, dialect: UciDialect) {
    for word in position.uci_line(line.iter().copied(), dialect) {
        let _ = write!(text, " {word}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let text = |score| {
            let mut text = String::new();
            push_score(&mut text, score);
            text
        };
        assert_eq!(text(MATE - 1), "mate 1");
        assert_eq!(text(MATE - 3), "mate 2");
        assert_eq!(text(2 - MATE), "mate -1");
        assert_eq!(text(4 - MATE), "mate -2");
        assert_eq!(text(-55), "cp -55");
    }
}
