//! The words `KEY=VALUE` of the `match` command's options: to keys of an event file's tables.

use std::ops::Range;

use super::keys::{self, Key, KeyKind, KeyTable};
use super::made::{Made, MadeTable, OptionText};
use crate::text::nearest;

/// A word that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// Not one of the keys.
    #[error("`{word}`: {option} has no key `{key}`{}", .meant.as_ref().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default())]
    UnknownKey {
        /// The option.
        option: &'static str,
        /// The word.
        word: String,
        /// Its key.
        key: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// A second word without a key.
    #[error("`{0}` is not KEY=VALUE: an --engine has one command; its arguments are arg=VALUE")]
    SecondCommand(String),
    /// A word without a key where no command is allowed.
    #[error("`{word}` is not KEY=VALUE, as in {option} {example}")]
    NoKey {
        /// The option.
        option: &'static str,
        /// The word.
        word: String,
        /// A word that would do.
        example: &'static str,
    },
    /// Nothing to start.
    #[error("an --engine needs a command: cmd=PATH, a bare path, or builtin=sparring")]
    NoCommand,
}

/// One `--engine` as a table of the event file.
#[derive(Debug, Clone)]
pub(super) struct MatchEngine {
    pub(super) table: MadeTable,
    /// The name, given or that of the program.
    pub(super) name: String,
    pub(super) name_place: Option<Range<usize>>,
}

/// The key of these tables that a word names, and the table: by its name, or by what `match` or another
/// runner calls it.
pub(super) fn known(
    tables: &[&'static str],
    word: &str,
) -> Option<(&'static KeyTable, &'static Key)> {
    let keys = || keys_of(tables);
    let by_name = keys().find(|(_, key)| key.name == word);
    by_name.or_else(|| keys().find(|(_, key)| key.aliases.contains(&word)))
}

fn keys_of(tables: &[&'static str]) -> impl Iterator<Item = (&'static KeyTable, &'static Key)> {
    let tables = tables.iter().filter_map(|name| keys::table(name));
    let keys = tables.flat_map(|table| table.keys.iter().map(move |key| (table, key)));
    keys.filter(|(_, key)| {
        !matches!(
            key.kind,
            KeyKind::Table(_) | KeyKind::Tables(_) | KeyKind::Free
        )
    })
}

/// Every word for a key of these tables.
pub(super) fn words_of(tables: &[&'static str]) -> impl Iterator<Item = &'static str> {
    let words =
        |(_, key): (_, &'static Key)| key.aliases.iter().copied().chain(std::iter::once(key.name));
    keys_of(tables).flat_map(words)
}

/// Puts a value into a table, converted to its key's kind.
pub(super) fn put(table: &mut MadeTable, key: &Key, value: &str, place: Range<usize>) {
    match key.kind {
        KeyKind::Text | KeyKind::Word(_) | KeyKind::Either([KeyKind::Text, ..]) => {
            table.text(key.name, value, place)
        }
        KeyKind::Whole(..) | KeyKind::Number(..) => table.set(key.name, Made::number(value, place)),
        KeyKind::List(KeyKind::Whole(..)) => {
            let element = |part: &str| Made::number(part, place.clone());
            let elements = value.split(',').map(element).collect();
            table.set(key.name, Made::List(elements, place));
        }
        KeyKind::List(_) => table.push(key.name, value, place),
        _ => table.set(key.name, Made::scalar(value, place)),
    }
}

/// Reads the words of one `--engine`: `KEY=VALUE`, `option.NAME=VALUE`, and a word without `=`
/// for the command.
pub(super) fn engine_words(
    words: &[String],
    line: &mut OptionText,
    place: Range<usize>,
) -> Result<MatchEngine, MatchError> {
    let mut table = MadeTable::default();
    table.place = place;
    let (mut command, mut name) = (None, None);
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            if command.is_some() {
                return Err(MatchError::SecondCommand(word.clone()));
            }
            table.text("command", word, line.word(word, word.len()));
            command = Some(word.as_str());
            continue;
        };
        let place = line.word(word, value.len());
        match key {
            "cmd" | "builtin" => command = Some(value),
            "name" => name = Some((value.to_owned(), place.clone())),
            _ => (),
        }
        engine_word("--engine", word, (key, value), &mut table, place)?;
    }
    let command = command.ok_or(MatchError::NoCommand)?;
    let of_command = command.rsplit('/').next().unwrap_or(command).to_owned();
    let (name, name_place) = name.unzip();
    Ok(MatchEngine {
        table,
        name: name.unwrap_or(of_command),
        name_place,
    })
}

/// One word of `--engine` or `--each`.
fn engine_word(
    option: &'static str,
    word: &str,
    (key, value): (&str, &str),
    table: &mut MadeTable,
    place: Range<usize>,
) -> Result<(), MatchError> {
    if let Some(name) = key.strip_prefix("option.") {
        let options = table.table("options", place.clone());
        options.set(name, Made::scalar(value, place));
        return Ok(());
    }
    let Some((of, known)) = known(&ENGINE, key) else {
        let names = words_of(&ENGINE).chain(["option.NAME"]);
        return Err(unknown(option, word, key, names));
    };
    let table = match of.name {
        "time" => table.table("time", place.clone()),
        _ => table,
    };
    put(table, known, value, place);
    Ok(())
}

/// The tables of an engine's keys.
const ENGINE: [&str; 2] = ["engine", "time"];

/// Those of the keys that all engines can have.
const SHARED: [&str; 2] = ["defaults", "time"];

/// Reads the words of `--each`, for all engines: limits into `[time]`, the rest into `[defaults]`.
pub(super) fn shared_words(
    words: &[String],
    tables: &mut MadeTable,
    line: &mut OptionText,
) -> Result<(), MatchError> {
    let each = line.word("--each", "--each".len());
    let mut shared = MadeTable::default();
    for word in words {
        let place = line.word(
            word,
            word.split_once('=').map_or(0, |(_, value)| value.len()),
        );
        let Some((key, value)) = word.split_once('=') else {
            let (option, example) = ("--each", "option.Hash=64");
            return Err(MatchError::NoKey {
                option,
                word: word.clone(),
                example,
            });
        };
        if known(&ENGINE, key).is_some() && known(&SHARED, key).is_none() {
            return Err(unknown("--each", word, key, words_of(&SHARED)));
        }
        engine_word("--each", word, (key, value), &mut shared, place)?;
    }
    for (key, value) in shared.into_keys() {
        match (key.as_str(), value) {
            ("time", Made::Table(limits)) => {
                let time = tables.table("time", each.clone());
                for (key, value) in limits.into_keys() {
                    time.set(&key, value);
                }
            }
            (key, value) => tables.table("defaults", each.clone()).set(key, value),
        }
    }
    Ok(())
}

/// An option whose words are the keys of one table.
pub(super) struct OptionWords<'a> {
    pub(super) option: &'static str,
    pub(super) words: &'a [String],
    /// The table, and the one that it is in, if it is in one.
    pub(super) table: &'static str,
    pub(super) inside: Option<&'static str>,
}

/// Reads the words of `--draw`, `--resign` or `--sprt`; the test's hypotheses may be written without a key, as in
/// `0,5`.
pub(super) fn tables_of_words(
    given: &OptionWords<'_>,
    tables: &mut MadeTable,
    line: &mut OptionText,
) -> Result<(), MatchError> {
    let OptionWords {
        option,
        words,
        table: name,
        inside,
    } = given;
    if words.is_empty() {
        return Ok(());
    }
    let place = line.word(option, option.len());
    let table = match inside {
        Some(outer) => tables.table(outer, place.clone()),
        None => tables,
    };
    let table = table.table(name, place);
    for word in *words {
        let whole = line.word(word, word.len());
        let hypotheses = word
            .split_once(',')
            .filter(|_| *option == "--sprt" && !word.contains('='));
        if let Some((elo0, elo1)) = hypotheses {
            table.set("elo0", Made::number(elo0, whole.clone()));
            table.set("elo1", Made::number(elo1, whole));
            continue;
        }
        let Some((key, value)) = word.split_once('=') else {
            let example = match *option {
                "--sprt" => "elo0=0 elo1=5",
                "--draw" => "from=40 moves=8 score=10",
                _ => "moves=4 score=600",
            };
            return Err(MatchError::NoKey {
                option,
                word: word.clone(),
                example,
            });
        };
        let Some((_, known)) = known(&[*name], key) else {
            return Err(unknown(option, word, key, words_of(&[*name])));
        };
        let start = whole.end - value.len().min(whole.len());
        put(table, known, value, start..whole.end);
    }
    Ok(())
}

/// A word whose key is not one of these.
pub(super) fn unknown<N: AsRef<str>>(
    option: &'static str,
    word: &str,
    key: &str,
    known: impl Iterator<Item = N>,
) -> MatchError {
    let known: Vec<N> = known.collect();
    MatchError::UnknownKey {
        option,
        word: word.to_owned(),
        key: key.to_owned(),
        meant: nearest(key, known.iter().map(AsRef::as_ref)).map(str::to_owned),
    }
}
