//! The limits of an event's games, where they are not those of its engines.

use crate::clock::Limits;
use crate::event::identity::EventIdentity;
use crate::event::{PairTerms, Seat};
use crate::schedule::GameLimits;
use crate::store::{Reader, StoreError};

use super::rounds::rounds_of;

/// The limits of games that are not those of their engines, by the identity of their event.
pub(crate) fn game_limits(identity: &EventIdentity) -> GameLimits {
    GameLimits {
        by_colour: identity.limits_by_colour.clone(),
        rounds: rounds_of(identity),
    }
}

/// The limits of White and Black, who have these seats in a game of a pair with these terms.
pub(crate) fn planned_limits(
    identity: &EventIdentity,
    terms: Option<PairTerms>,
    seats: [Seat; 2],
) -> [Limits; 2] {
    let others = game_limits(identity).of(terms);
    let own = |seat: Seat| identity.engines.get(usize::from(seat.engine));
    let own = |seat| own(seat).map_or_else(Limits::default, |engine| engine.limits.clone());
    others.unwrap_or_else(|| seats.map(own))
}

/// The same, by the identity of this revision of a stored event.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn stored_limits(reader: &Reader, revision: u32) -> Result<GameLimits, StoreError> {
    let identities = reader.identities()?.into_iter();
    let mut of_revision = identities.skip(revision.saturating_sub(1) as usize);
    let identity = of_revision.next().map(|accepted| accepted.identity);
    Ok(identity.as_ref().map(game_limits).unwrap_or_default())
}
