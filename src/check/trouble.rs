//! Why a check is not passed.

use std::time::Duration;

use crate::check::CheckResult;
use crate::text::duration;

/// What came of a check: what was measured, or why it is not passed.
pub(crate) type CheckOutcome = Result<String, Trouble>;

/// Why a check is not passed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The engine answered, and the answer is wrong.
    Wrong(String),
    /// It did not answer.
    Silent {
        /// What was awaited.
        awaited: String,
        /// How long.
        limit: Duration,
    },
    /// It ended, or closed its output.
    Ended {
        /// What was awaited.
        awaited: String,
        /// Its exit status and the end of its stderr.
        evidence: String,
    },
    /// It answered right, and too late by this much.
    Late {
        /// What was measured.
        words: String,
        /// Beyond what is allowed.
        by: Duration,
    },
    /// The check does not concern this engine.
    Skip(String),
    /// The program cannot be run.
    Unstartable(String),
}

/// What was measured, if the answer came within its time.
pub(crate) fn within(limit: Duration, took: Duration, words: String) -> CheckOutcome {
    match took.checked_sub(limit) {
        None | Some(Duration::ZERO) => Ok(words),
        Some(by) => Err(Trouble::Late { words, by }),
    }
}

/// The answer is wrong.
pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

impl Trouble {
    /// The same without a verdict.
    pub(crate) fn words(self) -> String {
        match self.verdict(Duration::ZERO) {
            CheckResult::Passed(words)
            | CheckResult::Failed(words)
            | CheckResult::Undecided(words)
            | CheckResult::Skipped(words) => words,
        }
    }

    /// The verdict on the check; `waited` is how long the machine kept the engine and its examiner
    /// from running.
    pub(crate) fn verdict(self, waited: Duration) -> CheckResult {
        match self {
            Trouble::Late { words, by } if waited >= by => CheckResult::Undecided(format!(
                "{words}; this computer kept it waiting for {}, so load may have decided",
                duration(waited)
            )),
            Trouble::Late { words, .. } => CheckResult::Failed(words),
            Trouble::Wrong(why) | Trouble::Unstartable(why) => CheckResult::Failed(why),
            Trouble::Silent { awaited, limit } => CheckResult::Failed(format!(
                "no {awaited} within {}; it was killed",
                duration(limit)
            )),
            Trouble::Ended { awaited, evidence } => {
                CheckResult::Failed(format!("it ended before {awaited}; {evidence}"))
            }
            Trouble::Skip(why) => CheckResult::Skipped(why),
        }
    }
}

/// The outcome as a verdict.
pub(crate) fn verdict(outcome: CheckOutcome, waited: Duration) -> CheckResult {
    outcome.map_or_else(|trouble| trouble.verdict(waited), CheckResult::Passed)
}
