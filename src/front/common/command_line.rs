//! The options of a command line, and what they ask for.

use super::settings::CommandLine;

/// An option and the words after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    /// The option.
    pub(crate) name: &'static str,
    /// Its words.
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

impl Asked {
    /// The event, if that is asked for.
    ///
    /// # Errors
    /// The command line asks for something else.
    pub(crate) fn event(self) -> Result<CommandLine, String> {
        match self {
            Asked::Event(line) => Ok(*line),
            Asked::Text(..) => Err("this command line asks for no event".to_owned()),
        }
    }
}

/// Exit codes of the other runners.
pub(crate) const DONE: u8 = 0;
pub(crate) const FAILED: u8 = 1;
