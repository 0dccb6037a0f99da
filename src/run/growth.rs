//! By which rule an event grows, if it does.

use std::sync::Arc;

use crate::config::Tournament;
use crate::run::adaptive::Adaptive;
use crate::run::continuation::{Continuation, Continued};
use crate::run::error::RunError;
use crate::run::rounds::InRounds;
use crate::store::Reader;

/// The rule of an event, with the choices that its store has; `None` if its plan is known from
/// the beginning.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn continued(
    tournament: &Arc<Tournament>,
    reader: &Reader,
) -> Result<Option<Continued>, RunError> {
    let adaptive = Adaptive::new(tournament).map(|rule| Box::new(rule) as Box<dyn Continuation>);
    let in_rounds =
        || InRounds::new(tournament).map(|rule| Box::new(rule) as Box<dyn Continuation>);
    let rule = adaptive.or_else(in_rounds);
    rule.map(|rule| Continued::read(rule, tournament, reader))
        .transpose()
}
