//! How a command line is split into options and their values: an option takes all words up to the next one that begins
//! with a dash, except negative numbers.

use crate::front::common::command_line::Given;
use crate::front::common::engine_keys::KeyValue;

impl Given {
    /// The message of fastchess about a wrong value: it names the last word that was read.
    pub(crate) fn error(&self, why: &str) -> String {
        let last = self.words.last().map_or(self.name, String::as_str);
        located(self.name, last, why)
    }

    /// Its words as pairs, at least one.
    ///
    /// # Errors
    /// The reason, as fastchess words it.
    pub(crate) fn some_pairs(&self) -> Result<Vec<KeyValue>, String> {
        if self.words.is_empty() {
            let name = self.name;
            return Err(format!("Option \"{name}\" expects key=value parameters."));
        }
        self.pairs()
    }

    /// Its words as pairs.
    ///
    /// # Errors
    /// The reason, as fastchess words it.
    pub(crate) fn pairs(&self) -> Result<Vec<KeyValue>, String> {
        let name = self.name;
        let pair = |word: &String| {
            let split = word.split_once('=');
            let filled = split.filter(|(key, value)| !key.is_empty() && !value.is_empty());
            let own = filled.map(|(key, value)| (key.to_owned(), value.to_owned()));
            own.ok_or_else(|| format!("Option \"{name}\" expects key=value pairs, got \"{word}\"."))
        };
        self.words.iter().map(pair).collect()
    }

    /// The only word.
    ///
    /// # Errors
    /// As [`Given::pairs`].
    pub(crate) fn single(&self) -> Result<&str, String> {
        match self.words.as_slice() {
            [word] => Ok(word),
            _ => Err(format!(
                "Option \"{}\" expects exactly one value.",
                self.name
            )),
        }
    }

    /// Refuses words.
    ///
    /// # Errors
    /// As [`Given::pairs`].
    pub(crate) fn alone(&self) -> Result<(), String> {
        match self.words.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "Option \"{}\" does not accept parameters.",
                self.name
            )),
        }
    }
}

/// An error message with its option and a value.
pub(crate) fn located(option: &str, value: &str, why: &str) -> String {
    format!("Error while reading option \"{option}\" with value \"{value}\"\nReason: {why}")
}

/// The options in these words, up to the first unknown one, and the message about that one. The options before it are
/// read first, as in fastchess. `names` are all options.
pub(crate) fn split(
    words: &[String],
    names: impl Iterator<Item = &'static str> + Clone,
) -> (Vec<Given>, Option<String>) {
    let mut given = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(name) = names.clone().find(|name| name == word) else {
            return (given, Some(unknown(word, names)));
        };
        let values = std::iter::from_fn(|| words.next_if(|word| is_value(word)));
        let values = values.cloned().collect();
        given.push(Given {
            name,
            words: values,
        });
    }
    (given, None)
}

/// Whether a word is a value: a dash begins an option, unless a digit follows.
pub(crate) fn is_value(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(rest) => rest.starts_with(|first: char| first.is_ascii_digit()),
        None => true,
    }
}

fn unknown(word: &str, names: impl Iterator<Item = &'static str>) -> String {
    let text = format!("Unrecognized option: {word} parsing failed.");
    let distance = |name: &'static str| (strsim::levenshtein(word, name), name);
    match names.map(distance).min() {
        Some((0..=2, name)) => format!("{text}: Did you mean \"{name}\"?"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["-resign", "-concurrency", "-recover", "-engine"];

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn an_option_takes_all_words_up_to_the_next() {
        let (given, unknown) = split(
            &words("-resign movecount=3 score=-5 -concurrency -2 -recover"),
            NAMES.into_iter(),
        );
        assert_eq!(unknown, None);
        let names: Vec<&str> = given.iter().map(|given| given.name).collect();
        assert_eq!(names, ["-resign", "-concurrency", "-recover"]);
        assert_eq!(given[1].single(), Ok("-2"));
        assert_eq!(given[2].alone(), Ok(()));
    }

    #[test]
    fn unknown_options_are_named_and_the_nearest_one() {
        let said = |line: &str| split(&words(line), NAMES.into_iter()).1.unwrap();
        assert_eq!(
            said("-engne"),
            "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?"
        );
        assert_eq!(
            said("-something"),
            "Unrecognized option: -something parsing failed."
        );
    }
}
