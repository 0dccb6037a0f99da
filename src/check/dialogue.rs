//! What was said between an engine and its examiner.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use crate::text::count;

/// Lines kept from the beginning, and from the end.
const FIRST_LINES: usize = 40;
const LAST_LINES: usize = 40;

/// Characters of a line that are kept.
const MAX_LINE_CHARACTERS: usize = 400;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// We did.
    ToEngine,
    /// The engine did.
    FromEngine,
    /// Nobody: what happened, in our words.
    Remark,
}

/// One line with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimedLine {
    /// Since the beginning of the check.
    pub at: Duration,
    /// Which of the engines, counted from 1 in the order of their starts.
    pub engine: usize,
    /// Who said it.
    pub direction: Direction,
    /// The words, cut to a bearable length.
    pub text: String,
}

impl fmt::Display for TimedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.direction {
            Direction::ToEngine => '>',
            Direction::FromEngine => '<',
            Direction::Remark => '#',
        };
        let milliseconds = self.at.as_secs_f64() * 1e3;
        write!(f, "{milliseconds:9.1} {}{mark} {}", self.engine, self.text)
    }
}

/// The beginning and the end of a dialogue: an engine that talks without end
/// does not fill the memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundedDialogue {
    first: Vec<TimedLine>,
    last: VecDeque<TimedLine>,
    omitted: usize,
}

impl BoundedDialogue {
    /// Adds a line.
    pub(crate) fn add(&mut self, at: Duration, engine: usize, direction: Direction, text: &str) {
        let spoken = TimedLine {
            at,
            engine,
            direction,
            text: shortened(text),
        };
        if self.first.len() < FIRST_LINES {
            return self.first.push(spoken);
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
            self.omitted += 1;
        }
        self.last.push_back(spoken);
    }

    /// What was said, without what was left out.
    pub(super) fn spoken(&self) -> impl DoubleEndedIterator<Item = &TimedLine> {
        self.first.iter().chain(&self.last)
    }

    /// The lines in order; between beginning and end it says how many were left out.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let gap =
            (self.omitted > 0).then(|| format!("          … {} …", count(self.omitted, "line")));
        let lines = |spoken: &TimedLine| spoken.to_string();
        let first = self.first.iter().map(lines);
        first.chain(gap).chain(self.last.iter().map(lines))
    }
}

fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_LINE_CHARACTERS {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MAX_LINE_CHARACTERS).collect();
    format!("{kept}… ({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_dialogue_keeps_its_ends() {
        let mut dialogue = BoundedDialogue::default();
        for line in 0..1_000 {
            let at = Duration::from_millis(line);
            dialogue.add(at, 1, Direction::FromEngine, &format!("line {line}"));
        }
        let lines: Vec<String> = dialogue.lines().collect();
        assert_eq!(lines.len(), FIRST_LINES + 1 + LAST_LINES);
        assert_eq!(lines[0], "      0.0 1< line 0");
        assert_eq!(lines[FIRST_LINES].trim(), "… 920 lines …");
        assert!(lines[FIRST_LINES + LAST_LINES].ends_with("1< line 999"));
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut dialogue = BoundedDialogue::default();
        dialogue.add(
            Duration::ZERO,
            1,
            Direction::ToEngine,
            &"ä".repeat(MAX_LINE_CHARACTERS + 1),
        );
        let line = dialogue.lines().next().unwrap();
        assert!(line.ends_with("ä… (401 characters)"), "{line}");
    }
}
