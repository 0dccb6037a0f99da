//! What is wrong with an event file: all of it, in the order of the file, each with its
//! line, a caret, and what to do.
//!
//! | file | what |
//! |---|---|
//! | this one | one thing that is wrong |
//! | `source` | the texts in which something can be wrong |
//! | `report` | collects problems while reading |
//! | `diagnostics` | the output of problems |

mod diagnostics;
mod report;
mod source;

use std::ops::Range;

pub use diagnostics::{ConfigErrors, Warnings};
pub(super) use report::{EVENT_FILE, ProblemReport};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Nothing can be played.
    Error,
    /// It can be played, but is probably not intended.
    Warning,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    severity: Severity,
    title: String,
    label: String,
    help: Vec<String>,
    /// A text of the report, and the bytes of it that are meant.
    place: Option<(usize, Range<usize>)>,
    /// Whether something is missing.
    absence: bool,
}

impl Problem {
    /// Something that must be corrected.
    pub(super) fn error(title: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Error,
            title: title.into(),
            label: String::new(),
            help: Vec::new(),
            place: None,
            absence: false,
        }
    }

    /// Something that the user should check.
    pub(super) fn warning(title: impl Into<String>) -> Problem {
        let severity = Severity::Warning;
        Problem {
            severity,
            ..Problem::error(title)
        }
    }

    /// Something that is missing.
    pub(super) fn missing(title: impl Into<String>) -> Problem {
        let absence = true;
        Problem {
            absence,
            ..Problem::error(title)
        }
    }

    /// A few words next to the caret.
    pub(super) fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    /// What to do.
    pub(super) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help.push(help.into());
        self
    }

    /// What to do, if there is any advice.
    pub(super) fn help_if(mut self, help: Option<String>) -> Problem {
        self.help.extend(help);
        self
    }

    /// Where it is: a range of bytes in one of the report's texts.
    pub(super) fn at(mut self, text: usize, span: Range<usize>) -> Problem {
        self.place = Some((text, span));
        self
    }

    /// What is wrong, in one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
