//! How far a tree is played: who has won, who meets now, who has come how far.

use super::bracket::{
    EncounterDecision, EncounterState, Entrant, Node, TreeEncounter, bracket, with_two_players,
};
use super::encounter_judge::{EncounterJudge, TreePlayer};
use super::stage_layout::format_of;
use super::{History, RoundFormat, Rounds};
use crate::event::{PairId, StageFormat};

/// The name of an encounter of those who have lost once.
pub(crate) const LOWER_BRACKET: &str = "lower bracket";

/// How far an engine has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeStanding {
    pub engine: u16,
    /// Its place, from 1; those who have come equally far share it, and those who are still in
    /// share the first that is open.
    pub place: usize,
    /// Whether it is known.
    pub is_final: bool,
}

/// Round and board, and the players as far as they are known.
pub(crate) type EncounterToCome = ((u16, u16), [Option<u16>; 2]);

/// A tree with what was played in it.
#[derive(Debug, Clone)]
pub(crate) struct TreeProgress {
    encounters: Vec<TreeEncounter>,
    seeds: Vec<u16>,
}

impl Rounds {
    /// How far a tree is played; `None` for other formats.
    pub(crate) fn progress(&self, history: &History) -> Option<TreeProgress> {
        let RoundFormat::Elimination(format, rules) = &self.format else {
            return None;
        };
        let judge = EncounterJudge {
            rules,
            seed: self.lots_seed,
            history,
            encounters: self.encounters(history),
        };
        let mut encounters = Vec::new();
        for node in bracket(*format, rules.seeds.len(), rules.third_place) {
            let coming = node.sources.map(|source| judge.player(source, &encounters));
            encounters.push(TreeEncounter {
                state: judge.state(&node, &encounters),
                players: coming.map(|player| match player {
                    TreePlayer::Engine(engine) => Some(engine),
                    _ => None,
                }),
                node,
            });
        }
        let seeds = rules.seeds.clone();
        Some(TreeProgress { encounters, seeds })
    }
}

impl TreeProgress {
    /// The encounters of which pairs are to be chosen now, with round and board.
    pub(super) fn meetings(&self) -> impl Iterator<Item = ((u16, u16), ([u16; 2], [u32; 2]))> {
        self.encounters.iter().filter_map(|met| match met.state {
            EncounterState::Due(engines, pairs) => Some((met.node.place(), (engines, pairs))),
            _ => None,
        })
    }

    /// The pairs of the first encounter that was chosen for other engines than those that come to it, or is not needed.
    pub(super) fn contradiction(&self, history: &History) -> Vec<PairId> {
        let encounters = history.encounters();
        let first = self.encounters.iter().find_map(|met| {
            let chosen = encounters.get(&met.node.place())?;
            let [one, other] = chosen.engines.map(Some);
            let same = met.players == [one, other] || met.players == [other, one];
            let unneeded = EncounterDecision::NotNeeded;
            let is_unneeded =
                matches!(met.state, EncounterState::Decided { by, .. } if by == unneeded);
            (!same || is_unneeded).then_some(&chosen.pairs)
        });
        let pairs = first.into_iter().flatten();
        pairs.map(|(pair, _)| *pair).collect()
    }

    /// What an encounter of the last rounds is called, where it has a name; the others of a double elimination have that
    /// of their bracket.
    pub(crate) fn name(&self, round: u16, board: u16) -> Option<&'static str> {
        let nodes = || self.encounters.iter().map(|met| &met.node);
        let place = nodes().position(|node| node.place() == (round, board))?;
        let last = nodes().position(|node| node.tiers == [Some(0), Some(1)])?;
        let [own, final_node] = [place, last].map(|place| &self.encounters[place].node);
        let has_second = final_node.is_second_final;
        let comes_from = |source: &Entrant| *source == Entrant::Winner(place);
        match own.tiers {
            [Some(0), Some(1)] if has_second => Some("second final"),
            [Some(0), Some(1)] => Some("final"),
            _ if own.is_for_third_place() => Some("third place"),
            _ if has_second && place + 1 == last => Some("final"),
            // Who loses in the lower bracket is out.
            [_, Some(_)] if has_second => Some(LOWER_BRACKET),
            _ if has_second => Some("upper bracket"),
            _ => {
                let mut sources = final_node.sources.iter();
                let has_seed = sources
                    .clone()
                    .any(|source| matches!(source, Entrant::Seed(_)));
                (!has_seed && sources.any(comes_from)).then_some("semifinal")
            }
        }
    }

    /// The encounters of which no pair is played yet. Whether a second final comes is not known before the first is over.
    pub(crate) fn to_come(&self) -> Vec<EncounterToCome> {
        let nodes: Vec<Node> = self.encounters.iter().map(|met| met.node.clone()).collect();
        let places: Vec<_> = with_two_players(&nodes)
            .map(|node| (node.round, node.board))
            .collect();
        let waits = self.encounters.iter().filter(|met| {
            let is_open = matches!(met.state, EncounterState::Waiting | EncounterState::Due(..));
            is_open && !met.node.is_second_final
        });
        let place = |met: &TreeEncounter| (met.node.round, met.node.board);
        let own = waits.map(|met| (place(met), met.players));
        own.filter(|(place, _)| places.contains(place)).collect()
    }

    /// Whether the winners of two encounters meet in this one.
    pub(crate) fn joins_winners(&self, round: u16, board: u16) -> bool {
        let mut nodes = self.encounters.iter().map(|met| &met.node);
        let own = nodes.find(|node| (node.round, node.board) == (round, board));
        let is_winner = |source: &Entrant| matches!(source, Entrant::Winner(_));
        own.is_some_and(|node| node.sources.iter().all(is_winner))
    }

    /// Whether everything is decided.
    pub(crate) fn is_over(&self) -> bool {
        self.encounters.iter().all(|met| met.state.is_settled())
    }

    /// Winner, loser and reason of every encounter that is decided, by round and board.
    pub(crate) fn decisions(
        &self,
    ) -> impl Iterator<Item = ((u16, u16), u16, Option<u16>, EncounterDecision)> + '_ {
        self.encounters.iter().filter_map(|met| match met.state {
            EncounterState::Decided { winner, loser, by } => {
                Some((met.node.place(), winner, loser, by))
            }
            _ => None,
        })
    }

    /// The engines that may still win, in the order of their seeds.
    pub(crate) fn still_in(&self) -> Vec<u16> {
        let may_win = |engine: &u16| self.best_open_tier(*engine) == Some(0);
        self.seeds.iter().copied().filter(may_win).collect()
    }

    /// The best tier that an engine can still reach; `None` if it plays no more.
    fn best_open_tier(&self, engine: u16) -> Option<u32> {
        let mut may_play: Vec<bool> = Vec::new();
        for met in &self.encounters {
            let comes = |(source, player): (&Entrant, &Option<u16>)| match (source, player) {
                (_, Some(player)) => *player == engine,
                (Entrant::Winner(from) | Entrant::Loser(from), None) => may_play[*from],
                _ => false,
            };
            let mut entrants = met.node.sources.iter().zip(&met.players);
            may_play.push(!met.state.is_settled() && entrants.any(comes));
        }
        let all = self.encounters.iter().zip(may_play);
        let open = all.filter(|(_, plays)| *plays);
        open.flat_map(|(met, _)| met.node.tiers).flatten().min()
    }

    /// How far everybody has come, the best first.
    pub(crate) fn standings(&self) -> Vec<TreeStanding> {
        let tier = |engine: u16| {
            let tiers = |met: &TreeEncounter| match met.state {
                EncounterState::Decided { winner, .. } if winner == engine => met.node.tiers[0],
                EncounterState::Decided { loser, .. } if loser == Some(engine) => met.node.tiers[1],
                _ => None,
            };
            self.encounters.iter().rev().find_map(tiers)
        };
        let reached = |&engine: &u16| match self.best_open_tier(engine) {
            Some(best) => (Some(best), false, engine),
            None => (tier(engine), true, engine),
        };
        let mut all: Vec<(Option<u32>, bool, u16)> = self.seeds.iter().map(reached).collect();
        // Stable: the engines of a tier stay in the order of their seeds.
        all.sort_by_key(|(tier, ..)| *tier);
        let place = |tier| 1 + all.iter().filter(|(other, ..)| *other < tier).count();
        let standing = |&(tier, is_final, engine): &(Option<u32>, bool, u16)| TreeStanding {
            engine,
            place: place(tier),
            is_final,
        };
        all.iter().map(standing).collect()
    }
}

/// The place of every engine of a group of so many, the best first; those who come equally far in a tree share one.
/// `None` where points order them.
pub(crate) fn places_in(format: &StageFormat, engines: usize) -> Option<Vec<usize>> {
    let engines: Vec<u16> = (0..).take(engines).collect();
    let rounds = Rounds::new(format_of(format, &engines), 0);
    // It does not matter who wins: where everybody is out, the better seed.
    let mut history = History::default();
    history.withdrawn.extend(engines);
    let standings = rounds.progress(&history)?.standings();
    Some(standings.iter().map(|row| row.place).collect())
}
