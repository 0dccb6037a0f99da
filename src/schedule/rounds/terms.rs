//! What differs between the games of an event in rounds: limits, and the colours of an armageddon game.

use std::time::Duration;

use super::encounter_judge::by_seeds;
use super::{Chosen, History, RoundFormat, Rounds};
use crate::chess::random::Random;
use crate::clock::{GivenTime, Limits};
use crate::event::{ArmageddonWhite, EliminationRules, PairTerms, Place};
use crate::schedule::PairSpec;
use crate::schedule::derive::derived;

/// What counts for an engine whose operator has not bid in time, in percent.
pub(crate) const NO_BID: u8 = 100;

/// An armageddon game that waits for bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AwaitedBids {
    pub place: Place,
    pub opening: u32,
    /// How long it is waited for them after the game before.
    pub time: Duration,
    /// The engines without a bid.
    pub missing: Vec<u16>,
}

/// The limits of an event's games that are not those of their engines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GameLimits {
    /// Of White and Black in every game that has no others.
    pub by_colour: Option<[Limits; 2]>,
    /// The rules of its rounds, if it is played in rounds.
    pub rounds: Option<Rounds>,
}

impl GameLimits {
    /// The limits of White and Black in a game of a pair with these terms; `None`: those of the engines.
    pub(crate) fn of(&self, terms: Option<PairTerms>) -> Option<[Limits; 2]> {
        let in_rounds = self.rounds.as_ref().zip(terms);
        let in_rounds = in_rounds.and_then(|(rounds, terms)| rounds.limits(terms));
        in_rounds.or_else(|| self.by_colour.clone())
    }

    /// Whether a pair with this place is an armageddon game.
    pub(crate) fn is_armageddon(&self, place: Option<Place>) -> bool {
        let in_rounds = self.rounds.as_ref().zip(place);
        in_rounds.is_some_and(|(rounds, place)| rounds.is_armageddon(place))
    }
}

impl Rounds {
    /// The limits of White and Black in a pair of these terms, if they are not those of the engines.
    fn limits(&self, terms: PairTerms) -> Option<[Limits; 2]> {
        let PairTerms {
            place,
            black_percent,
        } = terms;
        if let RoundFormat::Elimination(_, rules) = &self.format
            && let Some(playoff) = rules.playoff(place)
            && let Some(limits) = &playoff.limits
        {
            let [white, mut black] = limits.clone();
            if let Some(percent) = black_percent {
                black = white
                    .after_giving(GivenTime::Percent(100 - percent))
                    .unwrap_or(black);
            }
            return Some([white, black]);
        }
        if let Some((group, local)) = self.group_at(place) {
            let place = local;
            let own = group.limits(PairTerms { place, ..terms });
            return own.or_else(|| self.round_limits(terms.place));
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
            None => self.armageddon(place).is_some(),
        }
    }

    /// The step of a tree to which this place belongs, if it is an armageddon game, and who has White in it.
    fn armageddon(&self, place: Place) -> Option<(&EliminationRules, &ArmageddonWhite)> {
        let RoundFormat::Elimination(_, rules) = &self.format else {
            return None;
        };
        Some((rules, rules.playoff(place)?.armageddon.as_ref()?))
    }

    /// White and Black of an armageddon game, if this place is one, and the part of White's time that Black has by bids.
    pub(super) fn armageddon_seats(
        &self,
        place: Place,
        engines: [u16; 2],
        history: &History,
    ) -> Option<([u16; 2], Option<u8>)> {
        let (rules, white) = self.armageddon(place)?;
        let bid = |engine| history.bid(place, engine);
        Some(rules.armageddon_seats(white, engines, self.seed, (place, &bid)))
    }

    /// The armageddon games among these pairs that wait for bids.
    pub(crate) fn awaited_bids(&self, chosen: &Chosen, history: &History) -> Vec<AwaitedBids> {
        let awaited = |spec: &PairSpec| {
            let place = spec.place?;
            let engines = [spec.first.engine, spec.second.engine];
            let (time, mut missing) = self.bidders(place, engines)?;
            missing.retain(|engine| history.bid(place, *engine).is_none());
            let opening = spec.opening;
            (!missing.is_empty()).then_some(AwaitedBids {
                place,
                opening,
                time,
                missing,
            })
        };
        chosen.pairs.iter().filter_map(awaited).collect()
    }

    /// Who of these bids by command for the game of this place, and how long it is waited for that.
    fn bidders(&self, place: Place, engines: [u16; 2]) -> Option<(Duration, Vec<u16>)> {
        if let Some((group, local)) = self.group_at(place) {
            return group.bidders(local, engines);
        }
        let (_, ArmageddonWhite::Bid { bids, wait_seconds }) = self.armageddon(place)? else {
            return None;
        };
        let by_command = |engine: &u16| bids.get(usize::from(*engine)) == Some(&None);
        let time = Duration::from_secs((*wait_seconds).into());
        Some((time, engines.into_iter().filter(by_command).collect()))
    }
}

impl EliminationRules {
    /// White and Black of an armageddon game; with bids, also the part of White's time that Black has, in percent.
    fn armageddon_seats(
        &self,
        white: &ArmageddonWhite,
        engines: [u16; 2],
        seed: u64,
        (place, by_command): (Place, &dyn Fn(u16) -> Option<u8>),
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
            ArmageddonWhite::Bid { bids, .. } => {
                let known = |engine: u16| bids.get(usize::from(engine)).copied().flatten();
                let bid = |engine| {
                    known(engine)
                        .or_else(|| by_command(engine))
                        .unwrap_or(NO_BID)
                };
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
