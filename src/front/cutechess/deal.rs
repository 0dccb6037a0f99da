//! The pairings, their number and their start positions, from the options of a command line.

use crate::event::{Series, SeriesOpening, SeriesOrder};
use crate::front::common::settings::{Kind, Settings};

/// The options for games and openings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deal {
    /// Number of games of two engines before the next two meet.
    pub(super) games: u32,
    /// Number of such series for every two engines.
    pub(super) rounds: u32,
    /// Number of games that are played from an opening.
    pub(super) repetitions: u32,
    /// When the next opening comes.
    pub(super) policy: Policy,
    /// The order in which the engines meet.
    pub(super) order: SeriesOrder,
}

/// When the next opening comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// After `repetitions` games.
    Default,
    /// With each meeting of two engines.
    Encounter,
    /// With each round.
    Round,
}

impl Default for Deal {
    fn default() -> Deal {
        Deal {
            games: 1,
            rounds: 1,
            repetitions: 1,
            policy: Policy::Default,
            order: SeriesOrder::Circle,
        }
    }
}

impl Deal {
    /// Writes the series of games and the number of pairs into the settings of an event with this number of engines.
    pub(super) fn settle(self, settings: &mut Settings, engines: usize) {
        let opening = match self.policy {
            Policy::Default => SeriesOpening::Games(self.repetitions),
            Policy::Encounter => SeriesOpening::Series,
            Policy::Round => SeriesOpening::Round,
        };
        let stays = match opening {
            SeriesOpening::Games(games) => games.is_multiple_of(2),
            SeriesOpening::Series | SeriesOpening::Round => true,
        };
        let is_knockout = engines > 2
            && settings
                .unwritten
                .cutechess
                .as_ref()
                .is_some_and(|own| own.knockout);
        // Two games of the same opening are a pair; a knockout has no others.
        let in_pairs = is_knockout || stays && self.games.is_multiple_of(2);
        settings.games = if in_pairs { 2 } else { 1 };
        let engines = engines as i64;
        let heroes = i64::from(settings.gauntlet_seeds).clamp(1, (engines - 1).max(1));
        let meetings = match settings.kind {
            Kind::Gauntlet => heroes * (engines - heroes),
            Kind::RoundRobin => engines * (engines - 1) / 2,
        };
        let games = meetings.saturating_mul(i64::from(self.games));
        settings.rounds = games.saturating_mul(i64::from(self.rounds)) / settings.games;
        if let Some(own) = &mut settings.unwritten.cutechess {
            own.meetings = match is_knockout {
                true => self.games.div_ceil(2),
                false => self.rounds,
            };
            own.series = Series {
                order: self.order,
                games: self.games,
                opening,
            };
        }
    }
}
