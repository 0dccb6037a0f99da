//! What an engine thought, as a comment: `{[%eval 0.31] [%clk 0:00:09.8] … d=18/24 n=123456}`.

use super::number::{push_clock, push_hundredths, push_number};
use super::wrap::Lines;
use crate::chess::Color;
use crate::referee::{MoveRecord, Thinking};
use crate::uci::{Bound, Score};

/// Appends the comment on a move by `mover`.
pub(super) fn write(lines: &mut Lines<'_>, record: &MoveRecord, mover: Color) {
    // One word: no reader has to put a command together again.
    lines.word(|out| {
        out.push('{');
        if let Some(score) = record.thinking.score {
            push_evaluation(out, score, mover);
            out.push(' ');
        }
        if let Some(clock) = record.clock {
            out.push_str("[%clk ");
            push_clock(out, clock);
            out.push_str("] ");
        }
        out.push_str("[%emt ");
        push_clock(out, record.elapsed());
        out.push(']');
        if !has_words(&record.thinking) {
            out.push('}');
        }
    });
    if has_words(&record.thinking) {
        lines.word(|out| {
            push_words(out, &record.thinking);
            out.push('}');
        });
    }
}

/// Appends `[%eval]` from White's point of view: pawns, or `#` and the signed moves to mate.
fn push_evaluation(out: &mut String, score: Score, mover: Color) {
    let sign = if mover == Color::White { 1 } else { -1 };
    out.push_str("[%eval ");
    match score {
        Score::Centipawns(centipawns) => push_hundredths(out, sign * i64::from(centipawns)),
        Score::Mate(moves) => {
            let moves = sign * i64::from(moves);
            out.push_str(if moves < 0 { "#-" } else { "#+" });
            push_number(out, moves.unsigned_abs());
        }
    }
    out.push(']');
}

fn has_words(thinking: &Thinking) -> bool {
    thinking.depth.is_some() || thinking.nodes.is_some() || thinking.bound.is_some()
}

/// Appends `d=18/24 n=123456 bound=lower`, as far as known, with single spaces.
fn push_words(out: &mut String, thinking: &Thinking) {
    let mut separator = "";
    if let Some(depth) = thinking.depth {
        out.push_str("d=");
        push_number(out, depth.into());
        if let Some(seldepth) = thinking.seldepth {
            out.push('/');
            push_number(out, seldepth.into());
        }
        separator = " ";
    }
    if let Some(nodes) = thinking.nodes {
        out.push_str(separator);
        out.push_str("n=");
        push_number(out, nodes);
        separator = " ";
    }
    if let Some(bound) = thinking.bound {
        out.push_str(separator);
        out.push_str(match bound {
            Bound::Lower => "bound=lower",
            Bound::Upper => "bound=upper",
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::{Position, UciDialect};
    use crate::clock::Stamp;

    fn comment(thinking: Thinking, clock: Option<Duration>, mover: Color) -> String {
        let record = MoveRecord {
            chess_move: Position::standard()
                .parse_uci("e2e4", UciDialect::Standard)
                .expect("legal"),
            sent: Stamp(0),
            received: Stamp(312_000_000),
            clock,
            nodes_limit: None,
            thinking,
            host: None,
            idle: None,
        };
        let mut out = String::new();
        write(&mut Lines::new(&mut out), &record, mover);
        out
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let thinking = |score| Thinking {
            score: Some(score),
            ..Thinking::default()
        };
        let black = |score| comment(thinking(score), None, Color::Black);
        assert_eq!(
            black(Score::Centipawns(31)),
            "{[%eval -0.31] [%emt 0:00:00.312]}"
        );
        assert_eq!(black(Score::Mate(-3)), "{[%eval #+3] [%emt 0:00:00.312]}");
        assert_eq!(black(Score::Mate(3)), "{[%eval #-3] [%emt 0:00:00.312]}");
    }

    #[test]
    fn everything_that_is_known_is_written() {
        let thinking = Thinking {
            score: Some(Score::Centipawns(31)),
            bound: Some(Bound::Lower),
            depth: Some(18),
            seldepth: Some(24),
            nodes: Some(123_456),
            ..Thinking::default()
        };
        assert_eq!(
            comment(thinking, Some(Duration::from_millis(9800)), Color::White),
            "{[%eval 0.31] [%clk 0:00:09.8] [%emt 0:00:00.312] d=18/24 n=123456 bound=lower}"
        );
    }
}
