//! The options of a command line, and what they ask for.

use super::settings::CommandLine;

/// An option and the words after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::front) struct Given {
    /// The option.
    pub(in crate::front) name: &'static str,
    /// Its words.
    pub(in crate::front) words: Vec<String>,
}

/// What a command line asks for.
#[derive(Debug)]
pub(in crate::front) enum Asked {
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
    pub(in crate::front) fn event(self) -> Result<CommandLine, String> {
        match self {
            Asked::Event(line) => Ok(*line),
            Asked::Text(..) => Err("this command line asks for no event".to_owned()),
        }
    }
}

/// Exit codes of the other runners.
pub(in crate::front) const DONE: u8 = 0;
pub(in crate::front) const FAILED: u8 = 1;
