//! Who takes part, and who meets whom: checks that need more than one table.

use super::engine::ReadEngine;
use super::event::EventKeys;
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::time::Time;
use crate::clock::TimeLimit;
use crate::event::identity::FormatWord;
use crate::platform::capabilities::Capability;
use crate::schedule::Format;
use crate::text::nearest;

/// Default variation of node limits in self-play.
const SELF_PLAY_JITTER: f64 = 0.1;

/// Every check between engines, and between them and the format.
///
/// Missing keys are reported at the end of the file. `in_rounds`: results decide who meets whom.
pub(super) fn check(
    event: &EventKeys<'_>,
    engines: &mut [ReadEngine<'_>],
    in_rounds: Option<Format>,
    root: &Section<'_>,
) -> Format {
    check_names(engines);
    check_self_play(event, engines);
    for engine in engines.iter() {
        check_jitter(engine);
    }
    check_processors(event, engines);
    check_count(engines, root);
    in_rounds.unwrap_or_else(|| format(event, engines))
}

/// The number of participants.
pub(super) fn count(engines: &[ReadEngine<'_>]) -> usize {
    let copies = engines.iter().map(|engine| engine.spec.copies);
    copies.map(usize::from).sum()
}

fn check_names(engines: &[ReadEngine<'_>]) {
    for (index, engine) in engines.iter().enumerate() {
        let name = &engine.spec.name;
        let mut before = engines[..index].iter();
        if before.any(|other| other.spec.name == *name) {
            let title = format!("two engines are named \"{name}\"");
            let help = "results are kept by name: give one of them another, name = \"…\"";
            engine.place.error(title, help);
        }
    }
}

/// `place`: where `[time]` is, or could be added.
pub(super) fn check_limits(engines: &[ReadEngine<'_>], time: &Time<'_>, place: &EntryPlace<'_>) {
    let example = "for example control = \"10+0.1\" in [time], --tc 10+0.1 on a command line; or movetime, nodes, depth";
    let for_nobody = engines.is_empty() && time.has_limits();
    if !for_nobody && engines.iter().all(|engine| !engine.limited) {
        place.fail::<()>(Problem::missing("there is no time control").help(example));
        return;
    }
    for engine in engines.iter().filter(|engine| !engine.limited) {
        let title = format!("\"{}\" has no time control", engine.spec.name);
        engine
            .place
            .fail::<()>(Problem::missing(title).help(example));
    }
}

fn check_count(engines: &[ReadEngine<'_>], root: &Section<'_>) {
    match engines {
        [] if root.misspells("engine") => (),
        [] => {
            let help = "for example: [[engine]] with command = \"stockfish\"";
            root.fail::<()>(Problem::missing("there is no [[engine]]").help(help));
        }
        [only] if only.spec.copies == 1 => {
            let title = "one engine alone has nobody to play";
            let help = "add an [[engine]], or copies = 2 to let it play itself";
            only.place.fail::<()>(Problem::missing(title).help(help));
        }
        _ => (),
    }
}

/// Self-play is one engine twice, in a match. With a fixed limit it would play every game
/// twice, so its node limits vary unless the file says otherwise.
fn check_self_play(event: &EventKeys<'_>, engines: &mut [ReadEngine<'_>]) {
    let several = engines.len() > 1;
    for engine in engines.iter_mut().filter(|engine| engine.spec.copies > 1) {
        if several {
            let title = format!("\"{}\" cannot play itself among others", engine.spec.name);
            let help = "self-play is one engine with copies = 2, and no other";
            engine.place.error(title, help);
        }
        let spec = &mut engine.spec;
        if spec.limits.is_fixed() && spec.limits.nodes.is_some() {
            spec.nodes_jitter.get_or_insert(SELF_PLAY_JITTER);
        }
        if engine.limited && engine.spec.repeats_itself() {
            let title = "with this limit a deterministic engine that plays itself repeats its game";
            let help =
                "so there is one game per position; nodes with nodes_jitter make two that differ";
            engine.place.fail::<()>(Problem::warning(title).help(help));
        }
        if engine.spec.threads() != Some(1) {
            let problem = Problem::warning("self-play with several threads cannot be repeated");
            let problem = problem.help("options = { Threads = 1 }");
            engine.place.fail::<()>(problem);
        }
    }
    let self_play = engines.iter().any(|engine| engine.spec.copies > 1);
    let format = &event.format;
    let is_match = format.value.is_none_or(|word| word == FormatWord::Match);
    let title = "an engine that plays itself plays a match";
    let help = "format = \"match\", or no `format`";
    format.error_if(self_play && !is_match, title, help);
}

fn check_jitter(engine: &ReadEngine<'_>) {
    let spec = &engine.spec;
    let varies = spec.nodes_jitter.is_some_and(|jitter| jitter > 0.0);
    if let (Some(place), true, None, true) =
        (&engine.jitter, varies, spec.limits.nodes, engine.limited)
    {
        let name = &spec.name;
        let title = format!("`nodes_jitter` varies `nodes`, and \"{name}\" has none");
        let also = match spec.limits.time {
            TimeLimit::None => "nodes = 10000",
            _ => "take it out; searches that end by the clock differ anyway",
        };
        place.error(title, also);
    }
}

/// A lane's own processors are for both engines that play in it.
fn check_processors(event: &EventKeys<'_>, engines: &[ReadEngine<'_>]) {
    event.cpus_per_lane.needs(Capability::Processors);
    let mut engines = engines.iter();
    if let Some(engine) = engines.find(|engine| !engine.spec.confinement.cpus.is_empty()) {
        let name = &engine.spec.name;
        let title = format!("`cpus_per_lane` and the `cpus` of \"{name}\" exclude each other");
        event.cpus_per_lane.error(title, "leave one of them");
    }
}

fn format(event: &EventKeys<'_>, engines: &[ReadEngine<'_>]) -> Format {
    let word = event.format.value;
    let heroes = &event.heroes;
    let title = "`heroes` are those of a gauntlet";
    let help = "format = \"gauntlet\"";
    heroes.error_if(word != Some(FormatWord::Gauntlet), title, help);
    match word {
        None if count(engines) == 2 => Format::Match,
        Some(FormatWord::Match) => {
            let count = count(engines);
            let title = format!("a match is between two, and {count} take part");
            let help = "format = \"round-robin\" or \"gauntlet\"";
            event.format.error_if(count > 2, title, help);
            Format::Match
        }
        Some(FormatWord::Gauntlet) => {
            let named = heroes.entry.as_ref();
            let heroes = named.map_or(vec![0], |heroes| gauntlet_heroes(heroes, engines));
            Format::Gauntlet { heroes }
        }
        // A format in rounds whose rules are wrong, too.
        _ => Format::RoundRobin,
    }
}

fn gauntlet_heroes(list: &Entry<'_>, engines: &[ReadEngine<'_>]) -> Vec<u16> {
    let elements = list.list().unwrap_or_default();
    let heroes = elements.iter();
    let heroes = heroes.filter_map(|hero| engine_named(hero, engines));
    let mut heroes: Vec<u16> = heroes.collect();
    heroes.sort_unstable();
    heroes.dedup();
    if !engines.is_empty() && heroes.len() == engines.len() {
        let title = "every engine is a hero, and nobody is left to play against";
        list.error(title, "format = \"round-robin\"");
    }
    if elements.is_empty() {
        list.fail::<()>(Problem::error("a gauntlet has at least one hero"));
    }
    heroes
}

/// The engine of this name, by its place in the event file.
pub(super) fn engine_named(entry: &Entry<'_>, engines: &[ReadEngine<'_>]) -> Option<u16> {
    let name = entry.string()?;
    let names = engines.iter().map(|engine| engine.spec.name.as_str());
    let names: Vec<&str> = names.collect();
    if let Some(index) = names.iter().position(|other| *other == name) {
        return u16::try_from(index).ok();
    }
    let title = format!("no engine is named \"{name}\"");
    entry.refuse(title, meant(name, &names, "there are"))
}

/// The name that was probably meant, or after these words all that there are.
pub(super) fn meant(name: &str, names: &[&str], there_are: &str) -> String {
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => format!("{there_are}: {}", names.join(", ")),
    }
}

/// The order of the file.
fn all(engines: &[ReadEngine<'_>]) -> Vec<u16> {
    (0..).take(engines.len()).collect()
}

/// Every engine that takes part, the first seed first.
pub(super) fn seeds(entry: Option<&Entry<'_>>, engines: &[ReadEngine<'_>]) -> Vec<u16> {
    let Some(entry) = entry else {
        return all(engines);
    };
    let elements = entry.list().unwrap_or_default();
    let mut seeds: Vec<u16> = Vec::new();
    for element in &elements {
        let Some(engine) = engine_named(element, engines) else {
            continue;
        };
        if seeds.contains(&engine) {
            let title = format!("\"{}\" has two seeds", name(engines, engine));
            element.error(title, "name every engine once");
        } else {
            seeds.push(engine);
        }
    }
    let mut left = all(engines);
    left.retain(|engine| !seeds.contains(engine));
    let left: Vec<&str> = left.iter().map(|engine| name(engines, *engine)).collect();
    if !left.is_empty() && seeds.len() == elements.len() {
        let title = "`seeds` must name every engine";
        entry.error(title, format!("not named: {}", left.join(", ")));
    }
    seeds
}

pub(super) fn name<'a>(engines: &'a [ReadEngine<'_>], engine: u16) -> &'a str {
    let engine = engines.get(usize::from(engine));
    engine.map_or("?", |engine| &engine.spec.name)
}
