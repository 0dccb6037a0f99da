//! The next pairs of a Swiss, of a tree and of a league.

use std::collections::BTreeSet;

use super::{
    Bye, Chosen, Encounter, Following, History, PendingEncounter, RoundFormat, Rounds, Unpairable,
    swiss,
};
use crate::event::{Place, Seat, SwappedGames, SwissRules};
use crate::schedule::{PairSpec, SecondGame};

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
            let armageddon = self.armageddon_seats(place, meeting.engines, history);
            let (seats, black_percent) = armageddon.unwrap_or((engines, None));
            let [first, second] = seats.map(|engine| Seat { engine, copy: 0 });
            let in_encounter = used.iter().filter(|one| **one == opening).count() as u32;
            let earlier = history.meetings_on(meeting.engines, opening);
            chosen.pairs.push(PairSpec {
                cycle: earlier.max(in_encounter),
                opening,
                first,
                second,
                games: if armageddon.is_some() { 1 } else { 2 },
                place: Some(place),
                black_percent,
                second_game: SecondGame::Swapped,
            });
            used.push(opening);
        }
    }

    /// The same pairs in the order of their first games, where `swapped` or their stage says that the second follow later.
    pub(crate) fn in_sections(&self, mut chosen: Chosen, swapped: SwappedGames) -> Chosen {
        for spec in &mut chosen.pairs {
            if let Some(place) = spec.place.filter(|_| spec.games == 2) {
                spec.second_game = self.second_game(place, swapped);
            }
        }
        chosen.pairs.sort_by_key(PairSpec::section);
        chosen
    }

    fn second_game(&self, place: Place, of_event: SwappedGames) -> SecondGame {
        let (swapped, before, longest) = match self.stage_at(place) {
            Some((stage, before)) => (
                self.stage_rules()[stage].swapped_games,
                before,
                self.longest_group(stage).format,
            ),
            None => (of_event, 0, self.format.clone()),
        };
        match (swapped, longest) {
            (SwappedGames::AtOnce, _) => SecondGame::Swapped,
            (SwappedGames::AfterCycle, RoundFormat::League { table, .. }) => {
                let rounds = table.len().max(1) as u16;
                SecondGame::SwappedAfter(before + (place.round - before).next_multiple_of(rounds))
            }
            _ => SecondGame::SwappedAfter(place.round),
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
