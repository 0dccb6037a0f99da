//! Why a check is not passed.

use std::time::Duration;

use crate::check::CheckResult;

/// What came of a check: what was measured, or why it is not passed.
pub(crate) type Outcome = Result<String, Trouble>;

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
    /// The check does not concern this engine.
    Skip(String),
    /// The program cannot be run.
    Unstartable(String),
}

/// The answer is wrong.
pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

impl Trouble {
    /// The verdict on the check.
    pub(crate) fn verdict(self) -> CheckResult {
        match self {
            Trouble::Wrong(why) | Trouble::Unstartable(why) => CheckResult::Failed(why),
            Trouble::Silent { awaited, limit } => CheckResult::Failed(format!(
                "no {awaited} within {} s; it was killed",
                limit.as_secs_f64()
            )),
            Trouble::Ended { awaited, evidence } => {
                CheckResult::Failed(format!("it ended before {awaited}; {evidence}"))
            }
            Trouble::Skip(why) => CheckResult::Skipped(why),
        }
    }
}

/// The outcome as a verdict.
pub(crate) fn verdict(outcome: Outcome) -> CheckResult {
    outcome.map_or_else(Trouble::verdict, CheckResult::Passed)
}
