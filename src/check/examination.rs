//! All checks of an engine, one after the other; and a short look at one: does it start, speak UCI, and play?

use std::time::Duration;

use tokio::time::timeout;

use crate::chess::start::{self, StartNumber, Variant};
use crate::chess::{Game, Position, UciDialect};
use crate::engine::guardian::Guardian;
use crate::text::duration;

use super::bench::{Bench, CheckError, Checked, CheckedEngine, wrong};
use super::catalogue::{CATALOGUE, Definition};
use super::info_lines::{Evaluation, last_exact};
use super::report::{CheckReport, EngineReport, result};
use super::subject::Subject;

/// Makes these checks of an engine, each with this time for an answer. `heard` is called for every check when it is
/// over. Nothing is left running. Must be called within a runtime.
pub(crate) async fn examine(
    candidate: CheckedEngine,
    checks: Vec<&'static Definition>,
    timeout: Duration,
    guardian: Guardian,
    mut heard: impl FnMut(&CheckReport),
) -> EngineReport {
    let program = candidate.program.display().to_string();
    let arguments = candidate.arguments.iter().cloned();
    let mut report = EngineReport {
        command: std::iter::once(program).chain(arguments).collect(),
        ..EngineReport::default()
    };
    let mut bench = Bench::new(candidate, timeout, guardian);
    let met = bench.meet().await;
    let (dialogue, took) = bench.take_record();
    let first = |check, (verdict, words)| CheckReport {
        check,
        verdict,
        words,
        took,
        dialogue: dialogue.clone(),
    };
    match met {
        Ok(introduction) => bench.introduction = introduction,
        Err(trouble) => {
            report.unstartable = !matches!(trouble, CheckError::Silent(_));
            // Whatever was chosen: without `uciok` there is nothing else to say.
            let failed = first(&CATALOGUE[0], trouble.result(Duration::ZERO));
            heard(&failed);
            report.checks.push(failed);
            return report;
        }
    }
    report.name = bench.introduction.identity.name.clone();
    report.author = bench.introduction.identity.author.clone();
    for check in checks {
        bench.take_waits();
        let outcome = check.perform(&bench).await;
        let mut checked = first(check, result(outcome, bench.take_waits()));
        if !check.is_of_introduction() {
            (checked.dialogue, checked.took) = bench.take_record();
        }
        heard(&checked);
        report.checks.push(checked);
    }
    report
}

/// Starts the engine, and lets it make one move in a position of Chess960; what it calls itself, empty if it says nothing.
/// Nothing is left running. Must be called within a runtime.
///
/// # Errors
/// Why it cannot be played with, in words.
pub(crate) async fn greet(
    candidate: CheckedEngine,
    limit: Duration,
    guardian: Guardian,
) -> Result<String, String> {
    let bench = Bench::new(candidate, limit, guardian);
    match timeout(limit, talk(&bench)).await {
        Err(_) => Err(format!("no answer within {}", duration(limit))),
        Ok(greeted) => greeted.map_err(CheckError::words),
    }
}

async fn talk(bench: &Bench) -> Checked {
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
    if !chess960 {
        return wrong("it does not play Chess960 (no UCI_Chess960)");
    }
    Ok(introduction.identity.name)
}

// What an engine thinks of positions: one search each, as in a new game, so that no search depends on another.

/// How long a search may take before the engine counts as hanging.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(3600);

/// An option that makes engines report chances of a win, a draw and a loss.
const WIN_DRAW_LOSS: &str = "UCI_ShowWDL";

/// An engine that is asked for evaluations.
pub(crate) struct Evaluator(Bench);

impl Evaluator {
    /// Hears what the engine says of itself. Must be called within a runtime.
    ///
    /// # Errors
    /// It cannot be started, or does not play Chess960; in words.
    pub(crate) async fn meet(
        candidate: CheckedEngine,
        limit: Duration,
        guardian: Guardian,
    ) -> Result<Evaluator, String> {
        let mut bench = Bench::new(candidate, limit, guardian);
        bench.introduction = bench.meet().await.map_err(CheckError::words)?;
        let declared = bench.needs_option("UCI_Chess960");
        declared.map_err(CheckError::words)?;
        if bench.needs_option(WIN_DRAW_LOSS).is_ok() {
            let shown = (WIN_DRAW_LOSS.to_owned(), "true".to_owned());
            bench.candidate.options.push(shown);
        }
        Ok(Evaluator(bench))
    }

    /// What the engine calls itself.
    pub(crate) fn name(&self) -> &str {
        &self.0.introduction.identity.name
    }

    /// Searches `nodes` nodes in each position, all in one process: each search is that of a new game.
    ///
    /// # Errors
    /// The engine fails, plays an illegal move, or reports no exact score, with the place of the position; in words.
    pub(crate) async fn evaluate(
        &self,
        nodes: u64,
        positions: impl Iterator<Item = (usize, Position)>,
        mut found: impl FnMut(usize, Evaluation),
    ) -> Result<(), (usize, String)> {
        let mut subject = None;
        for (place, position) in positions {
            let failed = |trouble: CheckError| (place, trouble.words());
            if subject.is_none() {
                let started = Subject::start(&self.0, UciDialect::Chess960).await;
                subject = Some(started.map_err(failed)?);
            }
            if let Some(subject) = &mut subject {
                let searched = search(subject, &position, nodes).await;
                found(place, searched.map_err(failed)?);
            }
            // The dialogue is of no use here.
            self.0.take_record();
        }
        Ok(())
    }
}

async fn search(subject: &mut Subject<'_>, position: &Position, nodes: u64) -> Checked<Evaluation> {
    subject.send("ucinewgame");
    subject.ready().await?;
    subject.place(&Game::new(position.clone()), subject.fen());
    let limits = format!("nodes {nodes}");
    let search = subject.go(&limits, MAX_SEARCH_TIME).await?;
    subject.legal(position, &search)?;
    last_exact(&search.lines).map_or_else(|| wrong("it reports no exact score"), Ok)
}
