//! Words to options, what a command line asks for, and the texts of help and version.

use std::str::FromStr;

use super::settings::CommandLine;

/// The line before the openings of a book are put into random order.
pub(crate) const INDEXING: &str = "Indexing opening suite...";

/// The texts of `-help`.
pub(crate) const HELP: &str = include_str!("help_fastchess.txt");
pub(crate) const CUTECHESS_HELP: &str = include_str!("help_cutechess.txt");

/// The line of `-version`. It begins with the number that callers compare, the version of fastchess whose options and output this
/// program follows, and names this program; it never contains another program's commit.
pub(crate) const VERSION: &str = concat!(
    "fastchess-compatible 1.8.2 (arbiter960 ",
    env!("CARGO_PKG_VERSION"),
    ")\n"
);

/// The same when this program replaces cutechess-cli.
pub(crate) const CUTECHESS_VERSION: &str = concat!(
    "cutechess-cli-compatible 1.5.1 (arbiter960 ",
    env!("CARGO_PKG_VERSION"),
    ")\n"
);

/// Exit codes of the other runners.
pub(crate) const DONE: u8 = 0;
pub(crate) const FAILED: u8 = 1;

/// A key and its value.
pub(crate) type KeyValue = (String, String);

/// An option and the words after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) name: &'static str,
    pub(crate) words: Vec<String>,
}

/// What a command line asks for.
#[derive(Debug)]
pub(crate) enum Asked {
    Event(Box<CommandLine>),
    Text(String),
}

/// The options in these words, up to the first word that is none of these `names`, and that word. An option takes all words up
/// to the next one that is no value.
pub(crate) fn split(
    words: &[String],
    names: impl Iterator<Item = &'static str> + Clone,
    is_value: fn(&str) -> bool,
) -> (Vec<Given>, Option<&String>) {
    let mut given = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(name) = names.clone().find(|name| name == word) else {
            return (given, Some(word));
        };
        let values = std::iter::from_fn(|| words.next_if(|word| is_value(word)));
        let words = values.cloned().collect();
        given.push(Given { name, words });
    }
    (given, None)
}

/// What cutechess-cli prints before the line that names the option with its value, if it prints anything.
pub(crate) type OptionRefusal = Option<String>;

/// The words as `key=value`; `keys` are the known keys, those with a default in the form `key=default`.
pub(crate) fn values<const N: usize>(
    given: &Given,
    keys: [&str; N],
) -> Result<[String; N], OptionRefusal> {
    let name = given.name;
    let keys = keys.map(|key| {
        let with_default = key.split_once('=');
        with_default.map_or((key, None), |(key, usual)| (key, Some(usual)))
    });
    let mut values: [Option<&str>; N] = [None; N];
    for word in &given.words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let place = keys.iter().position(|(known, _)| *known == key);
        let place = place.filter(|place| !value.is_empty() && values[*place].is_none());
        let wrong = || format!("Invalid argument for option \"{name}\": \"{word}\"");
        values[place.ok_or_else(|| Some(wrong()))?] = Some(value);
    }
    let found: [Option<&str>; N] = std::array::from_fn(|place| values[place].or(keys[place].1));
    let missing = keys.iter().zip(found).filter(|(_, value)| value.is_none());
    let mut missing: Vec<String> = missing.map(|((key, _), _)| format!("\"{key}\"")).collect();
    missing.sort_unstable();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(Some(format!(
            "Option \"{name}\" needs argument(s): {missing}"
        )));
    }
    Ok(found.map(|value| value.unwrap_or_default().to_owned()))
}

/// Such values as numbers.
pub(crate) fn numbers<T: FromStr + Copy + Default, const N: usize>(
    values: [String; N],
) -> Result<[T; N], OptionRefusal> {
    let mut numbers = [T::default(); N];
    for (number, value) in numbers.iter_mut().zip(values) {
        *number = value.trim().parse().map_err(|_| None)?;
    }
    Ok(numbers)
}

/// The words of an option as pairs, at least one.
pub(crate) fn some_pairs(given: &Given) -> Result<Vec<KeyValue>, String> {
    if given.words.is_empty() {
        return Err(format!(
            "Option \"{}\" expects key=value parameters.",
            given.name
        ));
    }
    pairs(given)
}

pub(crate) fn pairs(given: &Given) -> Result<Vec<KeyValue>, String> {
    let name = given.name;
    let pair = |word: &String| match word.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => {
            Ok((key.to_owned(), value.to_owned()))
        }
        _ => Err(format!(
            "Option \"{name}\" expects key=value pairs, got \"{word}\"."
        )),
    };
    given.words.iter().map(pair).collect()
}

/// Refuses words.
pub(crate) fn alone(given: &Given) -> Result<(), String> {
    if given.words.is_empty() {
        return Ok(());
    }
    Err(format!(
        "Option \"{}\" does not accept parameters.",
        given.name
    ))
}
