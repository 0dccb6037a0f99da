//! The options of the `match` command as the tables of an event file, so that there is one reader
//! for both.

use super::made::{Made, MadeTable, OptionText};
use super::match_words::{
    MatchError, OptionWords, engine_words, known, put, shared_words, tables_of_words, unknown,
    words_of,
};

/// The options of `match`. An option may be absent if the key has a default in event files. Texts are kept as typed;
/// the reader of event files reports the errors in them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchOptions {
    /// The event's name; by default the engines' names.
    pub name: Option<String>,
    /// The words of each `--engine`, in order.
    pub engines: Vec<Vec<String>>,
    /// The words of `--each`.
    pub each: Vec<String>,
    /// Options that are one key of the event file: the option, its table, the key and the value.
    pub keys: Vec<KeyOption>,
    /// `--positions`: `all`, `sample:50`, numbers and ranges such as `518,0-99`, or a file.
    pub positions: Option<String>,
    /// The words of `--draw`, `--resign` and `--sprt`.
    pub draw: Vec<String>,
    /// See `draw`.
    pub resign: Vec<String>,
    /// See `draw`.
    pub sprt: Vec<String>,
}

/// An option that is one key of the event file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOption {
    /// The option without its dashes: the key's name, or what `match` calls it.
    pub name: &'static str,
    /// The value.
    pub value: String,
}

/// An event as `match` makes it.
#[derive(Debug, Clone)]
pub struct MatchEvent {
    pub(super) line: OptionText,
    pub(super) tables: MadeTable,
}

impl MatchEvent {
    /// An event of these tables; errors show this text.
    pub(crate) fn of(text: &str, tables: MadeTable) -> MatchEvent {
        MatchEvent {
            line: OptionText::new(text),
            tables,
        }
    }

    /// The equivalent event file.
    pub fn to_toml(&self) -> String {
        self.tables.to_toml()
    }
}

/// The tables whose keys are options of `match`.
const TABLES: [&str; 4] = ["event", "positions", "time", "adjudication"];

/// The event made of these options.
///
/// # Errors
/// The first word of `--engine`, `--each`, `--draw`, `--resign` or `--sprt` that is not known.
pub fn match_event(options: &MatchOptions) -> Result<MatchEvent, MatchError> {
    event("arbiter960 match", options)
}

/// An event of one engine by these words of `doctor --engine`, for checks only, not for play.
///
/// # Errors
/// The first word that is not known.
pub(crate) fn lone_engine(words: &[String]) -> Result<MatchEvent, MatchError> {
    // Nobody plays alone.
    let words = words.iter().cloned().chain(["copies=2".to_owned()]);
    let limit = KeyOption {
        name: "depth",
        value: "1".to_owned(),
    };
    let options = MatchOptions {
        name: Some("doctor".to_owned()),
        engines: vec![words.collect()],
        keys: vec![limit],
        ..MatchOptions::default()
    };
    event("arbiter960 doctor", &options)
}

fn event(command: &str, options: &MatchOptions) -> Result<MatchEvent, MatchError> {
    let mut line = OptionText::new(command);
    let mut engines = Vec::new();
    for words in &options.engines {
        let place = line.word("--engine", "--engine".len());
        engines.push(engine_words(words, &mut line, place)?);
    }
    let names = names(&engines);
    let mut tables = MadeTable::default();
    let name = options.name.clone().unwrap_or_else(|| event_name(&names));
    let event = tables.table("event", 0..0);
    match &options.name {
        Some(name) => event.text("name", name, line.option("--name", name)),
        None => event.text("name", &name, 0..0),
    }
    for key in &options.keys {
        let option = format!("--{}", key.name.replace('_', "-"));
        let place = line.option(&option, &key.value);
        let Some((table, known)) = known(&TABLES, key.name) else {
            return Err(unknown("match", &option, key.name, words_of(&TABLES)));
        };
        let table = tables.table(table.name, place.clone());
        put(table, known, &key.value, place);
    }
    positions(options, &mut tables, &mut line);
    if !options.each.is_empty() {
        shared_words(&options.each, &mut tables, &mut line)?;
    }
    let adjudication = Some("adjudication");
    for (option, words, table, inside) in [
        ("--draw", &options.draw, "draw", adjudication),
        ("--resign", &options.resign, "resign", adjudication),
        ("--sprt", &options.sprt, "sprt", None),
    ] {
        let given = OptionWords {
            option,
            words,
            table,
            inside,
        };
        tables_of_words(&given, &mut tables, &mut line)?;
    }
    let engines = engines.into_iter().zip(names);
    let engines = engines.map(|(mut engine, name)| {
        let place = engine.table.place.clone();
        engine.table.set(
            "name",
            Made::text(&name, engine.name_place.unwrap_or(place)),
        );
        engine.table
    });
    tables.set("engine", Made::Tables(engines.collect()));
    Ok(MatchEvent { line, tables })
}

/// `--positions`, unless `--openings` has named a book; without either, all positions.
fn positions(options: &MatchOptions, tables: &mut MadeTable, line: &mut OptionText) {
    let has_book = options.keys.iter().any(|key| key.name == "openings");
    let text = match (&options.positions, has_book) {
        (None, true) => return,
        (text, _) => text.as_deref().unwrap_or("all"),
    };
    let place = match &options.positions {
        Some(text) => line.option("--positions", text),
        None => 0..0,
    };
    let table = tables.table("positions", place.clone());
    let numbers = |character: char| character.is_ascii_digit() || "-,/ ".contains(character);
    if let Some(count) = text.strip_prefix("sample:") {
        table.set("sample", Made::number(count, place));
    } else if text == "all" {
        table.set("all", Made::Plain("true".to_owned(), place));
    } else if text.chars().all(numbers) {
        for part in text.split(',') {
            table.push("numbers", part.trim(), place.clone());
        }
    } else {
        table.text("file", text, place);
    }
}

/// A name for every engine; equal names get a number at the end.
fn names(engines: &[super::match_words::MatchEngine]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for engine in engines {
        let numbered = (2..).map(|number| format!("{}-{number}", engine.name));
        let mut free = std::iter::once(engine.name.clone()).chain(numbered);
        names.extend(free.find(|candidate| !names.contains(candidate)));
    }
    names
}

/// The engines' names as that of a folder.
fn event_name(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().take(4).map(String::as_str).collect();
    let name = names.join(" vs ").replace(['/', '\\'], "-");
    name.chars().take(60).collect::<String>().trim().to_owned()
}
