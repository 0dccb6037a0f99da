//! The words that an option or a key of fastchess takes, and how they are taken in.

use crate::front::common::command_line::{Given, KeyValue};
use crate::front::common::settings::{CommandLine, EngineSettings, Settings};
use crate::front::common::values::{real, whole};

/// The result of the words that were read so far.
pub(super) struct FastchessReading {
    pub(super) line: CommandLine,
    /// The settings before `-config file=`.
    pub(super) before: Option<(Settings, Vec<EngineSettings>)>,
    pub(super) each: Option<Given>,
}

/// Takes in a value; the error is fastchess's reason.
type Sets = fn(&mut Settings, &str) -> Result<(), String>;

/// The words of an option or of a key, and what becomes of them.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// None; the command line asks for this text.
    Asks(fn() -> String),
    /// None: this becomes true.
    Flag(fn(&mut Settings) -> &mut bool),
    /// `true` or `false`.
    Truth(fn(&mut Settings) -> &mut bool),
    /// One whole number.
    Int(fn(&mut Settings) -> &mut i32),
    /// One whole number that may be longer.
    Long(fn(&mut Settings) -> &mut u64),
    /// One decimal number.
    Real(fn(&mut Settings) -> &mut f64),
    /// One.
    Word(Sets),
    /// One of a few words.
    Choice(fn(&mut Settings, &str) -> Option<()>),
    /// Any, one text.
    Words(fn(&mut Settings) -> &mut String),
    /// These keys with values; the function comes before them.
    Keys(&'static [OptionRow], fn(&mut Settings)),
    /// The option reads its words itself.
    Line(fn(&mut FastchessReading, &Given) -> Result<(), String>),
    /// The option stands for these words.
    Means(fn(&Given) -> Result<Vec<String>, String>),
}

/// An option or a key.
pub(super) type OptionRow = (&'static str, Takes);

/// The message of fastchess about a key that it does not know, or about its value.
pub(super) fn unrecognized(option: &str, key: &str, value: &str) -> String {
    let option = match option.trim_start_matches('-') {
        "crc32" => "crc",
        option => option,
    };
    format!("Unrecognized {option} option \"{key}\" with value \"{value}\".")
}

/// Takes in one word of an option, or a value of a key.
///
/// # Errors
/// The reason, as fastchess words it; `None` where that is an unknown word.
pub(super) fn take_word(
    settings: &mut Settings,
    takes: Takes,
    word: &str,
) -> Result<(), Option<String>> {
    match takes {
        Takes::Truth(place) => *place(settings) = word.parse().map_err(|_| None)?,
        Takes::Int(place) => *place(settings) = whole(word)?,
        // In fastchess, negative numbers wrap around to large ones.
        Takes::Long(place) if word.starts_with('-') => {
            *place(settings) = whole::<i64>(word)?.cast_unsigned()
        }
        Takes::Long(place) => *place(settings) = whole(word)?,
        Takes::Real(place) => *place(settings) = real(word)?,
        Takes::Word(set) => set(settings, word)?,
        Takes::Choice(set) => return set(settings, word).ok_or(None),
        Takes::Words(place) => word.clone_into(place(settings)),
        Takes::Asks(_) | Takes::Flag(_) | Takes::Keys(..) | Takes::Line(_) | Takes::Means(_) => {}
    }
    Ok(())
}

/// `fastchess_20261122_193000.pgn`, if no name is given.
pub(super) fn dated(ending: &str) -> String {
    let now = jiff::Zoned::now().strftime("%Y%m%d_%H%M%S").to_string();
    format!("fastchess_{now}.{ending}")
}

/// Takes in these values of the keys of an option.
pub(super) fn take_keys(
    settings: &mut Settings,
    option: &str,
    keys: &[OptionRow],
    all: &[KeyValue],
) -> Result<(), String> {
    for (key, value) in all {
        let row = keys.iter().find(|(known, _)| known == key);
        let taken = row.map_or(Err(None), |(_, takes)| take_word(settings, *takes, value));
        let shown = match row {
            Some((_, Takes::Choice(_))) if option != "-output" => &format!("{option} {key}"),
            _ => option,
        };
        taken.map_err(|why| why.unwrap_or_else(|| unrecognized(shown, key, value)))?;
    }
    Ok(())
}
