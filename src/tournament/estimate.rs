//! An interval for the results so far that a running display may show: it holds however often it is looked at.

use serde_json::{Value, json};

use crate::stats::anytime::{DEFAULT_PLANNED, anytime_interval};
use crate::stats::counts::Pentanomial;
use crate::stats::elo::elo_from_score;
use crate::stats::sample::Sample;

use super::roster::Roster;
use super::scoreboard::Scoreboard;

/// The probability of the interval.
const LEVEL: f64 = 0.95;

/// A mean score of pairs with its always-valid interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SequentialEstimate {
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Both ends of the 95 % interval, 0 to 1.
    pub ends: [f64; 2],
}

impl SequentialEstimate {
    /// Of complete pairs by points 0, ½, 1, 1½, 2; `None` without any.
    pub(crate) fn of(pairs: [u64; 5]) -> Option<SequentialEstimate> {
        let sample = Sample::from(Pentanomial(pairs));
        let interval = anytime_interval(&sample, DEFAULT_PLANNED, LEVEL)?;
        Some(SequentialEstimate {
            score: sample.moments()?.mean,
            ends: [interval.score_lo, interval.score_hi].map(|end| end.clamp(0.0, 1.0)),
        })
    }

    /// The estimate for the first engine of a match of two; `None` for other events.
    pub(crate) fn of_match(board: &Scoreboard, roster: &Roster) -> Option<SequentialEstimate> {
        let is_match = board.participants().len() == 2 && !roster.is_self_play();
        is_match.then(|| SequentialEstimate::of(board.encounter(0, 1).pairs))?
    }

    /// `Elo +12.3 [-5.0, +29.1] always valid`.
    pub(crate) fn elo_text(&self) -> String {
        let [elo, low, high] = self.elo();
        if ![elo, low, high].iter().all(|end| end.is_finite()) {
            return "Elo unknown (too few games)".to_owned();
        }
        let [elo, low, high] = [elo, low, high].map(|end| if end.abs() < 0.05 { 0.0 } else { end });
        format!("Elo {elo:+.1} [{low:+.1}, {high:+.1}] always valid")
    }

    /// Whether the interval excludes anything.
    pub(crate) fn says_something(&self) -> bool {
        self.ends[0] > 0.0 || self.ends[1] < 1.0
    }

    /// `[51.0, 57.9] always valid`, in per cent.
    pub(crate) fn percent_text(&self) -> String {
        let [low, high] = self.ends.map(|end| 100.0 * end);
        format!("[{low:.1}, {high:.1}] always valid")
    }

    /// The names of the reference vectors; an infinite Elo is `null`.
    pub(crate) fn json(&self) -> Value {
        let [elo, elo_lo, elo_hi] = self.elo();
        json!({
            "score": self.score,
            "score_lo": self.ends[0],
            "score_hi": self.ends[1],
            "elo": elo,
            "elo_lo": elo_lo,
            "elo_hi": elo_hi,
        })
    }

    /// Elo, and both ends of its interval; infinite at a score of 0 or 1.
    pub(crate) fn elo(&self) -> [f64; 3] {
        [self.score, self.ends[0], self.ends[1]].map(|score| elo_from_score(score) + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_wider_than_one_look_would_need_and_never_beyond_the_scores() {
        let estimate = SequentialEstimate::of([13, 37, 50, 25, 3]).unwrap();
        assert!((estimate.score - 0.4375).abs() < 1e-12);
        // The reference vector match-01.
        assert!((estimate.ends[0] - 0.367_550_972_2).abs() < 1e-9);
        assert!((estimate.ends[1] - 0.507_449_027_8).abs() < 1e-9);
        let first = SequentialEstimate::of([0, 0, 0, 0, 1]).unwrap();
        assert_eq!(first.ends[1], 1.0);
        assert_eq!(first.json()["elo_hi"], Value::Null);
        assert_eq!(SequentialEstimate::of([0; 5]), None);
    }
}
