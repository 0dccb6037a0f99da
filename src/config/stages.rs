//! `[[qualifier]]`: who takes part by the final standings of former events.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::engine::ReadEngine;
use super::files::Context;
use super::keys::KeyKind::{List, Whole};
use super::keys::keys;
use super::problem::Problem;
use super::rehearsal::rehearsal_name;
use super::section::{Entry, EntryPlace, Section};
use super::time::{Time, TimeKeys, of_games};
use super::value::{WrittenValue, words};
use crate::clock::Limits;
use crate::event::{RoundTime, UnixMillis};
use crate::schedule::Format;
use crate::stats::standings::TieBreak;

/// The file of a former event that is read.
const STANDINGS_FILE: &str = "standings.json";

const MAX_FILE_BYTES: usize = 64 << 20;

/// An engine that comes from a stage, after the number of engines that rank before it there.
type Qualified = (usize, String);

/// The engines that take part: all, or those that have come here from their stages, first the first
/// of each stage, in the order of the file, then the second ones, and so on.
pub(super) fn select<'a>(
    root: &mut Section<'_>,
    mut engines: Vec<ReadEngine<'a>>,
    context: &Context<'_>,
) -> Vec<ReadEngine<'a>> {
    let stages = root.tables("qualifier");
    if stages.is_empty() {
        return engines;
    }
    let mut all: Vec<Qualified> = Vec::new();
    for stage in stages {
        for (rank, name) in read_stage(stage, &engines, context).unwrap_or_default() {
            if !all.iter().any(|(_, other)| *other == name) {
                all.push((rank, name));
            }
        }
    }
    // Stable: the stages stay in their order.
    all.sort_by_key(|(rank, _)| *rank);
    let place = |engine: &ReadEngine<'_>| {
        let name = &engine.spec.name;
        all.iter().position(|(_, other)| other == name)
    };
    // After an error, which was reported, the rest of the file is still checked.
    if engines.iter().any(|engine| place(engine).is_some()) {
        engines.retain(|engine| place(engine).is_some());
        engines.sort_by_key(place);
    }
    engines
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
    let place = |element: &Entry<'_>| element.integer(1..=rows.len().max(1));
    let taken = elements.iter().map(|element| Some(place(element)? - 1));
    let taken: Vec<usize> = taken.collect::<Option<_>>()?;
    let ranks: Vec<u64> = rows.iter().map(|(_, rank)| *rank).collect();
    if let Some(title) = shared(&ranks, &taken) {
        let help = "end the `tie_breaks` of that event with \"lot\", or take both places";
        return places.refuse(title, help);
    }
    let qualified = taken.into_iter().enumerate();
    let qualified = qualified.map(|(rank, place)| {
        let name = rows[place].0.clone();
        if !engines.iter().any(|engine| engine.spec.name == name) {
            let place = place + 1;
            let title = format!("\"{name}\" has place {place} there, and no [[engine]] here");
            let help = "write its [[engine]] into this file too, under the same name";
            return from.refuse(title, help);
        }
        Some((rank, name))
    });
    qualified.collect()
}

/// What is wrong if one that is taken is level with the next one, which is not taken; or the other way round.
pub(super) fn shared<T: PartialEq>(ranks: &[T], taken: &[usize]) -> Option<String> {
    let is_split = |place: &usize| taken.contains(place) != taken.contains(&(place + 1));
    let level = |place: &usize| ranks[*place] == ranks[*place + 1];
    let mut places = 0..ranks.len().saturating_sub(1);
    let split = places.find(|place| level(place) && is_split(place))?;
    Some(format!("places {} and {} are shared", split + 1, split + 2))
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
            return from.refuse(title, help);
        }
    };
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    let rows = value["standings"].as_array().into_iter().flatten();
    let row = |row: &Value| Some((row["name"].as_str()?.to_owned(), row["rank"].as_u64()?));
    let rows: Vec<(String, u64)> = rows.filter_map(row).collect();
    if value["final"] != Value::Bool(true) || rows.is_empty() {
        let help = "play that event to its end first: arbiter960 run goes on with it";
        return from.refuse(format!("{} has no final standings", path.display()), help);
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
        let written = keys.starts.value.as_ref();
        let starts = written.and_then(|starts| moment(&starts.entry, &starts.value));
        if let (Some(starts), Some((earlier, known))) = (starts, before) {
            let title = format!("round {round} would begin no later than round {earlier}");
            let help = "the rounds stand in their order, each with a later time";
            keys.starts.error_if(starts <= known, title, help);
        }
        before = starts.map(|starts| (round, starts)).or(before);
        let pause = keys.pause.value;
        rounds.push(ReadRound {
            time: RoundTime { starts, pause },
            limits: keys.time.value.and_then(|time| of_games(time, shared)),
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
        round.place.error(title, help);
    }
}

fn moment(entry: &Entry<'_>, text: &str) -> Option<UnixMillis> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(UnixMillis(moment.as_millisecond()));
    }
    let help = "date, time and zone: starts = \"2026-12-05T14:00:00+01:00\"";
    entry.refuse(format!("{text:?} is no moment"), help)
}

/// `tie_breaks` of a format whose places follow from something else.
pub(super) fn without_points(format: &str) -> Problem {
    let title = format!("the places of a {format} do not follow from points");
    Problem::error(title).help(match format {
        "stages" => "each [[stage]] has `tie_breaks`",
        _ => "`tie_break` decides level encounters",
    })
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
        section.fail::<()>(without_points(&format.to_string()));
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
    for WrittenValue { entry, value: rule } in all {
        if rules.contains(rule) {
            let title = format!("\"{}\" stands here twice", rule.name());
            entry.error(title, "a tie-break separates once or never");
        } else if rules.contains(&TieBreak::Lot) {
            entry.error("nothing is level after \"lot\"", "put \"lot\" at the end");
        } else if rule.needs_rounds() && !in_rounds {
            let help = "a Swiss, or a league with draw = \"round\" in [positions]";
            entry.error(format!("\"{}\" is for events in rounds", rule.name()), help);
        }
        rules.push(*rule);
    }
    rules
}

words! {
    TieBreak = TieBreak::ALL;
}

keys! {
    /// The values of `[[qualifier]]`.
    QualifierKeys<'a>, "qualifier", "[[qualifier]]", "A former event that decides who takes part: first the first of every such event, in the order of the file, then the second ones; other engines do not.";

    /// The folder of the event, which is played to its end.
    from: Entry<'a> [required], "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["no final standings there", "an engine of theirs that has no [[engine]] here"];
    /// The places whose engines take part.
    places: Entry<'a> [required] List(&Whole(1, 1000)),
        "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["a place that is shared with one that is not named"];
}

keys! {
    /// The values of `[[round]]`.
    RoundKeys<'a>, "round", "[[round]]", "When a round begins and how it is played, the first round first. Rounds without one follow at once. To change a time during the event, run it again.";

    /// The round does not begin before this moment (date, time and zone).
    starts: WrittenValue<'a, String> [or "when the round before it allows"],
        "starts = \"2026-12-05T14:00:00+01:00\"",
        refused ["not a moment, or one without a zone", "no later than an earlier round", "in an event that is not played in rounds"];
    /// The round does not begin before this time after the last game.
    pause: Duration [= 0] Whole(0, 604_800), in "seconds", "pause = 900";
    /// The limits of all engines in this round, as in `[time]`.
    time: TimeKeys<'a> [or "the stage's, or [time]"], "time = { control = \"60+0.6\" }",
        refused ["`margin_ms` and `nodes_jitter`"];
}

keys! {
    /// The values of `[standings]`.
    StandingsKeys<'a>, "standings", "[standings]", "The order of engines with equal points (docs/formats.md).";

    /// The rules, one after the other.
    tie_breaks: Vec<WrittenValue<'a, TieBreak>> [required],
        "tie_breaks = [\"direct\", \"sonneborn-berger\"]",
        refused ["Buchholz or progressive points where nothing is played in rounds", "a rule twice, or one after \"lot\"", "in a knockout, a double elimination or a ladder"];
}
