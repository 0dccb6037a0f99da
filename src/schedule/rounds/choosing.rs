//! The next pairs of a Swiss, of a tree and of a league.

use std::collections::BTreeSet;

use super::{
    Bye, Chosen, Encounter, Following, History, PendingEncounter, Rounds, Unpairable, swiss,
};
use crate::event::{Place, Seat, SwissRules};
use crate::schedule::PairSpec;

impl Rounds {
    /// The pairs of a meeting that are not chosen yet.
    fn choose(&self, meeting: PendingEncounter, history: &History, chosen: &mut Chosen) {
        let PendingEncounter { round, board, .. } = meeting;
        let [before, until] = meeting.pairs;
        let known = match before {
            0 => None,
            _ => history.encounters().remove(&(round, board)),
        };
        let mut used = known.map_or_else(Vec::new, |known| known.openings());
        for pair in before..until {
            let place = Place {
                round,
                board,
                pair: pair as u16 + 1,
            };
            let opening = self.opening(place, &used);
            let mut engines = meeting.engines;
            if pair % 2 == 1 {
                engines.reverse();
            }
            let armageddon = self.armageddon_seats(place, meeting.engines);
            let [first, second] = armageddon
                .unwrap_or(engines)
                .map(|engine| Seat { engine, copy: 0 });
            let in_encounter = used.iter().filter(|one| **one == opening).count() as u32;
            let earlier = history.meetings_on(meeting.engines, opening);
            chosen.pairs.push(PairSpec {
                cycle: earlier.max(in_encounter),
                opening,
                first,
                second,
                games: if armageddon.is_some() { 1 } else { 2 },
                place: Some(place),
                keeps_colours: false,
            });
            used.push(opening);
        }
    }

    /// The half points of an encounter of a Swiss whose games are all won.
    pub(super) fn full_half_points(&self) -> u32 {
        4 * self.pairs(1)
    }

    pub(super) fn next_of_swiss(
        &self,
        rules: &SwissRules,
        history: &History,
    ) -> Result<Following, Unpairable> {
        let encounters = history.encounters();
        if encounters
            .values()
            .any(|encounter| history.is_open(encounter))
        {
            return Ok(Following::Wait);
        }
        let round = history.last_round() + 1;
        let players = self.players(&rules.seeds, history);
        let last = u32::from(rules.rounds) + self.extra_rounds;
        if u32::from(round) > last || players.len() < 2 {
            return Ok(Following::Over);
        }
        let met = |one: u16, other: u16| {
            let both = |encounter: &&Encounter| {
                encounter.engines == [one, other] || encounter.engines == [other, one]
            };
            encounters.values().filter(both).count() as u32
        };
        let paired = swiss::pair(round, rules.groups, &players, &rules.forbidden, met)?;
        let mut chosen = Chosen::default();
        for (board, engines) in (1..).zip(paired.boards) {
            let pairs = [0, rules.pairs];
            let meeting = PendingEncounter {
                round,
                board,
                engines,
                pairs,
            };
            self.choose(meeting, history, &mut chosen);
        }
        chosen.byes = paired
            .bye
            .map(|engine| Bye { round, engine })
            .into_iter()
            .collect();
        Ok(Following::Chosen(chosen))
    }

    pub(super) fn next_of_tree(&self, history: &History) -> Following {
        let Some(progress) = self.progress(history) else {
            return Following::Over;
        };
        let encounters = history.encounters();
        if encounters.values().any(|met| history.is_open(met)) {
            // So what is chosen, and in which order, does not depend on which game ends first.
            return Following::Wait;
        }
        let mut chosen = Chosen::default();
        for meeting in progress.meetings() {
            self.choose(meeting, history, &mut chosen);
        }
        match (chosen.pairs.is_empty(), progress.is_over()) {
            (false, _) => Following::Chosen(chosen),
            (true, false) => Following::Wait,
            (true, true) => Following::Over,
        }
    }

    pub(super) fn next_of_league(
        &self,
        table: &[Vec<[u16; 2]>],
        cycles: u32,
        history: &History,
    ) -> Following {
        let round = history.last_round() + 1;
        let place = usize::from(round) - 1;
        let cycle = (place / table.len().max(1)) as u32;
        let last = table.len() as u32 * cycles + self.extra_rounds;
        let Some(encounters) = table
            .get(place % table.len().max(1))
            .filter(|_| u32::from(round) <= last)
        else {
            return Following::Over;
        };
        let mut chosen = Chosen::default();
        for (board, mut engines) in (1..).zip(encounters.iter().copied()) {
            if cycle % 2 == 1 {
                engines.reverse();
            }
            let meeting = PendingEncounter {
                round,
                board,
                engines,
                pairs: [0, 1],
            };
            self.choose(meeting, history, &mut chosen);
        }
        let all: BTreeSet<u16> = table.iter().flatten().flatten().copied().collect();
        let plays = |engine: &u16| encounters.iter().flatten().any(|one| one == engine);
        let free = all.into_iter().filter(|engine| !plays(engine));
        chosen.byes = free.map(|engine| Bye { round, engine }).collect();
        Following::Chosen(chosen)
    }
}
