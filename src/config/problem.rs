//! What is wrong with an event file: all of it, in the order of the file, each with its
//! line, a caret, and what to do. They are collected while many readers read, and printed at the end.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::ops::{Deref, Range};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::cures;
use crate::text::count;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Nothing can be played.
    Error,
    /// The same, because something is missing.
    Missing,
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
}

impl Problem {
    fn new(severity: Severity, title: impl Into<String>) -> Problem {
        Problem {
            severity,
            title: title.into(),
            label: String::new(),
            help: Vec::new(),
            place: None,
        }
    }

    /// Something that must be corrected.
    pub(super) fn error(title: impl Into<String>) -> Problem {
        Problem::new(Severity::Error, title)
    }

    /// Something that the user should check.
    pub(super) fn warning(title: impl Into<String>) -> Problem {
        Problem::new(Severity::Warning, title)
    }

    /// Something that is missing.
    pub(super) fn missing(title: impl Into<String>) -> Problem {
        Problem::new(Severity::Missing, title)
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
        self.severity != Severity::Warning
    }
}

/// A text in which something can be wrong: the event file, or a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceText {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl SourceText {
    fn new(name: String, text: String) -> SourceText {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        SourceText { name, text, lines }
    }

    /// The line in which a span begins: its number from 1, its text, and the span in it, widened to whole characters.
    fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
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

/// The problems found so far. Readers share it, and continue after a problem.
#[derive(Debug)]
pub(super) struct ProblemReport {
    sources: RefCell<Vec<SourceText>>,
    problems: RefCell<Vec<Problem>>,
    /// How many were not kept, because there are [`MAX_KEPT_PROBLEMS`].
    left_out: Cell<usize>,
}

/// Maximum number of problems kept; further ones are only counted.
const MAX_KEPT_PROBLEMS: usize = 10_000;

/// The name of a command line among them, which has options, and no lines.
pub(super) const COMMAND_LINE: &str = "the command line";

/// The event file among the report's texts.
pub(super) const EVENT_FILE: usize = 0;

impl ProblemReport {
    /// An empty report on an event file.
    pub(super) fn new(name: String, text: String) -> ProblemReport {
        ProblemReport {
            sources: RefCell::new(vec![SourceText::new(name, text)]),
            problems: RefCell::default(),
            left_out: Cell::default(),
        }
    }

    /// Adds another text, and returns its number.
    pub(super) fn add_source(&self, name: String, text: String) -> usize {
        let mut sources = self.sources.borrow_mut();
        sources.push(SourceText::new(name, text));
        sources.len() - 1
    }

    /// Whether something must be corrected.
    pub(super) fn has_errors(&self) -> bool {
        self.problems.borrow().iter().any(Problem::is_error)
    }

    pub(super) fn add(&self, mut problem: Problem) {
        if self.sources.borrow()[EVENT_FILE].name == COMMAND_LINE {
            let help = problem.help.iter_mut();
            help.for_each(|help| *help = help.replace("this line", "this option"));
        }
        let mut problems = self.problems.borrow_mut();
        if problems.len() < MAX_KEPT_PROBLEMS {
            problems.push(problem);
        } else if problem.is_error() {
            self.left_out.set(self.left_out.get() + 1);
        }
    }

    /// Counts one more error if no further ones are kept, so that a caller with many errors need not build messages for
    /// them.
    pub(super) fn only_counts(&self) -> bool {
        let full = self.problems.borrow().len() >= MAX_KEPT_PROBLEMS;
        if full {
            self.left_out.set(self.left_out.get() + 1);
        }
        full
    }

    /// Adds what the TOML parser could not read. After that, problems found by the readers are kept only if they can be
    /// trusted: not on the same lines, and not about missing keys.
    pub(super) fn add_syntax_errors(&self, errors: Vec<toml::de::Error>) {
        if errors.is_empty() {
            return;
        }
        let sources = self.sources.borrow();
        let line = |span: &Range<usize>| sources[EVENT_FILE].line(span).0;
        let spans = errors.iter().map(|error| error.span().unwrap_or(0..0));
        let bad_lines: HashSet<usize> = spans.map(|span| line(&span)).collect();
        let trusted = |problem: &Problem| match &problem.place {
            Some((EVENT_FILE, span)) => {
                // The parser's stand-in for a value that it cannot read has no place.
                problem.severity != Severity::Missing
                    && *span != (0..0)
                    && line(span) == line(&(span.end..span.end))
                    && !bad_lines.contains(&line(span))
            }
            _ => problem.severity != Severity::Missing,
        };
        let mut problems = self.problems.borrow_mut();
        problems.retain(trusted);
        problems.extend(errors.iter().map(|error| {
            let (span, message) = (error.span().unwrap_or(0..0), error.message());
            let cure = cures::of_syntax(message, sources[EVENT_FILE].line(&span).1);
            let problem = Problem::error(format!("not TOML: {message}")).help_if(cure);
            problem.at(EVENT_FILE, span)
        }));
    }

    /// `Ok` with the warnings if there are no errors, otherwise everything that was found.
    pub(super) fn finish(self) -> Result<Warnings, ConfigErrors> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| {
            let place = problem.place.as_ref();
            place.map(|(source, span)| (*source, span.start))
        });
        // An error in a table that two engines share is reported once.
        problems.dedup();
        let failed = problems.iter().any(Problem::is_error);
        let found = Warnings {
            sources: self.sources.into_inner(),
            problems,
            left_out: self.left_out.get(),
        };
        if failed {
            Err(ConfigErrors(found))
        } else {
            Ok(found)
        }
    }
}

/// A place in the event file.
#[derive(Clone)]
pub(super) struct EntryPlace<'a> {
    pub(super) span: Range<usize>,
    pub(super) report: &'a ProblemReport,
}

impl<'a> EntryPlace<'a> {
    /// The end of the event file, where what is missing can be added.
    pub(super) fn end(report: &'a ProblemReport) -> EntryPlace<'a> {
        // Behind the last line that is not blank: the beginning of the next line, if there is one.
        let text = &report.sources.borrow()[EVENT_FILE].text;
        let end = text.trim_end().len();
        let end = text[end..].find('\n').map_or(end, |rest| end + rest + 1);
        let span = end..end;
        EntryPlace { span, report }
    }

    /// Reports a problem of this place. Returns `None` of any type, because a reader that
    /// fails has nothing to return.
    pub(super) fn fail<T>(&self, problem: Problem) -> Option<T> {
        self.report.add(problem.at(EVENT_FILE, self.span.clone()));
        None
    }

    /// Reports an error of this place, and what to do.
    pub(super) fn error(&self, title: impl Into<String>, help: impl Into<String>) {
        self.refuse::<()>(title, help);
    }

    /// As [`EntryPlace::error`], for a reader that has nothing to return then.
    pub(super) fn refuse<T>(&self, title: impl Into<String>, help: impl Into<String>) -> Option<T> {
        self.fail(Problem::error(title).help(help))
    }
}

/// Problems in the order of the file, and the texts that they point into: the warnings about an event file that can be
/// played. `Display` is for people: several lines for each problem, without colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warnings {
    sources: Vec<SourceText>,
    problems: Vec<Problem>,
    /// Number of further errors, which were counted without details.
    left_out: usize,
}

/// Maximum number of problems shown in full.
const MAX_SHOWN_PROBLEMS: usize = 100;

impl Warnings {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// As `Display`, with colours for a terminal.
    pub fn coloured(&self) -> String {
        self.render(&Renderer::styled())
    }

    /// All of them, in the order of the file; only the first if there are very many.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter()
    }

    fn render(&self, renderer: &Renderer) -> String {
        let shown = self.problems.iter().take(MAX_SHOWN_PROBLEMS);
        let shown = shown.map(|problem| renderer.render(&[self.group(problem)]));
        let mut texts: Vec<String> = shown.collect();
        let more = self.problems.len().saturating_sub(MAX_SHOWN_PROBLEMS) + self.left_out;
        if more > 0 {
            texts.push(format!("not shown: {}", count(more, "more problem")));
        }
        texts.join("\n\n")
    }

    fn group<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let level = match problem.severity {
            Severity::Error | Severity::Missing => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let help = problem.help.iter().map(|help| Level::HELP.message(help));
        let title = level.primary_title(&problem.title);
        match &problem.place {
            None => Group::with_title(title).elements(help),
            Some((source, span)) => {
                let source = &self.sources[*source];
                let (number, line, span) = source.line(span);
                let caret = AnnotationKind::Primary.span(span).label(&problem.label);
                let snippet = Snippet::source(line).line_start(number).path(&source.name);
                title.element(snippet.annotation(caret)).elements(help)
            }
        }
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

/// Everything that is wrong with an event file and its books, and the warnings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigErrors(Warnings);

impl ConfigErrors {
    /// A file that could not be read at all.
    pub(super) fn unreadable(name: &str, reason: &str) -> ConfigErrors {
        let title = format!("cannot read the event file {name}: {reason}");
        ConfigErrors(Warnings {
            sources: Vec::new(),
            problems: vec![Problem::error(title)],
            left_out: 0,
        })
    }

    /// How many errors there are.
    pub fn count(&self) -> usize {
        self.problems().filter(|problem| problem.is_error()).count() + self.left_out
    }
}

impl Deref for ConfigErrors {
    type Target = Warnings;

    fn deref(&self) -> &Warnings {
        &self.0
    }
}
