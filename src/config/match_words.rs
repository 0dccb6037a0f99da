//! The words `KEY=VALUE` of the `match` command's options: to keys of an event file's tables.

use std::ops::Range;

use super::made::{CommandLine, Made, MadeTable};
use crate::text::nearest;

/// A word that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// Not one of the keys.
    #[error("`{word}`: {option} has no key `{key}`{}", .meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default())]
    UnknownKey {
        /// The option.
        option: &'static str,
        /// The word.
        word: String,
        /// Its key.
        key: String,
        /// What was probably meant.
        meant: Option<&'static str>,
    },
    /// A second word without a key.
    #[error("`{0}` is not KEY=VALUE: an --engine has one command; its arguments are arg=VALUE")]
    SecondCommand(String),
    /// A word without a key where there is no command.
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

/// How a value becomes one of the event file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Text,
    Number,
    Scalar,
    /// One more element of a list.
    Element,
    /// A list of numbers with commas.
    Numbers,
}

/// The words of an engine: the key, that of the event file, and whether it belongs to its `time`.
const ENGINE: [(&str, &str, Form, bool); 22] = [
    ("cmd", "command", Form::Text, false),
    ("name", "name", Form::Text, false),
    ("builtin", "builtin", Form::Text, false),
    ("arg", "args", Form::Element, false),
    ("dir", "directory", Form::Text, false),
    ("fen", "fen", Form::Text, false),
    ("margin", "margin_ms", Form::Number, false),
    ("copies", "copies", Form::Number, false),
    ("restart", "restart", Form::Scalar, false),
    ("ponder", "ponder", Form::Scalar, false),
    ("tc", "control", Form::Text, true),
    ("movetime", "movetime", Form::Number, true),
    ("nodes", "nodes", Form::Number, true),
    ("depth", "depth", Form::Number, true),
    ("scale", "scale", Form::Number, true),
    ("nice", "nice", Form::Number, false),
    ("cpus", "cpus", Form::Numbers, false),
    ("memory", "memory_mib", Form::Number, false),
    ("processes", "processes", Form::Number, false),
    ("file_size", "file_size_mib", Form::Number, false),
    ("sandbox", "sandbox", Form::Scalar, false),
    ("read", "sandbox_read", Form::Element, false),
];

/// What fastchess and cutechess-cli call these.
const OTHER_NAMES: [(&str, &str); 4] = [
    ("args", "arg"),
    ("st", "movetime"),
    ("timemargin", "margin"),
    ("plies", "depth"),
];

/// Words that only one engine can have.
const OWN: [&str; 6] = ["cmd", "name", "builtin", "arg", "dir", "copies"];

/// The words of `--draw`, `--resign` and `--sprt`: the option, the word and the key.
const RULES: [(&str, &str, &str, Form); 18] = [
    ("--draw", "from", "from_move", Form::Number),
    ("--draw", "movenumber", "from_move", Form::Number),
    ("--draw", "moves", "moves", Form::Number),
    ("--draw", "movecount", "moves", Form::Number),
    ("--draw", "score", "centipawns", Form::Number),
    ("--resign", "moves", "moves", Form::Number),
    ("--resign", "movecount", "moves", Form::Number),
    ("--resign", "score", "centipawns", Form::Number),
    ("--resign", "both", "both_engines", Form::Scalar),
    ("--resign", "twosided", "both_engines", Form::Scalar),
    ("--sprt", "elo0", "elo0", Form::Number),
    ("--sprt", "elo1", "elo1", Form::Number),
    ("--sprt", "alpha", "alpha", Form::Number),
    ("--sprt", "beta", "beta", Form::Number),
    ("--sprt", "model", "model", Form::Text),
    ("--sprt", "max_pairs", "max_pairs", Form::Number),
    ("--sprt", "max_hours", "max_hours", Form::Number),
    ("--draw", "centipawns", "centipawns", Form::Number),
];

/// Puts a value into a table.
pub(super) fn put(table: &mut MadeTable, key: &str, form: Form, value: &str, place: Range<usize>) {
    match form {
        Form::Text => table.text(key, value, place),
        Form::Number => table.set(key, Made::number(value, place)),
        Form::Scalar => table.set(key, Made::scalar(value, place)),
        Form::Element => table.push(key, value, place),
        Form::Numbers => {
            let element = |part: &str| Made::number(part, place.clone());
            let elements = value.split(',').map(element).collect();
            table.set(key, Made::List(elements, place));
        }
    }
}

/// Reads the words of one `--engine`: `KEY=VALUE`, `option.NAME=VALUE`, and a word without `=`
/// for the command.
pub(super) fn engine_words(
    words: &[String],
    line: &mut CommandLine,
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
    if key == "write" {
        table.push("sandbox_write", value, place);
        return Ok(());
    }
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == key);
    let key = other.map_or(key, |(_, known)| known);
    let known = ENGINE.iter().find(|(name, ..)| *name == key);
    let Some((_, file_key, form, timed)) = known else {
        let names = ENGINE
            .iter()
            .map(|(name, ..)| *name)
            .chain(["write", "option.NAME"]);
        return Err(unknown(option, word, key, names));
    };
    let table = match timed {
        true => table.table("time", place.clone()),
        false => table,
    };
    put(table, file_key, *form, value, place);
    Ok(())
}

/// Reads the words of `--each`, for all engines: limits into `[time]`, the rest into `[defaults]`.
pub(super) fn shared_words(
    words: &[String],
    tables: &mut MadeTable,
    line: &mut CommandLine,
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
        if OWN.contains(&key) {
            let names = ENGINE.iter().map(|(name, ..)| *name);
            let names = names.filter(|name| !OWN.contains(name));
            return Err(unknown("--each", word, key, names));
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
pub(super) struct Words<'a> {
    pub(super) option: &'static str,
    pub(super) words: &'a [String],
    /// The table, and the table in it, if there is one.
    pub(super) path: [&'static str; 2],
}

/// Reads the words of `--draw`, `--resign` or `--sprt`; the test's hypotheses may stand alone, as
/// in `0,5`.
pub(super) fn tables_of_words(
    given: &Words<'_>,
    tables: &mut MadeTable,
    line: &mut CommandLine,
) -> Result<(), MatchError> {
    let Words {
        option,
        words,
        path,
    } = given;
    if words.is_empty() {
        return Ok(());
    }
    let place = line.word(option, option.len());
    let mut table = tables.table(path[0], place.clone());
    if !path[1].is_empty() {
        table = table.table(path[1], place);
    }
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
        let of_option = RULES.iter().filter(|(of, ..)| of == option);
        let Some((_, _, file_key, form)) = of_option.clone().find(|(_, name, ..)| *name == key)
        else {
            let names = of_option.map(|(_, name, ..)| *name);
            return Err(unknown(option, word, key, names));
        };
        let start = whole.end - value.len().min(whole.len());
        put(table, file_key, *form, value, start..whole.end);
    }
    Ok(())
}

/// A word whose key is not one of these.
pub(super) fn unknown(
    option: &'static str,
    word: &str,
    key: &str,
    known: impl Iterator<Item = &'static str> + Clone,
) -> MatchError {
    let meant = nearest(key, known.clone()).map(str::to_owned);
    MatchError::UnknownKey {
        option,
        word: word.to_owned(),
        key: key.to_owned(),
        meant: known
            .into_iter()
            .find(|name| Some(*name) == meant.as_deref()),
    }
}
