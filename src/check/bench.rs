//! What the checks of one engine share: its introduction, the dialogue, and why a check is not passed.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tokio::time::Instant;

use crate::engine::environment;
use crate::engine::guardian::Guardian;
use crate::host::starvation::Starvation;
use crate::text::{count, duration};
use crate::uci::EngineIdentity;

/// The engine that is to be examined.
#[derive(Debug, Clone)]
pub(crate) struct CheckedEngine {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Options that are set in every check; names and values.
    pub options: Vec<(String, String)>,
}

impl CheckedEngine {
    /// Never a shell's line: every argument is its own.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        environment::reduce(&mut command, false);
        command
    }
}

/// What an engine said of itself when it was first met.
#[derive(Debug, Default)]
pub(super) struct Introduction {
    /// Before it was asked.
    pub unasked: Vec<String>,
    /// From `uci` to `uciok`.
    pub lines: Vec<String>,
    /// After `uciok`.
    pub afterwards: Vec<String>,
    /// From `uci` to `uciok`.
    pub took: Duration,
    /// The same, read.
    pub identity: EngineIdentity,
}

/// Where an engine is examined.
#[derive(Debug)]
pub(super) struct Bench {
    pub candidate: CheckedEngine,
    /// How long an answer may take where a check does not say otherwise.
    pub timeout: Duration,
    pub guardian: Guardian,
    pub introduction: Introduction,
    /// When the check began, how many engines it has started, and what was said.
    begun: Cell<Instant>,
    engines: Cell<usize>,
    dialogue: RefCell<BoundedDialogue>,
    /// How long engines were kept from running in this check, and this process.
    waits: Cell<Duration>,
    examiner: RefCell<Option<Starvation>>,
}

impl Bench {
    pub(super) fn new(candidate: CheckedEngine, timeout: Duration, guardian: Guardian) -> Bench {
        let own = i32::try_from(std::process::id());
        Bench {
            candidate,
            timeout,
            guardian,
            introduction: Introduction::default(),
            begun: Cell::new(Instant::now()),
            engines: Cell::default(),
            dialogue: RefCell::default(),
            waits: Cell::default(),
            examiner: RefCell::new(own.ok().and_then(Starvation::begin)),
        }
    }

    /// Adds a time for which an engine of this check was kept from running.
    pub(super) fn add_wait(&self, waited: Duration) {
        self.waits.set(self.waits.get() + waited);
    }

    /// How long the machine kept engine and examiner from running since this was asked last.
    pub(super) fn take_waits(&self) -> Duration {
        let mut examiner = self.examiner.borrow_mut();
        let own = examiner.as_mut().map(|own| own.since(Duration::ZERO));
        self.waits.take() + own.unwrap_or_default()
    }

    /// Another process of this check; its number.
    pub(super) fn next_engine(&self) -> usize {
        self.engines.set(self.engines.get() + 1);
        self.engines.get()
    }

    pub(super) fn note(&self, engine: usize, direction: Direction, text: &str) {
        let at = self.begun.get().elapsed();
        let mut dialogue = self.dialogue.borrow_mut();
        dialogue.add(at, engine, direction, text);
    }

    /// The dialogue of the check that is over, and how long it took; a new record begins.
    pub(super) fn take_record(&self) -> (BoundedDialogue, Duration) {
        self.engines.set(0);
        let begun = self.begun.replace(Instant::now());
        (self.dialogue.take(), begun.elapsed())
    }

    /// An option of this name must be declared, or the check does not concern the engine.
    pub(super) fn needs_option(&self, name: &str) -> Checked<()> {
        let declared = self.introduction.identity.options.get(name).map(drop);
        declared.ok_or_else(|| CheckError::Skip(format!("it declares no option {name}")))
    }
}

/// What came of a check: what was measured, or why it is not passed.
pub(super) type Checked<T = String> = Result<T, CheckError>;

/// Why a check is not passed.
#[derive(Debug)]
pub(super) enum CheckError {
    /// The engine answered, and the answer is wrong; or it ended, or cannot be run.
    Wrong(String),
    /// It did not answer.
    Silent(String),
    /// It answered right, and too late by this much.
    Late {
        /// What was measured.
        words: String,
        /// Beyond what is allowed.
        by: Duration,
    },
    /// The check does not concern this engine.
    Skip(String),
}

impl CheckError {
    /// There was no such answer within this time.
    pub(super) fn silent(awaited: &str, limit: Duration) -> CheckError {
        let limit = duration(limit);
        CheckError::Silent(format!("no {awaited} within {limit}; it was killed"))
    }
}

/// Fails if there is a problem.
pub(super) fn none_of(problems: impl IntoIterator<Item = String>) -> Checked {
    let problems: Vec<String> = problems.into_iter().collect();
    if problems.is_empty() {
        return Ok(String::new());
    }
    wrong(problems.join("; "))
}

/// The answer is wrong.
pub(super) fn wrong<T>(why: impl Into<String>) -> Checked<T> {
    Err(CheckError::Wrong(why.into()))
}

// What was said between an engine and its examiner.

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
    pub(super) spoken: Vec<TimedLine>,
    omitted: usize,
}

impl BoundedDialogue {
    /// Adds a line.
    pub(crate) fn add(&mut self, at: Duration, engine: usize, direction: Direction, text: &str) {
        if self.spoken.len() == FIRST_LINES + LAST_LINES {
            self.spoken.remove(FIRST_LINES);
            self.omitted += 1;
        }
        self.spoken.push(TimedLine {
            at,
            engine,
            direction,
            text: shortened(text),
        });
    }

    /// The lines in order; between beginning and end it says how many were left out.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let gap =
            (self.omitted > 0).then(|| format!("          … {} …", count(self.omitted, "line")));
        let (first, last) = self.spoken.split_at(FIRST_LINES.min(self.spoken.len()));
        let first = first.iter().map(TimedLine::to_string);
        let last = last.iter().map(TimedLine::to_string);
        first.chain(gap).chain(last)
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
