//! An event in stages: each group of a stage is an event in rounds by itself. A stage begins when the one before it is
//! played; who takes part follows from what was played, and from nothing else.

use std::ops::Range;

use super::{Bye, Chosen, Encounter, Following, History, Rounds, Unpairable};
use crate::event::Place;

/// A group of a stage that has begun or can begin, with what was chosen and played in it.
#[derive(Debug, Clone)]
pub(crate) struct StageGroup {
    /// The stage, from 0.
    pub stage: usize,
    /// The name of the stage, and of the group where there are several.
    pub name: String,
    /// The rules; rounds and boards are numbered from 1 in the group.
    pub rules: Rounds,
    /// Its engines, the first seed first.
    pub engines: Vec<u16>,
    pub history: History,
    /// Earlier games of its engines that count in it.
    pub carried: History,
    /// Its rounds and boards in the event.
    pub rounds: Range<u16>,
    pub boards: Range<u16>,
}

impl Rounds {
    /// The groups of all stages whose entrants are known, in order.
    pub(crate) fn groups(&self, history: &History) -> Vec<StageGroup> {
        let mut all: Vec<StageGroup> = Vec::new();
        for (stage, layout) in self.layout().into_iter().enumerate() {
            let earlier = all.iter().filter(|group| group.stage + 1 == stage);
            if !earlier.clone().all(StageGroup::is_played) {
                break;
            }
            let entrants = self.entrants(stage, &all);
            let groups = self.distribute(stage, &entrants).into_iter().enumerate();
            let groups = groups.zip(layout.boards).map(|((group, engines), boards)| {
                let carries = self.stage_rules()[stage].carries_points;
                let before = all.iter().filter(|one| carries && one.stage + 1 == stage);
                let carried = before.map(|one| one.history.clone().among(&engines));
                StageGroup {
                    stage,
                    name: self.group_name(stage, group),
                    rules: self.group((stage, group), &engines),
                    history: history.part(&layout.rounds, &boards, &engines),
                    carried: carried.fold(History::new(), History::with),
                    rounds: layout.rounds.clone(),
                    boards,
                    engines,
                }
            });
            let groups: Vec<StageGroup> = groups.collect();
            all.extend(groups);
        }
        all
    }

    /// What follows in an event in stages.
    pub(super) fn next_of_stages(&self, history: &History) -> Result<Following, Unpairable> {
        let groups = self.groups(history);
        let last = groups.last().map_or(0, |group| group.stage);
        let current: Vec<&StageGroup> = groups.iter().filter(|group| group.stage == last).collect();
        let is_played = current.iter().all(|group| group.is_played());
        if is_played && last + 1 == self.stage_rules().len() {
            return Ok(Following::Over);
        }
        // What is chosen, and in which order, does not depend on which game ends first.
        let decides = current.iter().any(|group| group.rules.results_decide());
        if decides && current.iter().any(|group| group.is_open()) {
            return Ok(Following::Wait);
        }
        let mut all = Chosen::default();
        for group in current {
            if let Following::Chosen(chosen) = group.rules.next(&group.history)? {
                all.pairs.extend(chosen.pairs.into_iter().map(|mut spec| {
                    spec.place = spec.place.map(|place| group.in_event(place));
                    let engines = [spec.first.engine, spec.second.engine];
                    spec.cycle = history.meetings_on(engines, spec.opening).max(spec.cycle);
                    spec
                }));
                all.byes.extend(chosen.byes.into_iter().map(|bye| Bye {
                    round: bye.round + group.rounds.start - 1,
                    ..bye
                }));
            }
        }
        if all == Chosen::default() {
            return Ok(Following::Wait);
        }
        Ok(Following::Chosen(all))
    }

    /// The first encounter of a stage that was chosen for engines that do not come into its group, or not to its place.
    pub(super) fn contradiction_of_stages(&self, history: &History) -> Option<(u16, u16)> {
        let groups = if self.is_in_stages() {
            self.groups(history)
        } else {
            Vec::new()
        };
        let in_tree = |group: &StageGroup| {
            let progress = group.rules.progress(&group.history)?;
            let (round, board) = progress.contradiction(&group.history)?;
            let place = group.in_event(Place {
                round,
                board,
                pair: 1,
            });
            Some((place.round, place.board))
        };
        let is_foreign = |(place, met): &(&(u16, u16), &Encounter)| {
            let has = |group: &&StageGroup| {
                group.rounds.contains(&place.0) && group.boards.contains(&place.1)
            };
            let group = groups.iter().find(has);
            !group.is_some_and(|group| met.engines.iter().all(|one| group.engines.contains(one)))
        };
        if !self.is_in_stages() {
            return None;
        }
        let encounters = history.encounters();
        let foreign = encounters.iter().find(is_foreign).map(|(place, _)| *place);
        foreign.or_else(|| groups.iter().find_map(in_tree))
    }
}

impl StageGroup {
    /// Whether nothing more is played in it.
    pub(crate) fn is_played(&self) -> bool {
        !self.is_open() && matches!(self.rules.next(&self.history), Ok(Following::Over))
    }

    /// Whether games that were chosen are still to be played.
    fn is_open(&self) -> bool {
        let encounters = self.history.encounters();
        encounters.values().any(|met| self.history.is_open(met))
    }

    /// A place in the group as the event numbers it.
    fn in_event(&self, place: Place) -> Place {
        Place {
            round: place.round + self.rounds.start - 1,
            board: place.board + self.boards.start - 1,
            ..place
        }
    }
}
