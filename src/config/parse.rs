//! The event file as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeTable;

use super::command_line::MadeEvent;
use super::engine::ReadEngine;
use super::files::{Context, FileKind, Files, PathBase, RealFiles, plain_path, utf8};
use super::plan::{EventPlan, Overrides, RecordedValues};
use super::problem::{COMMAND_LINE, ConfigErrors, ProblemReport, Warnings};
use super::refused::EngineTrial;
use super::section::Section;
use super::stages::{self, check_rounds, read_standings};
use super::tables::EventTable;
use super::tournament::{NamedFile, Tournament};
use super::{adjudication, event, faults, time};
use crate::event::identity::{EventIdentity, LaunchIdentity};

/// The longest event file, in bytes.
const MAX_FILE_BYTES: usize = 16 << 20;

/// Reads an event file and checks everything that can be checked without starting an
/// engine.
///
/// # Errors
/// Everything that is wrong, at once.
pub fn load(path: &Path, overrides: Overrides<'_>) -> Result<(Tournament, Warnings), ConfigErrors> {
    load_tried(path, overrides, &|_, _| Vec::new())
}

/// The same with what the engines refuse.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_tried(
    path: &Path,
    overrides: Overrides<'_>,
    trial: &EngineTrial<'_>,
) -> Result<(Tournament, Warnings), ConfigErrors> {
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
    let (document, syntax_errors) = DeTable::parse_recoverable(&text);
    let tables = EventTable::read(document.get_ref());
    Parsed::of_file(&text, path, &tables, syntax_errors).check(path, overrides, &RealFiles, trial)
}

/// Reads the text of an event file that lies, or would lie, at `origin`.
///
/// # Errors
/// As [`load`].
pub fn parse(
    text: &str,
    origin: &Path,
    overrides: Overrides<'_>,
    files: &dyn Files,
) -> Result<(Tournament, Warnings), ConfigErrors> {
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    let tables = EventTable::read(document.get_ref());
    Parsed::of_file(text, origin, &tables, syntax_errors).check(
        origin,
        overrides,
        files,
        &|_, _| Vec::new(),
    )
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
) -> Result<(Tournament, Warnings), ConfigErrors> {
    parse_match_tried(event, origin, overrides, files, &|_, _| Vec::new())
}

/// The same with what the engines refuse.
///
/// # Errors
/// As [`load`].
pub(crate) fn parse_match_tried(
    event: &MadeEvent,
    origin: &Path,
    overrides: Overrides<'_>,
    files: &dyn Files,
    trial: &EngineTrial<'_>,
) -> Result<(Tournament, Warnings), ConfigErrors> {
    let parsed = Parsed {
        name: COMMAND_LINE.to_owned(),
        shown: &event.line.0,
        base: PathBase::CurrentFolder,
        tables: &event.tables,
        syntax_errors: Vec::new(),
        text: event.to_toml(),
    };
    parsed.check(origin, overrides, files, trial)
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

impl<'a> Parsed<'a> {
    fn of_file(
        text: &'a str,
        origin: &Path,
        tables: &'a EventTable,
        syntax_errors: Vec<toml::de::Error>,
    ) -> Parsed<'a> {
        Parsed {
            name: origin.display().to_string(),
            shown: text,
            base: PathBase::EventFile,
            tables,
            syntax_errors,
            text: text.to_owned(),
        }
    }

    fn check(
        self,
        origin: &Path,
        overrides: Overrides<'_>,
        files: &dyn Files,
        trial: &EngineTrial<'_>,
    ) -> Result<(Tournament, Warnings), ConfigErrors> {
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
        let tournament = tournament(self.tables, &source, overrides, &context);
        if self.syntax_errors.is_empty() {
            let refused = trial(&tournament, report.has_errors()).into_iter();
            refused.for_each(|refused| report.add(refused.problem(self.tables)));
        }
        report.add_syntax_errors(self.syntax_errors);
        let tournament = Tournament {
            text: self.text,
            ..tournament
        };
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
    let mut root = Section::root(tables, context.report);
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
    let recorded = |_: &str| Some(RecordedValues::from_identity(identity));
    let overrides = Overrides {
        seed,
        recorded: Some(&recorded),
        ..Overrides::default()
    };
    let (tournament, _) = parse(text, origin, overrides, &WithoutEngines::new(identity))?;
    Ok(tournament)
}

/// The files of this machine, and a program for every engine that it does not have.
struct WithoutEngines {
    /// Their paths in the event file, without `.`.
    commands: Vec<PathBuf>,
}

impl WithoutEngines {
    fn new(identity: &EventIdentity) -> WithoutEngines {
        let command = |launch: &LaunchIdentity| match launch {
            LaunchIdentity::Program { command, .. } => Some(plain_path(Path::new(command))),
            LaunchIdentity::Sparring { .. } => None,
        };
        let engines = identity.engines.iter();
        WithoutEngines {
            commands: engines
                .filter_map(|engine| command(&engine.launch))
                .collect(),
        }
    }
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
