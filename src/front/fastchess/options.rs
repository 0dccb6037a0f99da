//! The command line of fastchess as a whole: what an option or a key takes, its options one after another, and what they make
//! together.

use super::own_words::set_key;
use super::rows::OPTIONS;
use crate::front::common::command_line::{
    Asked, DONE, Given, HELP, KeyValue, alone, pairs, some_pairs, split,
};
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

/// Reads the words after the program's name.
///
/// # Errors
/// The text that fastchess prints.
pub(in crate::front) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    if words.is_empty() {
        return Ok(Asked::Text(HELP.to_owned(), DONE));
    }
    let mut reading = FastchessReading {
        line: CommandLine::new(Settings::new(seed), Vec::new()),
        before: None,
        each: None,
    };
    let asked = reading.take_all(words);
    let asked = asked.and_then(|asked| match asked {
        Some(asked) => Ok(asked),
        None => {
            reading.for_each()?;
            Ok(Asked::Event(Box::new(reading.line.clone())))
        }
    });
    asked.map_err(|why| reading.line.notes + &why)
}

/// Whether a word is a value: a dash begins an option, unless a digit follows.
fn is_value(word: &str) -> bool {
    let rest = word.strip_prefix('-');
    rest.is_none_or(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

fn unknown(word: &str) -> String {
    let text = format!("Unrecognized option: {word} parsing failed.");
    let nearest = OPTIONS
        .iter()
        .map(|(name, _)| (strsim::levenshtein(word, name), name));
    match nearest.min() {
        Some((0..=2, name)) => format!("{text}: Did you mean \"{name}\"?"),
        _ => text,
    }
}

/// An error message with its option and a value.
fn located(option: &str, value: &str, why: &str) -> String {
    format!("Error while reading option \"{option}\" with value \"{value}\"\nReason: {why}")
}

impl FastchessReading {
    /// Takes in all options; the options before an unknown one are read first, as in fastchess. Returns what the line asks for other
    /// than an event.
    fn take_all(&mut self, words: &[String]) -> Result<Option<Asked>, String> {
        let (given, wrong) = split(words, OPTIONS.iter().map(|(name, _)| *name), is_value);
        for option in &given {
            // The message names the last word that was read.
            let last = option.words.last().map_or(option.name, String::as_str);
            let asked = self
                .take(option)
                .map_err(|why| located(option.name, last, &why))?;
            if asked.is_some() {
                return Ok(asked);
            }
        }
        if let Some(wrong) = wrong {
            return Err(unknown(wrong));
        }
        Ok(None)
    }

    fn take(&mut self, given: &Given) -> Result<Option<Asked>, String> {
        let row = OPTIONS.iter().find(|(name, _)| *name == given.name);
        let settings = &mut self.line.settings;
        match row.map(|(_, takes)| *takes) {
            None => {}
            Some(Takes::Asks(text)) => {
                alone(given)?;
                return Ok(Some(Asked::Text(text(), DONE)));
            }
            Some(Takes::Flag(place)) => {
                alone(given)?;
                *place(settings) = true;
            }
            Some(Takes::Words(place)) => *place(settings) = given.words.concat(),
            Some(Takes::Keys(keys, begin)) => {
                begin(settings);
                let all = if given.name == "-epdout" {
                    pairs(given)
                } else {
                    some_pairs(given)
                };
                take_keys(settings, given.name, keys, &all?)?;
            }
            Some(Takes::Line(take)) => take(self, given)?,
            Some(Takes::Means(words)) => {
                self.take_all(&words(given)?)?;
            }
            Some(takes) => {
                let [word] = given.words.as_slice() else {
                    let name = given.name;
                    return Err(format!("Option \"{name}\" expects exactly one value."));
                };
                take_word(settings, takes, word).map_err(Option::unwrap_or_default)?;
            }
        }
        Ok(None)
    }

    /// `-each`, after everything else.
    fn for_each(&mut self) -> Result<(), String> {
        let Some(given) = self.each.take() else {
            return Ok(());
        };
        let shown = if given.words.is_empty() {
            "<none>"
        } else {
            &given.words.join(" ")
        };
        let wrong = |why: String| located(given.name, shown, &why);
        for (key, value) in some_pairs(&given).map_err(wrong)? {
            for engine in &mut self.line.engines {
                set_key(engine, &key, &value).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn reason(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        read(&words, 1).unwrap_err()
    }

    #[test]
    fn unknown_words_are_named_and_the_nearest_option() {
        assert_eq!(
            reason("-engne"),
            "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?"
        );
        assert_eq!(
            reason("-something"),
            "Unrecognized option: -something parsing failed."
        );
        let colour = "Unrecognized engine option \"colour\" with value \"red\".";
        assert!(reason("-engine colour=red").ends_with(colour));
        let level = "Unrecognized log level option \"level\" with value \"x\".";
        assert!(reason("-log level=x").ends_with(level));
    }

    #[test]
    fn an_option_takes_all_words_up_to_the_next() {
        let names = OPTIONS.iter().map(|(name, _)| *name);
        let words = ["-resign", "movecount=3", "score=-5", "-concurrency", "-2"];
        let words = words.map(str::to_owned);
        let (given, wrong) = split(&words, names, is_value);
        assert_eq!((given[1].words.as_slice(), wrong), (&words[4..], None));
    }
}
