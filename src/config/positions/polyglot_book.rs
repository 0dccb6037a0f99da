//! `positions.file` of a Polyglot book: lines from start positions, followed before the event.

use std::path::Path;

use super::book::{self, OpeningChoice};
use super::start_numbers::{all, as_listed};
use super::{PositionSource, Positions, PositionsContext};
use crate::chess::CastlingRule;
use crate::chess::start::{self, StartNumber, Variant};
use crate::config::files::Context;
use crate::config::keys::positions::PositionKeys;
use crate::config::problem::Problem;
use crate::config::section::Entry;
use crate::config::tournament::NamedFile;
use crate::pgn;
use crate::schedule::polyglot::{BookLines, LineError, MoveChoice, PolyglotBook};
use crate::schedule::{Opening, Openings};
use crate::text::count;

/// More than any book has, unpacked, in bytes.
const MAX_BOOK_BYTES: u64 = 1 << 32;

/// Lines of one event.
const MAX_SAMPLE: u32 = 1_000_000;

/// Whether this is the name of a Polyglot book.
pub(super) fn is_polyglot(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    let name = entry.text();
    name.is_some_and(|name| book::extension(&context.path(name)) == "bin")
}

/// The lines: one for each start, or as many as `sample` says; `None` after an error. They begin at the starts that are
/// named, or at all of the variant that the book has.
pub(super) fn read(
    keys: &PositionKeys<'_>,
    kind: &PositionSource<'_>,
    excluded: &[StartNumber],
    part: Option<&OpeningChoice>,
    surroundings: &PositionsContext<'_>,
) -> Option<Positions> {
    let (entry, context) = (&kind.source, surroundings.context);
    let (variant, seed) = (surroundings.variant?, surroundings.seed);
    let named = match &kind.starts {
        Some(starts) if starts.key == "all" => Some(all(starts, variant)?),
        Some(starts) => Some(as_listed(starts, variant)?),
        None => None,
    };
    let name = entry.string()?;
    let path = context.path(name);
    if variant.castling_rule() != CastlingRule::Fischer {
        let title = format!("a Polyglot book has no castling of {variant}");
        return entry.refuse(title, "a book of EPD, FEN lines or PGN");
    }
    let book = match opened(&path, context) {
        Ok(book) => book,
        Err(reason) => {
            let problem = Problem::error(format!("cannot read the book: {reason}"));
            return entry.fail(problem.help(context.looked_for(name)));
        }
    };
    let starts = starts(entry, &book, variant, named, excluded)?;
    let lines = BookLines {
        book: &book,
        variant,
        plies: keys.plies.value,
        seed,
    };
    let openings = openings(kind, &lines, &starts, keys.choice.value)?;
    let openings = book::chosen(openings, part);
    let how = match &kind.drawn {
        Some(_) => format!("drawn with seed {seed}"),
        None => "the best moves".to_owned(),
    };
    let label = format!("{} of {name}, {how}", count(openings.len(), "line"));
    Some(Positions {
        book: Some(NamedFile::new(name, path)),
        ..Positions::new(Openings::book(variant, openings), label)
    })
}

fn opened(path: &Path, context: &Context<'_>) -> Result<PolyglotBook, String> {
    let bytes = context.files.read(path);
    let bytes = bytes.map_err(|error| error.to_string())?;
    let input = pgn::decompressed(&bytes[..]).map_err(|error| error.to_string())?;
    let bytes = book::bounded(input, MAX_BOOK_BYTES)?;
    PolyglotBook::read(&bytes)
}

fn starts(
    entry: &Entry<'_>,
    book: &PolyglotBook,
    variant: Variant,
    named: Option<Vec<StartNumber>>,
    excluded: &[StartNumber],
) -> Option<Vec<StartNumber>> {
    let is_left = |number: &StartNumber| excluded.binary_search(number).is_err();
    if let Some(starts) = named {
        return Some(starts.into_iter().filter(is_left).collect());
    }
    let known = |number: &StartNumber| {
        start::position(variant, *number).is_ok_and(|start| book.has(&start))
    };
    let starts: Vec<StartNumber> = variant.numbers().filter(is_left).filter(known).collect();
    if starts.is_empty() {
        let title = format!("the book has no move for any start position of {variant}");
        return entry.refuse(title, "other positions, or another book");
    }
    Some(starts)
}

fn openings(
    kind: &PositionSource<'_>,
    lines: &BookLines<'_>,
    starts: &[StartNumber],
    choice: MoveChoice,
) -> Option<Vec<Opening>> {
    let openings = match (choice, &kind.drawn) {
        (MoveChoice::Best, None) => lines.best(starts),
        (MoveChoice::Best, Some(sample)) => {
            let title = "the best line of each start is one: there is nothing to draw";
            let help = "take `sample` out, or choice = \"weighted\"";
            return sample.refuse(title, help);
        }
        (MoveChoice::Weighted, None) => lines.drawn(starts, starts.len() as u32),
        (MoveChoice::Weighted, Some(sample)) => {
            lines.drawn(starts, sample.integer(1..=MAX_SAMPLE)?)
        }
    };
    let other_book = "another book, or fewer `plies`".to_owned();
    let (entry, title, help) = match (openings, &kind.drawn) {
        (Ok(openings), _) => return Some(openings),
        (Err(LineError::Other(words)), _) => (&kind.source, words, other_book),
        (Err(LineError::TooFew(found)), sample) => {
            let title = format!("{found} different positions were found in the book, and no more");
            let help = format!("sample = {found} at the most, or more `plies` or starts");
            match sample {
                Some(sample) => (sample, title, help),
                None => (&kind.source, title, other_book),
            }
        }
    };
    entry.refuse(title, help)
}
