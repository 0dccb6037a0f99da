//! What is wrong with an event file: all of it, in the order of the file, each with its
//! line, a caret, and what to do.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// Nothing can be played.
    Error,
    /// It is played, but probably not meant so.
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
    /// Whether it is about something that is not there.
    absence: bool,
}

impl Problem {
    /// Something that must be put right.
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

    /// Something that should be looked at.
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

    /// A few words beside the caret.
    pub(super) fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    /// What to do.
    pub(super) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help.push(help.into());
        self
    }

    /// What to do, if there is something to say.
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
struct Source {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Source {
    fn new(name: String, text: String) -> Source {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Source { name, text, lines }
    }

    /// The line in which a span begins: its number from 1, its text, and the span in it.
    fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
        let start = span.start.min(self.text.len());
        let number = self.lines.partition_point(|&line| line <= start);
        let begin = self.lines[number - 1];
        let line = self.text[begin..].lines().next().unwrap_or("");
        let end = (span.end.max(start) - begin).min(line.len());
        (number, line, (start - begin).min(end)..end)
    }
}

/// Problems as they are found. Readers share it, and go on after a problem.
#[derive(Debug)]
pub(super) struct Report {
    sources: RefCell<Vec<Source>>,
    problems: RefCell<Vec<Problem>>,
}

/// The event file among the report's texts.
pub(super) const EVENT_FILE: usize = 0;

impl Report {
    /// An empty report on an event file.
    pub(super) fn new(name: String, text: String) -> Report {
        Report {
            sources: RefCell::new(vec![Source::new(name, text)]),
            problems: RefCell::default(),
        }
    }

    /// The length of the event file without blanks at its end, in bytes.
    pub(super) fn length(&self) -> usize {
        self.sources.borrow()[EVENT_FILE].text.trim_end().len()
    }

    /// Takes up another text, and returns its number.
    pub(super) fn add_source(&self, name: String, text: String) -> usize {
        let mut sources = self.sources.borrow_mut();
        sources.push(Source::new(name, text));
        sources.len() - 1
    }

    /// Takes up a problem.
    pub(super) fn add(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// Takes up what the TOML parser could not read. Where that is the case, what the
    /// readers say about the rest is kept only as far as it can be trusted: not on the
    /// same lines, and nothing about what is missing.
    pub(super) fn add_syntax_errors(&self, errors: Vec<toml::de::Error>) {
        if errors.is_empty() {
            return;
        }
        let sources = self.sources.borrow();
        let line = |span: &Range<usize>| sources[EVENT_FILE].line(span).0;
        let spans = errors.iter().map(|error| error.span().unwrap_or(0..0));
        let bad_lines: Vec<usize> = spans.map(|span| line(&span)).collect();
        let trusted = |problem: &Problem| match &problem.place {
            Some((EVENT_FILE, span)) => {
                !problem.absence
                    && line(span) == line(&(span.end..span.end))
                    && !bad_lines.contains(&line(span))
            }
            _ => !problem.absence,
        };
        let mut problems = self.problems.borrow_mut();
        problems.retain(trusted);
        problems.extend(errors.iter().map(|error| {
            Problem::error(format!("not TOML: {}", error.message()))
                .at(EVENT_FILE, error.span().unwrap_or(0..0))
        }));
    }

    /// Nothing but warnings, or else everything that was found.
    pub(super) fn finish(self) -> Result<Warnings, ConfigErrors> {
        let mut problems = self.problems.into_inner();
        let place = |problem: &Problem| {
            let place = problem.place.as_ref();
            place.map(|(source, span)| (*source, span.start))
        };
        problems.sort_by_key(place);
        // What two engines have from one table is wrong once.
        problems.dedup();
        let failed = problems.iter().any(Problem::is_error);
        let diagnostics = Diagnostics {
            sources: self.sources.into_inner(),
            problems,
        };
        if failed {
            Err(ConfigErrors(diagnostics))
        } else {
            Ok(Warnings(diagnostics))
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Diagnostics {
    sources: Vec<Source>,
    problems: Vec<Problem>,
}

impl Diagnostics {
    fn render(&self, renderer: &Renderer) -> String {
        let texts: Vec<String> = self
            .problems
            .iter()
            .map(|problem| renderer.render(&[self.group(problem)]))
            .collect();
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
pub struct ConfigErrors(Diagnostics);

impl ConfigErrors {
    /// A file that could not be read at all.
    pub(super) fn unreadable(name: &str, reason: &str) -> ConfigErrors {
        let title = format!("cannot read the event file {name}: {reason}");
        let problems = vec![Problem::error(title)];
        let sources = Vec::new();
        ConfigErrors(Diagnostics { sources, problems })
    }

    /// As `Display`, with colours for a terminal.
    pub fn coloured(&self) -> String {
        self.0.render(&Renderer::styled())
    }

    /// How many errors there are.
    pub fn count(&self) -> usize {
        self.problems().filter(|problem| problem.is_error()).count()
    }

    /// The errors, and the warnings among them, in the order of the file.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.0.problems.iter()
    }
}

/// What should be looked at in an event file that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warnings(Diagnostics);

impl Warnings {
    /// Whether there is nothing to look at.
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
