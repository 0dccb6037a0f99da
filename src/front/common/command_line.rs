//! Words to options, and what a command line asks for.

use super::settings::CommandLine;

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
    /// An event.
    Event(Box<CommandLine>),
    /// A text, and the exit code after it.
    Text(String, u8),
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
