//! An engine's evaluation, and the one writer of it.

use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::text::{push_hundredths, push_number};

/// A score from the point of view of the engine that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves (not plies); negative if the engine is being mated.
    Mate(i32),
}

crate::chess::worded! {
    /// A score that is not exact.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Bound,
    /// A stable word, for files that programs read.
    word: &'static str {
        /// The true score is at least this (a fail high).
        Lower = "lower",
        /// The true score is at most this (a fail low).
        Upper = "upper",
    }
}

/// For whom an evaluation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoreStyle {
    /// The command `[%eval]` of PGN: `0.31`, `-0.31`, `#+3`, `#-3`.
    Pgn,
    /// The viewers of the TCEC: `0.31`, `M3`, `-M3`.
    Tcec,
    /// As fastchess and cutechess-cli write it: `+0.31`, `0.00`, and mates in half-moves, `+M5`, `-M6`.
    Runner,
    /// For people: `+0.31`, `#3`, `#-3`.
    People,
}

impl Score {
    /// Centipawns and moves to mate, as tables have them: one of them, or neither without a score.
    pub(crate) fn columns(score: Option<Score>) -> (Option<i32>, Option<i32>) {
        match score {
            Some(Score::Centipawns(centipawns)) => (Some(centipawns), None),
            Some(Score::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        }
    }

    /// The score of this mover's engine from White's point of view.
    pub(crate) fn of_white(self, mover: Color) -> Score {
        match (mover, self) {
            (Color::White, score) => score,
            (Color::Black, Score::Centipawns(value)) => Score::Centipawns(value.saturating_neg()),
            (Color::Black, Score::Mate(moves)) => Score::Mate(moves.saturating_neg()),
        }
    }

    /// At most 300 pawns or 1,000 moves to mate, for displays.
    pub(crate) fn bounded(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value.clamp(-30_000, 30_000)),
            Score::Mate(moves) => Score::Mate(moves.clamp(-1000, 1000)),
        }
    }

    /// The text in this style.
    pub(crate) fn text(self, style: ScoreStyle) -> String {
        let mut text = String::new();
        self.push(&mut text, style);
        text
    }

    /// Appends the text in this style.
    pub(crate) fn push(self, out: &mut String, style: ScoreStyle) {
        match self {
            Score::Centipawns(value) => {
                out.push_str(match style {
                    ScoreStyle::Runner if value > 0 => "+",
                    ScoreStyle::People if value >= 0 => "+",
                    _ => "",
                });
                push_hundredths(out, value.into());
            }
            Score::Mate(moves) => {
                let is_mated = moves < 0;
                let size = u64::from(moves.unsigned_abs());
                let (sign, size) = match style {
                    ScoreStyle::Pgn if is_mated => ("#-", size),
                    ScoreStyle::Pgn => ("#+", size),
                    ScoreStyle::Tcec if is_mated => ("-M", size),
                    ScoreStyle::Tcec => ("M", size),
                    ScoreStyle::Runner if moves > 0 => ("+M", 2 * size - 1),
                    ScoreStyle::Runner => ("-M", 2 * size),
                    ScoreStyle::People if is_mated => ("#-", size),
                    ScoreStyle::People => ("#", size),
                };
                out.push_str(sign);
                push_number(out, size);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reader_has_its_own_style() {
        for (score, texts) in [
            (Score::Centipawns(31), ["0.31", "0.31", "+0.31", "+0.31"]),
            (Score::Centipawns(0), ["0.00", "0.00", "0.00", "+0.00"]),
            (Score::Centipawns(-5), ["-0.05"; 4]),
            (Score::Mate(3), ["#+3", "M3", "+M5", "#3"]),
            (Score::Mate(-3), ["#-3", "-M3", "-M6", "#-3"]),
            (Score::Mate(0), ["#+0", "M0", "-M0", "#0"]),
        ] {
            let styles = [
                ScoreStyle::Pgn,
                ScoreStyle::Tcec,
                ScoreStyle::Runner,
                ScoreStyle::People,
            ];
            assert_eq!(styles.map(|style| score.text(style)), texts);
        }
    }
}
