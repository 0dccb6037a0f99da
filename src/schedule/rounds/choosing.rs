//! The next pairs of a Swiss, of a tree and of a league, and which position each pair gets.

use std::collections::BTreeSet;

use super::{Bye, Chosen, Encounter, Following, History, RoundFormat, Rounds, Unpairable, swiss};
use crate::chess::random::Random;
use crate::event::{Place, PositionDraw, Seat, SwappedGames, SwissRules};
use crate::schedule::derive::derived;
use crate::schedule::{PairSpec, SecondGame};

impl Rounds {
    /// The pairs of a meeting on this board of a round that are not chosen yet. `meeting`: who meets, first the engine that
    /// begins; how many pairs were chosen before, and how many there are to be.
    fn choose(
        &self,
        (round, board): (u16, u16),
        meeting: ([u16; 2], [u32; 2]),
        history: &History,
        chosen: &mut Chosen,
    ) {
        let (both, [before, until]) = meeting;
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
            let mut engines = both;
            engines.rotate_left((pair % 2) as usize);
            let armageddon = self.armageddon_seats(place, both, history);
            let games = if armageddon.is_some() { 1 } else { 2 };
            let (engines, black_percent) = armageddon.unwrap_or((engines, None));
            let seats = engines.map(|engine| Seat { engine, copy: 0 });
            let in_encounter = used.iter().filter(|one| **one == opening).count() as u32;
            let earlier = history.meetings_on(both, opening);
            chosen.pairs.push(PairSpec {
                place: Some(place),
                black_percent,
                ..PairSpec::new(seats, opening, earlier.max(in_encounter), games)
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
            Some((stage, layout)) => {
                let swapped = self.stage_rules()[stage].swapped_games;
                (
                    swapped,
                    layout.rounds.start - 1,
                    self.longest_group(stage).format,
                )
            }
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
        if history.is_any_open() {
            return Ok(Following::Wait);
        }
        let encounters = history.encounters();
        let round = history.last_round() + 1;
        let players = self.players(&rules.seeds, history);
        let last = u32::from(rules.rounds) + self.extra_rounds;
        if u32::from(round) > last || players.len() < 2 {
            return Ok(Following::Over);
        }
        let met = |one: u16, other: u16| {
            let both = |met: &&Encounter| [[one, other], [other, one]].contains(&met.engines);
            encounters.values().filter(both).count() as u32
        };
        let paired = swiss::pair(round, rules.groups, &players, &rules.forbidden, met)?;
        let mut chosen = Chosen::default();
        for (board, engines) in (1..).zip(paired.boards) {
            let meeting = (engines, [0, rules.pairs]);
            self.choose((round, board), meeting, history, &mut chosen);
        }
        chosen
            .byes
            .extend(paired.bye.map(|engine| Bye { round, engine }));
        Ok(Following::Chosen(chosen))
    }

    pub(super) fn next_of_tree(&self, history: &History) -> Following {
        let Some(progress) = self.progress(history) else {
            return Following::Over;
        };
        if history.is_any_open() {
            // So what is chosen, and in which order, does not depend on which game ends first.
            return Following::Wait;
        }
        let mut chosen = Chosen::default();
        for (place, meeting) in progress.meetings() {
            self.choose(place, meeting, history, &mut chosen);
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
        let encounters = table.get(place % table.len().max(1));
        let Some(encounters) = encounters.filter(|_| u32::from(round) <= last) else {
            return Following::Over;
        };
        let mut chosen = Chosen::default();
        for (board, mut engines) in (1..).zip(encounters.iter().copied()) {
            engines.rotate_left((cycle % 2) as usize);
            self.choose((round, board), (engines, [0, 1]), history, &mut chosen);
        }
        let all: BTreeSet<u16> = table.iter().flatten().flatten().copied().collect();
        let plays = |engine: &u16| encounters.iter().flatten().any(|one| one == engine);
        let free = all.into_iter().filter(|engine| !plays(engine));
        chosen.byes = free.map(|engine| Bye { round, engine }).collect();
        Following::Chosen(chosen)
    }
}

/// The positions of an event that is played in rounds: a function of the seed and of the place of a pair, and of what
/// was played in the same encounter before.
impl Rounds {
    /// The position of a pair. `used` are the positions of the earlier pairs of its encounter: no position comes twice
    /// before all were used.
    pub(crate) fn opening(&self, place: Place, used: &[u32]) -> u32 {
        if let Some((group, place)) = self.group_at(place) {
            return group.opening(place, used);
        }
        let uses = |opening: u32| used.iter().filter(|one| **one == opening).count();
        // A position that was used least is among any that follow each other.
        let all = u64::from(self.openings);
        let fewest = used.len() / self.openings as usize;
        let (stream, first) = self.stream(place);
        let mut order = (u64::MAX, Vec::new());
        for turn in first..first + 2 * all {
            let cycle = turn / all;
            if order.0 != cycle {
                order = (cycle, self.order_of_starts(&stream, cycle));
            }
            let opening = order.1[(turn % all) as usize];
            if uses(opening) <= fewest {
                return opening;
            }
        }
        order.1.first().copied().unwrap_or(0)
    }

    /// What the order of the positions depends on, and the place of the pair in this order.
    fn stream(&self, place: Place) -> (Vec<u64>, u64) {
        let (round, board) = (u64::from(place.round), u64::from(place.board));
        let pairs = |round: u16| u64::from(self.pairs(round));
        let before: u64 = (1..place.round).map(pairs).sum();
        let (pair, pairs) = (u64::from(place.pair) - 1, pairs(place.round));
        match self.rule {
            PositionDraw::Encounter => (vec![self.seed, 2, round, board], pair),
            // Extra pairs take nothing from the next round.
            _ if pair >= pairs => (vec![self.seed, 1, round], pair - pairs),
            _ => (vec![self.seed, 0], before + pair),
        }
    }

    fn order_of_starts(&self, stream: &[u64], cycle: u64) -> Vec<u32> {
        if let (Some(listed), [_, 0]) = (&self.listed, stream) {
            return listed.to_vec();
        }
        let mut numbers = stream.to_vec();
        numbers.push(cycle);
        let mut order: Vec<u32> = match &self.subset {
            Some(own) => own.to_vec(),
            None => (0..self.openings).collect(),
        };
        Random::new(derived("rounds", &numbers)).shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{ByePoints, SwissRules};
    use crate::schedule::RoundFormat;

    fn rounds(rule: PositionDraw, seed: u64, openings: u32, pairs: u32) -> Rounds {
        let format = RoundFormat::Swiss(SwissRules {
            seeds: Vec::new(),
            pairs,
            rounds: 1,
            groups: 1,
            forbidden: Vec::new(),
            bye: ByePoints::Win,
        });
        Rounds {
            rule,
            openings,
            ..Rounds::new(format, seed)
        }
    }

    fn place(round: u16, board: u16, pair: u16) -> Place {
        Place { round, board, pair }
    }

    #[test]
    fn a_round_shares_its_positions_and_no_round_repeats_one_before_all_were_used() {
        let draw = rounds(PositionDraw::Round, 960, 12, 2);
        let mut seen = Vec::new();
        for round in 1..=6 {
            let first = draw.opening(place(round, 1, 1), &[]);
            let second = draw.opening(place(round, 1, 2), &[first]);
            assert_eq!(draw.opening(place(round, 7, 1), &[]), first);
            seen.extend([first, second]);
        }
        assert_eq!(seen, [5, 2, 11, 1, 0, 8, 3, 9, 7, 6, 4, 10]);
    }

    #[test]
    fn an_encounter_has_no_position_twice_before_all_were_used() {
        for rule in [PositionDraw::Round, PositionDraw::Encounter] {
            let draw = rounds(rule, 3, 5, 3);
            let mut used = Vec::new();
            for pair in 1..=10 {
                used.push(draw.opening(place(4, 2, pair), &used));
            }
            for half in used.chunks(5) {
                let mut half = half.to_vec();
                half.sort_unstable();
                assert_eq!(half, [0, 1, 2, 3, 4], "{used:?}");
            }
        }
    }

    #[test]
    fn encounters_have_positions_of_their_own() {
        let draw = rounds(PositionDraw::Encounter, 3, 960, 1);
        let mut drawn: Vec<u32> = (1..=8)
            .map(|board| draw.opening(place(1, board, 1), &[]))
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 8);
    }

    #[test]
    fn a_listed_order_is_that_of_the_rounds() {
        let mut draw = rounds(PositionDraw::Round, 3, 3, 1);
        draw.listed = Some([2, 0, 1].into());
        let drawn: Vec<u32> = (1..=4)
            .map(|round| draw.opening(place(round, 5, 1), &[]))
            .collect();
        assert_eq!(drawn, [2, 0, 1, 2]);
    }
}
