//! `positions.file` of a Polyglot book: lines from start positions, followed before the event.

use std::collections::BTreeMap;
use std::io::Read;

use super::book::BookFile;
use super::files::Context;
use super::problem::Problem;
use super::section::Entry;
use super::tournament::NamedFile;
use crate::chess::CastlingRule;
use crate::chess::start::{self, StartNumber, Variant};
use crate::pgn;
use crate::schedule::Opening;
use crate::schedule::polyglot::{BookLines, LineError, MoveChoice, PolyglotBook};

/// More than any book has, unpacked, in bytes.
const MAX_BOOK_BYTES: u64 = 1 << 32;

/// What the event wants of the book.
pub(super) struct BookNeeds<'a> {
    pub(super) variant: Variant,
    /// Where lines begin; `None`: at all starts of the variant that the book has.
    pub(super) starts: Option<Vec<StartNumber>>,
    /// Starts that are left out.
    pub(super) excluded: &'a [StartNumber],
    /// The half-moves of a line, at the most.
    pub(super) plies: u32,
    /// How moves are chosen.
    pub(super) choice: MoveChoice,
    /// How many lines are drawn; by default one for each start.
    pub(super) sample: Option<&'a Entry<'a>>,
    pub(super) seed: u64,
}

/// Whether this is the name of a Polyglot book.
pub(super) fn is_polyglot(entry: &Entry<'_>, context: &Context<'_>) -> bool {
    let path = entry.is_string().then(|| entry.string()).flatten();
    path.is_some_and(|name| super::book::extension(&context.path(name)) == "bin")
}

/// The lines; `None` after an error.
pub(super) fn read(
    entry: &Entry<'_>,
    wanted: &BookNeeds<'_>,
    context: &Context<'_>,
) -> Option<BookFile> {
    let name = entry.string()?.to_owned();
    let path = context.path(&name);
    if wanted.variant.castling_rule() != CastlingRule::Fischer {
        let title = format!("a Polyglot book has no castling of {}", wanted.variant);
        return entry.fail(Problem::error(title).help("a book of EPD, FEN lines or PGN"));
    }
    let bytes = context.files.read(&path).map_err(|error| error.to_string());
    let book = bytes.and_then(|bytes| unpacked(&bytes));
    let book = book.and_then(|bytes| PolyglotBook::read(&bytes));
    let book = match book {
        Ok(book) => book,
        Err(reason) => {
            let problem = Problem::error(format!("cannot read the book: {reason}"));
            return entry.fail(problem.help(context.looked_for(&name)));
        }
    };
    let starts = starts(entry, &book, wanted)?;
    let openings = openings(entry, &book, &starts, wanted)?;
    Some(BookFile {
        openings,
        unreadable: BTreeMap::new(),
        file: Some(NamedFile {
            name: name.clone(),
            path,
            volatile: false,
        }),
        name,
    })
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let input = pgn::decompressed(bytes).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    let read = input.take(MAX_BOOK_BYTES + 1).read_to_end(&mut all);
    read.map_err(|error| error.to_string())?;
    if all.len() as u64 > MAX_BOOK_BYTES {
        Err(format!("it is longer than {} MiB", MAX_BOOK_BYTES >> 20))
    } else {
        Ok(all)
    }
}

fn starts(
    entry: &Entry<'_>,
    book: &PolyglotBook,
    wanted: &BookNeeds<'_>,
) -> Option<Vec<StartNumber>> {
    let variant = wanted.variant;
    let is_left = |number: &StartNumber| wanted.excluded.binary_search(number).is_err();
    if let Some(starts) = &wanted.starts {
        return Some(starts.iter().copied().filter(is_left).collect());
    }
    let known = |number: &StartNumber| {
        start::position(variant, *number).is_ok_and(|start| book.has(&start))
    };
    let starts: Vec<StartNumber> = variant.numbers().filter(is_left).filter(known).collect();
    if starts.is_empty() {
        let title = format!("the book has no move for any start position of {variant}");
        return entry.fail(Problem::error(title).help("other positions, or another book"));
    }
    Some(starts)
}

fn openings(
    entry: &Entry<'_>,
    book: &PolyglotBook,
    starts: &[StartNumber],
    wanted: &BookNeeds<'_>,
) -> Option<Vec<Opening>> {
    let lines = BookLines {
        book,
        variant: wanted.variant,
        plies: wanted.plies,
        seed: wanted.seed,
    };
    let openings = match (wanted.choice, wanted.sample) {
        (MoveChoice::Best, None) => lines.best(starts),
        (MoveChoice::Best, Some(sample)) => {
            let title = "the best line of each start is one: there is nothing to draw";
            let help = "take `sample` out, or choice = \"weighted\"";
            return sample.fail(Problem::error(title).help(help));
        }
        (MoveChoice::Weighted, None) => lines.drawn(starts, starts.len() as u32),
        (MoveChoice::Weighted, Some(sample)) => {
            lines.drawn(starts, sample.integer(1..=MAX_SAMPLE)?)
        }
    };
    match (openings, wanted.sample) {
        (Ok(openings), _) => Some(openings),
        (Err(LineError::TooFew(found)), sample) => {
            let title = format!("{found} different positions were found in the book, and no more");
            let help = format!("sample = {found} at the most, or more `plies` or starts");
            match sample {
                Some(sample) => sample.fail(Problem::error(title).help(help)),
                None => entry.fail(Problem::error(title).help(OTHER_BOOK)),
            }
        }
        (Err(LineError::Other(words)), _) => entry.fail(Problem::error(words).help(OTHER_BOOK)),
    }
}

const OTHER_BOOK: &str = "another book, or fewer `plies`";

/// Lines of one event.
const MAX_SAMPLE: u32 = 1_000_000;
