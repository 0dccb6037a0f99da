//! What is wrong with an event file: all of it, in the order of the file, each with its
//! line, a caret, and what to do.
//!
//! | file | what |
//! |---|---|
//! | this one | one thing that is wrong, and the texts in which something can be wrong |
//! | `report` | collects problems while reading, and prints them |

use std::ops::Range;

pub(super) use report::{COMMAND_LINE, EVENT_FILE, ProblemReport};
pub use report::{ConfigErrors, Warnings};

mod report;

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

/// A text in which something can be wrong: the event file, or a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceText {
    pub name: String,
    pub text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl SourceText {
    pub(crate) fn new(name: String, text: String) -> SourceText {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        SourceText { name, text, lines }
    }

    /// The line in which a span begins: its number from 1, its text, and the span in it, widened to whole characters.
    pub(crate) fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
        let start = span.start.min(self.text.len());
        let number = self.lines.partition_point(|&line| line <= start);
        let begin = self.lines[number - 1];
        let line = self.text[begin..].lines().next().unwrap_or("");
        let end = (span.end.max(start) - begin).min(line.len());
        let start = (start - begin).min(end);
        let is_edge = |place: &usize| line.is_char_boundary(*place);
        let first = (0..=start).rev().find(is_edge).unwrap_or(0);
        let last = (end..=line.len()).find(is_edge).unwrap_or(line.len());
        (number, line, first..last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_whole_characters_wherever_it_begins_and_ends() {
        let text = SourceText::new(String::new(), "a\n“½” b".to_owned());
        for start in 0..=text.text.len() {
            for end in start..=text.text.len() {
                let (_, line, span) = text.line(&(start..end));
                assert!(line.get(span.clone()).is_some(), "{line}: {span:?}");
            }
        }
    }
}
