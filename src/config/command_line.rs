//! Events without a file: the options of `match`, `doctor --engine` and `adjudicate --rule` as the tables of an event
//! file, so that there is one reader for all.

use std::ops::Range;
use std::path::Path;

use super::adjudication;
use super::files::{Context, PathBase, RealFiles};
use super::keys::Key;
use super::option_words::{LineText, WordError, WordOption, set_uci_option, split_arguments};
use super::problem::{COMMAND_LINE, ConfigErrors, ProblemReport};
use super::section::{EntryPlace, Section};
use super::tables::{EventTable, EventValue, ValueKind};
use crate::referee::{Adjudication, Compatibility, HostFaults};

/// The options of `match`. Texts are kept as typed; the reader of event files reports the errors in them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchOptions {
    /// The event's name; by default the engines' names.
    pub name: Option<String>,
    /// The words of each `--engine`, in order.
    pub engines: Vec<Vec<String>>,
    /// The words of `--each`.
    pub each: Vec<String>,
    /// Options that are one key of the event file: the option, one of `match_keys`, and its value.
    pub keys: Vec<(&'static str, String)>,
    /// `--positions`: `all`, `sample:50`, numbers and ranges such as `518,0-99`, or a file.
    pub positions: Option<String>,
    /// The words of `--draw`, `--resign` and `--sprt`.
    pub draw: Vec<String>,
    /// See `draw`.
    pub resign: Vec<String>,
    /// See `draw`.
    pub sprt: Vec<String>,
}

/// An event made of a command line, and the text in which its errors are shown.
#[derive(Debug, Clone)]
pub struct MadeEvent {
    pub(super) line: LineText,
    pub(super) tables: EventTable,
}

impl MadeEvent {
    /// An event of these tables; errors show its event file.
    pub(crate) fn of_tables(tables: EventTable) -> MadeEvent {
        let line = LineText(tables.to_toml());
        MadeEvent { line, tables }
    }

    /// The equivalent event file.
    pub fn to_toml(&self) -> String {
        self.tables.to_toml()
    }
}

const ENGINE: WordOption = WordOption::new("--engine", &["engine", "time"], "");
const EACH: WordOption = WordOption::new("--each", &["defaults", "time"], "option.Hash=64");
const DRAW: WordOption = WordOption::new("--draw", &["draw"], "from=40 moves=8 score=10");
const RESIGN: WordOption = WordOption::new("--resign", &["resign"], "moves=4 score=600");
const SPRT: WordOption = WordOption::new("--sprt", &["sprt"], "elo0=0 elo1=5");

/// What can be tried on games that are played.
const RULES: [WordOption; 3] = [
    WordOption {
        prefix: "draw.",
        ..WordOption::new("--rule", &["draw"], "")
    },
    WordOption {
        prefix: "resign.",
        ..WordOption::new("--rule", &["resign"], "")
    },
    WordOption {
        only: &["preset", "school", "max_moves"],
        ..WordOption::new("--rule", &["adjudication"], "")
    },
];

/// The options of `match` that are a key each.
const MATCH_KEYS: &str = "tc nodes depth movetime openings plies choice order start sample variant pairs games \
    adjudication school max-moves tablebases tablebase-results tablebase-men host-faults concurrency seed";

/// The tables of these keys.
const MATCH: WordOption =
    WordOption::new("match", &["event", "positions", "time", "adjudication"], "");

/// The options of `match` that are a key each, with its row.
pub(crate) fn match_keys() -> impl Iterator<Item = (&'static str, &'static Key)> {
    let row = |name: &'static str| Some((name, MATCH.row(&name.replace('-', "_"))?.1));
    MATCH_KEYS.split_whitespace().filter_map(row)
}

/// The event made of these options.
///
/// # Errors
/// The first word of `--engine`, `--each`, `--draw`, `--resign` or `--sprt` that is not known.
pub fn match_event(options: &MatchOptions) -> Result<MadeEvent, WordError> {
    event("arbiter960 match", options)
}

/// An event of one engine by these words of `doctor --engine`, for checks only, not for play.
///
/// # Errors
/// The first word that is not known.
pub(crate) fn lone_engine(words: &[String]) -> Result<MadeEvent, WordError> {
    // Nobody plays alone.
    let words = words.iter().cloned().chain(["copies=2".to_owned()]);
    let options = MatchOptions {
        name: Some("doctor".to_owned()),
        engines: vec![words.collect()],
        keys: vec![("depth", "1".to_owned())],
        ..MatchOptions::default()
    };
    event("arbiter960 doctor", &options)
}

fn event(command: &str, options: &MatchOptions) -> Result<MadeEvent, WordError> {
    let mut line = LineText(command.to_owned());
    let engines = options.engines.iter();
    let engines = engines.map(|words| engine(words, &mut line));
    let mut engines = engines.collect::<Result<Vec<_>, _>>()?;
    let names = name_engines(&mut engines);
    let mut tables = EventTable::default();
    let (name, place) = match &options.name {
        Some(name) => (name.clone(), line.option("--name", name)),
        None => (event_name(&names), 0..0),
    };
    let event = tables.table_mut("event", 0..0);
    event.set("name", EventValue::text(&name, place));
    for (name, value) in &options.keys {
        let option = format!("--{name}");
        let place = line.option(&option, value);
        let given = MATCH.given(&name.replace('-', "_"), value, place.clone());
        let given = given.ok_or_else(|| MATCH.unknown(&option, name))?;
        let into = tables.table_mut(given.table.name, place);
        given.put(into);
    }
    positions(options, &mut tables, &mut line);
    each(&options.each, &mut tables, &mut line)?;
    for (option, words, name, inside) in [
        (DRAW, &options.draw, "draw", true),
        (RESIGN, &options.resign, "resign", true),
        (SPRT, &options.sprt, "sprt", false),
    ] {
        if words.is_empty() {
            continue;
        }
        let place = line.word(option.option, option.option.len());
        let outer = if inside {
            tables.table_mut("adjudication", place.clone())
        } else {
            &mut tables
        };
        let table = outer.table_mut(name, place);
        for word in words {
            rule_word(&option, word, table, &mut line)?;
        }
    }
    let engines = engines.into_iter();
    let engines = engines.map(|(table, place)| EventValue::new(ValueKind::Table(table), place));
    let engines = ValueKind::List(engines.collect());
    tables.set("engine", EventValue::new(engines, 0..0));
    Ok(MadeEvent { line, tables })
}

/// A word of `--draw`, `--resign` or `--sprt`; the test's hypotheses may be written without a key, as in `0,5`.
fn rule_word(
    option: &WordOption,
    word: &str,
    table: &mut EventTable,
    line: &mut LineText,
) -> Result<(), WordError> {
    let hypotheses = word.split_once(',').filter(|_| !word.contains('='));
    if let (Some((elo0, elo1)), "--sprt") = (hypotheses, option.option) {
        let place = line.word(word, word.len());
        table.set("elo0", EventValue::number(elo0, place.clone()));
        table.set("elo1", EventValue::number(elo1, place));
    } else {
        option.read(word, line)?.put(table);
    }
    Ok(())
}

/// The words of one `--engine`: `KEY=VALUE`, `option.NAME=VALUE`, and a word without `=` for the command; and its place.
fn engine(words: &[String], line: &mut LineText) -> Result<(EventTable, Range<usize>), WordError> {
    let place = line.word("--engine", "--engine".len());
    let mut table = EventTable::default();
    for word in words {
        if set_uci_option(word, &mut table, line) {
            continue;
        }
        if !word.contains('=') {
            if command(&table).is_some() {
                return Err(WordError(format!(
                    "`{word}` is not KEY=VALUE: an --engine has one command; its arguments are arg=VALUE"
                )));
            }
            let place = line.word(word, word.len());
            table.set("command", EventValue::text(word, place));
            continue;
        }
        let given = ENGINE.read(word, line)?;
        if word.starts_with("args=") {
            // As other programs take it: one text for all.
            for part in split_arguments(given.value) {
                table.push("args", EventValue::text(&part, given.place.clone()));
            }
            continue;
        }
        let into = match given.table.name {
            "time" => table.table_mut("time", given.place.clone()),
            _ => &mut table,
        };
        given.put(into);
    }
    if command(&table).is_none() {
        let words = "an --engine needs a command: cmd=PATH, a bare path, or builtin=sparring";
        return Err(WordError(words.to_owned()));
    }
    Ok((table, place))
}

/// The command of an engine, or the name of the engine inside this program.
fn command(engine: &EventTable) -> Option<&str> {
    let command = engine.get("command").or(engine.get("builtin"));
    command.and_then(EventValue::as_text)
}

/// The words of `--each`, for all engines: limits go into `[time]`, the rest into `[defaults]`.
fn each(words: &[String], tables: &mut EventTable, line: &mut LineText) -> Result<(), WordError> {
    if words.is_empty() {
        return Ok(());
    }
    let place = line.word("--each", "--each".len());
    let mut defaults = EventTable::default();
    for word in words {
        if set_uci_option(word, &mut defaults, line) {
            continue;
        }
        let given = EACH.read(word, line)?;
        let into = match given.table.name {
            "time" => tables.table_mut("time", place.clone()),
            _ => &mut defaults,
        };
        given.put(into);
    }
    if !defaults.keys().is_empty() {
        let defaults = ValueKind::Table(defaults);
        tables.set("defaults", EventValue::new(defaults, place));
    }
    Ok(())
}

/// `--positions`, unless `--openings` has named a book; without either, all positions.
fn positions(options: &MatchOptions, tables: &mut EventTable, line: &mut LineText) {
    let has_book = options.keys.iter().any(|(name, _)| *name == "openings");
    let (text, place) = match &options.positions {
        Some(text) => (text.as_str(), line.option("--positions", text)),
        None if has_book => return,
        None => ("all", 0..0),
    };
    let table = tables.table_mut("positions", place.clone());
    let is_number = |character: char| character.is_ascii_digit() || "-,/ ".contains(character);
    match text.strip_prefix("sample:") {
        Some(count) => table.set("sample", EventValue::number(count, place)),
        None if text == "all" => table.set("all", EventValue::scalar("true", place)),
        None if text.chars().all(is_number) => text.split(',').for_each(|part| {
            table.push("numbers", EventValue::text(part.trim(), place.clone()));
        }),
        None => table.set("file", EventValue::text(text, place)),
    }
}

/// Gives every engine a name; equal names get a number at the end.
fn name_engines(engines: &mut [(EventTable, Range<usize>)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (engine, place) in engines {
        let given = engine.get("name").map(|name| name.place.clone());
        let of_command = command(engine).map(|command| command.rsplit('/').next());
        let name = engine.get("name").and_then(EventValue::as_text);
        let name = name.or(of_command.flatten()).unwrap_or_default().to_owned();
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        let name = free.find(|name| !names.contains(name)).unwrap_or_default();
        let place = given.unwrap_or_else(|| place.clone());
        engine.set("name", EventValue::text(&name, place));
        names.push(name);
    }
    names
}

/// The engines' names as that of a folder.
fn event_name(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().take(4).map(String::as_str).collect();
    let name = names.join(" vs ").replace(['/', '\\'], "-");
    name.chars().take(60).collect::<String>().trim().to_owned()
}

/// The table `[adjudication]` of the words of a rule: a preset alone, or `KEY=VALUE`.
///
/// # Errors
/// A word that is not known.
pub(crate) fn rule_of_words(words: &[String]) -> Result<MadeEvent, WordError> {
    let mut line = LineText("--rule".to_owned());
    let mut tables = EventTable::default();
    for word in words {
        if !word.contains('=') {
            let place = line.word(word, word.len());
            tables.set("preset", EventValue::text(word, place));
            continue;
        }
        let mut options = RULES.iter();
        let option = options.find(|option| word.starts_with(option.prefix));
        let given = option.unwrap_or(&RULES[2]).read(word, &mut line)?;
        let into = match given.table.name {
            name @ ("draw" | "resign") => tables.table_mut(name, given.place.clone()),
            _ => &mut tables,
        };
        given.put(into);
    }
    Ok(MadeEvent { line, tables })
}

/// The rules of such a table.
///
/// # Errors
/// Everything that is wrong, at once.
pub(crate) fn parse_rule(rule: &MadeEvent) -> Result<Adjudication, ConfigErrors> {
    let report = ProblemReport::new(COMMAND_LINE.to_owned(), rule.line.0.clone());
    let section = Section::new("adjudication", EntryPlace::end(&report), &rule.tables);
    let context = Context {
        folder: Path::new("."),
        base: PathBase::CurrentFolder,
        files: &RealFiles,
        report: &report,
        rehearsal: false,
        compatibility: Compatibility::Native,
    };
    let rules = adjudication::read(section, HostFaults::Count, &context);
    report.finish().map(|_| rules)
}
