//! An engine's report on a move as a comment: `{[%eval 0.31] [%clk 0:00:09.8] … d=18/24 n=123456}`.

use super::comments::Comments;
use super::number::{push_clock, push_hundredths, push_number};
use super::wrap::{WrappedWords, printable};
use crate::chess::Color;
use crate::referee::{MoveRecord, Thinking};
use crate::uci::Score;

/// Appends the comment on a move by `mover`, with the parts that `comments` selects.
pub(super) fn write(
    lines: &mut WrappedWords<'_>,
    record: &MoveRecord,
    mover: Color,
    comments: Comments,
) {
    let thinking = &record.thinking;
    // Each command is one word, so that no reader has to join lines.
    let mut commands = String::new();
    if let Some(score) = thinking.score.filter(|_| comments.eval) {
        push_evaluation(&mut commands, score, mover);
    }
    if let Some(clock) = record.clock.filter(|_| comments.clock) {
        separate(&mut commands);
        commands.push_str("[%clk ");
        push_clock(&mut commands, clock);
        commands.push(']');
    }
    if comments.time {
        separate(&mut commands);
        commands.push_str("[%emt ");
        push_clock(&mut commands, record.charged());
        commands.push(']');
    }
    if comments.time && !record.taken.is_zero() {
        commands.push_str(" [%elapsed ");
        push_clock(&mut commands, record.elapsed());
        commands.push(']');
    }
    let mut words = String::new();
    push_words(&mut words, thinking, comments);
    let variation = printable(&thinking.pv);
    let variation = Some(variation).filter(|text| comments.pv && !text.trim().is_empty());
    let parts = [
        Some(commands),
        Some(words),
        variation.map(|text| format!("pv={text}")),
    ];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    let mut parts = parts.peekable();
    let mut opening = "{";
    while let Some(part) = parts.next() {
        let closing = if parts.peek().is_none() { "}" } else { "" };
        let is_variation = part.starts_with("pv=");
        let text = format!("{opening}{part}{closing}");
        match is_variation {
            true => text.split_whitespace().for_each(|word| lines.text(word)),
            false => lines.word(|out| out.push_str(&text)),
        }
        opening = "";
    }
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push(' ');
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

/// Appends `d=18/24 n=123456 bound=lower`, as far as known, with single spaces.
fn push_words(out: &mut String, thinking: &Thinking, comments: Comments) {
    if let Some(depth) = thinking.depth.filter(|_| comments.depth) {
        out.push_str("d=");
        push_number(out, depth.into());
        if let Some(seldepth) = thinking.seldepth {
            out.push('/');
            push_number(out, seldepth.into());
        }
    }
    if let Some(nodes) = thinking.nodes.filter(|_| comments.nodes) {
        separate(out);
        out.push_str("n=");
        push_number(out, nodes);
    }
    if let Some(bound) = thinking.bound.filter(|_| comments.eval) {
        separate(out);
        out.push_str("bound=");
        out.push_str(bound.word());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::{Position, UciDialect};
    use crate::clock::Stamp;
    use crate::uci::Bound;

    fn comment(thinking: Thinking, clock: Option<Duration>, mover: Color) -> String {
        let record = MoveRecord {
            received: Stamp(312_000_000),
            clock,
            thinking,
            ..MoveRecord::new(
                Position::standard()
                    .parse_uci("e2e4", UciDialect::Standard)
                    .expect("legal"),
                Stamp(0),
            )
        };
        let mut out = String::new();
        write(
            &mut WrappedWords::new(&mut out),
            &record,
            mover,
            Comments::default(),
        );
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
