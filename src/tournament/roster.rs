//! Who plays, and under which names.

use crate::chess::start::Variant;
use crate::event::identity::{AdaptiveTerms, EventIdentity, FormatWord};
use crate::event::{Decisions, GameNames, Seat};
use crate::referee::HostFaults;
use crate::store::{Reader, StoreError};

use super::rebuilt::Rebuilt;
use super::rounds::game_names;

/// One participant: an engine, or a copy of an engine that plays itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// By which games name it.
    pub seat: Seat,
    /// Its name in the event file, a copy with its number.
    pub name: String,
}

/// What a sink must know of an event before the first game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster {
    /// The event's name.
    pub event: String,
    /// The PGN `Site`.
    pub site: String,
    /// The variant.
    pub variant: Variant,
    /// The pairing format; `None` for a file, which does not say it.
    pub format: Option<FormatWord>,
    /// The participants in the order of the event file.
    pub participants: Vec<Participant>,
    /// How many voided games the store's log has so far.
    pub voided_games: u64,
    /// How many finished games were lost on time by the host's fault, and count all the same.
    pub decided_by_host: u64,
    /// What becomes of such games from now on.
    pub host_faults: HostFaults,
    /// Where the pairs go, in words, if that depends on results.
    pub adaptive: Option<String>,
    /// The arbiter's book.
    pub decisions: Decisions,
    /// What the games are called.
    pub games: GameNames,
    /// How the store was rebuilt, if it was.
    pub rebuilt: Option<Rebuilt>,
}

impl Roster {
    /// The roster of a stored event, under the identity in force.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(reader: &Reader) -> Result<Roster, StoreError> {
        Roster::under(reader, &reader.begun()?.identity)
    }

    /// The same under this identity.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn under(reader: &Reader, identity: &EventIdentity) -> Result<Roster, StoreError> {
        let mut event = reader.described()?;
        let mut value = |key: &str| event.remove(key).unwrap_or_default();
        Ok(Roster {
            event: value("name"),
            site: value("site"),
            variant: identity.variant,
            format: Some(identity.format),
            participants: participants(identity),
            voided_games: reader.voided_games()?,
            decided_by_host: reader.flag_falls()?.host,
            host_faults: identity.adjudication.host_faults,
            adaptive: identity.adaptive.as_ref().map(AdaptiveTerms::label),
            decisions: reader.decisions().clone(),
            games: game_names(reader)?,
            rebuilt: Rebuilt::read(reader)?,
        })
    }

    /// The name of an engine of the event file.
    pub(crate) fn engine_name(&self, engine: u16) -> String {
        let mut own = self.participants.iter();
        let name = own.find(|entry| entry.seat.engine == engine);
        name.map_or_else(|| format!("engine {engine}"), |entry| entry.name.clone())
    }

    /// The name of a participant; a seat without a participant is shown by number.
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

/// Everybody who takes part, in the order of the event file.
fn participants(identity: &EventIdentity) -> Vec<Participant> {
    let mut participants = Vec::new();
    for (index, engine) in (0..).zip(&identity.engines) {
        for copy in 0..engine.copies {
            let seat = Seat {
                engine: index,
                copy,
            };
            let name = seat.name(&engine.name, engine.copies);
            participants.push(Participant { seat, name });
        }
    }
    participants
}
