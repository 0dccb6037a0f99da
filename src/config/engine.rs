//! `[[engine]]`: who plays, and how each is started.

use std::time::Duration;

use super::context::Context;
use super::entry::{Entry, Place};
use super::problem::Problem;
use super::section::Section;
use super::time::{self, Time};
use super::tournament::{EngineSpec, Launch, NamedFile};
use super::{confinement, launch, named_files, needs};
use crate::chess::FenDialect;
use crate::chess::start::Variant;
use crate::clock::Limits;
use crate::event::identity::Restart;
use crate::sparring::Strength;
use crate::uci::{VARIANT_OPTION, VARIANTS_FILE_OPTION};

/// One engine, and the places that later checks may have to name.
pub(super) struct Engine<'a> {
    pub(super) spec: EngineSpec,
    /// Whether it has a limit, be it the event's or its own.
    pub(super) limited: bool,
    pub(super) files: Vec<NamedFile>,
    /// The name, or the table if it has none.
    pub(super) place: Place<'a>,
    pub(super) jitter: Option<Place<'a>>,
}

/// What the event gives its engines, unless they have their own.
pub(super) struct Shared<'a> {
    pub(super) time: Time<'a>,
    /// The event's limits, scaled.
    pub(super) limits: Option<Limits>,
}

/// The options of the engine inside this program, but for `Ponder`, which follows from a key.
const SPARRING_OPTIONS: [&str; 2] = ["Hash", "Strength"];

pub(super) fn read<'a>(
    mut section: Section<'a>,
    shared: &Shared<'a>,
    variant: Option<Variant>,
    context: &Context<'_>,
) -> Engine<'a> {
    let launch = launch::read(&mut section, context);
    let [shared_options, own_options] = section.free_tables("options").map(|table| {
        table
            .map(|table| options(table, variant))
            .unwrap_or_default()
    });
    let mut given = shared_options;
    if launch == Some(Launch::Sparring) {
        // The defaults are meant for the other engines, too.
        given.retain(|(entry, _)| SPARRING_OPTIONS.contains(&entry.key) || is_ponder(entry.key));
    }
    for (entry, value) in own_options {
        // UCI: the names of options are not case sensitive.
        given.retain(|(other, _)| !other.key.eq_ignore_ascii_case(entry.key));
        given.push((entry, value));
    }
    if launch == Some(Launch::Sparring) {
        given.iter().for_each(check_sparring_option);
    }
    let launch = launch.unwrap_or(Launch::Sparring);
    let given_ponder = given.iter().find(|(entry, _)| is_ponder(entry.key));
    let given_ponder = given_ponder.cloned();
    let options: Vec<(String, String)> = given
        .into_iter()
        .map(|(entry, value)| (entry.key.to_owned(), value))
        .collect();
    let name = section.optional("name");
    let place = name
        .as_ref()
        .map_or_else(|| section.place(), |entry| entry.place.clone());
    let own = section.table("time").map(time::read).unwrap_or_default();
    let margin = time::margin(&mut section).or(own.margin);
    let margin = margin.or(shared.time.margin);
    let limits = limits(&own, shared);
    let jitter = own
        .nodes_jitter
        .or_else(|| shared.time.nodes_jitter.clone());
    let ponder = ponder(&mut section, limits.as_ref());
    check_ponder_option(given_ponder.as_ref(), ponder);
    let volatile = volatile_files(&mut section);
    let files = named_files::of_engine(&launch, &options, &volatile, context.files);
    let confinement = confinement::read(&mut section, &launch, &options, &files, context);
    let spec = EngineSpec {
        name: name
            .and_then(|entry| engine_name(&entry))
            .unwrap_or_else(|| default_name(&launch, &options)),
        launch,
        options,
        fen: dialect(&mut section, variant),
        margin: margin.unwrap_or(Duration::ZERO),
        restart: restart(&mut section),
        leaves_out_refused_options: leaves_out_refused(&mut section),
        nodes_jitter: jitter.as_ref().map(|(jitter, _)| *jitter),
        copies: section
            .optional("copies")
            .and_then(|entry| entry.integer(1..=2))
            .unwrap_or(1),
        ponder,
        limits: limits.clone().unwrap_or_default(),
        confinement,
        files: files.iter().map(|file| file.path.clone()).collect(),
        volatile_files: volatile,
        needs: needs::read(&mut section),
    };
    section.finish();
    Engine {
        spec,
        limited: limits.is_some(),
        files,
        place,
        jitter: jitter.map(|(_, place)| place),
    }
}

/// Files that the engine itself changes, by the names that options, arguments and scripts have
/// for them.
fn volatile_files(section: &mut Section<'_>) -> Vec<String> {
    let list = section.optional("volatile_files");
    let elements = list.and_then(|list| list.list()).unwrap_or_default();
    let name = |element: &Entry<'_>| Some(element.string()?.to_owned());
    elements.iter().filter_map(name).collect()
}

/// An engine's own limits, or the event's, scaled as its own table has it.
fn limits(own: &Time<'_>, shared: &Shared<'_>) -> Option<Limits> {
    let limits = own.limits(shared.limits.as_ref())?;
    let written = own.first_increment().or(shared.time.first_increment());
    let first_increment = written
        .filter(|_| limits.time.has_increment())
        .unwrap_or_default();
    Some(Limits {
        first_increment,
        ..limits
    })
}

/// Whether it thinks on its opponent's time. A search that does would go beyond any number of nodes
/// or plies before its own clock starts.
fn ponder(section: &mut Section<'_>, limits: Option<&Limits>) -> bool {
    let Some(entry) = section.optional("ponder") else {
        return false;
    };
    let ponder = entry.boolean().unwrap_or_default();
    let limited = limits.is_some_and(|limits| limits.nodes.is_some() || limits.depth.is_some());
    if ponder && limited {
        let title = "a search on the opponent's time keeps to no limit of nodes or depth";
        let help = "give the engine a clock or a time for each move, or ponder = false";
        entry.fail::<()>(Problem::error(title).help(help));
    }
    ponder
}

/// The names of UCI options are not case sensitive.
fn is_ponder(name: &str) -> bool {
    name.eq_ignore_ascii_case("Ponder")
}

/// The option `Ponder` only changes how an engine divides its time: it follows from `ponder`.
fn check_ponder_option(given: Option<&(Entry<'_>, String)>, ponder: bool) {
    let Some((entry, value)) = given else {
        return;
    };
    if !value.eq_ignore_ascii_case(if ponder { "true" } else { "false" }) {
        let title = match ponder {
            true => "`Ponder` is not true, and this engine has ponder = true",
            false => "`Ponder` is true, and this engine does not think on its opponent's time",
        };
        let help = match ponder {
            true => "take it out: `ponder` of the engine sets it",
            false => "ponder = true lets it; the option only changes how it divides its time",
        };
        entry.fail::<()>(Problem::error(title).help(help));
    }
}

/// UCI options and their values, in the order of the file.
fn options<'a>(mut section: Section<'a>, variant: Option<Variant>) -> Vec<(Entry<'a>, String)> {
    let mut options: Vec<(Entry<'a>, String)> = Vec::new();
    for entry in section.all() {
        let Some(value) = option_value(&entry, variant) else {
            continue;
        };
        // UCI: the names of options are not case sensitive.
        let twin = options
            .iter()
            .find(|(other, _)| other.key.eq_ignore_ascii_case(entry.key));
        if let Some((twin, _)) = twin {
            let title = format!("`{}` and `{}` are one UCI option", twin.key, entry.key);
            entry.fail::<()>(Problem::error(title).help("leave one of them"));
        }
        options.push((entry, value));
    }
    options
}

fn option_value(entry: &Entry<'_>, variant: Option<Variant>) -> Option<String> {
    let value = entry.scalar()?;
    if entry.key.eq_ignore_ascii_case("UCI_Chess960") {
        let help = "take it out: every game of a chess960, dfrc or chess480 event has it";
        let title = "`UCI_Chess960` follows from event.variant";
        return entry.fail(Problem::error(title).help(help));
    }
    let teaches = [VARIANT_OPTION, VARIANTS_FILE_OPTION];
    let chosen = |variant: &Variant| matches!(variant, Variant::Chess480 | Variant::Moab);
    if let Some(variant) = variant.filter(chosen)
        && teaches
            .iter()
            .any(|name| entry.key.eq_ignore_ascii_case(name))
    {
        let help = format!("take it out: every engine of an event of {variant} is told so");
        let title = format!("`{}` follows from event.variant", entry.key);
        return entry.fail(Problem::error(title).help(help));
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
        let help = format!("it has {}", SPARRING_OPTIONS.join(" and "));
        entry.fail::<()>(Problem::error(title).help(help));
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
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            name.unwrap_or_else(|| command.clone())
        }
        Launch::Sparring => match options.iter().find(|(name, _)| name == "Strength") {
            Some((_, strength)) => format!("Sparring {strength}"),
            None => "Sparring".to_owned(),
        },
    }
}

/// Shredder-FEN where engines are told that it is Chess960, because some read nothing
/// else there; `KQkq` otherwise, because some read nothing else here.
fn dialect(section: &mut Section<'_>, variant: Option<Variant>) -> FenDialect {
    let dialects = [
        ("shredder", FenDialect::Shredder),
        ("xfen", FenDialect::XFen),
    ];
    let entry = section.optional("fen");
    let written = entry.and_then(|entry| entry.choice(&dialects));
    written.unwrap_or(match variant.is_some_and(Variant::sends_uci_chess960) {
        true => FenDialect::Shredder,
        false => FenDialect::XFen,
    })
}

/// Whether an option that the engine refuses is left out.
fn leaves_out_refused(section: &mut Section<'_>) -> bool {
    let words = [("error", false), ("warn", true)];
    let entry = section.optional("refused_options");
    entry
        .and_then(|entry| entry.choice(&words))
        .unwrap_or_default()
}

/// `"auto"`, true or false.
fn restart(section: &mut Section<'_>) -> Restart {
    let restart = section.optional("restart").and_then(|entry| {
        if entry.is_string() {
            if entry.string() == Some("auto") {
                return Some(Restart::Auto);
            }
            let title = "`restart` is \"auto\", true or false";
            return entry.fail(Problem::error(title));
        }
        let always = entry.boolean()?;
        Some(if always {
            Restart::Always
        } else {
            Restart::Never
        })
    });
    restart.unwrap_or_default()
}
