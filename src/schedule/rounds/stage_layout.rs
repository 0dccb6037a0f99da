//! The rules of the groups of an event in stages, and where they stand among its rounds and boards; limits that are not
//! those of the engines, and the colours of an armageddon game.
//!
//! The rounds of the stages are numbered through, and so are the boards of the groups of a stage: how many there can be
//! is known before the first game.

use std::cmp::Ordering;
use std::ops::{Range, RangeInclusive};

use super::encounter_judge::by_seeds;
use super::{Chosen, Elimination, History, RoundFormat, Rounds};
use crate::chess::random::Random;
use crate::clock::{GivenTime, Limits};
use crate::event::{
    ArmageddonWhite, EliminationRules, GroupSeeding, PairId, PairTerms, Place, Playoff,
    PositionDraw, StageFormat, StageRules, SwissRules,
};
use crate::referee::Adjudication;
use crate::schedule::derive::derived;
use crate::schedule::{PairSpec, league};

/// Where the groups of a stage stand among rounds and boards.
pub(super) struct StageLayout {
    pub(super) rounds: Range<u16>,
    /// The boards of each group.
    pub(super) boards: Vec<Range<u16>>,
}

impl Rounds {
    /// The stages; none of an event without them.
    pub(super) fn stage_rules(&self) -> &[StageRules] {
        match &self.format {
            RoundFormat::Stages(stages) => stages,
            _ => &[],
        }
    }

    /// The rules of this group, from 0, of these engines.
    pub(super) fn group(&self, (stage, group): (usize, usize), engines: &[u16]) -> Rounds {
        let rules = &self.stage_rules()[stage];
        let own = &rules.openings;
        let is_own = |opening: &u32| own.is_empty() || own.contains(opening);
        let listed = self.listed.as_ref();
        // The boards of all groups share the positions of a round; each encounter of each group has its own.
        let own_stream = match self.rule {
            PositionDraw::Encounter => group as u64,
            _ => 0,
        };
        let seed = |stream| derived("stage", &[self.seed, stage as u64, stream]);
        Rounds {
            openings: match own.len() {
                0 => self.openings,
                some => some as u32,
            },
            listed: listed.map(|all| all.iter().copied().filter(is_own).collect()),
            subset: (!own.is_empty()).then(|| own.as_slice().into()),
            lots_seed: seed(group as u64),
            rule: self.rule,
            ..Rounds::new(format_of(&rules.format, engines), seed(own_stream))
        }
    }

    /// The limits of these rounds of a stage: those of the round, or else of the stage.
    pub(super) fn limits_in(&self, stage: usize, rounds: &Range<u16>) -> Vec<Option<[Limits; 2]>> {
        let of_stage = &self.stage_rules()[stage].limits;
        let limits = |round| self.round_limits(round).or_else(|| of_stage.clone());
        rounds.clone().map(limits).collect()
    }

    /// As many engines as take part in a stage: who they are does not matter for rounds and boards.
    fn anybody(&self, stage: usize) -> Vec<u16> {
        let groups = |stage: u16| self.stage_rules()[usize::from(stage)].groups;
        let count = self.stage_rules()[stage].entrants.count(groups);
        (0..).take(count).collect()
    }

    /// The rules of the groups of a stage, whoever plays in them.
    fn planned_groups(&self, stage: usize) -> impl Iterator<Item = Rounds> {
        let groups = self.distribute(stage, &self.anybody(stage)).into_iter();
        let groups = groups.enumerate();
        groups.map(move |(group, engines)| self.group((stage, group), &engines))
    }

    pub(super) fn layout(&self) -> Vec<StageLayout> {
        let mut first_round = 1;
        let stages = 0..self.stage_rules().len();
        let layout = stages.map(|stage| {
            let groups = self.planned_groups(stage);
            let sizes = groups.map(|rules| (rules.most_rounds(), rules.most_boards()));
            let sizes: Vec<(u16, u16)> = sizes.collect();
            let rounds = sizes.iter().map(|(rounds, _)| *rounds).max().unwrap_or(0);
            let mut first_board = 1;
            let boards = sizes.iter().map(|(_, boards)| {
                let own = first_board..first_board + boards;
                first_board = own.end;
                own
            });
            let layout = StageLayout {
                rounds: first_round..first_round + rounds,
                boards: boards.collect(),
            };
            first_round = layout.rounds.end;
            layout
        });
        layout.collect()
    }

    /// The entrants of a stage by groups.
    pub(super) fn distribute(&self, stage: usize, entrants: &[u16]) -> Vec<Vec<u16>> {
        let rules = &self.stage_rules()[stage];
        let count = usize::from(rules.groups.max(1));
        let mut drawn = entrants.to_vec();
        if rules.seeding == GroupSeeding::Lot {
            let mut random = Random::new(derived("groups", &[self.seed, stage as u64]));
            random.shuffle(&mut drawn);
        }
        let mut groups = vec![Vec::new(); count];
        for (nth, engine) in drawn.iter().enumerate() {
            let (row, column) = (nth / count, nth % count);
            let group = match rules.seeding {
                GroupSeeding::Snake if row % 2 == 1 => count - 1 - column,
                GroupSeeding::Blocks => nth * count / drawn.len(),
                _ => column,
            };
            groups[group].push(*engine);
        }
        groups
    }

    /// The rules that hold for a place of an event in stages, and the place by their numbers. Which engines play does not
    /// matter for them.
    pub(super) fn group_at(&self, place: Place) -> Option<(Rounds, Place)> {
        let (stage, layout) = self.stage_at(place)?;
        let mut groups = layout.boards.into_iter().zip(self.planned_groups(stage));
        let (boards, mut group) = groups.find(|(boards, _)| boards.contains(&place.board))?;
        group.round_limits = self.limits_in(stage, &layout.rounds);
        let local = Place {
            round: place.round - layout.rounds.start + 1,
            board: place.board - boards.start + 1,
            ..place
        };
        Some((group, local))
    }

    /// The stage of a place.
    pub(super) fn stage_at(&self, place: Place) -> Option<(usize, StageLayout)> {
        let mut stages = self.layout().into_iter().enumerate();
        stages.find(|(_, layout)| layout.rounds.contains(&place.round))
    }

    /// The rules by which the referee ends games of this place by score or length, if they are not those of the event.
    pub(crate) fn adjudication(&self, place: Place) -> Option<&Adjudication> {
        let (stage, _) = self.stage_at(place)?;
        self.stage_rules()[stage].adjudication.as_ref()
    }

    /// The rules of the group of a stage that has the most engines.
    pub(super) fn longest_group(&self, stage: usize) -> Rounds {
        let groups = self.distribute(stage, &self.anybody(stage));
        let longest = groups.into_iter().max_by_key(Vec::len);
        self.group((stage, 0), &longest.unwrap_or_default())
    }

    /// The fewest and the most games of all stages, before anything was chosen.
    pub(super) fn games_of_stages(&self) -> RangeInclusive<u64> {
        let stages = 0..self.stage_rules().len();
        let groups = stages.flat_map(|stage| self.planned_groups(stage));
        let games = groups.map(|group| group.games_before_results());
        games.fold(0..=0, |sum, one| {
            sum.start() + one.start()..=sum.end() + one.end()
        })
    }

    /// The rounds of each stage.
    pub(crate) fn rounds_by_stage(&self) -> Vec<Range<u16>> {
        let layout = self.layout().into_iter();
        layout.map(|layout| layout.rounds).collect()
    }

    /// The most boards of a round.
    fn most_boards(&self) -> u16 {
        match &self.format {
            RoundFormat::Elimination(..) => {
                let boards = self.nodes().into_iter().map(|node| node.board);
                boards.max().unwrap_or(0)
            }
            RoundFormat::Swiss(rules) => (rules.seeds.len() / 2) as u16,
            RoundFormat::League { table, .. } => {
                table.iter().map(Vec::len).max().unwrap_or(0) as u16
            }
            RoundFormat::Stages(_) => 0,
        }
    }
}

/// A format for a group of these engines.
pub(super) fn format_of(format: &StageFormat, engines: &[u16]) -> RoundFormat {
    let seeds = engines.to_vec();
    let (kind, tree) = match format {
        StageFormat::League(cycles) => {
            let (table, cycles) = (league(engines), *cycles);
            return RoundFormat::League { table, cycles };
        }
        StageFormat::Swiss(swiss) => {
            let swiss = swiss.clone();
            return RoundFormat::Swiss(SwissRules { seeds, ..swiss });
        }
        StageFormat::Knockout(tree) => (Elimination::Knockout, tree.clone()),
        StageFormat::DoubleElimination(tree) => (Elimination::Double, tree.clone()),
        StageFormat::Ladder(tree) => (Elimination::Ladder, tree.clone()),
    };
    RoundFormat::Elimination(kind, EliminationRules { seeds, ..tree })
}

// What differs between the games of an event in rounds.

/// What counts for an engine whose operator has not bid in time, in percent.
pub(crate) const NO_BID: u8 = 100;

/// An armageddon game that waits for bids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AwaitedBids {
    pub place: Place,
    pub opening: u32,
    /// The pair before it.
    pub after: PairId,
    /// How long it is waited for them, in milliseconds.
    pub wait_ms: i64,
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
        let step = in_rounds.and_then(|(rounds, place)| rounds.playoff(place));
        step.is_some_and(|step| step.armageddon.is_some())
    }
}

impl Rounds {
    /// The limits of White and Black in a pair of these terms, if they are not those of the engines.
    fn limits(&self, terms: PairTerms) -> Option<[Limits; 2]> {
        let place = terms.place;
        if let RoundFormat::Elimination(_, rules) = &self.format
            && let Some(playoff) = rules.playoff(place)
            && let Some([white, black]) = playoff.limits.clone()
        {
            let given = terms
                .black_percent
                .map(|part| GivenTime::Percent(100 - part));
            let left = given.and_then(|given| white.after_giving(given));
            return Some([white, left.unwrap_or(black)]);
        }
        match self.group_at(place) {
            Some((group, place)) => group.limits(PairTerms { place, ..terms }),
            None => self.round_limits(place.round),
        }
    }

    fn round_limits(&self, round: u16) -> Option<[Limits; 2]> {
        let of_round = self.round_limits.get(usize::from(round) - 1);
        of_round.cloned().flatten()
    }

    /// The step of a tree in which a level encounter is played off at this place.
    pub(crate) fn playoff(&self, place: Place) -> Option<Playoff> {
        match (self.group_at(place), &self.format) {
            (Some((group, local)), _) => group.playoff(local),
            (None, RoundFormat::Elimination(_, rules)) => rules.playoff(place).cloned(),
            _ => None,
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
        let lot = || {
            let numbers = [self.lots_seed, 3, place.round.into(), place.board.into()];
            let first = Random::new(derived("lot", &numbers)).below(2) == 0;
            by_seeds(&rules.seeds, engines, first)
        };
        Some(match white {
            ArmageddonWhite::HigherSeed => (by_seeds(&rules.seeds, engines, true), None),
            ArmageddonWhite::LowerSeed => (by_seeds(&rules.seeds, engines, false), None),
            ArmageddonWhite::Lot => (lot(), None),
            ArmageddonWhite::Bid { bids, .. } => {
                let known = |engine: u16| bids.get(usize::from(engine)).copied().flatten();
                let bid = |engine| known(engine).or_else(|| history.bid(place, engine));
                let bid = |engine| bid(engine).unwrap_or(NO_BID);
                let [one, other] = engines;
                let seats = match bid(one).cmp(&bid(other)) {
                    Ordering::Greater => [one, other],
                    Ordering::Less => [other, one],
                    Ordering::Equal => lot(),
                };
                (seats, Some(bid(seats[1])))
            }
        })
    }

    /// The armageddon games among these pairs that wait for bids.
    pub(crate) fn awaited_bids(&self, chosen: &Chosen, history: &History) -> Vec<AwaitedBids> {
        let encounters = history.encounters();
        let awaited = |spec: &PairSpec| {
            let place = spec.place?;
            let (after, _) = *encounters.get(&(place.round, place.board))?.pairs.last()?;
            let (wait_ms, mut missing) = self.bidders(place, spec.engines())?;
            missing.retain(|engine| history.bid(place, *engine).is_none());
            (!missing.is_empty()).then_some(AwaitedBids {
                place,
                opening: spec.opening,
                after,
                wait_ms,
                missing,
            })
        };
        chosen.pairs.iter().filter_map(awaited).collect()
    }

    /// Who of these bids by command for the game of this place, and how long it is waited for that.
    fn bidders(&self, place: Place, engines: [u16; 2]) -> Option<(i64, Vec<u16>)> {
        if let Some((group, local)) = self.group_at(place) {
            return group.bidders(local, engines);
        }
        let (_, ArmageddonWhite::Bid { bids, wait_seconds }) = self.armageddon(place)? else {
            return None;
        };
        let by_command = |engine: &u16| bids.get(usize::from(*engine)) == Some(&None);
        let wait_ms = 1000 * i64::from(*wait_seconds);
        Some((wait_ms, engines.into_iter().filter(by_command).collect()))
    }
}
