//! The event file as a whole.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;

use super::context::Context;
use super::engine::{self, Engine, Shared};
use super::event::{self, Event};
use super::files::{Disk, Files};
use super::positions::{self, Positions};
use super::problem::{ConfigErrors, Problem, Report, Warnings};
use super::section::Section;
use super::time;
use super::tournament::{AdaptiveSettings, NamedFile, SprtSettings, Tournament};
use super::{adaptive, adjudication, faults, participants, rounds, sprt, stages, standings};
use crate::event::PositionDraw;
use crate::schedule::{Format, Openings};

/// The longest event file, in bytes.
const LARGEST_FILE: usize = 16 << 20;

/// The most engines of an event: round-robins grow with their square.
const MOST_ENGINES: usize = 1000;

/// What the command line says instead of the event file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overrides {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--concurrency`.
    pub concurrency: Option<NonZeroUsize>,
}

/// Reads an event file and checks everything that can be checked without starting an
/// engine.
///
/// # Errors
/// Everything that is wrong, at once.
pub fn load(path: &Path, overrides: Overrides) -> Result<(Tournament, Warnings), ConfigErrors> {
    let unreadable =
        |reason: String| ConfigErrors::unreadable(&path.display().to_string(), &reason);
    let bytes = Disk
        .read_start(path, LARGEST_FILE + 1)
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() > LARGEST_FILE {
        let limit = LARGEST_FILE >> 20;
        return Err(unreadable(format!("it is longer than {limit} MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text".to_owned()))?;
    parse(&text, path, overrides, &Disk)
}

/// Reads the text of an event file that lies, or would lie, at `origin`.
///
/// # Errors
/// As [`load`].
pub fn parse(
    text: &str,
    origin: &Path,
    overrides: Overrides,
    files: &dyn Files,
) -> Result<(Tournament, Warnings), ConfigErrors> {
    let name = origin.display().to_string();
    let source = std::path::absolute(origin)
        .map_err(|error| ConfigErrors::unreadable(&name, &error.to_string()))?;
    let report = Report::new(name, text.to_owned());
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    let context = Context {
        folder: source.parent().unwrap_or(Path::new("/")),
        files,
        report: &report,
    };
    let tournament = tournament(document.get_ref(), &source, overrides, &context);
    report.add_syntax_errors(syntax_errors);
    let tournament = Tournament {
        text: text.to_owned(),
        ..tournament
    };
    report.finish().map(|warnings| (tournament, warnings))
}

/// The tournament; after an error a likeness of it, that nobody sees.
fn tournament(
    document: &DeTable<'_>,
    source: &Path,
    overrides: Overrides,
    context: &Context<'_>,
) -> Tournament {
    let mut root = Section::root(document, context.report);
    let mut event = event::read(table(
        &mut root,
        "event",
        "[event] with name = \"First steps\"",
    ));
    event.seed = overrides.seed.unwrap_or(event.seed);
    event.concurrency = overrides.concurrency.unwrap_or(event.concurrency);
    let example = "[positions] with all = true, or sample = 50";
    let positions = table(&mut root, "positions", example);
    let (positions, drawn) = positions::read(positions, event.variant, event.seed, context);
    let time = root.table("time").map(time::read).unwrap_or_default();
    let limits = time.limits(None);
    let shared = Shared { time, limits };
    let engines = engines(&mut root, &shared, &event, context);
    let mut engines = stages::select(&mut root, engines, context);
    let in_rounds = rounds::read(&mut root, &event, &engines);
    let format = participants::check(&event, &mut engines, in_rounds, &root.place());
    let sprt = sprt(&mut root, &event, &engines);
    let found = positions.as_ref();
    let adaptive = adaptive(&mut root, &event, sprt.is_some(), found, &format, &engines);
    let timeouts = time::read_timeouts(root.table("timeouts"));
    let adjudication = adjudication::read(root.table("adjudication"));
    let open_ended = sprt.is_some() || adaptive.is_some();
    let self_play = engines.iter().any(|engine| engine.spec.copies > 1);
    let draw = rounds::check_draw(drawn.as_ref(), &event, &format, open_ended, self_play);
    let in_rounds = draw != PositionDraw::Every;
    let faults = faults::read(root.table("faults"), open_ended || in_rounds);
    let tie_breaks = standings::read(root.table("standings"), &format, in_rounds);
    root.finish();
    let Positions {
        openings,
        label,
        book,
    } = positions.unwrap_or_else(Positions::none);
    let files = distinct(book, &engines);
    Tournament {
        name: event.name,
        site: event.site,
        seed: event.seed,
        variant: openings.variant(),
        format,
        cycles: match adaptive {
            Some(adaptive) => adaptive.min_pairs,
            None => event.pairs.map_or(1, |(pairs, _)| pairs),
        },
        concurrency: event.concurrency,
        cpus_per_lane: event.cpus_per_lane.map(|(count, _)| count),
        openings: Arc::new(openings),
        draw,
        positions_label: label,
        engines: engines.into_iter().map(|engine| engine.spec).collect(),
        timeouts,
        adjudication,
        faults,
        tie_breaks,
        sprt,
        adaptive,
        source: source.to_owned(),
        text: String::new(),
        files,
    }
}

/// A table that must be there.
fn table<'a>(root: &mut Section<'a>, key: &'static str, example: &str) -> Option<Section<'a>> {
    root.required(key, example)?.table()
}

fn engines<'a>(
    root: &mut Section<'a>,
    shared: &Shared<'a>,
    event: &Event<'_>,
    context: &Context<'_>,
) -> Vec<Engine<'a>> {
    let tables = root.tables("engine");
    if let Some(first_too_many) = tables.get(MOST_ENGINES) {
        let title = format!(
            "{} engines are more than the {MOST_ENGINES} that an event can have",
            tables.len()
        );
        first_too_many.fail::<()>(Problem::error(title).help("make several events of it"));
    }
    let tables = tables.into_iter().take(MOST_ENGINES);
    tables
        .map(|section| engine::read(section, shared, event.variant, context))
        .collect()
}

/// `[sprt]`, with which `pairs` says nothing.
fn sprt(root: &mut Section<'_>, event: &Event<'_>, engines: &[Engine<'_>]) -> Option<SprtSettings> {
    let section = root.table("sprt")?;
    if let Some((_, place)) = &event.pairs {
        let title = "`pairs` says nothing here: with [sprt], cycles go on until it decides";
        place.fail::<()>(Problem::warning(title).help("max_pairs in [sprt] is the limit"));
    }
    if engines.iter().any(|engine| engine.spec.copies > 1) {
        let title = "an engine that plays itself is as strong as itself: there is nothing to test";
        section.fail::<()>(Problem::error(title).help("take [sprt] out"));
    }
    Some(sprt::read(section, participants::count(engines)))
}

/// `[adaptive]`, with which `pairs` says nothing, and which no test can share.
fn adaptive(
    root: &mut Section<'_>,
    event: &Event<'_>,
    tested: bool,
    positions: Option<&Positions>,
    format: &Format,
    engines: &[Engine<'_>],
) -> Option<AdaptiveSettings> {
    let section = root.table("adaptive")?;
    if let Some((_, place)) = &event.pairs {
        let title = "`pairs` says nothing here: [adaptive] has min_pairs and max_pairs";
        place.fail::<()>(Problem::warning(title).help("take this line out"));
    }
    if tested {
        let title = "[adaptive] and [sprt] exclude each other";
        let help = "a test between engines needs positions that do not depend on its results";
        section.fail::<()>(Problem::error(title).help(help));
    }
    adaptive::read(section, &positions?.openings, format, engines)
}

/// The files of the book and of all engines, each once.
fn distinct(book: Option<NamedFile>, engines: &[Engine<'_>]) -> Vec<NamedFile> {
    let mut files: Vec<NamedFile> = Vec::new();
    for file in book
        .iter()
        .chain(engines.iter().flat_map(|engine| &engine.files))
    {
        if !files.iter().any(|other| other.path == file.path) {
            files.push(file.clone());
        }
    }
    files
}

impl Positions {
    /// What stands for positions that could not be read.
    fn none() -> Positions {
        Positions {
            openings: Openings::book(crate::chess::start::Variant::Chess960, Vec::new()),
            label: String::new(),
            book: None,
        }
    }
}
