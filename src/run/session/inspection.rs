//! The stored games are inspected while the run plays. Most events are done before their first engine
//! has started. A very large one is done later in the run, and every one before the run ends.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::Session;
use crate::config::Tournament;
use crate::run::adaptive::Adaptive;
use crate::run::continuation::{Continuation, Continued, InRounds};
use crate::run::error::RunError;
use crate::schedule::Plan;
use crate::sink::PgnContext;
use crate::store::{Expectation, Inspection, Reader, StoreError, StoreNotice};
use crate::text::tell;

/// How long a run waits for it before it begins.
const MAX_INSPECTION_WAIT: Duration = Duration::from_secs(1);

/// Begins the inspection. A difference that is found later stops the run as a failure of the
/// store does.
pub(super) fn begin(
    folder: &Path,
    tournament: &Arc<Tournament>,
    notices: UnboundedSender<StoreNotice>,
) -> Result<Inspection, RunError> {
    let expected = expected(tournament, &Reader::open(folder)?)?;
    let failed = move |error| drop(notices.send(StoreNotice::Failed(error)));
    let inspection = Inspection::begin(folder, expected, failed)?;
    inspection.wait(MAX_INSPECTION_WAIT)?;
    Ok(inspection)
}

/// Inspects all games of a store at rest.
///
/// # Errors
/// The first game that is not what it should be.
pub(super) fn inspect(folder: &Path, tournament: &Arc<Tournament>) -> Result<(), RunError> {
    let expected = expected(tournament, &Reader::open(folder)?)?;
    Ok(Inspection::begin(folder, expected, |_| ())?.finish(tell)?)
}

/// What the games of a store must be.
fn expected(tournament: &Arc<Tournament>, reader: &Reader) -> Result<Expectation, RunError> {
    Ok(Expectation {
        plan: whole_plan(tournament, reader)?,
        openings: Arc::clone(&tournament.openings),
        shard: tournament.shard,
    })
}

/// The event file was checked for all that a plan needs.
pub(super) fn plan(tournament: &Tournament) -> Result<Plan, RunError> {
    Ok(tournament.plan().map_err(std::io::Error::other)?)
}

/// The plan with all that the store has chosen of it.
pub(super) fn whole_plan(tournament: &Arc<Tournament>, reader: &Reader) -> Result<Plan, RunError> {
    let mut plan = plan(tournament)?;
    if let Some(continued) = continued(tournament, reader)? {
        continued.complete(&mut plan);
    }
    Ok(plan)
}

/// The rule by which an event grows, with the choices that its store has; `None` if its plan is known from the
/// beginning.
///
/// # Errors
/// The store cannot be read.
pub(super) fn continued(
    tournament: &Arc<Tournament>,
    reader: &Reader,
) -> Result<Option<Continued>, RunError> {
    let adaptive = Adaptive::new(tournament).map(|rule| Box::new(rule) as Box<dyn Continuation>);
    let rule = adaptive.or_else(|| Some(Box::new(InRounds::new(tournament)?)));
    let continued = rule.map(|rule| Continued::read(rule, tournament, reader));
    continued.transpose()
}

impl Session {
    /// Inspects what is left of the stored games.
    ///
    /// # Errors
    /// Stored games are not what they should be.
    pub(super) fn inspect_whole(&self, say: impl FnMut(&str)) -> Result<(), StoreError> {
        self.inspection.finish(say)
    }

    /// What `games.pgn` needs: nothing in it is overwritten before every stored game has
    /// been inspected.
    pub(crate) fn pgn_context(&self) -> PgnContext {
        let inspection = Arc::clone(&self.inspection);
        PgnContext {
            notes: Some(self.store.notes()),
            before_rewriting: Arc::new(move || inspection.finish(tell)),
        }
    }
}
