//! What came of a check, and of all of them.

use std::time::Duration;

use super::catalogue::{Check, Definition, Level};
use super::dialogue::BoundedDialogue;

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    /// As it should be; with what was measured, or nothing.
    Passed(String),
    /// Not so, and why.
    Failed(String),
    /// Not so, and this computer was so busy that it may be the cause.
    Undecided(String),
    /// Not asked, and why: it does not concern this engine.
    Skipped(String),
}

/// One check of one engine.
#[derive(Clone, Debug)]
pub(crate) struct CheckReport {
    /// Which.
    pub check: Check,
    /// What came of it.
    pub verdict: CheckResult,
    /// How long it took.
    pub took: Duration,
    /// What was said.
    pub dialogue: BoundedDialogue,
}

impl CheckReport {
    /// Its entry in the catalogue.
    pub(crate) fn definition(&self) -> &'static Definition {
        self.check.definition()
    }

    /// Whether it failed, and at this level.
    pub(crate) fn fails(&self, level: Level) -> bool {
        matches!(self.verdict, CheckResult::Failed(_)) && self.definition().level == level
    }
}

/// All checks of one engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineReport {
    /// The command line, exactly as given.
    pub command: Vec<String>,
    /// What it calls itself; empty if it never said.
    pub name: String,
    /// What it says of its author.
    pub author: String,
    /// The checks that were made, in their order.
    pub checks: Vec<CheckReport>,
    /// It could not be started, or ended before `uciok`.
    pub unstartable: bool,
}

impl EngineReport {
    /// How many failed at this level.
    pub(crate) fn failures(&self, level: Level) -> usize {
        let failed = |check: &&CheckReport| check.fails(level);
        self.checks.iter().filter(failed).count()
    }

    /// How many passed.
    pub(crate) fn passed(&self) -> usize {
        let passed = |check: &&CheckReport| matches!(check.verdict, CheckResult::Passed(_));
        self.checks.iter().filter(passed).count()
    }

    /// Those that this computer may have decided.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = &CheckReport> {
        let undecided = |check: &&CheckReport| matches!(check.verdict, CheckResult::Undecided(_));
        self.checks.iter().filter(undecided)
    }

    /// How many were not asked.
    pub(crate) fn skipped(&self) -> usize {
        let skipped = |check: &&CheckReport| matches!(check.verdict, CheckResult::Skipped(_));
        self.checks.iter().filter(skipped).count()
    }

    /// Whether nothing failed that is required.
    pub(crate) fn is_sound(&self) -> bool {
        self.failures(Level::Required) == 0
    }
}
