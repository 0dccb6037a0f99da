//! `[[stage]]`: leagues, Swisses and trees that follow each other in one event.

use std::collections::{BTreeMap, BTreeSet};

use super::adjudication::{AdjudicationKeys, of_stage};
use super::engine::ReadEngine;
use super::event::EventKeys;
use super::keys::KeyKind::{List, Tables, Text, Whole};
use super::keys::keys;
use super::playoffs::{self, ReadPlayoffs};
use super::positions::Positions;
use super::problem::Problem;
use super::rounds::{KnockoutKeys, SwissKeys, elimination, swiss};
use super::section::{Entry, EntryPlace, Section};
use super::stages::{check_tie_breaks, without_points};
use super::time::{Time, TimeKeys, of_games};
use super::value::{WrittenValue, words};
use crate::chess::start::StartRange;
use crate::clock::Limits;
use crate::event::identity::FormatWord;
use crate::event::{
    EliminationRules, GroupSeeding, StageEntrants, StageFormat, StageRules, SwappedGames,
};
use crate::stats::standings::TieBreak;
use crate::text::count;

/// The most groups of a stage.
const MAX_GROUPS: i128 = 100;

/// The places in earlier stages that an engine can have had: by stage, and by 0 for the event file, where its place is
/// its number. Two entrants that have no place in common in one of them are two engines.
pub(super) type Past = BTreeMap<usize, BTreeSet<usize>>;

/// A stage, and what later ones need to know of it.
pub(super) struct ReadStage {
    pub(super) rules: StageRules,
    /// Engines of its smallest group. Where it is not known who takes part, no number is too large for it.
    pub(super) smallest_group: usize,
    /// What all entrants together can have been.
    pub(super) past: Past,
}

/// The stages in their order; `None` of an event without them.
pub(super) fn read<'a>(
    (sections, absent): (Vec<Section<'a>>, &Section<'a>),
    (event, engines): (&EventKeys<'a>, &[ReadEngine<'_>]),
    (time, playoffs): (&Time<'_>, &ReadPlayoffs<'_>),
    positions: Option<&Positions>,
) -> Option<Vec<StageRules>> {
    if sections.is_empty() {
        return None;
    }
    let title = "`format` says nothing here: each [[stage]] has its own";
    event.format.error(title, "take this line out");
    let sections = sections.into_iter();
    let read = sections.map(|section| (section.place(), StageKeys::read(section)));
    let read: Vec<(EntryPlace<'_>, StageKeys<'_>)> = read.collect();
    let names = (1..).zip(&read).map(|(number, (_, keys))| {
        let written = keys.name.value.clone();
        written.unwrap_or_else(|| format!("stage {number}"))
    });
    let names: Vec<String> = names.collect();
    let mut stages: Vec<ReadStage> = Vec::new();
    for (place, keys) in read {
        let reader = StageReader {
            event,
            engines,
            time,
            playoffs,
            positions,
            names: &names,
            earlier: &stages,
            absent,
            place,
        };
        let stage = reader.read(keys);
        stages.push(stage);
    }
    Some(stages.into_iter().map(|stage| stage.rules).collect())
}

pub(super) struct StageReader<'a, 'b> {
    event: &'b EventKeys<'a>,
    pub(super) engines: &'b [ReadEngine<'b>],
    time: &'b Time<'b>,
    playoffs: &'b ReadPlayoffs<'b>,
    positions: Option<&'b Positions>,
    /// The names of all stages.
    pub(super) names: &'b [String],
    pub(super) earlier: &'b [ReadStage],
    /// A table without keys.
    absent: &'b Section<'a>,
    place: EntryPlace<'a>,
}

impl<'a> StageReader<'a, '_> {
    fn read(&self, mut keys: StageKeys<'a>) -> ReadStage {
        let (entrants, past, count) = self.entrants(&keys.engines, keys.from.take());
        let name = self.name();
        let groups = keys.groups.value;
        let smallest_group = count.map_or(usize::MAX, |count| count / usize::from(groups));
        check_format(&keys, smallest_group);
        self.check_moves(&keys, &entrants, smallest_group);
        let limits = keys.time.value.take();
        let limits = limits.and_then(|time| of_games(time, self.time));
        let adjudication = keys.adjudication.value.take();
        let openings = keys.numbers.value.take().map(|list| self.openings(&list));
        let swapped = keys.swapped_games.value;
        let rules = StageRules {
            tie_breaks: tie_breaks(&keys),
            seeding: keys.seeding.value,
            carries_points: keys.carries_points.value,
            promotes: keys.promotes.value,
            relegates: keys.relegates.value,
            adjudication: adjudication.map(|keys| of_stage(&keys)),
            swapped_games: swapped.unwrap_or(self.event.swapped_games.value),
            openings: openings.unwrap_or_default(),
            format: self.format(keys, smallest_group, limits.as_ref()),
            name,
            entrants,
            groups,
            limits,
        };
        ReadStage {
            rules,
            smallest_group,
            past,
        }
    }

    fn name(&self) -> String {
        let name = self.names[self.earlier.len()].clone();
        if self.names[..self.earlier.len()].contains(&name) {
            let title = format!("two stages are called \"{name}\"");
            self.fail(&title, "give one of them another name");
        }
        name
    }

    /// Engines change places with the stage before it or after it in the next season.
    fn check_moves(&self, keys: &StageKeys<'a>, entrants: &StageEntrants, engines: usize) {
        let is_division = entrants.placed.is_empty() && keys.groups.value == 1;
        let moved = usize::from(keys.promotes.value) + usize::from(keys.relegates.value);
        let is_last = self.earlier.len() + 1 == self.names.len();
        let ends = [
            (&keys.promotes, self.earlier.is_empty(), "before"),
            (&keys.relegates, is_last, "after"),
        ];
        for (moves, is_end, side) in ends {
            let title = if !is_division {
                "only a division changes engines: a stage with `engines` and without groups"
                    .to_owned()
            } else if is_end && moves.value > 0 {
                format!("no stage comes {side} this one")
            } else if moved > engines {
                let [moved, there] = [moved, engines].map(|number| count(number, "engine"));
                format!("{moved} would leave, of {there}")
            } else {
                continue;
            };
            moves.error(title, "take this line out, or name a smaller number");
        }
        let Some(before) = self.earlier.last() else {
            return;
        };
        let down = before.rules.relegates;
        if down != keys.promotes.value {
            let (down, up) = (count(down, "engine"), count(keys.promotes.value, "engine"));
            let title = format!("from the stage before {down} would come, and {up} would go there");
            let help = "`relegates` of a stage and `promotes` of the next one are one number";
            self.fail(&title, help);
        }
    }

    pub(super) fn fail(&self, title: &str, help: &str) {
        self.place.error(title, help);
    }

    fn format(
        &self,
        keys: StageKeys<'a>,
        smallest_group: usize,
        limits: Option<&[Limits; 2]>,
    ) -> StageFormat {
        let pairs = keys.pairs.value.unwrap_or(self.event.pairs.value);
        let is_swiss = keys.format.value == Some(FormatWord::Swiss);
        let title = "`swiss` has the rules of another format";
        keys.swiss.error_if(!is_swiss, title, "take it out");
        let is_tree = !is_swiss && keys.format.value != Some(FormatWord::RoundRobin);
        let of_tree = Problem::error("this is about a knockout, a double elimination or a ladder")
            .help("take it out, or give this stage such a `format`");
        keys.knockout.fail_if(!is_tree, || of_tree.clone());
        keys.playoff.fail_if(!is_tree, || of_tree);
        let own = keys.playoff.value.map(|all| {
            let sections = all.into_iter().map(|section| section.value).collect();
            playoffs::read(sections, self.time, self.engines)
        });
        let playoffs = own.as_ref().unwrap_or(self.playoffs);
        let tree = || -> EliminationRules {
            let absent = || KnockoutKeys::read(self.absent.absent("knockout"));
            let keys = keys.knockout.value.unwrap_or_else(absent);
            keys.seeds.fail_if(true, own_seeds);
            elimination(keys, pairs, playoffs.steps(limits))
        };
        match keys.format.value {
            Some(FormatWord::Knockout) => StageFormat::Knockout(tree()),
            Some(FormatWord::DoubleElimination) => StageFormat::DoubleElimination(tree()),
            Some(FormatWord::Ladder) => StageFormat::Ladder(tree()),
            Some(FormatWord::Swiss) => {
                let is_written = keys.swiss.is_written();
                let Some(keys) = keys.swiss.value else {
                    if !is_written {
                        self.fail("`swiss` is missing", "for example: swiss = { rounds = 5 }");
                    }
                    return StageFormat::League(1);
                };
                keys.seeds.fail_if(true, own_seeds);
                let mut rules = swiss(&keys, self.engines, smallest_group, pairs);
                rules.seeds.clear();
                StageFormat::Swiss(rules)
            }
            _ => StageFormat::League(pairs),
        }
    }

    /// The positions with these start numbers, as indices into the event's.
    fn openings(&self, list: &[WrittenValue<'a, String>]) -> Vec<u32> {
        let Some(positions) = self.positions else {
            return Vec::new();
        };
        let (openings, variant) = (&positions.openings, positions.openings.variant());
        let mut own: Vec<u32> = Vec::new();
        for written in list {
            let Ok(range) = StartRange::parse(variant, &written.value) else {
                let help = "a start number or a range of them: \"518\", \"0-99\"";
                written.entry.error("this is no start number", help);
                continue;
            };
            let found = (0..openings.len()).filter(|index| {
                let number = openings.number(*index);
                number.is_some_and(|number| range.numbers().any(|one| one == number))
            });
            let found: Vec<u32> = found.collect();
            if found.is_empty() {
                let help = "[positions] holds the positions of all stages";
                written.entry.error("the event has no such position", help);
            }
            own.extend(found);
        }
        own.sort_unstable();
        own.dedup();
        own
    }
}

fn own_seeds() -> Problem {
    let title = "the seeds of a stage are its entrants in their order";
    Problem::error(title).help("take `seeds` out")
}

/// Formats in which a stage is played, what only a round-robin has, and the size of groups.
fn check_format(keys: &StageKeys<'_>, smallest_group: usize) {
    let groups = count(keys.groups.value, "group");
    let title = format!("{groups} have too few engines for a game");
    keys.groups
        .error_if(smallest_group < 2, title, "a group has two engines or more");
    let is_league = keys.format.value == Some(FormatWord::RoundRobin);
    let others = [Some(FormatWord::Match), Some(FormatWord::Gauntlet)];
    let is_other = others.contains(&keys.format.value);
    let title = "a stage is not played in this format";
    let help = "round-robin, swiss, knockout, double-elimination or ladder";
    keys.format.error_if(is_other, title, help);
    let title = "only a round-robin counts games of an earlier stage";
    keys.carries_points
        .error_if(!is_league, title, "take this line out");
}

fn tie_breaks(keys: &StageKeys<'_>) -> Vec<TieBreak> {
    let format = keys.format.value;
    let is_swiss = format == Some(FormatWord::Swiss);
    let has_points = is_swiss || format == Some(FormatWord::RoundRobin);
    keys.tie_breaks
        .fail_if(!has_points, || without_points("tree"));
    for written in keys.tie_breaks.value.iter().flatten() {
        if written.value == TieBreak::FewerFaults {
            let problem = Problem::error("faults count for the whole event, not for a stage");
            written.entry.fail::<()>(problem.help("take this rule out"));
        }
    }
    match &keys.tie_breaks.value {
        Some(written) => check_tie_breaks(written, true),
        None if is_swiss => TieBreak::SWISS.to_vec(),
        None => TieBreak::DEFAULT.to_vec(),
    }
}

words! {
    GroupSeeding {
        "snake" => Snake,
        "rows" => Rows,
        "blocks" => Blocks,
        "lot" => Lot,
    }
}

keys! {
    /// The values of `[[stage]]`.
    StageKeys<'a>, "stage", "[[stage]]", "A stage of the event. It begins when the stage before it is played. What it does not say is as in the rest of the file: pairs, time, adjudication, knockout, playoff.";

    /// What it is called.
    name: String [or "\"stage 1\", \"stage 2\", …"], "format = \"round-robin\"\nname = \"league\"",
        refused ["a name that another stage has"];
    /// Who meets whom: round-robin, swiss, knockout, double-elimination or ladder.
    format: FormatWord [required], "format = \"round-robin\"", refused ["match and gauntlet"];
    /// Engines that take part, by name: the first seeds, before those of `from`.
    engines: Vec<Entry<'a>> [or "all of the file in the first stage, none in a later one"] List(&Text),
        "format = \"round-robin\"\nengines = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice"];
    /// Those who have places in earlier stages.
    from: Vec<WrittenValue<'a, Section<'a>>> [or "nobody"] Tables("from"),
        "format = \"round-robin\"\nengines = [\"two\", \"New\"]\nfrom = []",
        refused ["no earlier stage of this name", "places of which one engine could have two"];
    /// Groups, which play beside each other.
    groups: u16 [= 1] Whole(1, MAX_GROUPS), in "groups", "format = \"round-robin\"\ngroups = 1",
        refused ["a group of fewer than two engines"];
    /// Who comes into which group: by seeds forth and back (1 2 3, 6 5 4), in rows (1 2 3, 4 5 6), in blocks (the first
    /// seeds together), or by lot.
    seeding: GroupSeeding [= "snake"], "format = \"round-robin\"\nseeding = \"lot\"";
    /// Pairs of an encounter; of a round-robin, how often every two meet.
    pairs: u32 [or "`pairs` of [event]"] Whole(1, 10_000), in "pairs of games",
        "format = \"round-robin\"\npairs = 2";
    /// The limits of all engines in this stage, as in `[time]`.
    time: TimeKeys<'a> [or "[time]"], "format = \"round-robin\"\ntime = { control = \"60+0.6\" }",
        refused ["`margin_ms` and `nodes_jitter`"];
    /// Its draws and wins by score and length, in the place of all those of `[adjudication]`; {} for none.
    adjudication: AdjudicationKeys<'a> [or "[adjudication]"],
        "format = \"round-robin\"\nadjudication = { max_moves = 300 }",
        refused ["tablebases, `flag_fall` and `host_faults`"];
    /// When the games with swapped colours are played, as in `[event]`.
    swapped_games: SwappedGames [or "as in [event]"],
        "format = \"round-robin\"\nswapped_games = \"after-cycle\"";
    /// The start numbers that are played, of those of `[positions]`.
    numbers: Vec<WrittenValue<'a, String>> [or "all"] List(&Text),
        "format = \"round-robin\"\nnumbers = [\"518\"]",
        refused ["a number that is not in [positions]"];
    /// Whether games that two of its engines have played in the stage before count in it.
    carries_points: bool [= false], "format = \"round-robin\"\ncarries_points = true",
        refused ["another format than round-robin"];
    /// How many of its first engines change places with the last ones of the stage before in the next season
    /// (next-season.toml).
    promotes: u16 [= 0] Whole(0, 1000), in "engines", "format = \"round-robin\"\npromotes = 0",
        refused ["another number than `relegates` of the stage before", "with groups, or with engines of earlier stages"];
    /// How many of its last engines change places with the first ones of the next stage.
    relegates: u16 [= 0] Whole(0, 1000), in "engines", "format = \"round-robin\"\nrelegates = 0",
        refused ["another number than `promotes` of the next stage", "with groups, or with engines of earlier stages"];
    /// The order of engines with equal points in a group; a lot decides at last.
    tie_breaks: Vec<WrittenValue<'a, TieBreak>> [or "those that are usual for the format"],
        "format = \"round-robin\"\ntie_breaks = [\"direct\"]",
        refused ["a rule twice", "\"fewer-faults\"", "in a tree"];
    /// The rules of a Swiss, as in `[swiss]`.
    swiss: SwissKeys<'a> [or "none"], "format = \"swiss\"\nswiss = { rounds = 1 }",
        refused ["`seeds`", "in another format"];
    /// The rules of a knockout, a double elimination or a ladder, as in `[knockout]`.
    knockout: KnockoutKeys<'a> [or "see there"],
        "format = \"knockout\"\nknockout = { extra_pairs = 2 }",
        refused ["`seeds`", "in another format"];
    /// What is played while an encounter is level, as in `[[playoff]]`.
    playoff: Vec<WrittenValue<'a, Section<'a>>> [or "[[playoff]]"] Tables("playoff"),
        "format = \"knockout\"\nplayoff = []",
        refused ["in another format"];
}
