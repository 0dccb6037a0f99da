//! `positions.file`: a book of EPD or FEN lines, or of games in PGN. Polyglot's: `polyglot_book`.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Positions;
use crate::chess::start::{StartError, StartNumber, Variant};
use crate::chess::{FenDialect, Position};
use crate::config::files::{Context, utf8};
use crate::config::keys::positions::{BookFormat, PositionKeys};
use crate::config::problem::Problem;
use crate::config::section::Entry;
use crate::config::tournament::NamedFile;
use crate::pgn::{self, BookOpening};
use crate::referee::Compatibility;
use crate::schedule::book::{self, BookLine};
use crate::schedule::{Opening, Openings};
use crate::text::count;

/// Formats that people have books in, and that are not read.
const FOREIGN: [(&str, &str); 2] = [
    ("abk", "Arena books have moves and no positions"),
    ("ctg", "ChessBase books are not read"),
];

/// Compressed books are known by their first bytes; a file's name does not show whether it is compressed.
const COMPRESSED: [&str; 5] = ["gz", "zst", "bz2", "xz", "zip"];

/// A book with this name is read from the standard input.
const STANDARD_INPUT: &str = "-";

/// The longest book, unpacked: a small compressed file can hold more than any memory.
const MAX_BOOK_BYTES: u64 = 1 << 30;

/// The start of ordinary chess.
const USUAL_START: StartNumber = StartNumber(518);

/// The openings that an event plays of a book: given their number, the chosen ones in order.
pub(super) type OpeningChoice = dyn Fn(u32) -> Vec<u32>;

/// The positions of a book without those that are left out; `None` after an error. `choice`: the openings that are
/// played, if not all in the book's order.
pub(super) fn read(
    keys: &PositionKeys<'_>,
    entry: &Entry<'_>,
    choice: Option<&OpeningChoice>,
    excluded: &[StartNumber],
    variant: Variant,
    context: &Context<'_>,
) -> Option<Positions> {
    let name = entry.string()?;
    let from_input = name == STANDARD_INPUT;
    let path = if from_input {
        PathBuf::from(name)
    } else {
        context.path(name)
    };
    let extension = extension(&path);
    if let Some((_, why)) = FOREIGN.iter().find(|(foreign, _)| *foreign == extension) {
        let help = format!("{why}; a book is EPD, FEN lines, PGN or Polyglot");
        return entry.refuse(format!("`{name}` is not a book that can be read"), help);
    }
    let text = contents(entry, &path, context)?;
    let shown = if from_input { "standard input" } else { name };
    // A line of FEN never begins with a bracket, and a game without tags is seldom a book.
    let has_tags = from_input && text.trim_start().starts_with('[');
    let written = keys.format.value.map(|format| format == BookFormat::Pgn);
    let way = (variant, context.compatibility);
    let lines = if written.unwrap_or(extension == "pgn" || has_tags) {
        chosen(games(entry, &text, keys.plies.value, way)?, choice)
    } else {
        keys.plies.fail_if(true, || {
            Problem::warning("`plies` says nothing here: the book has positions, not games")
        });
        positions(entry, &text, way, choice)?
    };
    let (openings, unreadable) = if context.compatibility.repairs_openings() && choice.is_some() {
        with_starts(lines, &text, way)?
    } else {
        let openings = without_errors(lines, shown, text, context)?;
        (openings, BTreeMap::new())
    };
    let is_kept = |opening: &Opening| {
        let number = opening.number.as_ref();
        number.is_none_or(|number| excluded.binary_search(number).is_err())
    };
    let openings: Vec<Opening> = openings.into_iter().filter(is_kept).collect();
    Some(Positions {
        label: format!("{} of {shown}", count(openings.len(), "position")),
        openings: Openings::book(variant, openings),
        book: (!from_input).then(|| NamedFile::new(name, path)),
        unreadable,
    })
}

/// The ending of a file's name in small letters, without that of a compressed file.
pub(super) fn extension(path: &Path) -> String {
    let of = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.unwrap_or("").to_ascii_lowercase()
    };
    let last = of(path);
    if COMPRESSED.contains(&last.as_str()) {
        of(&path.with_extension(""))
    } else {
        last
    }
}

/// All of an input that is not longer than this.
pub(super) fn bounded(input: impl Read, most: u64) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    let read = input.take(most + 1).read_to_end(&mut all);
    read.map_err(|error| error.to_string())?;
    if all.len() as u64 > most {
        return Err(format!("it is longer than {} MiB", most >> 20));
    }
    Ok(all)
}

/// The text of a book, unpacked, with the line ends of every system as line feeds.
fn unpacked(bytes: &[u8]) -> Result<String, String> {
    let input = pgn::decompressed(bytes).map_err(|error| error.to_string())?;
    utf8(bounded(pgn::LineEnds::new(input), MAX_BOOK_BYTES)?)
}

fn contents(entry: &Entry<'_>, path: &Path, context: &Context<'_>) -> Option<String> {
    let bytes = context
        .files
        .read(path)
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        });
    let reason = match bytes.and_then(|bytes| unpacked(&bytes)) {
        Ok(text) => return Some(text),
        Err(reason) => reason,
    };
    let is_named = path.as_os_str() != STANDARD_INPUT;
    let help = is_named.then(|| context.looked_for(entry.string().unwrap_or_default()));
    entry.fail(Problem::error(format!("cannot read the book: {reason}")).help_if(help))
}

/// The openings of a choice, in its order.
pub(super) fn chosen<T: Clone>(openings: Vec<T>, choice: Option<&OpeningChoice>) -> Vec<T> {
    let Some(choice) = choice else {
        return openings;
    };
    let order = choice(openings.len() as u32).into_iter();
    let chosen = order.map(|index| openings[index as usize].clone());
    chosen.collect()
}

fn positions(
    entry: &Entry<'_>,
    text: &str,
    (variant, way): (Variant, Compatibility),
    choice: Option<&OpeningChoice>,
) -> Option<Vec<BookLine>> {
    let book = match choice {
        Some(choice) => book::read_chosen(text, (variant, way), choice),
        None => book::read(text, variant),
    };
    if book.openings.is_empty() {
        let title = "the book is empty";
        return entry.refuse(title, "a book has a position on each line, as FEN or EPD");
    }
    if let Some((line, first)) = book.repeated.first() {
        let title = format!("the book repeats {} of its positions", book.repeated.len());
        let label = format!("the first is line {line}, which repeats line {first}");
        entry.fail::<()>(Problem::warning(title).label(label));
    }
    Some(book.openings)
}

/// The first half-moves of every game.
fn games(
    entry: &Entry<'_>,
    text: &str,
    plies: u32,
    (variant, way): (Variant, Compatibility),
) -> Option<Vec<BookLine>> {
    let games = pgn::book_openings(text.as_bytes(), Some(plies), way.repairs_openings());
    let games = games.map(|game| {
        let game = game.map_err(|error| (line_number(error.place.line), error.kind.to_string()))?;
        from_game(&game, variant, way).map_err(|error| (line_number(game.line), error))
    });
    let games: Vec<BookLine> = games.collect();
    if games.is_empty() {
        return entry.refuse("the book has no game", "a book of games is PGN");
    }
    Some(games)
}

/// The openings, if every line has one; else what is wrong with each of the others is reported.
fn without_errors(
    lines: Vec<BookLine>,
    name: &str,
    text: String,
    context: &Context<'_>,
) -> Option<Vec<Opening>> {
    if lines.iter().all(Result::is_ok) {
        return Some(lines.into_iter().flatten().collect());
    }
    let spans = line_spans(&text);
    let is_pgn = extension(Path::new(name)) == "pgn";
    let help = if is_pgn { A_GAME } else { A_POSITION };
    let source = context.report.add_source(name.to_owned(), text);
    for (line, message) in lines.into_iter().filter_map(Result::err) {
        let span = spans.get((line as usize).saturating_sub(1));
        let problem = Problem::error(message).help(help);
        let problem = problem.at(source, span.cloned().unwrap_or(0..0));
        context.report.add(problem);
    }
    None
}

/// The openings, with another start instead of each line without an opening, and these lines.
fn with_starts(
    lines: Vec<BookLine>,
    text: &str,
    (variant, way): (Variant, Compatibility),
) -> Option<(Vec<Opening>, BTreeMap<u32, String>)> {
    let usual = Some(USUAL_START).filter(|number| variant.has(*number));
    let usual = usual.unwrap_or(variant.first_number());
    let spans = line_spans(text);
    let mut unreadable = BTreeMap::new();
    let lines = (0..).zip(lines).map(|(place, line)| {
        line.or_else(|(line, _)| {
            let span = spans.get((line as usize).saturating_sub(1));
            let text = text[span.cloned().unwrap_or_default()].to_owned();
            unreadable.insert(place, text);
            let drawn = way.draws_starts_instead(variant == Variant::Chess960, place);
            Opening::numbered(variant, drawn.map_or(usual, StartNumber))
        })
    });
    let openings = lines.collect::<Result<Vec<Opening>, StartError>>();
    Some((openings.ok()?, unreadable))
}

/// The start of a game is read again by the rules of the event's variant, whatever the
/// game's tags say of it.
fn from_game(game: &BookOpening, variant: Variant, way: Compatibility) -> Result<Opening, String> {
    let fen = game.start.fen(FenDialect::Shredder);
    let start = Position::from_fen_with(&fen, variant.castling_rule())
        .map_err(|error| error.to_string())?;
    if way.repairs_openings() {
        Opening::cut_at_the_end(variant, start, game.moves.clone())
    } else {
        Opening::new(variant, start, game.moves.clone())
    }
}

fn line_number(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// What stands in a book.
const A_POSITION: &str =
    "mend the line, or take it out; each line of a book is a position, as FEN or EPD";
const A_GAME: &str = "mend the game, or take it out; a book of games is PGN";

/// The bytes of each line without its end and the blanks around it.
fn line_spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let start_of = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let lines = text.lines().map(str::trim);
    let spans = lines.map(|line| start_of(line)..start_of(line) + line.len());
    spans.collect()
}
