//! Who played in a stored event: each seat under each revision of its identity.

use crate::event::identity::EventEngine;
use crate::tournament::{Builds, Roster};

use super::collection::Collector;
use super::variants;

/// A seat of the event in the collection.
#[derive(Default)]
pub(super) struct RatedPlayer {
    /// The participant's name, the same under every revision.
    pub(super) name: String,
    pub(super) engine: u16,
    pub(super) identity: u32,
    pub(super) limits: u32,
    pub(super) random: bool,
}

/// The seats of an event, by engine and copy.
pub(super) type Players = Vec<Vec<RatedPlayer>>;

impl Collector {
    /// The seats under every revision that has games, by the place of its first game.
    pub(super) fn players_by_revision(
        &mut self,
        roster: &Roster,
        builds: &Builds,
    ) -> Vec<(u64, Players)> {
        let starts = builds.starts().iter();
        starts
            .map(|(first, revision)| (*first, self.players(roster, builds, *revision)))
            .collect()
    }

    /// The seats under one revision. An engine that was replaced gets a different name from its earlier build: results
    /// of two builds are never counted as one engine's.
    fn players(&mut self, roster: &Roster, builds: &Builds, revision: u32) -> Players {
        let mut players = Players::new();
        let identity = builds.identity(revision).unwrap_or(builds.current());
        let replaced = builds.replaced_engines();
        for participant in &roster.participants {
            let seat = participant.seat;
            // Two revisions of an event have the same participants.
            let Some(engine) = identity.engines.get(usize::from(seat.engine)) else {
                continue;
            };
            let name = match replaced.contains(&engine.name) {
                true => format!(
                    "{} (revision {})",
                    participant.name,
                    builds.since(revision, seat.engine)
                ),
                false => participant.name.clone(),
            };
            let (limits, program) = (limits_text(engine), engine.program_text());
            let player = RatedPlayer {
                name: participant.name.clone(),
                engine: self.engine(&variants::key(&name, &limits, &program)),
                identity: self.identities.place(&program),
                limits: self.limits.place(&limits),
                random: !engine.repeats_itself(),
            };
            // The roster has engines and copies in order, without a gap.
            let place = usize::from(seat.engine);
            players.resize_with(players.len().max(place + 1), Vec::new);
            players[place].push(player);
        }
        players
    }
}

fn limits_text(engine: &EventEngine) -> String {
    match engine.nodes_jitter {
        Some(jitter) if jitter > 0.0 => format!("{} ± {} %", engine.limits, 100.0 * jitter),
        _ => engine.limits.to_string(),
    }
}
