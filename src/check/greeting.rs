//! A short look at an engine: does it start, speak UCI, and play?

use std::time::Duration;

use tokio::time::timeout;

use super::bench::{Bench, CheckedEngine};
use super::subject::Subject;
use super::trouble::Trouble;
use crate::chess::start::{self, StartNumber, Variant};
use crate::chess::{Game, Position, UciDialect};
use crate::engine::guardian::Guardian;
use crate::text::duration;

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

async fn talk(bench: &Bench) -> Result<Greeting, Trouble> {
    let introduction = bench.meet().await?;
    let options = &introduction.identity.options;
    let chess960 = options.get("UCI_Chess960").is_some();
    // Bishops in the corners: no engine that ignores the position moves legally here by chance.
    let (dialect, position) = match chess960 {
        true => (
            UciDialect::Chess960,
            start::position(Variant::Chess960, StartNumber(0)),
        ),
        false => (UciDialect::Standard, Ok(Position::standard())),
    };
    let position = position.map_err(|error| Trouble::Wrong(error.to_string()))?;
    let mut subject = Subject::start(bench, dialect).await?;
    subject.answer(&Game::new(position), "depth 1").await?;
    Ok(Greeting {
        name: introduction.identity.name.clone(),
        chess960,
    })
}
