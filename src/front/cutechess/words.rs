//! How a command line of cutechess-cli is split into options and their words, and the words that each option takes.

use super::qt;
use crate::front::common::command_line::Given;

/// The kind of words that an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordsKind {
    Text,
    /// A whole number of 32 bits.
    Whole,
    /// A whole number of 32 bits that is not negative.
    Natural,
}

/// The words that an option takes: its name, their minimum and maximum number, and their kind.
struct Rule(&'static str, usize, usize, WordsKind);

/// No maximum number of words.
const MANY: usize = usize::MAX;

/// In the order in which cutechess-cli checks them.
const RULES: [Rule; 31] = [
    Rule("-srand", 1, 1, WordsKind::Natural),
    Rule("-tournament", 1, 1, WordsKind::Text),
    Rule("-engine", 1, MANY, WordsKind::Text),
    Rule("-each", 1, MANY, WordsKind::Text),
    Rule("-variant", 1, 1, WordsKind::Text),
    Rule("-concurrency", 1, 1, WordsKind::Whole),
    Rule("-draw", 0, MANY, WordsKind::Text),
    Rule("-resign", 0, MANY, WordsKind::Text),
    Rule("-maxmoves", 1, 1, WordsKind::Whole),
    Rule("-tb", 1, 1, WordsKind::Text),
    Rule("-tbpieces", 1, 1, WordsKind::Whole),
    Rule("-tbignore50", 0, 0, WordsKind::Text),
    Rule("-event", 1, 1, WordsKind::Text),
    Rule("-games", 1, 1, WordsKind::Whole),
    Rule("-rounds", 1, 1, WordsKind::Whole),
    Rule("-sprt", 0, MANY, WordsKind::Text),
    Rule("-ratinginterval", 1, 1, WordsKind::Whole),
    Rule("-outcomeinterval", 1, 1, WordsKind::Whole),
    Rule("-resultformat", 1, 1, WordsKind::Text),
    Rule("-debug", 0, 1, WordsKind::Text),
    Rule("-openings", 0, MANY, WordsKind::Text),
    Rule("-bookmode", 0, MANY, WordsKind::Text),
    Rule("-pgnout", 1, 3, WordsKind::Text),
    Rule("-epdout", 1, 1, WordsKind::Text),
    Rule("-repeat", 0, 1, WordsKind::Whole),
    Rule("-noswap", 0, 0, WordsKind::Text),
    Rule("-reverse", 0, 0, WordsKind::Text),
    Rule("-recover", 0, 0, WordsKind::Text),
    Rule("-site", 1, 1, WordsKind::Text),
    Rule("-wait", 1, 1, WordsKind::Whole),
    Rule("-seeds", 1, 1, WordsKind::Natural),
];

impl Rule {
    /// Whether the words, if there are any, are of the right kind.
    fn takes(&self, words: &[String]) -> bool {
        let text = words.join(" ");
        match self.3 {
            _ if words.is_empty() => true,
            WordsKind::Text => true,
            WordsKind::Whole => qt::signed(&text).is_some(),
            WordsKind::Natural => qt::unsigned(&text).is_some(),
        }
    }
}

impl Given {
    /// The warning for words that have no meaning.
    pub(super) fn invalid(&self) -> String {
        let words = self.words.join(" ");
        match words.is_empty() {
            true => format!("Empty value for option \"{}\"", self.name),
            false => format!("Invalid value for option \"{}\": \"{words}\"", self.name),
        }
    }

    /// The words as `key=value`; `keys` are the known keys, those with a default in the form `key=default`.
    ///
    /// # Errors
    /// The text that cutechess-cli prints.
    pub(super) fn values<const N: usize>(&self, keys: [&str; N]) -> Result<[String; N], String> {
        let keys = keys.map(|key| match key.split_once('=') {
            Some((key, usual)) => (key, Some(usual)),
            None => (key, None),
        });
        let name = self.name;
        let mut values = keys.map(|_| None);
        for word in &self.words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let place = keys.iter().position(|(known, _)| *known == key);
            match place {
                Some(place) if !value.is_empty() && values[place].is_none() => {
                    values[place] = Some(value);
                }
                _ => {
                    return Err(format!(
                        "Invalid argument for option \"{name}\": \"{word}\""
                    ));
                }
            }
        }
        let found: [Option<&str>; N] = std::array::from_fn(|place| values[place].or(keys[place].1));
        let missing = keys.iter().zip(found).filter(|(_, value)| value.is_none());
        let mut missing: Vec<String> = missing.map(|((key, _), _)| format!("\"{key}\"")).collect();
        missing.sort_unstable();
        match missing.is_empty() {
            true => Ok(found.map(|value| value.unwrap_or_default().to_owned())),
            false => {
                let missing = missing.join(", ");
                Err(format!("Option \"{name}\" needs argument(s): {missing}"))
            }
        }
    }
}

/// The options in these words, in the order in which cutechess-cli checks them.
///
/// # Errors
/// The text that cutechess-cli prints.
pub(super) fn split(words: &[String]) -> Result<Vec<Given>, String> {
    let mut given: Vec<Given> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(rule) = RULES.iter().find(|rule| rule.0 == word) else {
            return Err(format!("Unknown option: \"{word}\""));
        };
        let values = std::iter::from_fn(|| words.next_if(|word| is_value(word)));
        let values: Vec<String> = values.cloned().collect();
        let Rule(name, fewest, most, _) = *rule;
        if name != "-engine" && given.iter().any(|given| given.name == name) {
            return Err(format!("Multiple instances of option \"{name}\""));
        }
        if values.len() < fewest {
            let least = if most == fewest { "" } else { "at least " };
            return Err(format!(
                "Option \"{name}\" needs {least}{fewest} argument(s)"
            ));
        }
        if values.len() > most {
            return Err(format!("Too many arguments for option \"{name}\""));
        }
        let option = Given {
            name,
            words: values,
        };
        if !rule.takes(&option.words) {
            return Err(option.invalid());
        }
        given.push(option);
    }
    let place = |option: &Given| RULES.iter().position(|rule| rule.0 == option.name);
    given.sort_by_key(place);
    Ok(given)
}

/// Whether a word is a value: a word that begins with a dash is an option, unless it is a number.
fn is_value(word: &str) -> bool {
    word.len() < 2 || !word.starts_with('-') || word.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        split(&words).unwrap_err()
    }

    #[test]
    fn wrong_words_have_the_messages_of_cutechess() {
        assert_eq!(said("-nonsense"), "Unknown option: \"-nonsense\"");
        assert_eq!(
            said("-games 1 -games 2"),
            "Multiple instances of option \"-games\""
        );
        assert_eq!(said("-games"), "Option \"-games\" needs 1 argument(s)");
        assert_eq!(
            said("-pgnout"),
            "Option \"-pgnout\" needs at least 1 argument(s)"
        );
        assert_eq!(
            said("-games 1 2"),
            "Too many arguments for option \"-games\""
        );
    }

    #[test]
    fn keys_are_complete_and_known() {
        let given = |words: &[&str]| Given {
            name: "-draw",
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        let keys = ["movenumber", "score", "extra=1"];
        let read = given(&["score=5", "movenumber=3"]).values(keys).unwrap();
        assert_eq!(read, ["3", "5", "1"]);
        let missing = given(&["score=5"]).values(keys).unwrap_err();
        assert_eq!(
            missing,
            "Option \"-draw\" needs argument(s): \"movenumber\""
        );
        let unknown = given(&["colour=red"]).values(keys).unwrap_err();
        assert_eq!(
            unknown,
            "Invalid argument for option \"-draw\": \"colour=red\""
        );
    }
}
