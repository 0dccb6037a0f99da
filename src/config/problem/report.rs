//! Collects the problems that many readers find, until everything has been read.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Problem, Severity, SourceText};
use crate::config::cures;
use crate::text::count;

/// The problems found so far. Readers share it, and continue after a problem.
#[derive(Debug)]
pub(in crate::config) struct ProblemReport {
    sources: RefCell<Vec<SourceText>>,
    problems: RefCell<Vec<Problem>>,
    /// How many were not kept, because there are [`MAX_KEPT_PROBLEMS`].
    left_out: Cell<usize>,
}

/// Maximum number of problems kept; further ones are only counted.
const MAX_KEPT_PROBLEMS: usize = 10_000;

/// The name of a command line among them, which has options, and no lines.
pub(in crate::config) const COMMAND_LINE: &str = "the command line";

/// The event file among the report's texts.
pub(in crate::config) const EVENT_FILE: usize = 0;

impl ProblemReport {
    /// An empty report on an event file.
    pub(in crate::config) fn new(name: String, text: String) -> ProblemReport {
        ProblemReport {
            sources: RefCell::new(vec![SourceText::new(name, text)]),
            problems: RefCell::default(),
            left_out: Cell::default(),
        }
    }

    /// Where the event file's last line that is not blank ends: the beginning of the next line, if there is one.
    pub(in crate::config) fn end(&self) -> usize {
        let text = &self.sources.borrow()[EVENT_FILE].text;
        let end = text.trim_end().len();
        text[end..].find('\n').map_or(end, |rest| end + rest + 1)
    }

    /// Adds another text, and returns its number.
    pub(in crate::config) fn add_source(&self, name: String, text: String) -> usize {
        let mut sources = self.sources.borrow_mut();
        sources.push(SourceText::new(name, text));
        sources.len() - 1
    }

    /// Whether something must be corrected.
    pub(in crate::config) fn has_errors(&self) -> bool {
        self.problems.borrow().iter().any(Problem::is_error)
    }

    pub(in crate::config) fn add(&self, mut problem: Problem) {
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
    pub(in crate::config) fn only_counts(&self) -> bool {
        let full = self.problems.borrow().len() >= MAX_KEPT_PROBLEMS;
        if full {
            self.left_out.set(self.left_out.get() + 1);
        }
        full
    }

    /// Adds what the TOML parser could not read. After that, problems found by the readers are kept only if they can be
    /// trusted: not on the same lines, and not about missing keys.
    pub(in crate::config) fn add_syntax_errors(&self, errors: Vec<toml::de::Error>) {
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
                !problem.absence
                    && *span != (0..0)
                    && line(span) == line(&(span.end..span.end))
                    && !bad_lines.contains(&line(span))
            }
            _ => !problem.absence,
        };
        let mut problems = self.problems.borrow_mut();
        problems.retain(trusted);
        problems.extend(errors.iter().map(|error| {
            let span = error.span().unwrap_or(0..0);
            Problem::error(format!("not TOML: {}", error.message()))
                .help_if(cures::of_syntax(
                    error.message(),
                    sources[EVENT_FILE].line(&span).1,
                ))
                .at(EVENT_FILE, span)
        }));
    }

    /// `Ok` with the warnings if there are no errors, otherwise everything that was found.
    pub(in crate::config) fn finish(self) -> Result<Warnings, ConfigErrors> {
        let mut problems = self.problems.into_inner();
        let place = |problem: &Problem| {
            let place = problem.place.as_ref();
            place.map(|(source, span)| (*source, span.start))
        };
        problems.sort_by_key(place);
        // An error in a table that two engines share is reported once.
        problems.dedup();
        let failed = problems.iter().any(Problem::is_error);
        let diagnostics = Diagnostics {
            sources: self.sources.into_inner(),
            problems,
            left_out: self.left_out.get(),
        };
        if failed {
            Err(ConfigErrors(diagnostics))
        } else {
            Ok(Warnings(diagnostics))
        }
    }
}

/// Problems in the order of the file, and the texts that they point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnostics {
    pub sources: Vec<SourceText>,
    pub problems: Vec<Problem>,
    /// Number of further errors, which were counted without details.
    pub left_out: usize,
}

/// Maximum number of problems shown in full.
const MAX_SHOWN_PROBLEMS: usize = 100;

impl Diagnostics {
    fn render(&self, renderer: &Renderer) -> String {
        let shown = self.problems.iter().take(MAX_SHOWN_PROBLEMS);
        let mut texts: Vec<String> = shown
            .map(|problem| renderer.render(&[self.group(problem)]))
            .collect();
        let more = self.problems.len().saturating_sub(MAX_SHOWN_PROBLEMS) + self.left_out;
        if more > 0 {
            texts.push(format!("not shown: {}", count(more, "more problem")));
        }
        texts.join("\n\n")
    }

    fn group<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
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

/// Everything that is wrong with an event file and its books. `Display` is for people:
/// several lines for each problem, without colours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.render(&Renderer::plain()))]
pub struct ConfigErrors(pub(super) Diagnostics);

impl ConfigErrors {
    /// A file that could not be read at all.
    pub(in crate::config) fn unreadable(name: &str, reason: &str) -> ConfigErrors {
        let title = format!("cannot read the event file {name}: {reason}");
        let problems = vec![Problem::error(title)];
        let sources = Vec::new();
        ConfigErrors(Diagnostics {
            sources,
            problems,
            left_out: 0,
        })
    }

    /// As `Display`, with colours for a terminal.
    pub fn coloured(&self) -> String {
        self.0.render(&Renderer::styled())
    }

    /// How many errors there are.
    pub fn count(&self) -> usize {
        self.problems().filter(|problem| problem.is_error()).count() + self.0.left_out
    }

    /// The errors, and the warnings among them, in the order of the file; only the first if there are very many.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.0.problems.iter()
    }
}

/// The warnings about an event file that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warnings(pub(super) Diagnostics);

impl Warnings {
    /// Whether there are no warnings.
    pub fn is_empty(&self) -> bool {
        self.0.problems.is_empty()
    }

    /// As `Display`, with colours for a terminal.
    pub fn coloured(&self) -> String {
        self.0.render(&Renderer::styled())
    }

    /// The warnings, in the order of the file.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.0.problems.iter()
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.render(&Renderer::plain()))
    }
}
