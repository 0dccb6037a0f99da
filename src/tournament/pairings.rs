//! Who meets whom in the round that is played, and in the next one.

use std::collections::BTreeMap;

use crate::event::Seat;
use crate::schedule::{Chosen, PairSpec};

use super::EventState;

/// The boards of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoundPairings {
    /// The round.
    pub round: u16,
    /// By board: who has White first, and the opponent.
    pub boards: BTreeMap<u16, [String; 2]>,
    /// Who has a bye.
    pub byes: Vec<String>,
    /// Whether decisions of the arbiter can still change it, because the round has not begun.
    pub provisional: bool,
}

impl RoundPairings {
    /// The rounds of what was chosen at once.
    pub(super) fn of_chosen(chosen: &Chosen, name: impl Fn(Seat) -> String) -> Vec<RoundPairings> {
        let mut rounds: BTreeMap<u16, RoundPairings> = BTreeMap::new();
        let empty = |round| RoundPairings {
            round,
            boards: BTreeMap::new(),
            byes: Vec::new(),
            provisional: true,
        };
        for pair in &chosen.pairs {
            let Some(place) = pair.place else { continue };
            let round = rounds.entry(place.round);
            let boards = &mut round.or_insert_with(|| empty(place.round)).boards;
            let names = || [pair.first, pair.second].map(&name);
            boards.entry(place.board).or_insert_with(names);
        }
        for bye in &chosen.byes {
            let round = rounds.entry(bye.round).or_insert_with(|| empty(bye.round));
            let engine = bye.engine;
            round.byes.push(name(Seat { engine, copy: 0 }));
        }
        rounds.into_values().collect()
    }
}

impl EventState {
    /// The boards of the last round that was paired, if it is not over, and of the next one, if it can be paired now;
    /// `None` if the event is not played in rounds.
    pub(crate) fn pairings(&self) -> Option<Vec<RoundPairings>> {
        let contest = self.board().contest()?;
        let history = contest.history();
        let name = |seat| self.roster().name(seat);
        let encounters = history.encounters().into_values();
        let open: Vec<PairSpec> = encounters
            .filter(|encounter| history.is_open(encounter))
            .filter_map(|encounter| Some(encounter.pairs.first()?.1))
            .collect();
        let places = open.iter().filter_map(|pair| pair.place);
        let open_rounds: Vec<u16> = places.map(|place| place.round).collect();
        let byes = history.byes().iter().copied();
        let byes = byes
            .filter(|bye| open_rounds.contains(&bye.round))
            .collect();
        let mut rounds = RoundPairings::of_chosen(&Chosen { pairs: open, byes }, name);
        for round in &mut rounds {
            round.provisional = false;
        }
        let next = contest.next();
        rounds.extend(
            next.iter()
                .flat_map(|next| RoundPairings::of_chosen(next, name)),
        );
        Some(rounds)
    }
}
