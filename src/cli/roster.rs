//! Who plays in an event, and what has happened in it, from its store alone.

use crate::event::Seat;
use crate::sink::{Participant, Roster, Scoreboard};
use crate::store::{Reader, StoreError};

/// The participants of the event, under the identity in force.
///
/// # Errors
/// The store cannot be read.
pub fn roster(reader: &Reader) -> Result<Roster, StoreError> {
    let mut event = reader.event()?;
    let mut value = |key: &str| event.remove(key).unwrap_or_default();
    let identity = reader
        .identity()?
        .map(|accepted| accepted.identity)
        .unwrap_or_default();
    let copies = |index: usize| identity["engines"][index]["copies"].as_u64().unwrap_or(1);
    let mut participants = Vec::new();
    for (index, engine) in reader.engines(reader.revision()?)?.into_iter().enumerate() {
        let copies = u8::try_from(copies(index)).unwrap_or(1);
        for copy in 0..copies {
            let name = match copies {
                1 => engine.name.clone(),
                _ => format!("{} #{}", engine.name, copy + 1),
            };
            participants.push(Participant {
                seat: Seat {
                    engine: engine.engine,
                    copy,
                },
                name,
            });
        }
    }
    Ok(Roster {
        event: value("name"),
        site: value("site"),
        variant: value("variant"),
        participants,
        planned_games: value("planned_games").parse().ok(),
        voided_games: reader.counts()?.voided,
    })
}

/// All results of the event, counted.
///
/// # Errors
/// The store cannot be read.
pub fn scoreboard(reader: &Reader, roster: &Roster) -> Result<Scoreboard, StoreError> {
    let mut board = Scoreboard::new(&roster.participants);
    for result in reader.results() {
        board.add_result(&result?);
    }
    Ok(board)
}
