//! `[[engine]]`: who plays, and how each is started.

use std::time::Duration;

use super::files::{Context, FileKind, looked_for};
use super::identity::files_of_engine;
use super::keys::engine::{EngineKeys, Refused};
use super::launch::{read_confinement, read_launch};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::time::{self, Time};
use super::tournament::{EngineSpec, Launch, NamedFile};
use super::value::{ReadValue, WrittenValue};
use crate::chess::FenDialect;
use crate::chess::start::Variant;
use crate::clock::Limits;
use crate::referee::Compatibility;
use crate::sparring::Strength;
use crate::uci::{VARIANT_OPTION, VARIANTS_FILE_OPTION};

/// One engine, and the places in the file that later checks may report.
pub(super) struct ReadEngine<'a> {
    pub(super) spec: EngineSpec,
    /// Whether it has a limit, the event's or its own.
    pub(super) limited: bool,
    /// Whether a limit is its own.
    pub(super) own_limits: bool,
    pub(super) files: Vec<NamedFile>,
    /// The name, or the table if it has no name.
    pub(super) place: EntryPlace<'a>,
    pub(super) jitter: Option<EntryPlace<'a>>,
}

/// The event's settings for engines that do not have their own.
pub(super) struct SharedSettings<'a> {
    pub(super) time: Time<'a>,
    /// The event's limits, scaled.
    pub(super) limits: Option<Limits>,
}

/// The options of the engine inside this program, except `Ponder`, which follows from a key.
const SPARRING_OPTIONS: [&str; 2] = ["Hash", "Strength"];

pub(super) fn read<'a>(
    section: Section<'a>,
    shared: &SharedSettings<'a>,
    variant: Option<Variant>,
    context: &Context<'_>,
) -> ReadEngine<'a> {
    let of_table = section.place();
    let [own_options, own_env] = ["options", "env"].map(|key| section.has_own(key));
    let [shared_options, shared_env] = ["options", "env"].map(|key| section.shared_table(key));
    let mut keys = EngineKeys::read(section);
    let own = keys.options.value.take().filter(|_| own_options);
    let options = [shared_options, own];
    let env = [shared_env, keys.env.value.take().filter(|_| own_env)];
    let launch = read_launch(&keys, env, &of_table, context);
    let given = given_options(options, launch == Some(Launch::Sparring), variant);
    let launch = launch.unwrap_or(Launch::Sparring);
    let place = keys.name.place().unwrap_or(of_table);
    let own = own_time(&mut keys);
    let limits = own.limits(shared.limits.as_ref());
    let limits = limits.map(|limits| time::begun(limits, [&own, &shared.time]));
    let own_limits = own.has_limits();
    let of_all = || shared.time.nodes_jitter.clone();
    let jitter = own.nodes_jitter.or_else(of_all);
    check_ponder(&keys.ponder, limits.as_ref());
    check_ponder_option(&given, keys.ponder.value);
    let named = |(entry, value): (Entry<'_>, String)| (entry.key.to_owned(), value);
    let options: Vec<(String, String)> = given.into_iter().map(named).collect();
    let volatile = std::mem::take(&mut keys.volatile_files.value);
    let listed = listed_files(&keys.files, &launch, context);
    let files = files_of_engine(&launch, &options, [&listed, &volatile], context.files);
    let margin = keys.margin_ms.value.or(own.margin).or(shared.time.margin);
    let name = keys.name.entry.as_ref().and_then(engine_name);
    let spec = EngineSpec {
        name: name.unwrap_or_else(|| default_name(&launch, &options)),
        fen: keys.fen.value.unwrap_or_else(|| dialect(variant)),
        margin: margin.unwrap_or(Duration::ZERO),
        restart: keys.restart.value,
        leaves_out_refused_options: keys.refused_options.value == Refused::Warn,
        may_miss_its_limit: may_miss_its_limit(&keys, &launch, context),
        plays_chess960_undeclared: !context.compatibility.needs_chess960_option(),
        nodes_jitter: jitter.as_ref().map(|(jitter, _)| *jitter),
        copies: keys.copies.value,
        ponder: keys.ponder.value,
        limits: limits.clone().unwrap_or_default(),
        confinement: read_confinement(&keys, &launch, &options, &files, context),
        files: files.iter().map(|file| file.path.clone()).collect(),
        listed_files: listed,
        volatile_files: volatile,
        launch,
        options,
    };
    ReadEngine {
        spec,
        limited: limits.is_some(),
        own_limits,
        files,
        place,
        jitter: jitter.map(|(_, place)| place),
    }
}

/// What `time` of the engine says.
fn own_time<'a>(keys: &mut EngineKeys<'a>) -> Time<'a> {
    let own = keys.time.value.take().map(time::read).unwrap_or_default();
    if let Some(place) = &own.sides_at {
        let title = "an engine has one limit for both colours";
        place.error(title, "[time] has `white` and `black`, for all engines");
    }
    own
}

/// The built-in engine searches as little as its strength allows.
fn may_miss_its_limit(keys: &EngineKeys<'_>, launch: &Launch, context: &Context<'_>) -> bool {
    *launch == Launch::Sparring
        || context.compatibility != Compatibility::Native
        || keys.missed_limit.value == Refused::Warn
}

/// The options of the defaults that the engine does not have, then its own options.
fn given_options<'a>(
    tables: [Option<Section<'a>>; 2],
    is_sparring: bool,
    variant: Option<Variant>,
) -> Vec<(Entry<'a>, String)> {
    let [shared, own] = tables.map(|table| table.map(|table| options(&table, variant)));
    let mut given = shared.unwrap_or_default();
    if is_sparring {
        // The defaults are meant for the other engines, too.
        given.retain(|(entry, _)| SPARRING_OPTIONS.contains(&entry.key) || is_ponder(entry.key));
    }
    for (entry, value) in own.unwrap_or_default() {
        // UCI: the names of options are not case sensitive.
        given.retain(|(other, _)| !other.key.eq_ignore_ascii_case(entry.key));
        given.push((entry, value));
    }
    if is_sparring {
        given.iter().for_each(check_sparring_option);
    }
    given
}

/// The names of `files`, each of a file that is there.
fn listed_files(
    list: &ReadValue<'_, Option<Vec<WrittenValue<'_, String>>>>,
    launch: &Launch,
    context: &Context<'_>,
) -> Vec<String> {
    let Launch::Program { directory, .. } = launch else {
        return Vec::new();
    };
    let name = |element: &WrittenValue<'_, String>| {
        let kind = context.files.kind(&directory.join(&element.value));
        if matches!(kind, FileKind::Plain | FileKind::Program) {
            return Some(element.value.clone());
        }
        let help = looked_for(&element.value, directory, "`directory` of the engine");
        element.entry.refuse("there is no such file", help)
    };
    list.value.iter().flatten().filter_map(name).collect()
}

/// A search on the opponent's time would go beyond any number of nodes or plies before its own clock
/// starts.
fn check_ponder(ponder: &ReadValue<'_, bool>, limits: Option<&Limits>) {
    let limited = limits.is_some_and(|limits| limits.nodes.is_some() || limits.depth.is_some());
    let title = "a search on the opponent's time keeps to no limit of nodes or depth";
    let help = "give the engine a clock or a time for each move, or ponder = false";
    ponder.error_if(ponder.value && limited, title, help);
}

/// The names of UCI options are not case sensitive.
fn is_ponder(name: &str) -> bool {
    name.eq_ignore_ascii_case("Ponder")
}

/// The option `Ponder` only changes how an engine divides its time: it follows from `ponder`.
fn check_ponder_option(given: &[(Entry<'_>, String)], ponder: bool) {
    let mut given = given.iter();
    let (wanted, title, help) = if ponder {
        (
            "true",
            "`Ponder` is not true, and this engine has ponder = true",
            "take it out: `ponder` of the engine sets it",
        )
    } else {
        (
            "false",
            "`Ponder` is true, and this engine does not think on its opponent's time",
            "ponder = true lets it; the option only changes how it divides its time",
        )
    };
    if let Some((entry, value)) = given.find(|(entry, _)| is_ponder(entry.key))
        && !value.eq_ignore_ascii_case(wanted)
    {
        entry.error(title, help);
    }
}

/// UCI options and their values, in the order of the file.
fn options<'a>(section: &Section<'a>, variant: Option<Variant>) -> Vec<(Entry<'a>, String)> {
    let mut options: Vec<(Entry<'a>, String)> = Vec::new();
    for entry in section.all() {
        let Some(value) = option_value(&entry, variant) else {
            continue;
        };
        // UCI: the names of options are not case sensitive.
        let is_twin = |(other, _): &&(Entry<'_>, _)| other.key.eq_ignore_ascii_case(entry.key);
        if let Some((twin, _)) = options.iter().find(is_twin) {
            let title = format!("`{}` and `{}` are one UCI option", twin.key, entry.key);
            entry.error(title, "leave one of them");
        }
        options.push((entry, value));
    }
    options
}

fn option_value(entry: &Entry<'_>, variant: Option<Variant>) -> Option<String> {
    let value = entry.scalar()?;
    if entry.key.eq_ignore_ascii_case("UCI_Chess960") {
        let help = "take it out: every game of a chess960, dfrc or chess480 event has it";
        return entry.refuse("`UCI_Chess960` follows from event.variant", help);
    }
    let mut taught = [VARIANT_OPTION, VARIANTS_FILE_OPTION].iter();
    if let Some(variant @ (Variant::Chess480 | Variant::Moab)) = variant
        && taught.any(|name| entry.key.eq_ignore_ascii_case(name))
    {
        let help = format!("take it out: every engine of an event of {variant} is told so");
        return entry.refuse(format!("`{}` follows from event.variant", entry.key), help);
    }
    if value.contains(['\n', '\r']) || entry.key.contains(['\n', '\r']) {
        return entry.fail(Problem::error("a UCI option is one line"));
    }
    Some(value)
}

fn check_sparring_option((entry, _): &(Entry<'_>, String)) {
    if entry.key == "Strength" {
        entry.integer(Strength::MIN.level()..=Strength::MAX.level());
    } else if !SPARRING_OPTIONS.contains(&entry.key) && !is_ponder(entry.key) {
        let title = format!("the sparring engine has no option `{}`", entry.key);
        entry.error(title, format!("it has {}", SPARRING_OPTIONS.join(" and ")));
    }
}

fn engine_name(entry: &Entry<'_>) -> Option<String> {
    let name = entry.string()?.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return entry.fail(Problem::error("the name of an engine is one line of text"));
    }
    Some(name.to_owned())
}

/// The program's name; the sparring engine's with its strength.
fn default_name(launch: &Launch, options: &[(String, String)]) -> String {
    match launch {
        Launch::Program { path, command, .. } => {
            let name = path.file_name().map(|name| name.to_string_lossy());
            name.map_or_else(|| command.clone(), Into::into)
        }
        Launch::Sparring => match options.iter().find(|(name, _)| name == "Strength") {
            Some((_, strength)) => format!("Sparring {strength}"),
            None => "Sparring".to_owned(),
        },
    }
}

/// Shredder-FEN where engines are told that it is Chess960, because some read nothing
/// else there; `KQkq` otherwise, because some read nothing else here.
fn dialect(variant: Option<Variant>) -> FenDialect {
    if variant.is_some_and(Variant::sends_uci_chess960) {
        FenDialect::Shredder
    } else {
        FenDialect::XFen
    }
}
