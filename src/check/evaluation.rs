//! What an engine thinks of positions: one search each, as in a new game, so that no search depends on another.

use std::time::Duration;

use super::bench::{Bench, CheckError, CheckedEngine, wrong};
use super::info_lines::last_exact;
use super::subject::Subject;
use crate::chess::{Game, Position, UciDialect};
use crate::engine::guardian::Guardian;
use crate::uci::Score;

/// How long a search may take before the engine counts as hanging.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(3600);

/// An option that makes engines report chances of a win, a draw and a loss.
const WIN_DRAW_LOSS: &str = "UCI_ShowWDL";

/// The last exact score of a search, as the side to move sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// Centipawns, or moves to mate.
    pub(crate) score: Score,
    /// Chances of a win, a draw and a loss in 1,000, where the engine tells them.
    pub(crate) chances: Option<[u16; 3]>,
}

/// An engine that is asked for evaluations.
#[derive(Debug)]
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
        bench
            .needs_option("UCI_Chess960")
            .map_err(CheckError::words)?;
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

async fn search(
    subject: &mut Subject<'_>,
    position: &Position,
    nodes: u64,
) -> Result<Evaluation, CheckError> {
    subject.send("ucinewgame");
    subject.ready().await?;
    subject.place(&Game::new(position.clone()), subject.fen());
    let search = subject
        .go(&format!("nodes {nodes}"), MAX_SEARCH_TIME)
        .await?;
    subject.legal(position, &search)?;
    let Some((score, chances)) = last_exact(&search.lines) else {
        return wrong("it reports no exact score");
    };
    Ok(Evaluation { score, chances })
}
