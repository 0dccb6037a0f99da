//! The event file as a whole.

use std::path::Path;
use std::sync::Arc;

use toml::de::DeTable;

use super::context::Context;
use super::engine::{self, Engine, Shared};
use super::event::{self, Event};
use super::files::{Disk, Files, PathBase};
use super::match_options::MatchEvent;
use super::positions::{self, Positions, PositionsContext};
use super::problem::{ConfigErrors, Problem, Report, Warnings};
use super::recorded::Overrides;
use super::section::{DEFAULTS, Section};
use super::time;
use super::tournament::{AdaptiveSettings, NamedFile, SprtSettings, Tournament};
use super::{
    adaptive, adjudication, faults, participants, round_times, rounds, sprt, stages, standings,
};
use crate::clock::TimeLimit;
use crate::event::identity::combined_seed;
use crate::referee::{Disqualified, HostFaults};
use crate::schedule::{Format, Openings};

/// The longest event file, in bytes.
const LARGEST_FILE: usize = 16 << 20;

/// The most engines of an event: round-robins grow with their square.
const MOST_ENGINES: usize = 1000;

/// Reads an event file and checks everything that can be checked without starting an
/// engine.
///
/// # Errors
/// Everything that is wrong, at once.
pub fn load(path: &Path, overrides: Overrides<'_>) -> Result<(Tournament, Warnings), ConfigErrors> {
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
    overrides: Overrides<'_>,
    files: &dyn Files,
) -> Result<(Tournament, Warnings), ConfigErrors> {
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    let parsed = Parsed {
        name: origin.display().to_string(),
        shown: text,
        base: PathBase::EventFile,
        document: document.get_ref(),
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
    event: &MatchEvent,
    origin: &Path,
    overrides: Overrides<'_>,
    files: &dyn Files,
) -> Result<(Tournament, Warnings), ConfigErrors> {
    let parsed = Parsed {
        name: "the command line".to_owned(),
        shown: event.line.text(),
        base: PathBase::CurrentFolder,
        document: &event.tables.read(),
        syntax_errors: Vec::new(),
        text: event.to_toml(),
    };
    parsed.check(origin, overrides, files)
}

/// The tables of an event.
struct Parsed<'a> {
    /// What errors call the text.
    name: String,
    /// The text that errors show.
    shown: &'a str,
    /// What paths are relative to.
    base: PathBase,
    document: &'a DeTable<'a>,
    syntax_errors: Vec<toml::de::Error>,
    /// The event file, for the store.
    text: String,
}

impl Parsed<'_> {
    fn check(
        self,
        origin: &Path,
        overrides: Overrides<'_>,
        files: &dyn Files,
    ) -> Result<(Tournament, Warnings), ConfigErrors> {
        let source = std::path::absolute(origin)
            .map_err(|error| ConfigErrors::unreadable(&self.name, &error.to_string()))?;
        let report = Report::new(self.name, self.shown.to_owned());
        let context = Context {
            folder: source.parent().unwrap_or(Path::new("/")),
            base: self.base,
            files,
            report: &report,
            rehearsal: overrides.rehearsal,
        };
        let tournament = tournament(self.document, &source, overrides, &context);
        report.add_syntax_errors(self.syntax_errors);
        let tournament = Tournament {
            text: self.text,
            ..tournament
        };
        report.finish().map(|warnings| (tournament, warnings))
    }
}

/// The tournament; after an error a likeness of it, that nobody sees.
fn tournament(
    document: &DeTable<'_>,
    source: &Path,
    overrides: Overrides<'_>,
    context: &Context<'_>,
) -> Tournament {
    let mut root = Section::root(document, context.report);
    let mut event = event::read(table(
        &mut root,
        "event",
        "[event] with name = \"First steps\"",
    ));
    event.guess_format(&root);
    let recorded = overrides
        .recorded
        .and_then(|recorded| recorded(&event.name));
    let named = overrides.seed.or(event.seed);
    let known = named.or(recorded.map(|recorded| recorded.seed));
    let public_draw = event::public_draw(&event, named);
    let announced = public_draw.as_ref().and_then(|public| {
        let announced = public.announced.as_ref()?;
        Some(combined_seed(public.seed, announced))
    });
    let known = announced.or(known);
    let seed = known.or(overrides.drawn).unwrap_or(0);
    event.concurrency = overrides.concurrency.unwrap_or(event.concurrency);
    let example = "[positions] with all = true, or sample = 50";
    let positions = table(&mut root, "positions", example);
    let surroundings = PositionsContext {
        variant: event.variant,
        seed,
        recorded_order: recorded.map(|recorded| recorded.sequential),
        public: event.public_source.is_some(),
        pairs: event.pairs.as_ref().map_or(1, |(pairs, _)| *pairs),
        context,
    };
    let (positions, drawn, making) = positions::read(positions, &surroundings);
    let time = root.table("time").map(time::read).unwrap_or_default();
    let limits = time.limits(None);
    let shared = Shared { time, limits };
    let engines = engines(&mut root, &shared, &event, context);
    let mut engines = stages::select(&mut root, engines, context);
    let in_rounds = rounds::read(&mut root, &event, &engines);
    let format = participants::check(&event, &mut engines, in_rounds, &root.place());
    let found = positions.as_ref();
    let starts = found.map(|positions| positions.openings.len());
    let sprt = sprt(&mut root, &event, starts, &engines);
    let adaptive = adaptive(&mut root, &event, sprt.is_some(), found, &format, &engines);
    let timeouts = time::read_timeouts(root.table("timeouts"));
    let usual = match recorded {
        Some(recorded) => recorded.host_faults,
        None if engines
            .iter()
            .any(|engine| engine.spec.limits.time != TimeLimit::None) =>
        {
            HostFaults::Replay
        }
        None => HostFaults::Count,
    };
    let adjudication = adjudication::read(root.table("adjudication"), usual, context);
    let games = games(&event, sprt.is_some() || adaptive.is_some(), &engines);
    let open_ended = sprt.is_some() || adaptive.is_some() || event.games.is_some();
    let self_play = engines.iter().any(|engine| engine.spec.copies > 1);
    let draw = rounds::check_draw(drawn.as_ref(), &event, &format, open_ended, self_play);
    event::check_turns(&event, draw, adaptive.is_some(), &root.place());
    let making = positions::made::check(making, &event, &engines, open_ended, draw);
    let places = making.is_some_and(|making| making.system.places());
    let auction = making.is_some_and(|making| making.system.is_auction());
    let in_rounds = draw.is_in_rounds();
    let kept = sprt.is_some() || adaptive.is_some() || in_rounds;
    let fate = match recorded {
        // Between two engines nobody else is concerned.
        _ if kept || engines.len() < 3 => Disqualified::Keep,
        Some(recorded) => recorded.disqualified,
        None => Disqualified::Half,
    };
    let faults = faults::read(root.table("faults"), kept, fate);
    let pair_games = event.pair_games.as_ref().map_or(2, |(games, _)| *games);
    let series = super::series::read(root.table("series"), draw, pair_games);
    let round_times = round_times::read(root.tables("round"), in_rounds);
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
        seed,
        seed_drawn: known.is_none(),
        public_draw,
        variant: openings.variant(),
        format,
        colours: event.colours,
        series,
        pair_games: match auction {
            true => Some(1),
            false => event.pair_games.map(|(games, _)| games),
        },
        cycles: match adaptive {
            Some(adaptive) => adaptive.min_pairs,
            None if places => 1,
            None => event.pairs.map_or(1, |(pairs, _)| pairs),
        },
        games,
        replacements: event.replacements,
        concurrency: event.concurrency,
        cpus_per_lane: event.cpus_per_lane.map(|(count, _)| count),
        pause: event.pause,
        openings: Arc::new(openings),
        making,
        draw,
        round_times,
        positions_label: label,
        engines: engines.into_iter().map(|engine| engine.spec).collect(),
        timeouts,
        adjudication,
        faults,
        kept_lines: event.kept_lines,
        tie_breaks,
        sprt,
        adaptive,
        source: source.to_owned(),
        text: String::new(),
        shard: None,
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
    let defaults = root.table(DEFAULTS);
    let tables = root.tables("engine");
    if let Some(first_too_many) = tables.get(MOST_ENGINES) {
        let title = format!(
            "{} engines are more than the {MOST_ENGINES} that an event can have",
            tables.len()
        );
        first_too_many.fail::<()>(Problem::error(title).help("make several events of it"));
    }
    let tables = tables.into_iter().take(MOST_ENGINES);
    let read = |section: Section<'a>| {
        let section = section.with_defaults(defaults.as_ref());
        engine::read(section, shared, event.variant, context)
    };
    let engines = tables.map(read).collect();
    if let Some(defaults) = defaults {
        defaults.finish_defaults();
    }
    engines
}

/// `games`, where nothing else decides how many there are.
fn games(event: &Event<'_>, open_ended: bool, engines: &[Engine<'_>]) -> Option<u64> {
    let (games, place) = event.games.as_ref()?;
    if open_ended {
        let title = "`games` says nothing here: [sprt] and [adaptive] have max_pairs";
        return place.fail(Problem::error(title).help("take this line out"));
    }
    let alone = engines.iter().any(|engine| engine.spec.copies > 1);
    let repeated = alone && engines.iter().all(|engine| engine.spec.repeats_itself());
    if games % 2 == 1 && !repeated {
        let title = "`games` is odd, and games come in pairs with the colours swapped";
        let help = format!("games = {}", games + 1);
        return place.fail(Problem::error(title).help(help));
    }
    Some(*games)
}

/// `[sprt]`, with which `pairs` says nothing.
fn sprt(
    root: &mut Section<'_>,
    event: &Event<'_>,
    starts: Option<u32>,
    engines: &[Engine<'_>],
) -> Option<SprtSettings> {
    let section = root.table("sprt")?;
    if let Some((_, place)) = &event.pairs {
        let title = "`pairs` says nothing here: with [sprt], cycles go on until it decides";
        place.fail::<()>(Problem::warning(title).help("max_pairs in [sprt] is the limit"));
    }
    if engines.iter().any(|engine| engine.spec.copies > 1) {
        let title = "an engine that plays itself is as strong as itself: there is nothing to test";
        section.fail::<()>(Problem::error(title).help("take [sprt] out"));
    }
    let of_games = event
        .pair_games
        .as_ref()
        .is_some_and(|(games, _)| *games == 1);
    let count = participants::count(engines);
    Some(sprt::read(section, count, starts, of_games))
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
