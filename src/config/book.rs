//! `positions.file`: a book of EPD or FEN lines, or of games.

use std::path::Path;

use super::context::Context;
use super::problem::Problem;
use super::section::{Entry, Place};
use super::tournament::NamedFile;
use crate::chess::start::Variant;
use crate::schedule::Opening;
use crate::schedule::book::{self, Book};

/// `plies`, and where it was written.
pub(super) type Plies<'a> = (u32, Place<'a>);

/// Formats that people have books in, and that are not read.
const FOREIGN: [(&str, &str); 5] = [
    ("bin", "Polyglot books have moves and no positions"),
    ("abk", "Arena books have moves and no positions"),
    ("ctg", "ChessBase books are not read"),
    ("zip", "unpack it first"),
    ("gz", "unpack it first"),
];

/// The openings of a book; `None` after an error.
pub(super) fn read(
    entry: &Entry<'_>,
    plies: Option<Plies<'_>>,
    variant: Variant,
    context: &Context<'_>,
) -> Option<(Vec<Opening>, NamedFile)> {
    let name = entry.string()?.to_owned();
    let path = context.path(&name);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or("").to_ascii_lowercase();
    if let Some((_, why)) = FOREIGN.iter().find(|(foreign, _)| *foreign == extension) {
        let title = format!("`{name}` is not a book that can be read");
        let help = format!("{why}; a book is EPD, FEN lines or PGN");
        return entry.fail(Problem::error(title).help(help));
    }
    let text = contents(entry, &path, context)?;
    if let Some((_, place)) = plies {
        let title = "`plies` says nothing here: the book has positions, not games";
        place.fail::<()>(Problem::warning(title));
    }
    let openings = positions(entry, &name, text, variant, context)?;
    Some((openings, NamedFile { name, path }))
}

fn contents(entry: &Entry<'_>, path: &Path, context: &Context<'_>) -> Option<String> {
    let reason = match context.files.read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Some(text),
            Err(_) => "it is not text".to_owned(),
        },
        Err(error) => error.to_string(),
    };
    let title = format!("cannot read the book: {reason}");
    let help = format!(
        "looked for {}: the path is relative to the event file",
        path.display()
    );
    entry.fail(Problem::error(title).help(help))
}

fn positions(
    entry: &Entry<'_>,
    name: &str,
    text: String,
    variant: Variant,
    context: &Context<'_>,
) -> Option<Vec<Opening>> {
    match book::read(&text, variant) {
        Ok(Book { openings, repeated }) => {
            if openings.is_empty() {
                return entry.fail(Problem::error("the book is empty"));
            }
            if let Some((line, first)) = repeated.first() {
                let title = format!("the book has {} positions more than once", repeated.len());
                let label = format!("the first is line {line}, which repeats line {first}");
                entry.fail::<()>(Problem::warning(title).label(label));
            }
            Some(openings)
        }
        Err(errors) => {
            let spans = line_spans(&text);
            let source = context.report.add_source(name.to_owned(), text);
            for error in errors {
                let span = spans[error.line as usize - 1].clone();
                let problem = Problem::error(error.problem.to_string());
                context.report.add(problem.at(source, span));
            }
            None
        }
    }
}

/// The bytes of each line without its end and the blanks around it.
fn line_spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let start_of = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    text.lines()
        .map(str::trim)
        .map(|line| start_of(line)..start_of(line) + line.len())
        .collect()
}
