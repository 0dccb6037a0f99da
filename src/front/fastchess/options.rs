//! The command line of fastchess as a whole: its options one after another, and what they make together.

use super::own_words::set_key;
use super::rows::OPTIONS;
use super::takes::{FastchessReading, Takes, take_keys, take_word};
use crate::front::common::command_line::{
    Asked, DONE, Given, HELP, alone, pairs, some_pairs, split,
};
use crate::front::common::settings::{CommandLine, Settings};

/// Reads the words after the program's name.
///
/// # Errors
/// The text that fastchess prints.
pub(in crate::front) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    if words.is_empty() {
        return Ok(Asked::Text(HELP.to_owned(), DONE));
    }
    let mut reading = FastchessReading {
        line: CommandLine {
            settings: Settings::new(seed),
            ..CommandLine::default()
        },
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
