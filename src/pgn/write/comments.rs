//! The comments of a PGN file: which parts they have, and an engine's report on a move as one,
//! `{[%eval 0.31] [%clk 0:00:09.8] … d=18/24 n=123456}`.

use std::str::FromStr;

use super::{WrappedWords, printable, push_clock};
use crate::chess::Color;
use crate::referee::{MoveRecord, Thinking};
use crate::text::push_number;
use crate::uci::ScoreStyle;

/// The parts of the comment after each move. The file `games.pgn` has all but the variations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comments {
    /// The score, `[%eval 0.31]`.
    pub(crate) eval: bool,
    /// The clock, `[%clk 0:00:09.8]`.
    pub(crate) clock: bool,
    /// The time charged for the move, `[%emt 0:00:00.312]`, and if the host took some more, all of its time.
    pub(crate) time: bool,
    /// The depth, `d=18/24`.
    pub(crate) depth: bool,
    /// The nodes, `n=123456`.
    pub(crate) nodes: bool,
    /// The principal variation as the engine wrote it, `pv=e2e4 e7e5`.
    pub(crate) pv: bool,
    /// The format of the comments.
    pub(crate) dialect: PgnDialect,
}

/// The format of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PgnDialect {
    /// `{[%eval 0.31] [%clk 0:00:09.8] [%emt 0:00:00.312] d=18/24 n=123456}`
    #[default]
    Standard,
    /// In the format that the viewers of the TCEC read: `{d=18, sd=24, mt=312, tl=9800, …, mb=+0+0+0+0+0,}`
    Tcec,
}

impl FromStr for PgnDialect {
    type Err = String;

    fn from_str(text: &str) -> Result<PgnDialect, String> {
        match text {
            "standard" => Ok(PgnDialect::Standard),
            "tcec" => Ok(PgnDialect::Tcec),
            _ => Err(format!("\"{text}\" is none of standard, tcec")),
        }
    }
}

impl Default for Comments {
    fn default() -> Comments {
        let pv = false;
        Comments {
            pv,
            ..Comments::every_part(true)
        }
    }
}

impl Comments {
    const ALL: Comments = Comments::every_part(true);

    pub(crate) const NONE: Comments = Comments::every_part(false);

    const fn every_part(is_written: bool) -> Comments {
        Comments {
            eval: is_written,
            clock: is_written,
            time: is_written,
            depth: is_written,
            nodes: is_written,
            pv: is_written,
            dialect: PgnDialect::Standard,
        }
    }

    /// The same parts in this format. Comments of the TCEC always have every key, or are left out.
    pub(crate) fn in_dialect(self, dialect: PgnDialect) -> Comments {
        Comments { dialect, ..self }
    }
}

impl FromStr for Comments {
    type Err = String;

    /// Words with commas: `eval,clock,time,depth,nodes,pv`, or `all`, or `none`.
    fn from_str(text: &str) -> Result<Comments, String> {
        let mut comments = Comments::NONE;
        for word in text.split(',').map(str::trim) {
            match word {
                "all" => comments = Comments::ALL,
                "none" => comments = Comments::NONE,
                "eval" => comments.eval = true,
                "clock" => comments.clock = true,
                "time" => comments.time = true,
                "depth" => comments.depth = true,
                "nodes" => comments.nodes = true,
                "pv" => comments.pv = true,
                _ => {
                    return Err(format!(
                        "\"{word}\" is none of eval, clock, time, depth, nodes, pv, all, none"
                    ));
                }
            }
        }
        Ok(comments)
    }
}

/// Appends the comment on a move by `mover`, with the parts that `comments` selects.
pub(super) fn write_comment(
    lines: &mut WrappedWords<'_>,
    record: &MoveRecord,
    mover: Color,
    comments: Comments,
) {
    let thinking = &record.thinking;
    // Each command is one word, so that no reader has to join lines.
    let mut commands = String::new();
    if let Some(score) = thinking.score.filter(|_| comments.eval) {
        commands.push_str("[%eval ");
        score.of_white(mover).push(&mut commands, ScoreStyle::Pgn);
        commands.push(']');
    }
    let mut time = |name, time| {
        separate(&mut commands);
        commands.push_str(name);
        push_clock(&mut commands, time);
        commands.push(']');
    };
    if let Some(clock) = record.clock.filter(|_| comments.clock) {
        time("[%clk ", clock);
    }
    if comments.time {
        time("[%emt ", record.charged());
    }
    if comments.time && !record.taken.is_zero() {
        time("[%elapsed ", record.elapsed());
    }
    let mut words = String::new();
    push_words(&mut words, thinking, comments);
    for away in record.interruptions.iter().filter(|_| comments.time) {
        separate(&mut words);
        words.push_str("interrupted=");
        push_clock(&mut words, *away);
    }
    let variation = comments.pv.then(|| printable(&thinking.pv));
    let variation = variation.filter(|text| !text.trim().is_empty());
    let variation = variation.map_or_else(String::new, |text| format!("pv={text}"));
    let whole = [commands.as_str(), words.as_str()];
    let whole = whole.into_iter().filter(|part| !part.is_empty());
    lines.comment(whole.chain(variation.split_whitespace()));
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push(' ');
    }
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
    use crate::uci::{Bound, Score};

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
        write_comment(
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
