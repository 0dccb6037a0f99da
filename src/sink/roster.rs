//! Who plays, and under which names.

use crate::event::Seat;

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
}

impl Roster {
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
