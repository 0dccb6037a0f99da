//! An event in stages: each group of a stage is an event in rounds by itself. A stage begins when the one before it is
//! played; who takes part follows from what was played by then, and is stored with its first pairs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::history::PairResults;
use super::{
    Bye, Chosen, Following, History, RoundFormat, Rounds, StageStart, TreeStanding, Unpairable,
};
use crate::event::{PairId, Place, StagePlaces, StageRules};
use crate::schedule::derive::derived;
use crate::schedule::{PairSpec, lots};
use crate::stats::counts::GameScore;
use crate::stats::games::Cell;
use crate::stats::standings::{RoundOutcome, Standing, StandingsInput, TieBreak, UnevenCell};

/// A group of a stage that has begun or can begin, with what was chosen and played in it.
#[derive(Debug, Clone)]
pub(crate) struct StageGroup {
    /// The stage, from 0.
    pub stage: usize,
    /// The name of the stage, and of the group where there are several.
    pub name: String,
    /// The rules of its stage.
    pub of_stage: StageRules,
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
            let entrants = match history.start(layout.rounds.start) {
                Some(start) => start.entrants.clone(),
                None => self.entrants(stage, &all),
            };
            let of_stage = &self.stage_rules()[stage];
            let groups = self.distribute(stage, &entrants).into_iter().enumerate();
            let groups = groups.zip(layout.boards).map(|((group, engines), boards)| {
                let mut carried = History::default();
                for one in earlier.clone().filter(|_| of_stage.carries_points) {
                    carried.carry(&one.history, &engines);
                }
                StageGroup {
                    stage,
                    name: match of_stage.groups {
                        0..=1 => of_stage.name.clone(),
                        _ => format!("{}, group {}", of_stage.name, group + 1),
                    },
                    of_stage: of_stage.clone(),
                    rules: Rounds {
                        round_limits: self.limits_in(stage, &layout.rounds),
                        ..self.group((stage, group), &engines)
                    },
                    history: history.part([&layout.rounds, &boards], &engines),
                    carried,
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
        let current = groups.iter().filter(|group| group.stage == last);
        let is_played = current.clone().all(StageGroup::is_played);
        if is_played && last + 1 == self.stage_rules().len() {
            return Ok(Following::Over);
        }
        // What is chosen, and in which order, does not depend on which game ends first.
        let decides = current.clone().any(|group| group.rules.results_decide());
        if decides && current.clone().any(|group| group.history.is_any_open()) {
            return Ok(Following::Wait);
        }
        let mut all = Chosen::default();
        for group in current.clone() {
            if let Following::Chosen(chosen) = group.rules.next(&group.history)? {
                for mut spec in chosen.pairs {
                    spec.place = spec.place.map(|place| group.in_event(place));
                    let cycle = history.meetings_on(spec.engines(), spec.opening);
                    spec.cycle = cycle.max(spec.cycle);
                    all.pairs.push(spec);
                }
                for Bye { round, engine } in chosen.byes {
                    let round = round + group.rounds.start - 1;
                    all.byes.push(Bye { round, engine });
                }
            }
        }
        if all == Chosen::default() {
            return Ok(Following::Wait);
        }
        let round = current.clone().next().map_or(1, |group| group.rounds.start);
        if history.in_rounds(round..).next().is_none() {
            all.begins = Some(StageStart {
                round,
                entrants: self.entrants(last, &groups),
                out: history.withdrawn.clone(),
            });
        }
        Ok(Following::Chosen(all))
    }

    /// The pairs of the first stage that would begin otherwise now, and of those after it; or those of an encounter of a
    /// tree. Another order of the same entrants changes nothing after the first game of a stage that counts.
    pub(super) fn contradiction_of_stages(&self, history: &History) -> Vec<PairId> {
        let groups = self.groups(history);
        for (stage, layout) in self.layout().into_iter().enumerate() {
            let round = layout.rounds.start;
            let mut own = groups
                .iter()
                .filter(|group| group.stage == stage)
                .peekable();
            let stands = |start: &StageStart| {
                let mut both = [self.entrants(stage, &groups), start.entrants.clone()];
                let mut pairs = history.in_rounds(round..);
                if pairs.any(|pair| history.has_result(pair)) {
                    both.iter_mut()
                        .for_each(|entrants| entrants.sort_unstable());
                }
                both[0] == both[1]
            };
            if own.peek().is_none() || !history.start(round).is_none_or(stands) {
                return history.in_rounds(round..).collect();
            }
            let mut in_groups = own.map(|group| group.rules.contradiction(&group.history));
            if let Some(pairs) = in_groups.find(|pairs| !pairs.is_empty()) {
                return pairs;
            }
        }
        Vec::new()
    }
}

impl StageGroup {
    /// Whether nothing more is played in it.
    pub(crate) fn is_played(&self) -> bool {
        let next = self.rules.next(&self.history);
        !self.history.is_any_open() && matches!(next, Ok(Following::Over))
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

// The tables of the groups; who goes on, and how far everybody has come.

impl Rounds {
    /// Who takes part in a stage, the first seed first.
    pub(super) fn entrants(&self, stage: usize, earlier: &[StageGroup]) -> Vec<u16> {
        let rules = &self.stage_rules()[stage].entrants;
        let mut entrants = rules.named.clone();
        for places in &rules.placed {
            let stage = usize::from(places.stage);
            let groups = earlier.iter().filter(|group| group.stage == stage);
            let tables: Vec<Vec<Standing>> = groups.map(StageGroup::table).collect();
            entrants.extend(self.qualified(places, &tables));
        }
        entrants
    }

    /// The engines at these places of these tables.
    fn qualified(&self, places: &StagePlaces, tables: &[Vec<Standing>]) -> Vec<u16> {
        let at = |place: &u16| {
            let place = usize::from(*place) - 1;
            tables.iter().filter_map(move |table| table.get(place))
        };
        let mut rows: Vec<&Standing> = places.places.iter().flat_map(at).collect();
        if let Some(best) = places.best {
            let engines = rows.iter().map(|row| usize::from(row.engine) + 1).max();
            let seed = derived("best", &[self.seed, places.stage.into()]);
            let lots = lots(seed, engines.unwrap_or(0));
            // Parts of the points as fractions of a common denominator.
            let part = |row: &Standing| {
                u64::from(row.half_points) * 1_000_000 / u64::from(row.games.max(1))
            };
            rows.sort_by_key(|row| Reverse((part(row), row.wins, lots[usize::from(row.engine)])));
            rows.truncate(usize::from(best));
        }
        rows.into_iter().map(|row| row.engine).collect()
    }

    /// How far everybody has come: by the rank of the last stage, and by the place in its group.
    pub(crate) fn places_of_stages(&self, history: &History) -> Vec<TreeStanding> {
        let groups = self.groups(history);
        let is_over = matches!(self.next_of_stages(history), Ok(Following::Over));
        let mut reached: BTreeMap<u16, (Vec<usize>, usize)> = BTreeMap::new();
        for group in &groups {
            for row in group.table() {
                let mut rank = self.rank(group.stage);
                // Behind those who have gone on from such a place.
                rank.extend([row.place, usize::MAX]);
                reached.insert(row.engine, (rank, group.stage));
            }
        }
        let last = groups.last().map_or(0, |group| group.stage);
        let mut all: Vec<(u16, (Vec<usize>, usize))> = reached.into_iter().collect();
        all.sort_by(|(_, one), (_, other)| one.cmp(other));
        let standing = |(engine, (rank, stage)): &(u16, (Vec<usize>, usize))| TreeStanding {
            engine: *engine,
            place: 1 + all.iter().filter(|(_, (other, _))| other < rank).count(),
            is_final: is_over || *stage < last,
        };
        all.iter().map(standing).collect()
    }

    /// Where the engines of a stage stand among all: before the others of the stage from which they come by the best
    /// place, from that place on; without such a stage in the order of the file.
    fn rank(&self, stage: usize) -> Vec<usize> {
        let placed = &self.stage_rules()[stage].entrants.placed;
        let ranks = placed.iter().map(|from| {
            let mut rank = self.rank(from.stage.into());
            rank.extend(from.places.iter().min().map(|best| usize::from(*best)));
            rank
        });
        ranks.min().unwrap_or_else(|| vec![stage])
    }
}

impl StageGroup {
    /// Its table, the best engine first; the engines are those of the event, and games that were not played are games.
    pub(super) fn table(&self) -> Vec<Standing> {
        let mut table = self.standings();
        for row in &mut table {
            row.engine = self.engines[usize::from(row.engine)];
            row.games += self.unplayed_games(row.engine);
        }
        table
    }

    /// What orders engines with equal points in it.
    pub(crate) fn tie_breaks(&self) -> Vec<TieBreak> {
        let mut order = self.of_stage.tie_breaks.clone();
        if !order.contains(&TieBreak::Lot) {
            order.push(TieBreak::Lot);
        }
        order
    }

    /// Its table with the engines by their places among those of the group.
    pub(crate) fn standings(&self) -> Vec<Standing> {
        let lots = lots(self.rules.lots_seed, self.engines.len());
        let mut table = self.results(lots).standings(&self.tie_breaks());
        if let Some(progress) = self.rules.progress(&self.history) {
            let places = progress.standings();
            let engine = |row: &Standing| self.engines[usize::from(row.engine)];
            let place = |row: &Standing| places.iter().position(|one| one.engine == engine(row));
            table.sort_by_key(|row| place(row));
            for (row, reached) in table.iter_mut().zip(&places) {
                (row.place, row.decided_by) = (reached.place, None);
            }
        }
        table
    }

    /// How many engines go to the stage before, and to the next one, in the next season.
    pub(crate) fn moves(&self) -> [u16; 2] {
        [self.of_stage.promotes, self.of_stage.relegates]
    }

    /// What its table is made of, the engines by their places in it.
    fn results(&self, lots: Vec<u32>) -> StandingsInput {
        let outcomes = self.rules.outcomes(&self.engines, &self.history);
        let rounds = outcomes.into_iter().filter_map(|mut one| {
            one.engine = self.place(one.engine)?;
            if let RoundOutcome::Played { opponent, .. } = &mut one.outcome {
                *opponent = self.place(*opponent).unwrap_or_default();
            }
            Some(one)
        });
        let mut results = StandingsInput {
            engines: self.engines.len(),
            double_wins: vec![0; self.engines.len()],
            rounds: rounds.collect(),
            lots,
            ..StandingsInput::default()
        };
        for history in [&self.history, &self.carried] {
            for (pair, spec) in history.in_force() {
                self.add_pair(&mut results, spec, history.results(pair));
            }
        }
        results
    }

    /// Games of an engine that nobody played: those that were left out because one of the two is out, and in a Swiss
    /// those of its byes.
    fn unplayed_games(&self, engine: u16) -> u32 {
        let encounters = self.history.encounters();
        let own = encounters.values().filter(|met| met.side(engine).is_some());
        let left_out: u32 = own.map(|met| met.games - met.played).sum();
        let byes = self.history.byes().filter(|bye| bye.engine == engine);
        let is_swiss = matches!(self.rules.format, RoundFormat::Swiss(_));
        let byes = byes.filter(|_| is_swiss).count() as u32;
        left_out + byes * self.rules.full_half_points() / 2
    }

    fn place(&self, engine: u16) -> Option<u16> {
        let place = self.engines.iter().position(|one| *one == engine)?;
        u16::try_from(place).ok()
    }

    /// Adds what both games of a pair gave White and Black.
    fn add_pair(&self, results: &mut StandingsInput, spec: &PairSpec, scores: PairResults) {
        let [Some(first), Some(second)] = spec.engines().map(|engine| self.place(engine)) else {
            return;
        };
        let mut wins = [0; 2];
        for (game, scores) in scores.into_iter().enumerate() {
            let Some([white, black]) = scores else {
                continue;
            };
            let mut engines = [first, second];
            engines.rotate_left(game);
            if black == white.reversed() {
                let cell = Cell::of_game(0, engines[0], engines[1], white);
                results.cells.push(cell);
            } else {
                let games = [white, black].map(|score| u32::from(score.half_points()));
                let games = games.map(|half_points| [half_points, 1 - half_points]);
                results.uneven.push(UnevenCell { engines, games });
            }
            for (side, score) in [white, black].into_iter().enumerate() {
                wins[side ^ game] += u32::from(score == GameScore::Win);
            }
        }
        for (player, wins) in [first, second].into_iter().zip(wins) {
            results.double_wins[usize::from(player)] += u32::from(wins == 2);
        }
    }
}
