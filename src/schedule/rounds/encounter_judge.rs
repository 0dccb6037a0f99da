//! How an encounter of a tree stands: who comes to it, what is to be played, who wins and by what.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::bracket::{EncounterDecision, EncounterState, Entrant, Node, TreeEncounter};
use super::{Encounter, History, RoundFormat, Rounds};
use crate::chess::random::Random;
use crate::event::{EliminationRules, EncounterTieBreak, FirstWhite};
use crate::schedule::derive::derived;
use crate::stats::counts::GameScore;

/// Who advances from a place of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreePlayer {
    Unknown,
    Nobody,
    Engine(u16),
}

pub(super) struct EncounterJudge<'a> {
    pub(super) rules: &'a EliminationRules,
    pub(super) seed: u64,
    pub(super) history: &'a History,
    /// With the pairs that decide them.
    pub(super) encounters: BTreeMap<(u16, u16), Encounter>,
}

impl EncounterJudge<'_> {
    /// The state of an encounter, by those before it.
    pub(super) fn state(&self, node: &Node, before: &[TreeEncounter]) -> EncounterState {
        let players = node.sources.map(|source| self.player(source, before));
        let decided = |winner, loser, by| EncounterState::Decided { winner, loser, by };
        match players {
            [TreePlayer::Unknown, _] | [_, TreePlayer::Unknown] => EncounterState::Waiting,
            [TreePlayer::Nobody, TreePlayer::Nobody] => EncounterState::Empty,
            [TreePlayer::Engine(one), TreePlayer::Nobody]
            | [TreePlayer::Nobody, TreePlayer::Engine(one)] => {
                decided(one, None, EncounterDecision::Bye)
            }
            [TreePlayer::Engine(one), TreePlayer::Engine(other)] => {
                if node.is_second_final && !self.is_second_final_needed(node, one, before) {
                    return decided(one, Some(other), EncounterDecision::NotNeeded);
                }
                self.met(node, [one, other])
            }
        }
    }

    pub(super) fn player(&self, source: Entrant, before: &[TreeEncounter]) -> TreePlayer {
        let of_node = |at: usize, wins: bool| match before[at].state {
            EncounterState::Decided { winner, .. } if wins => TreePlayer::Engine(winner),
            EncounterState::Decided { loser, .. } => {
                loser.map_or(TreePlayer::Nobody, TreePlayer::Engine)
            }
            EncounterState::Empty => TreePlayer::Nobody,
            _ => TreePlayer::Unknown,
        };
        match source {
            Entrant::Seed(seed) => {
                let engine = self.rules.seeds.get(seed).copied();
                engine.map_or(TreePlayer::Nobody, TreePlayer::Engine)
            }
            Entrant::Nobody => TreePlayer::Nobody,
            Entrant::Winner(at) => of_node(at, true),
            Entrant::Loser(at) => of_node(at, false),
        }
    }

    /// The player from the first tree has not lost before the first final.
    fn is_second_final_needed(&self, node: &Node, winner: u16, before: &[TreeEncounter]) -> bool {
        let Entrant::Winner(first) = node.sources[0] else {
            return false;
        };
        // The last node that is not the final of the second tree. The undefeated finalist is the engine that is in no
        // loser's place before the first final.
        let mut earlier = before[..first].iter();
        earlier.any(|met| matches!(met.state, EncounterState::Decided { loser, .. } if loser == Some(winner)))
    }

    fn met(&self, node: &Node, players: [u16; 2]) -> EncounterState {
        let key = node.place();
        let Some(encounter) = self.encounters.get(&key) else {
            let all = self.rules.pairs_of_round(node.round);
            let pairs = [0, self.needed([0; 2], [0, all])];
            let due = EncounterState::Due(self.order(node, players), pairs);
            return self.walkover(players, players.map(Some)).unwrap_or(due);
        };
        // Of an engine that advanced, what it did later changes nothing here.
        let leaving = players.map(|player| self.is_last_of(player, key).then_some(player));
        let state = if encounter.is_complete() {
            self.judge(encounter, players)
        } else {
            EncounterState::Playing
        };
        // Nobody loses a finished encounter by leaving.
        let is_open = matches!(state, EncounterState::Playing | EncounterState::Due(..));
        let walkover = self.walkover(players, leaving).filter(|_| is_open);
        walkover.unwrap_or(state)
    }

    /// Whether an engine has met no opponent since.
    fn is_last_of(&self, engine: u16, key: (u16, u16)) -> bool {
        let mut later = self
            .encounters
            .range((Bound::Excluded(key), Bound::Unbounded));
        !later.any(|(_, encounter)| encounter.engines.contains(&engine))
    }

    /// If one of them is withdrawn, the other advances; if both are, the better seed. Only the withdrawals of `leaving`
    /// count.
    fn walkover(&self, players: [u16; 2], leaving: [Option<u16>; 2]) -> Option<EncounterState> {
        let withdrawn = &self.history.withdrawn;
        let out = leaving.map(|player| player.is_some_and(|player| withdrawn.contains(&player)));
        let winner = match out {
            [false, false] => return None,
            [true, false] => 1,
            [false, true] => 0,
            [true, true] => usize::from(self.by_seed(players)[1] > 0),
        };
        Some(EncounterState::Decided {
            winner: players[winner],
            loser: Some(players[1 - winner]),
            by: EncounterDecision::Walkover,
        })
    }

    /// Who begins comes first.
    fn order(&self, node: &Node, players: [u16; 2]) -> [u16; 2] {
        let higher_begins = match self.rules.first_white {
            FirstWhite::Alternate => (node.round + node.board).is_multiple_of(2),
            FirstWhite::HigherSeed => true,
            FirstWhite::LowerSeed => false,
        };
        by_seeds(&self.rules.seeds, players, higher_begins)
    }

    /// The number of pairs until which an encounter is played on: to the end of its step; or, if it ends when it is
    /// decided, only the pairs that are played whatever their results are.
    fn needed(&self, half_points: [u32; 2], [chosen, end]: [u32; 2]) -> u32 {
        if !self.rules.ends_when_decided {
            return end;
        }
        // One side leads by more than the pairs left have half points, four each, after k more pairs at the earliest
        // if it wins all their games: lead + 4k > 4(left − k).
        let (lead, left) = (half_points[0].abs_diff(half_points[1]), end - chosen);
        chosen + (4 * left).saturating_sub(lead) / 8 + 1
    }

    /// Who wins an encounter that ended in an armageddon game. One that both have lost decides nothing.
    fn armageddon(&self, encounter: &Encounter) -> Option<u16> {
        let (pair, spec) = encounter.pairs.last()?;
        self.rules.playoff(spec.place?)?.armageddon.as_ref()?;
        let seat = match self.history.results(*pair)[0]? {
            [GameScore::Win, _] => spec.first,
            [_, GameScore::Win | GameScore::Draw] => spec.second,
            [_, GameScore::Loss] => return None,
        };
        Some(seat.engine)
    }

    fn judge(&self, encounter: &Encounter, players: [u16; 2]) -> EncounterState {
        let sides = players.map(|player| encounter.side(player).unwrap_or(0));
        let of = |values: [u32; 2]| sides.map(|side| values[side]);
        let decided = |[one, other]: [u32; 2], by| {
            let winner = usize::from(other > one);
            (one != other).then(|| EncounterState::Decided {
                winner: players[winner],
                loser: Some(players[1 - winner]),
                by,
            })
        };
        if let Some(winner) = self.armageddon(encounter) {
            let wins = players.map(|player| u32::from(player == winner));
            return decided(wins, EncounterDecision::Armageddon).unwrap_or(EncounterState::Waiting);
        }
        let round = encounter.place.round;
        let chosen = encounter.pairs.len() as u32;
        let half_points = encounter.half_points;
        let end = self.rules.end_of_step(round, chosen).unwrap_or(chosen);
        if half_points[0].abs_diff(half_points[1]) > 4 * (end - chosen)
            && let Some(state) = decided(of(half_points), EncounterDecision::Points)
        {
            return state;
        }
        if let Some(end) = self.rules.end_of_step(round, chosen + 1) {
            let until = self.needed(half_points, [chosen, end]);
            return EncounterState::Due(encounter.engines, [chosen, until]);
        }
        let rules = self.rules.tie_break.iter().copied();
        let by_rule = |rule| {
            let values = match rule {
                EncounterTieBreak::DoubleWins => of(encounter.double_wins),
                EncounterTieBreak::BlackWins => of(encounter.black_wins),
                EncounterTieBreak::Seed => self.by_seed(players),
                EncounterTieBreak::Lot => self.by_lot(encounter),
            };
            decided(values, EncounterDecision::TieBreak(rule))
        };
        // If none decides, the better seed does.
        let mut rules = rules.chain([EncounterTieBreak::Seed]);
        rules.find_map(by_rule).unwrap_or(EncounterState::Waiting)
    }

    fn by_seed(&self, players: [u16; 2]) -> [u32; 2] {
        let [one, other] = players.map(|player| seed_of(&self.rules.seeds, player));
        [u32::from(one < other), u32::from(other < one)]
    }

    fn by_lot(&self, encounter: &Encounter) -> [u32; 2] {
        let place = encounter.place;
        let numbers = [self.seed, place.round.into(), place.board.into()];
        let lot = Random::new(derived("lot", &numbers)).below(2) as u32;
        [lot, 1 - lot]
    }
}

impl Rounds {
    /// Every encounter, by round and board; one of a tree with the pairs that decide it: to the end of the first step after
    /// which it is not level. Others were played before a ruling.
    pub(crate) fn encounters(&self, history: &History) -> BTreeMap<(u16, u16), Encounter> {
        let mut all = history.encounters();
        if let RoundFormat::Elimination(_, rules) = &self.format {
            for met in all.values_mut() {
                *met = rules.deciding(met, history);
            }
        }
        all
    }
}

impl EliminationRules {
    fn deciding(&self, encounter: &Encounter, history: &History) -> Encounter {
        let mut deciding = Encounter::between(encounter.engines, encounter.place);
        for pair in &encounter.pairs {
            let pairs = deciding.pairs.len() as u32;
            let ends_step = self.end_of_step(encounter.place.round, pairs) == Some(pairs);
            let [one, other] = deciding.half_points;
            if ends_step && deciding.is_complete() && one != other {
                break;
            }
            deciding.add(*pair, history.results(pair.0));
        }
        deciding
    }
}

fn seed_of(seeds: &[u16], engine: u16) -> usize {
    let mut all = seeds.iter();
    all.position(|one| *one == engine).unwrap_or(seeds.len())
}

pub(super) fn by_seeds(seeds: &[u16], [one, other]: [u16; 2], higher_first: bool) -> [u16; 2] {
    if (seed_of(seeds, one) < seed_of(seeds, other)) == higher_first {
        [one, other]
    } else {
        [other, one]
    }
}
