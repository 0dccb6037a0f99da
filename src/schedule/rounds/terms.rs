//! What differs between the games of an event in rounds: limits, and the colours of an armageddon game.

use super::encounter_judge::by_seeds;
use super::{RoundFormat, Rounds};
use crate::chess::random::Random;
use crate::clock::{GivenTime, Limits};
use crate::event::{ArmageddonWhite, EliminationRules, Place};
use crate::schedule::derive::derived;

/// The limits of an event's games that are not those of their engines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GameLimits {
    /// Of White and Black in every game that has no others.
    pub by_colour: Option<[Limits; 2]>,
    /// The rules of its rounds, if it is played in rounds.
    pub rounds: Option<Rounds>,
}

impl GameLimits {
    /// The limits of White and Black in a game of a pair with this place; `None`: those of the engines.
    pub(crate) fn of(&self, place: Option<Place>, engines: [u16; 2]) -> Option<[Limits; 2]> {
        let in_rounds = self.rounds.as_ref().zip(place);
        let in_rounds = in_rounds.and_then(|(rounds, place)| rounds.limits(place, engines));
        in_rounds.or_else(|| self.by_colour.clone())
    }

    /// Whether a pair with this place is an armageddon game.
    pub(crate) fn is_armageddon(&self, place: Option<Place>) -> bool {
        let in_rounds = self.rounds.as_ref().zip(place);
        in_rounds.is_some_and(|(rounds, place)| rounds.is_armageddon(place))
    }
}

impl Rounds {
    /// The limits of White and Black in a pair of this place, if they are not those of the engines.
    fn limits(&self, place: Place, engines: [u16; 2]) -> Option<[Limits; 2]> {
        if let RoundFormat::Elimination(_, rules) = &self.format
            && let Some(playoff) = rules.playoff(place)
            && let Some(limits) = &playoff.limits
        {
            let [white, mut black] = limits.clone();
            if let Some(colours) = &playoff.armageddon
                && let (_, Some(percent)) =
                    rules.armageddon_seats(colours, engines, self.seed, place)
            {
                black = white
                    .after_giving(GivenTime::Percent(100 - percent))
                    .unwrap_or(black);
            }
            return Some([white, black]);
        }
        if let Some((group, local)) = self.group_at(place) {
            let own = group.limits(local, engines);
            return own.or_else(|| self.round_limits(place));
        }
        self.round_limits(place)
    }

    fn round_limits(&self, place: Place) -> Option<[Limits; 2]> {
        let of_round = self.round_limits.get(usize::from(place.round) - 1);
        of_round.cloned().flatten()
    }

    fn is_armageddon(&self, place: Place) -> bool {
        match self.group_at(place) {
            Some((group, local)) => group.is_armageddon(local),
            None => self.armageddon_seats(place, [0, 1]).is_some(),
        }
    }

    /// White and Black of an armageddon game, if this place is one.
    pub(super) fn armageddon_seats(&self, place: Place, engines: [u16; 2]) -> Option<[u16; 2]> {
        let RoundFormat::Elimination(_, rules) = &self.format else {
            return None;
        };
        let white = rules.playoff(place)?.armageddon.as_ref()?;
        Some(rules.armageddon_seats(white, engines, self.seed, place).0)
    }
}

impl EliminationRules {
    /// White and Black of an armageddon game; with bids, also the part of White's time that Black has, in percent.
    fn armageddon_seats(
        &self,
        white: &ArmageddonWhite,
        engines: [u16; 2],
        seed: u64,
        place: Place,
    ) -> ([u16; 2], Option<u8>) {
        let lot = || {
            let numbers = [seed, 3, place.round.into(), place.board.into()];
            let first = Random::new(derived("lot", &numbers)).below(2) == 0;
            by_seeds(&self.seeds, engines, first)
        };
        match white {
            ArmageddonWhite::HigherSeed => (by_seeds(&self.seeds, engines, true), None),
            ArmageddonWhite::LowerSeed => (by_seeds(&self.seeds, engines, false), None),
            ArmageddonWhite::Lot => (lot(), None),
            ArmageddonWhite::Bid(bids) => {
                let bid = |engine: u16| bids.get(usize::from(engine)).copied().unwrap_or(100);
                let [one, other] = engines;
                let seats = match bid(one).cmp(&bid(other)) {
                    std::cmp::Ordering::Greater => [one, other],
                    std::cmp::Ordering::Less => [other, one],
                    std::cmp::Ordering::Equal => lot(),
                };
                (seats, Some(bid(seats[1])))
            }
        }
    }
}
