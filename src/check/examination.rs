//! All checks of an engine, one after the other; and a short look at one: does it start, speak UCI, and play?

use std::time::Duration;

use tokio::time::timeout;

use super::bench::{Bench, CheckError, CheckedEngine};
use super::catalogue::{CATALOGUE, Definition};
use super::report::{CheckReport, EngineReport, result};
use super::subject::Subject;
use crate::chess::start::{self, StartNumber, Variant};
use crate::chess::{Game, Position, UciDialect};
use crate::engine::guardian::Guardian;
use crate::text::duration;

/// What is to be examined.
#[derive(Debug, Clone)]
pub(crate) struct Examination {
    pub candidate: CheckedEngine,
    /// The checks, in their order.
    pub checks: Vec<&'static Definition>,
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
    let first = |check, result| CheckReport {
        check,
        result,
        took,
        dialogue: dialogue.clone(),
    };
    match met {
        Ok(introduction) => bench.introduction = introduction,
        Err(trouble) => {
            report.unstartable = !matches!(trouble, CheckError::Silent { .. });
            // Whatever was chosen: without `uciok` there is nothing else to say.
            let failed = first(&CATALOGUE[0], trouble.result(Duration::ZERO));
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
        let result = result(outcome, bench.take_waits());
        let checked = if check.is_of_introduction() {
            first(check, result)
        } else {
            let (dialogue, took) = bench.take_record();
            CheckReport {
                check,
                result,
                took,
                dialogue,
            }
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

/// What a short look has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Greeting {
    /// What it calls itself; empty if it says nothing.
    pub name: String,
    /// Whether it declares UCI_Chess960, and made a legal move in a position of it.
    pub chess960: bool,
}

/// Starts the engine, hears its name, and lets it make one move. Nothing is left running. Must be called
/// within a runtime.
///
/// # Errors
/// Why it cannot be played with, in words.
pub(crate) async fn greet(
    candidate: CheckedEngine,
    limit: Duration,
    guardian: Guardian,
) -> Result<Greeting, String> {
    let bench = Bench::new(candidate, limit, guardian);
    match timeout(limit, talk(&bench)).await {
        Err(_) => Err(format!("no answer within {}", duration(limit))),
        Ok(Err(trouble)) => Err(trouble.words()),
        Ok(Ok(greeting)) => Ok(greeting),
    }
}

async fn talk(bench: &Bench) -> Result<Greeting, CheckError> {
    let introduction = bench.meet().await?;
    let options = &introduction.identity.options;
    let chess960 = options.get("UCI_Chess960").is_some();
    // Bishops in the corners: no engine that ignores the position moves legally here by chance.
    let (mut dialect, mut position) = (UciDialect::Standard, Position::standard());
    if chess960 {
        let corner = start::position(Variant::Chess960, StartNumber(0));
        position = corner.map_err(|error| CheckError::Wrong(error.to_string()))?;
        dialect = UciDialect::Chess960;
    }
    let mut subject = Subject::start(bench, dialect).await?;
    subject.answer(&Game::new(position), "depth 1").await?;
    Ok(Greeting {
        name: introduction.identity.name.clone(),
        chess960,
    })
}
