//! Events that are played in rounds: the next pairs are a function of the rules, the seed, and of what was chosen and
//! played before. Pure: the caller stores the answer before its first game.
//!
//! | file | what |
//! |---|---|
//! | `history` | what was chosen and played so far |
//! | `draw` | which position each pair gets |
//! | `matching` | whether everybody can be paired |
//! | `swiss` | the pairing of a round of a Swiss |
//! | `bracket` | the trees of knockout, double elimination and ladder |
//! | `elimination` | how far a tree is played, and who has come how far |
//! | `scores` | what every round was for every engine, and the points that follow |
//! | this one | what follows |

mod bracket;
mod draw;
mod elimination;
mod history;
mod matching;
mod scores;
mod swiss;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::event::{EliminationRules, PairId, Place, PositionDraw, Seat, SwissRules};
use crate::schedule::PairSpec;

pub(crate) use bracket::EncounterDecision;
pub(crate) use elimination::{LOWER_BRACKET, TreeProgress};
pub(crate) use history::{Bye, Chosen, Encounter, History};
pub(crate) use swiss::{SwissPlayer, Unpairable, first_swiss_round};

/// A format in which losers go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elimination {
    /// After one lost encounter.
    Knockout,
    /// After two.
    Double,
    /// The last of an order challenges the next above, and so on to the first.
    Ladder,
}

/// The formats that are played in rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RoundFormat {
    /// Losers go out.
    Elimination(Elimination, EliminationRules),
    /// In each round engines with about the same points meet.
    Swiss(SwissRules),
    /// Everybody meets everybody, as often as there are cycles: engines by their places in the
    /// event file.
    League {
        /// The rounds of one cycle, each with its encounters; the engine that begins is first in its encounter.
        table: Vec<Vec<[u16; 2]>>,
        /// How often the table is played.
        cycles: u32,
    },
}

/// The rules of an event in rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rounds {
    /// Who meets whom.
    pub format: RoundFormat,
    /// Whether a round shares its positions.
    pub rule: PositionDraw,
    /// How many positions the event has.
    pub openings: u32,
    /// The order in which rounds take them, if it is not drawn.
    pub listed: Option<std::sync::Arc<[u32]>>,
    /// The seed of the event.
    pub seed: u64,
    /// Rounds that the arbiter has added to those of a Swiss or a league.
    pub extra_rounds: u32,
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Following {
    /// These.
    Chosen(Chosen),
    /// It depends on what is being played.
    Wait,
    /// Nothing.
    Over,
}

/// An encounter that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PendingEncounter {
    round: u16,
    board: u16,
    /// The engine that begins is first.
    engines: [u16; 2],
    /// Pairs that were chosen before, and how many there are to be.
    pairs: [u32; 2],
}

impl Rounds {
    /// What follows what was chosen.
    ///
    /// # Errors
    /// The engines that are left cannot be paired.
    pub(crate) fn next(&self, history: &History) -> Result<Following, Unpairable> {
        match &self.format {
            RoundFormat::Swiss(rules) => self.next_of_swiss(rules, history),
            RoundFormat::Elimination(..) => Ok(self.next_of_tree(history)),
            RoundFormat::League { table, cycles } => {
                Ok(self.next_of_league(table, *cycles, history))
            }
        }
    }

    /// The same rules with `extra_rounds` more rounds.
    pub(crate) fn extended(self, extra_rounds: u32) -> Rounds {
        Rounds {
            extra_rounds,
            ..self
        }
    }

    /// Whether what follows depends on results.
    pub(crate) fn results_decide(&self) -> bool {
        !matches!(self.format, RoundFormat::League { .. })
    }

    /// Pairs of an encounter, without extra ones.
    pub(crate) fn pairs(&self) -> u32 {
        match &self.format {
            RoundFormat::Swiss(rules) => rules.pairs,
            RoundFormat::Elimination(_, rules) => rules.pairs,
            RoundFormat::League { .. } => 1,
        }
    }

    /// The rounds that are planned; `None` where results decide how many there are.
    pub(crate) fn rounds(&self) -> Option<u32> {
        match &self.format {
            RoundFormat::Swiss(rules) => Some(u32::from(rules.rounds) + self.extra_rounds),
            RoundFormat::Elimination(..) => None,
            RoundFormat::League { table, cycles } => {
                Some(table.len() as u32 * cycles + self.extra_rounds)
            }
        }
    }

    /// Games that were chosen, and those of the remaining rounds with the engines that play now; `None` where results
    /// decide.
    pub(crate) fn planned_games(&self, history: &History) -> Option<u64> {
        let chosen: u64 = history.pairs().map(|(_, spec)| u64::from(spec.games)).sum();
        let is_in = |engine: &u16| !history.withdrawn().contains(engine);
        let played = u32::from(history.last_round());
        let pairs = match &self.format {
            RoundFormat::Swiss(rules) => {
                let rounds = self.rounds()?.saturating_sub(played);
                let players = rules.seeds.iter().filter(|engine| is_in(engine)).count();
                u64::from(rounds) * (players / 2) as u64 * u64::from(rules.pairs)
            }
            RoundFormat::League { table, .. } => {
                let rounds = table.iter().cycle().take(self.rounds()? as usize);
                let left = rounds.skip(played as usize).flatten();
                left.filter(|engines| engines.iter().all(is_in)).count() as u64
            }
            RoundFormat::Elimination(..) => {
                return self.progress(history)?.is_over().then_some(chosen);
            }
        };
        Some(chosen + 2 * pairs)
    }

    /// The fewest and the most games that there can be, before anything was chosen.
    pub(crate) fn games_before_results(&self) -> RangeInclusive<u64> {
        let RoundFormat::Elimination(format, rules) = &self.format else {
            let games = self.planned_games(&History::new()).unwrap_or(0);
            return games..=games;
        };
        let engines = rules.seeds.len() as u64;
        let losses = engines.saturating_sub(1);
        let [fewest, most] = match format {
            Elimination::Knockout => {
                let third = u64::from(rules.third_place && engines > 3);
                [losses + third; 2]
            }
            // The last engine may lose once.
            Elimination::Double => [2 * losses, 2 * losses + 1],
            Elimination::Ladder => [losses; 2],
        };
        let [pairs, extra] = [rules.pairs, rules.extra_pairs].map(u64::from);
        2 * fewest * pairs..=2 * most * (pairs + extra)
    }

    /// The most rounds that there can be.
    pub(crate) fn most_rounds(&self) -> u16 {
        match &self.format {
            RoundFormat::Elimination(format, rules) => {
                let nodes = bracket::bracket(*format, rules.seeds.len(), rules.third_place);
                nodes.iter().map(|node| node.round).max().unwrap_or(0)
            }
            _ => self
                .rounds()
                .map_or(0, |rounds| u16::try_from(rounds).unwrap_or(u16::MAX)),
        }
    }

    /// The first pair whose position is not the one that the rules and the seed give it.
    pub(crate) fn other_position(&self, chosen: &[Chosen]) -> Option<Place> {
        let mut used: BTreeMap<(u16, u16), Vec<u32>> = BTreeMap::new();
        let mut pairs = chosen.iter().flat_map(|chosen| &chosen.pairs);
        pairs.find_map(|pair| {
            let place = pair.place?;
            let used = used.entry((place.round, place.board)).or_default();
            if place.pair == 1 {
                // Others meet here than before.
                used.clear();
            }
            let is_drawn =
                pair.opening < self.openings && self.opening(place, used) == pair.opening;
            used.push(pair.opening);
            (!is_drawn).then_some(place)
        })
    }

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
            let [mut first, mut second] = meeting.engines.map(|engine| Seat { engine, copy: 0 });
            if pair % 2 == 1 {
                (first, second) = (second, first);
            }
            let in_encounter = used.iter().filter(|one| **one == opening).count() as u32;
            let earlier = history.meetings_on(meeting.engines, opening);
            chosen.pairs.push(PairSpec {
                cycle: earlier.max(in_encounter),
                opening,
                first,
                second,
                games: 2,
                place: Some(place),
                keeps_colours: false,
            });
            used.push(opening);
        }
    }

    fn next_of_swiss(
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

    /// The half points of an encounter whose games are all won.
    fn full_half_points(&self) -> u32 {
        4 * self.pairs()
    }

    fn next_of_tree(&self, history: &History) -> Following {
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

    /// How far a tree is played; `None` for other formats.
    pub(crate) fn progress(&self, history: &History) -> Option<TreeProgress> {
        let RoundFormat::Elimination(format, rules) = &self.format else {
            return None;
        };
        Some(TreeProgress::new(*format, rules, self.seed, history))
    }

    /// The pairs of a tree that were chosen for other engines than those that the results say now, and that are
    /// taken back.
    ///
    /// # Errors
    /// Round and board of an encounter that stays, because a game of it counts.
    pub(crate) fn superseded(&self, mut history: History) -> Result<BTreeSet<PairId>, (u16, u16)> {
        let mut all = BTreeSet::new();
        loop {
            let chosen_twice = history.chosen_twice();
            let pairs = if chosen_twice.is_empty() {
                let progress = self.progress(&history);
                let key = progress.and_then(|progress| progress.contradiction(&history));
                let Some(key) = key else { return Ok(all) };
                let met = history.encounters().remove(&key);
                met.map_or_else(Vec::new, |met| met.pairs)
            } else {
                chosen_twice
            };
            for (pair, spec) in pairs {
                if history.results(pair).iter().any(Option::is_some) {
                    let place = spec.place.unwrap_or_default();
                    return Err((place.round, place.board));
                }
                history.unpair([pair]);
                all.insert(pair);
            }
        }
    }

    fn next_of_league(&self, table: &[Vec<[u16; 2]>], cycles: u32, history: &History) -> Following {
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

#[cfg(test)]
mod tests;
