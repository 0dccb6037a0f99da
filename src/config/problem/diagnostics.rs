//! The output of problems, after everything has been read: with their line and a caret.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::SourceText;
use super::{Problem, Severity};

/// Problems in the order of the file, and the texts that they point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnostics {
    pub sources: Vec<SourceText>,
    pub problems: Vec<Problem>,
    /// Number of further errors, which were counted without details.
    pub left_out: usize,
}

/// Maximum number of problems shown in full.
const SHOWN: usize = 100;

impl Diagnostics {
    fn render(&self, renderer: &Renderer) -> String {
        let shown = self.problems.iter().take(SHOWN);
        let mut texts: Vec<String> = shown
            .map(|problem| renderer.render(&[self.group(problem)]))
            .collect();
        let more = self.problems.len().saturating_sub(SHOWN) + self.left_out;
        if more > 0 {
            texts.push(format!("{more} more problems are not shown"));
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
