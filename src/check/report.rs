//! What came of a check, and of all of them; the same for programs.

use std::time::Duration;

use serde_json::{Value, json};

use super::catalogue::{CATALOGUE, Definition, Level};
use super::causes::causes;
use super::dialogue::BoundedDialogue;

/// Version of the JSON.
const SCHEMA: u32 = 1;

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

    /// The report for programs.
    pub(crate) fn json(&self) -> Value {
        let checks: Vec<Value> = self.checks.iter().map(CheckReport::json).collect();
        let [required, recommended, informational] = self.failures();
        json!({
            "schema": SCHEMA,
            "command": self.command,
            "name": self.name,
            "author": self.author,
            "started": !self.unstartable,
            "sound": self.is_sound(),
            "passed": self.with(CheckVerdict::Passed).count(),
            "skipped": self.with(CheckVerdict::Skipped).count(),
            "undecided": self.with(CheckVerdict::Undecided).count(),
            "causes": causes(self).iter().map(|cause| json!({
                "cause": cause.words,
                "checks": cause.ids(),
            })).collect::<Vec<_>>(),
            "failed": {
                "required": required,
                "recommended": recommended,
                "informational": informational,
            },
            "checks": checks,
        })
    }
}

/// All checks for programs.
pub(crate) fn list_json() -> Value {
    json!({ "schema": SCHEMA, "checks": &*CATALOGUE })
}

impl CheckReport {
    fn json(&self) -> Value {
        let mut value = json!(self.check);
        value["verdict"] = json!(self.result.verdict.word());
        value["words"] = json!(self.result.words);
        value["seconds"] = json!(self.took.as_secs_f64());
        if matches!(
            self.result.verdict,
            CheckVerdict::Failed | CheckVerdict::Undecided
        ) {
            value["dialogue"] = json!(self.dialogue.lines().collect::<Vec<_>>());
        }
        value
    }
}
