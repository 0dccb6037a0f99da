//! An event in stages: each group of a stage is an event in rounds by itself. A stage begins when the one before it is
//! played; who takes part follows from what was played, and from nothing else.
//!
//! The rounds of the stages are numbered through, and so are the boards of the groups of a stage: how many there can be
//! is known before the first game.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::{
    Bye, Chosen, Elimination, Following, History, RoundFormat, Rounds, Unpairable, bracket,
};
use crate::chess::random::Random;
use crate::event::{GroupSeeding, Place, PositionDraw, StageFormat, StagePlaces, StageRules};
use crate::schedule::derive::derived;
use crate::schedule::{league, lots};
use crate::stats::counts::GameScore;
use crate::stats::games::Cell;
use crate::stats::standings::{
    EngineRound, RoundOutcome, Standing, StandingsInput, TieBreak, UnevenCell,
};

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

/// Where the groups of a stage stand among rounds and boards.
struct StageLayout {
    rounds: Range<u16>,
    /// The number of engines, and the boards, of each group.
    groups: Vec<(usize, Range<u16>)>,
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
    fn group(&self, (stage, group): (usize, usize), engines: &[u16]) -> Rounds {
        let rules = &self.stage_rules()[stage];
        let seeds = engines.to_vec();
        let format = match &rules.format {
            StageFormat::League(cycles) => RoundFormat::League {
                table: league(engines),
                cycles: *cycles,
            },
            StageFormat::Swiss(swiss) => RoundFormat::Swiss(crate::event::SwissRules {
                seeds,
                ..swiss.clone()
            }),
            StageFormat::Knockout(tree)
            | StageFormat::DoubleElimination(tree)
            | StageFormat::Ladder(tree) => RoundFormat::Elimination(
                match &rules.format {
                    StageFormat::DoubleElimination(_) => Elimination::Double,
                    StageFormat::Ladder(_) => Elimination::Ladder,
                    _ => Elimination::Knockout,
                },
                crate::event::EliminationRules {
                    seeds,
                    ..tree.clone()
                },
            ),
        };
        let own = &rules.openings;
        let is_own = |opening: &u32| own.is_empty() || own.contains(opening);
        let listed = self.listed.as_ref();
        // The boards of all groups share the positions of a round; each encounter of each group has its own.
        let own_stream = match self.rule {
            PositionDraw::Encounter => group as u64,
            _ => 0,
        };
        let mut group = Rounds {
            format,
            openings: if own.is_empty() {
                self.openings
            } else {
                own.len() as u32
            },
            listed: listed.map(|all| all.iter().copied().filter(is_own).collect()),
            subset: (!own.is_empty()).then(|| own.as_slice().into()),
            seed: derived("stage", &[self.seed, stage as u64, own_stream]),
            extra_rounds: 0,
            rule: self.rule,
            round_limits: Vec::new(),
        };
        let count = usize::from(group.most_rounds());
        group.round_limits =
            vec![rules.limits.clone(); if rules.limits.is_some() { count } else { 0 }];
        group
    }

    /// How many engines take part in a stage.
    fn entrants_of(&self, stage: usize) -> usize {
        let entrants = &self.stage_rules()[stage].entrants;
        let placed = entrants.placed.iter().map(|places| {
            let groups = usize::from(self.stage_rules()[usize::from(places.stage)].groups);
            let best = places.best.map(usize::from);
            best.unwrap_or(groups * places.places.len())
        });
        entrants.named.len() + placed.sum::<usize>()
    }

    fn layout(&self) -> Vec<StageLayout> {
        let mut first_round = 1;
        let stages = 0..self.stage_rules().len();
        let layout = stages.map(|stage| {
            let entrants: Vec<u16> = (0..).take(self.entrants_of(stage)).collect();
            let groups = self.distribute(stage, &entrants);
            let rules = groups.iter().map(|engines| self.group((stage, 0), engines));
            let sizes = rules.map(|rules| (rules.most_rounds(), rules.most_boards()));
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
                groups: groups.iter().map(Vec::len).zip(boards).collect(),
            };
            first_round = layout.rounds.end;
            layout
        });
        layout.collect()
    }

    /// The entrants of a stage by groups.
    fn distribute(&self, stage: usize, entrants: &[u16]) -> Vec<Vec<u16>> {
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
            let boards = layout.groups.into_iter().map(|(_, boards)| boards);
            let groups = groups.zip(boards).map(|((group, engines), boards)| {
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

    /// Who takes part in a stage, the first seed first.
    fn entrants(&self, stage: usize, earlier: &[StageGroup]) -> Vec<u16> {
        let rules = &self.stage_rules()[stage].entrants;
        let mut entrants = rules.named.clone();
        for places in &rules.placed {
            let groups = earlier
                .iter()
                .filter(|group| group.stage == usize::from(places.stage));
            let tables: Vec<Vec<Standing>> = groups.map(|group| self.table(group)).collect();
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
            let lots = lots(
                derived("best", &[self.seed, places.stage.into()]),
                engines.unwrap_or(0),
            );
            // Parts of the points as fractions of a common denominator.
            let part = |row: &Standing| {
                u64::from(row.half_points) * 1_000_000 / u64::from(row.games.max(1))
            };
            rows.sort_by_key(|row| Reverse((part(row), row.wins, lots[usize::from(row.engine)])));
            rows.truncate(usize::from(best));
        }
        rows.into_iter().map(|row| row.engine).collect()
    }

    /// The name of a group: of its stage, and its own where there are several.
    fn group_name(&self, stage: usize, group: usize) -> String {
        let rules = &self.stage_rules()[stage];
        match rules.groups {
            0..=1 => rules.name.clone(),
            _ => format!("{}, group {}", rules.name, group + 1),
        }
    }

    /// How many engines of a group go to the stage before, and to the next one, in the next season.
    pub(crate) fn moves_of(&self, group: &StageGroup) -> [u16; 2] {
        let rules = &self.stage_rules()[group.stage];
        [rules.promotes, rules.relegates]
    }

    /// The name of the stage of a group.
    pub(crate) fn stage_name(&self, group: &StageGroup) -> String {
        self.stage_rules()[group.stage].name.clone()
    }

    /// The table of a group, the best engine first; the engines are those of the event.
    fn table(&self, group: &StageGroup) -> Vec<Standing> {
        let mut table = self.table_of_group(group);
        for row in &mut table {
            row.engine = group.engines[usize::from(row.engine)];
        }
        table
    }

    /// What orders engines with equal points in a group.
    pub(crate) fn tie_breaks_of(&self, group: &StageGroup) -> Vec<TieBreak> {
        let mut order = self.stage_rules()[group.stage].tie_breaks.clone();
        if !order.contains(&TieBreak::Lot) {
            order.push(TieBreak::Lot);
        }
        order
    }

    /// The same with the engines by their places among those of the group.
    pub(crate) fn table_of_group(&self, group: &StageGroup) -> Vec<Standing> {
        let order = self.tie_breaks_of(group);
        let lots = lots(group.rules.seed, group.engines.len());
        let mut table = group.results(lots).standings(&order);
        if let Some(progress) = group.rules.progress(&group.history) {
            let places = progress.standings();
            let engine = |row: &Standing| group.engines[usize::from(row.engine)];
            let place = |row: &Standing| places.iter().position(|one| one.engine == engine(row));
            table.sort_by_key(|row| place(row));
            for (row, reached) in table.iter_mut().zip(&places) {
                (row.place, row.decided_by) = (reached.place, None);
            }
        }
        table
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

    /// The rules that hold for a place of an event in stages, and the place by their numbers. Which engines play does not
    /// matter for them.
    pub(super) fn group_at(&self, place: Place) -> Option<(Rounds, Place)> {
        for (stage, layout) in self.layout().into_iter().enumerate() {
            if !layout.rounds.contains(&place.round) {
                continue;
            }
            let entrants: Vec<u16> = (0..).take(self.entrants_of(stage)).collect();
            let groups = self.distribute(stage, &entrants);
            let mut groups = layout.groups.into_iter().zip(groups).enumerate();
            let (group, ((_, boards), engines)) =
                groups.find(|(_, ((_, boards), _))| boards.contains(&place.board))?;
            let local = Place {
                round: place.round - layout.rounds.start + 1,
                board: place.board - boards.start + 1,
                ..place
            };
            return Some((self.group((stage, group), &engines), local));
        }
        None
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
        let is_foreign = |(place, met): &(&(u16, u16), &super::Encounter)| {
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

    /// The fewest and the most games of all stages, before anything was chosen.
    pub(super) fn games_of_stages(&self) -> std::ops::RangeInclusive<u64> {
        let stages = 0..self.stage_rules().len();
        let games = stages.flat_map(|stage| {
            let entrants: Vec<u16> = (0..).take(self.entrants_of(stage)).collect();
            let groups = self.distribute(stage, &entrants).into_iter();
            groups.map(move |engines| self.group((stage, 0), &engines).games_before_results())
        });
        games.fold(0..=0, |sum, one| {
            sum.start() + one.start()..=sum.end() + one.end()
        })
    }

    /// The rounds of each stage.
    pub(crate) fn rounds_by_stage(&self) -> Vec<Range<u16>> {
        self.layout()
            .into_iter()
            .map(|layout| layout.rounds)
            .collect()
    }

    /// The last round of all stages.
    pub(super) fn rounds_of_stages(&self) -> u16 {
        self.layout()
            .last()
            .map_or(0, |layout| layout.rounds.end - 1)
    }

    /// How far everybody has come: the later the stage, the better; in a stage by the place in the group.
    pub(crate) fn places_of_stages(&self, history: &History) -> Vec<super::TreeStanding> {
        let groups = self.groups(history);
        let is_over = matches!(self.next_of_stages(history), Ok(Following::Over));
        let mut reached: BTreeMap<u16, (Reverse<usize>, usize)> = BTreeMap::new();
        for group in &groups {
            for row in self.table(group) {
                reached.insert(row.engine, (Reverse(group.stage), row.place));
            }
        }
        let last = groups.last().map_or(0, |group| group.stage);
        let mut all: Vec<(u16, (Reverse<usize>, usize))> = reached.into_iter().collect();
        all.sort_by_key(|(_, key)| *key);
        let standing = |(engine, key): &(u16, (Reverse<usize>, usize))| super::TreeStanding {
            engine: *engine,
            place: 1 + all.iter().filter(|(_, other)| other < key).count(),
            is_final: is_over || key.0.0 < last,
        };
        all.iter().map(standing).collect()
    }

    /// The most boards of a round.
    fn most_boards(&self) -> u16 {
        match &self.format {
            RoundFormat::Elimination(format, rules) => {
                let nodes = bracket::bracket(*format, rules.seeds.len(), rules.third_place);
                nodes.iter().map(|node| node.board).max().unwrap_or(0)
            }
            RoundFormat::Swiss(rules) => (rules.seeds.len() / 2) as u16,
            RoundFormat::League { table, .. } => {
                table.iter().map(Vec::len).max().unwrap_or(0) as u16
            }
            RoundFormat::Stages(_) => 0,
        }
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

    /// What its table is made of, the engines by their places in it.
    fn results(&self, lots: Vec<u32>) -> StandingsInput {
        let place = |engine: u16| self.engines.iter().position(|one| *one == engine);
        let mut cells: BTreeMap<(u16, u16), [u32; 3]> = BTreeMap::new();
        let mut uneven: Vec<UnevenCell> = Vec::new();
        let mut double_wins = vec![0; self.engines.len()];
        for (history, (pair, spec)) in [&self.history, &self.carried]
            .into_iter()
            .flat_map(|history| history.in_force().map(move |pair| (history, pair)))
        {
            let mut wins = [0; 2];
            for (game, scores) in (0..).zip(history.results(pair)) {
                let Some(scores) = scores else { continue };
                let seats = spec.seats(game).map(|seat| place(seat.engine));
                let [Some(white), Some(black)] = seats else {
                    continue;
                };
                let engines = [white as u16, black as u16];
                if scores[1] != scores[0].reversed() {
                    let games = scores.map(|score| [score.half_points(), 1 - score.half_points()]);
                    let games = games.map(|game| game.map(u32::from));
                    uneven.push(UnevenCell { engines, games });
                    continue;
                }
                let cell = cells.entry((engines[0], engines[1])).or_default();
                cell[usize::from(scores[0].half_points())] += 1;
                for (side, score) in scores.into_iter().enumerate() {
                    wins[side ^ usize::from(game)] += u32::from(score == GameScore::Win);
                }
            }
            for (seat, wins) in [spec.first, spec.second].into_iter().zip(wins) {
                if let (2, Some(engine)) = (wins, place(seat.engine)) {
                    double_wins[engine] += 1;
                }
            }
        }
        let cell = |((white, black), results)| Cell {
            start: 0,
            white,
            black,
            results,
        };
        let outcomes = self
            .rules
            .outcomes(&self.engines, &self.history)
            .into_iter();
        let rounds = outcomes.filter_map(|one| {
            Some(EngineRound {
                engine: place(one.engine)? as u16,
                outcome: with_opponent(one.outcome, |engine| place(engine).unwrap_or(0) as u16),
                ..one
            })
        });
        StandingsInput {
            engines: self.engines.len(),
            cells: cells.into_iter().map(cell).collect(),
            uneven,
            double_wins,
            rounds: rounds.collect(),
            lots,
            ..StandingsInput::default()
        }
    }
}

/// The same outcome with another number for the opponent.
fn with_opponent(outcome: RoundOutcome, number: impl Fn(u16) -> u16) -> RoundOutcome {
    match outcome {
        RoundOutcome::Played {
            opponent,
            half_points,
        } => RoundOutcome::Played {
            opponent: number(opponent),
            half_points,
        },
        RoundOutcome::HalfPlayed {
            opponent,
            half_points,
            awarded,
        } => RoundOutcome::HalfPlayed {
            opponent: number(opponent),
            half_points,
            awarded,
        },
        other => other,
    }
}
