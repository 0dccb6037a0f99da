//! A hash of every pair of a plan.

use sha2::{Digest, Sha256};

use crate::chess::FenDialect;
use crate::config::{Tournament, hex};
use crate::event::Seat;
use crate::event::identity::EventIdentity;
use crate::schedule::{Plan, PlanError};

/// The plan of an event, and the SHA-256 of a text. The text has a line for each engine (its limits and the part by
/// which its node limit varies) and for each pair: its number, the start in Shredder-FEN, the moves of the book, and
/// who has White and Black in each game, as `engine.copy` counted from 0.
///
/// # Errors
/// The plan cannot be made.
pub(super) fn planned(
    tournament: &Tournament,
    identity: &EventIdentity,
) -> Result<(Plan, String), PlanError> {
    let plan = tournament.plan()?;
    let mut hash = Sha256::new();
    hash.update("arbiter960 plan 1\n");
    for engine in &identity.engines {
        let jitter = engine.nodes_jitter.unwrap_or_default();
        hash.update(format!("{} {} {jitter}\n", engine.name, engine.limits));
    }
    for (pair, spec) in plan.iter() {
        let opening = tournament.openings.get(spec.opening);
        let start = opening.start.fen(FenDialect::Shredder);
        hash.update(format!("{} {start}", pair.0 + 1));
        for text in opening.move_texts() {
            hash.update(format!(" {text}"));
        }
        for game in 0..spec.games {
            let [white, black] = spec.seats(game).map(place);
            hash.update(format!(" {white}-{black}"));
        }
        hash.update("\n");
    }
    Ok((plan, hex(hash)))
}

fn place(seat: Seat) -> String {
    format!("{}.{}", seat.engine, seat.copy)
}
