//! Events that are played in rounds: the next pairs are a function of the rules, the seed, and of what was chosen and
//! played before. Pure: the caller stores the answer before its first game.
//!
//! | file | what |
//! |---|---|
//! | `history` | what was chosen and played so far |
//! | `choosing` | the next pairs of a Swiss, a tree, a league; which position each gets |
//! | `matching` | whether everybody can be paired |
//! | `stage_layout` | the rules of the groups of an event in stages; their rounds and boards; limits that are not those of the engines, who has White in an armageddon game |
//! | `stages` | the groups of an event in stages, and what follows; their tables, who goes on, and how far everybody has come |
//! | `swiss` | the pairing of a round of a Swiss |
//! | `bracket` | the trees of knockout, double elimination and ladder |
//! | `encounter_judge` | how an encounter of a tree stands, and what decides it |
//! | `elimination` | how far a tree is played, and who has come how far |
//! | `scores` | what every round was for every engine, and the points that follow |
//! | this one | what follows |

mod bracket;
mod choosing;
mod elimination;
mod encounter_judge;
mod history;
mod matching;
mod scores;
mod stage_layout;
mod stages;
mod swiss;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::clock::Limits;
use crate::event::{EliminationRules, PairId, Place, PositionDraw, StageRules, SwissRules};

pub(crate) use bracket::EncounterDecision;
pub(crate) use elimination::{LOWER_BRACKET, TreeProgress, TreeStanding, places_in};
pub(crate) use history::{Bye, Chosen, Encounter, History, StageStart};
pub(crate) use stage_layout::{AwaitedBids, GameLimits, NO_BID};
pub(crate) use stages::StageGroup;
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
    /// Several of these, one after the other.
    Stages(Vec<StageRules>),
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
    /// Those that are played, if not all are.
    pub subset: Option<std::sync::Arc<[u32]>>,
    /// The order in which rounds take them, if it is not drawn.
    pub listed: Option<std::sync::Arc<[u32]>>,
    /// The seed of its positions.
    pub seed: u64,
    /// The seed of its lots: the groups of a stage share positions, and no lot.
    pub lots_seed: u64,
    /// Rounds that the arbiter has added to those of a Swiss or a league.
    pub extra_rounds: u32,
    /// The limits of White and Black in the first rounds, where they are not those of the engines.
    pub round_limits: Vec<Option<[Limits; 2]>>,
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

impl Rounds {
    /// An event of one position without further rules.
    pub(crate) fn new(format: RoundFormat, seed: u64) -> Rounds {
        Rounds {
            format,
            rule: PositionDraw::Round,
            openings: 1,
            subset: None,
            listed: None,
            seed,
            lots_seed: seed,
            extra_rounds: 0,
            round_limits: Vec::new(),
        }
    }

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
            RoundFormat::Stages(_) => self.next_of_stages(history),
        }
    }

    /// Whether the event is played in stages.
    pub(crate) fn is_in_stages(&self) -> bool {
        matches!(self.format, RoundFormat::Stages(_))
    }

    /// Whether what follows depends on results.
    pub(crate) fn results_decide(&self) -> bool {
        !matches!(self.format, RoundFormat::League { .. })
    }

    /// Pairs of an encounter of this round, without playoffs.
    pub(crate) fn pairs(&self, round: u16) -> u32 {
        match &self.format {
            RoundFormat::Swiss(rules) => rules.pairs,
            RoundFormat::Elimination(_, rules) => rules.pairs_of_round(round),
            RoundFormat::League { .. } => 1,
            RoundFormat::Stages(_) => {
                let (board, pair) = (1, 1);
                let group = self.group_at(Place { round, board, pair });
                group.map_or(1, |(group, place)| group.pairs(place.round))
            }
        }
    }

    /// The rounds that are planned; `None` where results decide how many there are.
    pub(crate) fn rounds(&self) -> Option<u32> {
        match &self.format {
            RoundFormat::Swiss(rules) => Some(u32::from(rules.rounds) + self.extra_rounds),
            RoundFormat::Elimination(..) | RoundFormat::Stages(_) => None,
            RoundFormat::League { table, cycles } => {
                Some(table.len() as u32 * cycles + self.extra_rounds)
            }
        }
    }

    /// Games that were chosen, and those of the remaining rounds with the engines that play now; `None` where results
    /// decide.
    pub(crate) fn planned_games(&self, history: &History) -> Option<u64> {
        let in_force = history.in_force();
        let chosen: u64 = in_force.map(|(_, spec)| u64::from(spec.games)).sum();
        let is_in = |engine: &u16| !history.withdrawn.contains(engine);
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
            RoundFormat::Stages(_) => {
                let next = self.next_of_stages(history);
                return (next == Ok(Following::Over)).then_some(chosen);
            }
        };
        Some(chosen + 2 * pairs)
    }

    /// The fewest and the most games that there can be, before anything was chosen.
    pub(crate) fn games_before_results(&self) -> RangeInclusive<u64> {
        if self.is_in_stages() {
            return self.games_of_stages();
        }
        let RoundFormat::Elimination(_, rules) = &self.format else {
            let games = self.planned_games(&History::default()).unwrap_or(0);
            return games..=games;
        };
        let nodes = self.nodes();
        let games = bracket::with_two_players(&nodes).map(|node| {
            let pairs = u64::from(rules.pairs_of_round(node.round));
            let fewest = match rules.ends_when_decided {
                _ if node.is_second_final => 0,
                true => pairs / 2 + 1,
                false => pairs,
            };
            [2 * fewest, 2 * pairs + rules.playoff_games()]
        });
        let [fewest, most] = games.fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        fewest..=most
    }

    /// The encounters of a tree; none of other formats.
    fn nodes(&self) -> Vec<bracket::Node> {
        match &self.format {
            RoundFormat::Elimination(format, rules) => {
                bracket::bracket(*format, rules.seeds.len(), rules.third_place)
            }
            _ => Vec::new(),
        }
    }

    /// The most rounds that there can be.
    pub(crate) fn most_rounds(&self) -> u16 {
        match &self.format {
            RoundFormat::Elimination(..) => {
                let rounds = self.nodes().into_iter().map(|node| node.round);
                rounds.max().unwrap_or(0)
            }
            RoundFormat::Stages(_) => {
                let last = self.layout().pop();
                last.map_or(0, |layout| layout.rounds.end - 1)
            }
            _ => u16::try_from(self.rounds().unwrap_or(0)).unwrap_or(u16::MAX),
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
            let opening = pair.opening;
            let is_drawn = opening < self.openings && self.opening(place, used) == opening;
            used.push(opening);
            (!is_drawn).then_some(place)
        })
    }

    /// The pairs that were chosen for other engines than those that the results say now, and that are taken back.
    ///
    /// # Errors
    /// Round and board of an encounter that stays, because a game of it counts.
    pub(crate) fn superseded(&self, mut history: History) -> Result<BTreeSet<PairId>, (u16, u16)> {
        let mut all = BTreeSet::new();
        loop {
            let twice = history.chosen_twice();
            let pairs = if twice.is_empty() {
                self.contradiction(&history)
            } else {
                twice
            };
            let counts = |id: PairId| pairs.contains(&id) && history.has_result(id);
            let counted = history.in_force().find(|(id, _)| counts(*id));
            if let Some((_, spec)) = counted {
                let place = spec.place.unwrap_or_default();
                return Err((place.round, place.board));
            }
            if pairs.is_empty() {
                return Ok(all);
            }
            history.unpair(pairs.iter().copied());
            all.extend(pairs);
        }
    }

    /// Pairs that the results do not lead to.
    fn contradiction(&self, history: &History) -> Vec<PairId> {
        match self.progress(history) {
            Some(progress) => progress.contradiction(history),
            None => self.contradiction_of_stages(history),
        }
    }
}

#[cfg(test)]
mod tests;
