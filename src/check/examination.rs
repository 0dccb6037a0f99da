//! All checks of an engine, one after the other.

use std::time::Duration;

use super::bench::{Bench, CheckedEngine};
use super::trouble::{Trouble, verdict};
use crate::check::{Check, CheckReport, CheckResult, EngineReport};
use crate::engine::guardian::Guardian;

/// What is to be examined.
#[derive(Debug, Clone)]
pub(crate) struct Examination {
    /// The engine.
    pub candidate: CheckedEngine,
    /// The checks, in their order.
    pub checks: Vec<Check>,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// Examines an engine. `heard` is called for every check when it is over. Nothing is left running.
/// Must be called within a runtime.
///
/// # Errors
/// Those of `heard`, which end the examination.
pub(crate) async fn examine<E>(
    examination: Examination,
    guardian: Guardian,
    mut heard: impl FnMut(&CheckReport) -> Result<(), E>,
) -> Result<EngineReport, E> {
    let Examination {
        candidate,
        checks,
        timeout,
    } = examination;
    let mut report = EngineReport {
        command: shown(&candidate),
        ..EngineReport::default()
    };
    let mut bench = Bench::new(candidate, timeout, guardian);
    let met = bench.meet().await;
    let (dialogue, took) = bench.take_record();
    let first = |check, verdict| CheckReport {
        check,
        verdict,
        took,
        dialogue: dialogue.clone(),
    };
    match met {
        Ok(introduction) => bench.introduction = introduction,
        Err(trouble) => {
            report.unstartable = !matches!(trouble, Trouble::Silent { .. });
            // Whatever was chosen: without `uciok` there is nothing else to say.
            let failed = first(Check::UciOk, trouble.verdict(Duration::ZERO));
            heard(&failed)?;
            report.checks.push(failed);
            return Ok(report);
        }
    }
    report.name = bench.introduction.identity.name.clone();
    report.author = bench.introduction.identity.author.clone();
    for check in checks {
        bench.take_waits();
        let outcome = check.perform(&bench).await;
        let verdict = verdict(outcome, bench.take_waits());
        let checked = match check.definition().of_introduction {
            true => first(check, verdict),
            false => recorded(&bench, check, verdict),
        };
        heard(&checked)?;
        report.checks.push(checked);
    }
    Ok(report)
}

fn shown(candidate: &CheckedEngine) -> Vec<String> {
    let program = candidate.program.display().to_string();
    std::iter::once(program)
        .chain(candidate.arguments.iter().cloned())
        .collect()
}

/// A check with its own dialogue.
fn recorded(bench: &Bench, check: Check, verdict: CheckResult) -> CheckReport {
    let (dialogue, took) = bench.take_record();
    CheckReport {
        check,
        verdict,
        took,
        dialogue,
    }
}
