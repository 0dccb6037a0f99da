//! `positions.file`: a book of EPD or FEN lines, or of games in PGN. Polyglot's: `polyglot_book`.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::files::{Context, utf8};
use super::problem::Problem;
use super::section::Entry;
use super::tournament::NamedFile;
use super::value::ReadValue;
use crate::chess::start::{StartError, StartNumber, Variant};
use crate::chess::{FenDialect, Position};
use crate::pgn;
use crate::referee::Compatibility;
use crate::schedule::Opening;
use crate::schedule::book::{self, BookLine};

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

pub(super) struct BookFile {
    pub(super) openings: Vec<Opening>,
    /// The text of what cannot be read, by the opening that replaces it.
    pub(super) unreadable: BTreeMap<u32, String>,
    /// Its name for people.
    pub(super) name: String,
    /// `None` for the standard input.
    pub(super) file: Option<NamedFile>,
}

/// The openings that an event plays of a book: given their number, the chosen ones in order.
pub(super) type OpeningChoice<'a> = dyn Fn(u32) -> Vec<u32> + 'a;

/// Which part of a book is read, and how.
pub(super) struct BookReading<'a> {
    /// How much of each game.
    pub(super) plies: &'a ReadValue<'a, u32>,
    /// Whether it has games, if the event file says it.
    pub(super) games: Option<bool>,
    /// The openings played, if not all in the book's order.
    pub(super) choice: Option<Box<OpeningChoice<'a>>>,
}

/// The openings of a book; `None` after an error.
pub(super) fn read(
    entry: &Entry<'_>,
    reading: BookReading<'_>,
    variant: Variant,
    context: &Context<'_>,
) -> Option<BookFile> {
    let name = entry.string()?.to_owned();
    let from_input = name == STANDARD_INPUT;
    let path = context.path(&name);
    let extension = extension(&path);
    if let Some((_, why)) = FOREIGN.iter().find(|(foreign, _)| *foreign == extension) {
        let title = format!("`{name}` is not a book that can be read");
        let help = format!("{why}; a book is EPD, FEN lines, PGN or Polyglot");
        return entry.fail(Problem::error(title).help(help));
    }
    let text = contents(entry, &path, from_input, context)?;
    let name = if from_input {
        "standard input".to_owned()
    } else {
        name
    };
    // A line of FEN never begins with a bracket, and a game without tags is seldom a book.
    let has_tags = from_input && text.trim_start().starts_with('[');
    let has_games = reading.games.unwrap_or(extension == "pgn" || has_tags);
    let choice = reading.choice.as_deref();
    let lines = if has_games {
        let games = games(
            entry,
            &text,
            reading.plies.value,
            (variant, context.compatibility),
        )?;
        chosen(games, choice)
    } else {
        reading.plies.fail_if(true, || {
            Problem::warning("`plies` says nothing here: the book has positions, not games")
        });
        positions(entry, &text, (variant, context.compatibility), choice)?
    };
    let stand_in = context.compatibility.repairs_openings() && choice.is_some();
    let (openings, unreadable) = if stand_in {
        with_starts(lines, &text, (variant, context.compatibility))?
    } else {
        let openings = without_errors(lines, &name, text, context)?;
        (openings, BTreeMap::new())
    };
    let file = NamedFile {
        name: name.clone(),
        path,
        volatile: false,
    };
    Some(BookFile {
        openings,
        unreadable,
        name,
        file: (!from_input).then_some(file),
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

/// The text of a book, unpacked, with the line ends of every system as line feeds.
fn unpacked(bytes: &[u8]) -> Result<String, String> {
    let input = pgn::decompressed(bytes).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    pgn::LineEnds::new(input)
        .take(MAX_BOOK_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_BOOK_BYTES {
        return Err(format!("it is longer than {} MiB", MAX_BOOK_BYTES >> 20));
    }
    utf8(text)
}

fn contents(
    entry: &Entry<'_>,
    path: &Path,
    from_input: bool,
    context: &Context<'_>,
) -> Option<String> {
    let input = Path::new(STANDARD_INPUT);
    let bytes = context.files.read(if from_input { input } else { path });
    let bytes = bytes.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    });
    let reason = match bytes.and_then(|bytes| unpacked(&bytes)) {
        Ok(text) => return Some(text),
        Err(reason) => reason,
    };
    let problem = Problem::error(format!("cannot read the book: {reason}"));
    entry.fail(if from_input {
        problem
    } else {
        problem.help(context.looked_for(entry.string()?))
    })
}

/// The openings of a choice, in its order.
pub(super) fn chosen<T: Clone>(openings: Vec<T>, choice: Option<&OpeningChoice<'_>>) -> Vec<T> {
    let Some(choice) = choice else {
        return openings;
    };
    let order = choice(openings.len() as u32).into_iter();
    order
        .map(|index| openings[index as usize].clone())
        .collect()
}

fn positions(
    entry: &Entry<'_>,
    text: &str,
    (variant, way): (Variant, Compatibility),
    choice: Option<&OpeningChoice<'_>>,
) -> Option<Vec<BookLine>> {
    let book = match choice {
        Some(choice) => book::read_chosen(text, (variant, way), choice),
        None => book::read(text, variant),
    };
    if book.openings.is_empty() {
        return entry.fail(
            Problem::error("the book is empty")
                .help("a book has a position on each line, as FEN or EPD"),
        );
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
        return entry.fail(Problem::error("the book has no game").help("a book of games is PGN"));
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
    bad_lines(
        name,
        text,
        lines.into_iter().filter_map(Result::err),
        context,
    );
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
fn from_game(
    game: &pgn::BookOpening,
    variant: Variant,
    way: Compatibility,
) -> Result<Opening, String> {
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

/// Reports what is wrong with lines of a book.
fn bad_lines(
    name: &str,
    text: String,
    errors: impl Iterator<Item = (u32, String)>,
    context: &Context<'_>,
) {
    let spans = line_spans(&text);
    let is_pgn = extension(Path::new(name)) == "pgn";
    let help = if is_pgn { A_GAME } else { A_POSITION };
    let source = context.report.add_source(name.to_owned(), text);
    for (line, message) in errors {
        let span = spans.get((line as usize).saturating_sub(1));
        let problem = Problem::error(message).help(help);
        context
            .report
            .add(problem.at(source, span.cloned().unwrap_or(0..0)));
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
