//! Who plays, and under which names.

use crate::config::adaptive_label;
use crate::event::Seat;
use crate::store::{Reader, StoreError};

/// One participant: an engine, or a copy of an engine that plays itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// By which games name it.
    pub seat: Seat,
    /// Its name in the event file, a copy with its number.
    pub name: String,
}

/// What a sink must know of an event before the first game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roster {
    /// The event's name.
    pub event: String,
    /// The PGN `Site`.
    pub site: String,
    /// The variant's name.
    pub variant: String,
    /// The participants in the order of the event file.
    pub participants: Vec<Participant>,
    /// How many games the plan has; `None` where a stop rule decides.
    pub planned_games: Option<u64>,
    /// How many voided games the store's log has so far.
    pub voided_games: u64,
    /// Where the pairs go, in words, if that depends on results.
    pub adaptive: Option<String>,
}

impl Roster {
    /// The roster of a stored event, under the identity in force.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(reader: &Reader) -> Result<Roster, StoreError> {
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
            adaptive: adaptive_label(&identity),
        })
    }

    /// The name of a participant; a seat that nobody has is shown by number.
    pub fn name(&self, seat: Seat) -> String {
        let known = self.participants.iter().find(|entry| entry.seat == seat);
        known.map_or_else(
            || format!("engine {}.{}", seat.engine, seat.copy),
            |entry| entry.name.clone(),
        )
    }

    /// Whether one engine plays itself: then its copies' score is no result.
    pub fn is_self_play(&self) -> bool {
        self.participants.iter().any(|entry| entry.seat.copy > 0)
    }
}
