//! The event file as a whole.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeTable;

use super::command_line::MadeEvent;
use super::engine::ReadEngine;
use super::files::{Context, FileKind, Files, PathBase, RealFiles, plain_path, utf8};
use super::plan::{EventPlan, Overrides, RefusedByEngine};
use super::problem::{COMMAND_LINE, ConfigErrors, EVENT_FILE, Problem, ProblemReport, Warnings};
use super::section::{DEFAULTS, EntryPlace, Section};
use super::stages::{self, check_rounds, read_standings};
use super::tables::{EventTable, EventValue, ValueKind};
use super::tournament::{NamedFile, Tournament};
use super::{adjudication, event, faults, time};
use crate::event::identity::{EventIdentity, LaunchIdentity};

/// A checked event, and what the user should look at all the same.
type Loaded = Result<(Tournament, Warnings), ConfigErrors>;

/// The longest event file, in bytes.
const MAX_FILE_BYTES: usize = 16 << 20;

/// Reads an event file and checks everything that can be checked without starting an
/// engine, or with the engines' own words if they are asked.
///
/// # Errors
/// Everything that is wrong, at once.
pub fn load(path: &Path, overrides: Overrides<'_>) -> Loaded {
    let unreadable =
        |reason: String| ConfigErrors::unreadable(&path.display().to_string(), &reason);
    let bytes = RealFiles
        .read_start(path, MAX_FILE_BYTES + 1)
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() > MAX_FILE_BYTES {
        let limit = MAX_FILE_BYTES >> 20;
        return Err(unreadable(format!("it is longer than {limit} MiB")));
    }
    let text = utf8(bytes).map_err(unreadable)?;
    parse(&text, path, overrides, &RealFiles)
}

/// Reads the text of an event file that lies, or would lie, at `origin`.
///
/// # Errors
/// As [`load`].
pub fn parse(text: &str, origin: &Path, overrides: Overrides<'_>, files: &dyn Files) -> Loaded {
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    let parsed = Parsed {
        name: origin.display().to_string(),
        shown: text,
        base: PathBase::EventFile,
        tables: &EventTable::read(document.get_ref()),
        syntax_errors,
        text: text.to_owned(),
    };
    parsed.check(origin, overrides, files)
}

/// Reads an event that `match` has made of its options, in the folder of `origin`. What is wrong is
/// shown in the command line.
///
/// # Errors
/// As [`load`].
pub fn parse_match(
    event: &MadeEvent,
    origin: &Path,
    overrides: Overrides<'_>,
    files: &dyn Files,
) -> Loaded {
    let parsed = Parsed {
        name: COMMAND_LINE.to_owned(),
        shown: &event.line.0,
        base: PathBase::CurrentFolder,
        tables: &event.tables,
        syntax_errors: Vec::new(),
        text: event.to_toml(),
    };
    parsed.check(origin, overrides, files)
}

/// The tables of an event.
struct Parsed<'a> {
    /// The name of the text in errors.
    name: String,
    /// The text that errors show.
    shown: &'a str,
    /// What paths are relative to.
    base: PathBase,
    tables: &'a EventTable,
    syntax_errors: Vec<toml::de::Error>,
    /// The event file, for the store.
    text: String,
}

impl Parsed<'_> {
    fn check(self, origin: &Path, overrides: Overrides<'_>, files: &dyn Files) -> Loaded {
        let source = std::path::absolute(origin)
            .map_err(|error| ConfigErrors::unreadable(&self.name, &error.to_string()))?;
        let report = ProblemReport::new(self.name, self.shown.to_owned());
        let context = Context {
            folder: source.parent().unwrap_or(Path::new("/")),
            base: self.base,
            files,
            report: &report,
            rehearsal: overrides.rehearsal,
            compatibility: overrides.compatibility,
        };
        let mut tournament = tournament(self.tables, &source, overrides, &context);
        tournament.text = self.text;
        if let Some(trial) = overrides.trial.filter(|_| self.syntax_errors.is_empty()) {
            let refused = trial(&tournament, report.has_errors()).into_iter();
            refused.for_each(|refused| report.add(refused.problem(self.tables)));
        }
        report.add_syntax_errors(self.syntax_errors);
        report.finish().map(|warnings| (tournament, warnings))
    }
}

/// The tournament; after an error, which is reported, it is not used.
fn tournament(
    tables: &EventTable,
    source: &Path,
    overrides: Overrides<'_>,
    context: &Context<'_>,
) -> Tournament {
    let mut root = Section::new("", EntryPlace::end(context.report), tables);
    root.finish();
    let plan = EventPlan::read(&mut root, &overrides, context);
    let (event, draw, in_rounds) = (&plan.event, plan.draw, plan.draw.is_in_rounds());
    let host_faults = plan.usual_host_faults();
    check_rounds(&plan.rounds, in_rounds);
    let auction = plan.making.is_some_and(|making| making.system.is_auction());
    let follows_results = plan.follows_results();
    Tournament {
        site: event.site.value.clone(),
        variant: plan.positions.openings.variant(),
        colours: event.colours.value,
        series: event::read_series(root.table("series"), draw, event.games_per_pair()),
        pair_games: auction.then_some(1).or(event.pair_games.value),
        cycles: plan.cycles(),
        replacements: event.replacements.value,
        concurrency: overrides.concurrency.unwrap_or(event.concurrency.value),
        cpus_per_lane: event.cpus_per_lane.value,
        pause: event.pause.value,
        round_times: plan.rounds.iter().map(|round| round.time).collect(),
        round_limits: stages::limits_of(&plan.rounds),
        limits_by_colour: plan.limits_by_colour.clone(),
        interrupted: event.interrupted.value,
        swapped_games: event.swapped_games.value,
        timeouts: time::read_timeouts(root.part("timeouts")),
        adjudication: adjudication::read(root.part("adjudication"), host_faults, context),
        faults: faults::read(root.part("faults"), follows_results, plan.usual_fate()),
        compatibility: context.compatibility,
        kept_lines: event.kept_lines(),
        tie_breaks: read_standings(root.table("standings"), &plan.format, in_rounds),
        files: distinct(plan.positions.book, &plan.engines),
        name: plan.name,
        seed: plan.seed.seed,
        seed_drawn: plan.seed.is_drawn,
        public_draw: plan.seed.public,
        format: plan.format,
        games: plan.games,
        openings: Arc::new(plan.positions.openings),
        unreadable: plan.positions.unreadable,
        making: plan.making,
        draw,
        positions_label: plan.positions.label,
        engines: plan.engines.into_iter().map(|engine| engine.spec).collect(),
        sprt: plan.sprt,
        adaptive: plan.adaptive,
        source: source.to_owned(),
        text: String::new(),
        shard: None,
        end: None,
    }
}

/// The files of the book and of all engines, each once.
fn distinct(book: Option<NamedFile>, engines: &[ReadEngine<'_>]) -> Vec<NamedFile> {
    let of_engines = engines.iter().flat_map(|engine| engine.files.clone());
    let mut files: Vec<NamedFile> = book.into_iter().chain(of_engines).collect();
    let mut known = HashSet::new();
    files.retain(|file| known.insert(file.path.clone()));
    files
}

/// Reads the text of an event file that lies at `origin`, in the form that was accepted with this identity. Its book
/// must exist, its engines need not. `seed` replaces the file's.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_as_recorded(
    text: &str,
    origin: &Path,
    seed: Option<u64>,
    identity: &EventIdentity,
) -> Result<Tournament, ConfigErrors> {
    let recorded = |_: &str| Some(identity.clone());
    let overrides = Overrides {
        seed,
        recorded: Some(&recorded),
        ..Overrides::default()
    };
    let commands = identity
        .engines
        .iter()
        .filter_map(|engine| match &engine.launch {
            LaunchIdentity::Program { command, .. } => Some(plain_path(Path::new(command))),
            LaunchIdentity::Sparring { .. } => None,
        });
    let files = WithoutEngines {
        commands: commands.collect(),
    };
    let (tournament, _) = parse(text, origin, overrides, &files)?;
    Ok(tournament)
}

/// The files of this machine, and a program for every engine that it does not have.
struct WithoutEngines {
    /// Their paths in the event file, without `.`.
    commands: Vec<PathBuf>,
}

impl Files for WithoutEngines {
    fn kind(&self, path: &Path) -> FileKind {
        let path = plain_path(path);
        let is_engine = self.commands.iter().any(|command| path.ends_with(command));
        match RealFiles.kind(&path) {
            FileKind::Missing if is_engine => FileKind::Program,
            kind => kind,
        }
    }
}

impl RefusedByEngine {
    /// At the option in the tables of the event, or else at the engine's name.
    pub(super) fn problem(&self, root: &EventTable) -> Problem {
        let (title, help) = match self.words.split_once("; ") {
            Some((title, help)) => (title, Some(help.to_owned())),
            None => (self.words.as_str(), None),
        };
        let title = format!("engine \"{}\": {title}", self.engine);
        let problem = Problem::error(title).help_if(help);
        match self.place(root) {
            Some(place) => problem.at(EVENT_FILE, place),
            None => problem,
        }
    }

    fn place(&self, root: &EventTable) -> Option<Range<usize>> {
        let ValueKind::List(engines) = &root.get("engine")?.kind else {
            return None;
        };
        let mut engines = engines.iter().filter_map(table);
        let is_own = |table: &&EventTable| {
            let name = table.get("name").and_then(EventValue::as_text);
            name == Some(&self.engine)
        };
        let engine = engines.find(is_own)?;
        let name = engine.get("name")?.place.clone();
        let defaults = root.get(DEFAULTS).and_then(table);
        let tables = [Some(engine), defaults].into_iter().flatten();
        let options = tables.filter_map(|own| table(own.get("options")?));
        let mut keys = options.flat_map(EventTable::keys);
        let option = keys.find(|key| Some(&key.name) == self.option.as_ref());
        Some(option.map_or(name, |key| key.place.clone()))
    }
}

fn table(value: &EventValue) -> Option<&EventTable> {
    match &value.kind {
        ValueKind::Table(table) => Some(table),
        _ => None,
    }
}
