//! `[[qualifier]]`: who takes part by the final standings of former events.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::engine::ReadEngine;
use super::files::Context;
use super::problem::Problem;
use super::rehearsal::rehearsal_name;
use super::rounds::{QualifierKeys, RoundKeys, StandingsKeys};
use super::section::{Entry, EntryPlace, Section};
use super::time::{Time, of_games};
use super::value::WrittenValue;
use crate::clock::Limits;
use crate::event::{RoundTime, UnixMillis};
use crate::schedule::Format;
use crate::stats::standings::TieBreak;

/// The file of a former event that is read.
const STANDINGS_FILE: &str = "standings.json";

const MAX_FILE_BYTES: usize = 64 << 20;

/// An engine that comes from a stage.
struct Qualified {
    name: String,
    /// Number of engines of its stage that rank before it.
    rank: usize,
}

/// The engines that take part: all, or those that have come here from their stages, first the first
/// of each stage, in the order of the file, then the second ones, and so on.
pub(super) fn select<'a>(
    root: &mut Section<'_>,
    engines: Vec<ReadEngine<'a>>,
    context: &Context<'_>,
) -> Vec<ReadEngine<'a>> {
    let stages = root.tables("qualifier");
    if stages.is_empty() {
        return engines;
    }
    let mut all: Vec<Qualified> = Vec::new();
    for stage in stages {
        for qualified in read_stage(stage, &engines, context).unwrap_or_default() {
            if !all.iter().any(|other| other.name == qualified.name) {
                all.push(qualified);
            }
        }
    }
    // Stable: the stages stay in their order.
    all.sort_by_key(|qualified| qualified.rank);
    let mut left: Vec<Option<ReadEngine<'a>>> = engines.into_iter().map(Some).collect();
    let mut take = |name: &str| {
        let known = |engine: &&mut Option<ReadEngine<'a>>| {
            engine
                .as_ref()
                .is_some_and(|engine| engine.spec.name == name)
        };
        left.iter_mut().find(known)?.take()
    };
    let selected: Vec<ReadEngine<'a>> = all.iter().filter_map(|one| take(&one.name)).collect();
    if selected.is_empty() {
        // The error was reported; the rest of the file is still checked.
        left.into_iter().flatten().collect()
    } else {
        selected
    }
}

fn read_stage(
    stage: Section<'_>,
    engines: &[ReadEngine<'_>],
    context: &Context<'_>,
) -> Option<Vec<Qualified>> {
    let keys = QualifierKeys::read(stage);
    let (from, places) = (keys.from.entry?, keys.places.entry?);
    let rows = standings(&from, context)?;
    let elements = places.list()?;
    let mut taken: Vec<usize> = Vec::new();
    for element in &elements {
        let place: usize = element.integer(1..=rows.len().max(1))?;
        taken.push(place - 1);
    }
    if let Some(shared) = shared(&rows, &taken) {
        let title = format!("places {} and {} are shared", shared + 1, shared + 2);
        let help = "end the `tie_breaks` of that event with \"lot\", or take both places";
        return places.fail(Problem::error(title).help(help));
    }
    let qualified = taken.into_iter().enumerate();
    let qualified = qualified.map(|(rank, place)| {
        let name = rows[place].0.clone();
        if !engines.iter().any(|engine| engine.spec.name == name) {
            let title = format!(
                "\"{name}\" has place {} there, and no [[engine]] here",
                place + 1
            );
            let help = "write its [[engine]] into this file too, under the same name";
            return from.fail(Problem::error(title).help(help));
        }
        Some(Qualified { name, rank })
    });
    qualified.collect()
}

/// A row that is taken and is level with the next one, which is not taken; or the other way round.
fn shared(rows: &[(String, u64)], taken: &[usize]) -> Option<usize> {
    let is_split = |place: &usize| taken.contains(place) != taken.contains(&(place + 1));
    let level = |place: &usize| rows[*place].1 == rows[*place + 1].1;
    (0..rows.len().saturating_sub(1)).find(|place| level(place) && is_split(place))
}

/// Names and ranks of the final standings, the best first.
fn standings(from: &Entry<'_>, context: &Context<'_>) -> Option<Vec<(String, u64)>> {
    let folder = context.path(from.string()?);
    let rehearsed = rehearsal_name(&folder.to_string_lossy());
    let rehearsed = PathBuf::from(rehearsed).join(STANDINGS_FILE);
    let path = folder.join(STANDINGS_FILE);
    let read = |path: &Path| context.files.read_start(path, MAX_FILE_BYTES);
    let first = context.rehearsal.then(|| read(&rehearsed));
    let text = match first.and_then(Result::ok).map_or_else(|| read(&path), Ok) {
        Ok(text) => text,
        Err(error) => {
            let title = format!("cannot read {}: {error}", path.display());
            let help = if context.rehearsal {
                "rehearse that event first, or play it: run EVENT.toml --rehearse"
            } else {
                "play that event first: `from` is the folder of an event that is complete, results/NAME"
            };
            return from.fail(Problem::error(title).help(help));
        }
    };
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    let rows = value["standings"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let row = |row: &Value| Some((row["name"].as_str()?.to_owned(), row["rank"].as_u64()?));
    let rows: Vec<(String, u64)> = rows.iter().filter_map(row).collect();
    if value["final"] != Value::Bool(true) || rows.is_empty() {
        let title = format!("{} has no final standings", path.display());
        let help = "play that event to its end first: arbiter960 run goes on with it";
        return from.fail(Problem::error(title).help(help));
    }
    Some(rows)
}

/// What `[[round]]` says of a round.
pub(super) struct ReadRound<'a> {
    pub(super) time: RoundTime,
    /// The limits of White and Black, if they are not those of the engines.
    limits: Option<[Limits; 2]>,
    place: EntryPlace<'a>,
}

/// The rounds, the first round first.
pub(super) fn read_rounds<'a>(sections: Vec<Section<'a>>, shared: &Time<'_>) -> Vec<ReadRound<'a>> {
    let mut rounds: Vec<ReadRound<'a>> = Vec::new();
    // The last round with its own time: its number, and the time.
    let mut before: Option<(usize, UnixMillis)> = None;
    for (round, section) in (1..).zip(sections) {
        let place = section.place();
        let keys = RoundKeys::read(section);
        let starts = keys.starts.value;
        let starts =
            starts.and_then(|starts| Some((moment(&starts.entry, &starts.value)?, starts)));
        if let (Some((starts, written)), Some((earlier, known))) = (&starts, before)
            && *starts <= known
        {
            let title = format!("round {round} would begin no later than round {earlier}");
            let help = "the rounds stand in their order, each with a later time";
            written.entry.fail::<()>(Problem::error(title).help(help));
        }
        let starts = starts.map(|(starts, _)| starts);
        before = starts.map(|starts| (round, starts)).or(before);
        let time = RoundTime {
            starts,
            pause: keys.pause.value,
        };
        let limits = keys.time.value.and_then(|time| of_games(time, shared));
        rounds.push(ReadRound {
            time,
            limits,
            place,
        });
    }
    rounds
}

/// The limits of White and Black in the rounds, to the last round that has its own.
pub(super) fn limits_of(rounds: &[ReadRound<'_>]) -> Vec<Option<[Limits; 2]>> {
    let last = rounds.iter().rposition(|round| round.limits.is_some());
    let own = rounds.iter().take(last.map_or(0, |last| last + 1));
    own.map(|round| round.limits.clone()).collect()
}

/// Reports rounds of an event that is not played in rounds.
pub(super) fn check_rounds(rounds: &[ReadRound<'_>], in_rounds: bool) {
    for round in rounds.iter().filter(|_| !in_rounds) {
        let title = "[[round]] is about an event in rounds, and this one is not";
        let help = "a Swiss, a knockout, a double elimination, a ladder, or draw = \"round\" in [positions]";
        round.place.fail::<()>(Problem::error(title).help(help));
    }
}

fn moment(entry: &Entry<'_>, text: &str) -> Option<UnixMillis> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(UnixMillis(moment.as_millisecond()));
    }
    let help = "date, time and zone: starts = \"2026-12-05T14:00:00+01:00\"";
    entry.fail(Problem::error(format!("{text:?} is no moment")).help(help))
}

/// The tie-breaks in their order; if empty, those that are usual for the format.
pub(super) fn read_standings(
    section: Option<Section<'_>>,
    format: &Format,
    in_rounds: bool,
) -> Vec<TieBreak> {
    let Some(section) = section else {
        return Vec::new();
    };
    if matches!(format, Format::Elimination(..) | Format::Stages(_)) {
        let title = format!("the places of a {format} do not follow from points");
        let help = match format {
            Format::Stages(_) => "each [[stage]] has `tie_breaks`".to_owned(),
            _ => format!("`tie_break` in [{format}] decides level encounters"),
        };
        section.fail::<()>(Problem::error(title).help(help));
    }
    let keys = StandingsKeys::read(section);
    check_tie_breaks(&keys.tie_breaks.value.unwrap_or_default(), in_rounds)
}

/// The rules in their order.
pub(super) fn check_tie_breaks(
    all: &[WrittenValue<'_, TieBreak>],
    in_rounds: bool,
) -> Vec<TieBreak> {
    let mut rules: Vec<TieBreak> = Vec::new();
    for written in all {
        check_tie_break(&written.entry, written.value, &rules, in_rounds);
        rules.push(written.value);
    }
    rules
}

fn check_tie_break(element: &Entry<'_>, rule: TieBreak, before: &[TieBreak], in_rounds: bool) {
    if before.contains(&rule) {
        let title = format!("\"{}\" stands here twice", rule.name());
        element.fail::<()>(Problem::error(title).help("a tie-break separates once or never"));
    } else if before.contains(&TieBreak::Lot) {
        let title = "nothing is level after \"lot\"";
        element.fail::<()>(Problem::error(title).help("put \"lot\" at the end"));
    } else if rule.needs_rounds() && !in_rounds {
        let title = format!("\"{}\" is for events in rounds", rule.name());
        let help = "a Swiss, or a league with draw = \"round\" in [positions]";
        element.fail::<()>(Problem::error(title).help(help));
    }
}
