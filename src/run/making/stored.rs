//! Starts that were made, from the store and to it.

use std::sync::Arc;

use crate::chess::{FenDialect, Position};
use crate::config::Tournament;
use crate::run::error::RunError;
use crate::schedule::{MadeOpening, Opening, Openings};
use crate::store::{MadeStart, Reader};

/// A start, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredStart {
    pub(super) start: MadeOpening,
    /// The turns, for people.
    pub(super) turns: Vec<String>,
}

impl StoredStart {
    /// A start that is played as the plan has it.
    pub(super) fn of(opening: Opening, turns: Vec<String>) -> StoredStart {
        StoredStart {
            start: MadeOpening::of(opening),
            turns,
        }
    }

    /// What the store keeps of it.
    pub(super) fn stored(&self, players: [String; 2], drawn: Vec<String>) -> MadeStart {
        MadeStart {
            fen: self.start.opening.start.fen(FenDialect::XFen),
            reversed: self.start.reversed,
            players,
            turns: self.turns.clone(),
            time_given: self.start.time_given,
            drawn,
        }
    }
}

/// The tournament with all starts that the store has; the others are as before.
///
/// # Errors
/// The store cannot be read, or does not hold what this program writes there.
pub(crate) fn with_stored(
    tournament: &Arc<Tournament>,
    reader: &Reader,
) -> Result<Arc<Tournament>, RunError> {
    if tournament.making.is_none() {
        return Ok(Arc::clone(tournament));
    }
    let openings = &tournament.openings;
    let mut made = Vec::new();
    for number in 0..openings.len() {
        made.push(match reader.made_start(number)? {
            Some(stored) => read(tournament, &stored).ok_or_else(|| senseless(&stored))?,
            None => MadeOpening::of(openings.get(number)),
        });
    }
    let openings = Openings::made(openings.variant(), made);
    Ok(Arc::new(Tournament {
        openings: Arc::new(openings),
        ..Tournament::clone(tournament)
    }))
}

fn read(tournament: &Tournament, stored: &MadeStart) -> Option<MadeOpening> {
    let rule = tournament.variant.castling_rule();
    let position = Position::from_fen_with(&stored.fen, rule).ok()?;
    Some(MadeOpening {
        opening: Opening::new(tournament.variant, position, Vec::new()).ok()?,
        reversed: stored.reversed,
        time_given: stored.time_given,
    })
}

fn senseless(stored: &MadeStart) -> RunError {
    let text = stored.text();
    let what = format!("the event's store holds a start that makes no sense: {text}");
    RunError::System(std::io::Error::other(what))
}
