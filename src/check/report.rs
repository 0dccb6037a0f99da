//! What came of a check, and of all of them.

use std::time::Duration;

use super::bench::{CheckError, CheckOutcome};
use super::catalogue::{Definition, Level};
use super::dialogue::BoundedDialogue;
use crate::text::duration;

crate::chess::worded! {
    /// Whether a check is passed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum CheckVerdict,
    /// Its word in JSON.
    word: &'static str {
        /// As it should be.
        Passed = "passed",
        /// Not so.
        Failed = "failed",
        /// Not so, and this computer was so busy that it may be the cause.
        Undecided = "undecided",
        /// Not asked: it does not concern this engine.
        Skipped = "skipped",
    }
}

/// What came of one check: what was measured, or why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckResult {
    pub(crate) verdict: CheckVerdict,
    pub(crate) words: String,
}

/// One check of one engine.
#[derive(Clone, Debug)]
pub(crate) struct CheckReport {
    pub(crate) check: &'static Definition,
    pub(crate) result: CheckResult,
    pub(crate) took: Duration,
    pub(crate) dialogue: BoundedDialogue,
}

/// All checks of one engine, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineReport {
    /// The command line, exactly as given.
    pub(crate) command: Vec<String>,
    /// What it calls itself; empty if it never said.
    pub(crate) name: String,
    pub(crate) author: String,
    pub(crate) checks: Vec<CheckReport>,
    /// It could not be started, or ended before `uciok`.
    pub(crate) unstartable: bool,
}

impl EngineReport {
    /// The checks with this verdict.
    pub(crate) fn with(&self, verdict: CheckVerdict) -> impl Iterator<Item = &CheckReport> {
        let checks = self.checks.iter();
        checks.filter(move |check| check.result.verdict == verdict)
    }

    /// Number of failed checks of each level, in their order.
    pub(crate) fn failures(&self) -> [usize; 3] {
        Level::ALL.map(|level| {
            let failed = self.with(CheckVerdict::Failed);
            failed.filter(|failed| failed.check.level == level).count()
        })
    }

    /// Whether it passes all that is required.
    pub(crate) fn is_sound(&self) -> bool {
        self.failures()[0] == 0
    }
}

impl CheckError {
    /// The same without a verdict.
    pub(super) fn words(self) -> String {
        self.result(Duration::ZERO).words
    }

    /// from running.
    pub(super) fn result(self, waited: Duration) -> CheckResult {
        let mut verdict = CheckVerdict::Failed;
        let words = match self {
            CheckError::Late { words, by } if waited >= by => {
                verdict = CheckVerdict::Undecided;
                let waited = duration(waited);
                format!(
                    "{words}; this computer kept it waiting for {waited}, so load may have decided"
                )
            }
            CheckError::Skip(why) => {
                verdict = CheckVerdict::Skipped;
                why
            }
            CheckError::Late { words, .. } => words,
            CheckError::Wrong(why) | CheckError::Unstartable(why) => why,
            CheckError::Silent { awaited, limit } => {
                format!("no {awaited} within {}; it was killed", duration(limit))
            }
            CheckError::Ended { awaited, evidence } => {
                format!("it ended before {awaited}; {evidence}")
            }
        };
        CheckResult { verdict, words }
    }
}

/// What came of a check during which the machine kept engine and examiner waiting for so long.
pub(super) fn result(outcome: CheckOutcome, waited: Duration) -> CheckResult {
    let passed = |words| CheckResult {
        verdict: CheckVerdict::Passed,
        words,
    };
    outcome.map_or_else(|trouble| trouble.result(waited), passed)
}
