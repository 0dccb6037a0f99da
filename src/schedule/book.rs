//! A book's text to openings: one position a line, EPD or FEN.
//!
//! A line has the four fields that EPD and FEN share, and then either FEN's two counters
//! or EPD's opcodes, of which `hmvc` and `fmvn` are those counters (Edwards, PGN
//! standard, 16.2). What follows FEN's counters, as in perft suites, is skipped, and so
//! are empty lines and lines that begin with `#`.

use std::collections::HashMap;

use super::Opening;
use crate::chess::start::Variant;
use crate::chess::{FenDialect, Position};
use crate::referee::Compatibility;

/// What was read from a book.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Book {
    /// The opening of each line, or what is wrong with it, in the book's order.
    pub openings: Vec<BookLine>,
    /// Lines that repeat an earlier one, with that one; counted from 1.
    pub repeated: Vec<(u32, u32)>,
}

/// An opening, or the line, from 1, from which no game can begin, with what is wrong there.
pub(crate) type BookLine = Result<Opening, (u32, String)>;

/// Reads a book. A byte order mark and either kind of line end are allowed.
pub(crate) fn read(text: &str, variant: Variant) -> Book {
    read_lines(positions(text), |line| opening(line, variant))
}

/// Reads some lines of a book, in the order in which `chosen` names them. `chosen` gets the number of lines; lines are
/// counted from 0. Which castling fields fit, depends on the program whose way is followed.
pub(crate) fn read_chosen(
    text: &str,
    (variant, way): (Variant, Compatibility),
    chosen: impl FnOnce(u32) -> Vec<u32>,
) -> Book {
    let lines: Vec<(u32, &str)> = positions(text).collect();
    let chosen = chosen(lines.len() as u32).into_iter();
    let chosen = chosen.map(|index| lines[index as usize]);
    let mut book = read_lines(chosen, |line| {
        if way.repairs_openings() {
            repaired(line, variant, way)
        } else {
            opening(line, variant)
        }
    });
    // For a part of a book this has no meaning.
    book.repeated.clear();
    book
}

fn read_lines<'a>(
    lines: impl Iterator<Item = (u32, &'a str)>,
    read: impl Fn(&str) -> Result<Opening, String>,
) -> Book {
    let mut book = Book::default();
    let mut first_seen = HashMap::new();
    for (line, text) in lines {
        let opening = read(text).map_err(|problem| (line, problem));
        if let Ok(opening) = &opening {
            let fen = opening.start.fen(FenDialect::Shredder);
            let first = *first_seen.entry(fen).or_insert(line);
            if first < line {
                book.repeated.push((line, first));
            }
        }
        book.openings.push(opening);
    }
    book
}

/// The lines with a position, by number.
fn positions(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn opening(line: &str, variant: Variant) -> Result<Opening, String> {
    let start = Position::from_fen_with(&fen(line), variant.castling_rule());
    let start = start.map_err(|error| error.to_string())?;
    Opening::new(variant, start, Vec::new())
}

/// The opening of a line with those of its castling rights that fit.
///
/// # Errors
/// It has no position, or a right that has no rook, if such a right spoils the line.
fn repaired(line: &str, variant: Variant, way: Compatibility) -> Result<Opening, String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let Some(castling) = words.get(2) else {
        return opening(line, variant);
    };
    if !way.drops_rights_without_a_rook() {
        opening(line, Variant::Chess960)?;
    }
    let with = |rights: &str| {
        let mut words = words.clone();
        words[2] = rights;
        opening(&words.join(" "), variant)
    };
    let reads = |letter: &char| variant != Variant::Standard || way.reads_castling(*letter);
    let mut fitting = (String::new(), with("-")?);
    for letter in castling.chars().filter(reads) {
        let more = format!("{}{letter}", fitting.0);
        fitting = with(&more).map_or(fitting, |opening| (more, opening));
    }
    Ok(fitting.1)
}

/// The FEN of a line: its position and counters; a missing counter is 0 (halfmove clock) or 1 (move number).
fn fen(line: &str) -> String {
    let mut words = line.split_ascii_whitespace();
    let position: Vec<&str> = words.by_ref().take(4).collect();
    let position = position.join(" ");
    let position = position.trim_end_matches(';');
    let counter = |word: Option<&str>| word?.split(';').next()?.parse::<u32>().ok();
    let mut next = words.clone();
    let (halfmoves, number) = match (counter(next.next()), counter(next.next())) {
        (Some(halfmoves), Some(number)) => (halfmoves, number),
        _ => {
            let opcodes = words.collect::<Vec<&str>>().join(" ");
            let operand = |opcode| operand(&opcodes, opcode);
            (operand("hmvc").unwrap_or(0), operand("fmvn").unwrap_or(1))
        }
    };
    format!("{position} {halfmoves} {number}")
}

/// The number that an EPD opcode has; text in quotes is not searched.
fn operand(opcodes: &str, opcode: &str) -> Option<u32> {
    let outside_quotes: String = opcodes.split('"').step_by(2).collect();
    let mut operations = outside_quotes.split(';').map(str::trim);
    operations.find_map(|operation| operation.strip_prefix(opcode)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn errors(text: &str, variant: Variant) -> Vec<(u32, String)> {
        let lines = read(text, variant).openings.into_iter();
        lines.filter_map(Result::err).collect()
    }

    #[test]
    fn epd_and_fen_of_every_kind() {
        for (line, counters) in [
            (START.to_owned(), "0 1"),
            (format!("{START};"), "0 1"),
            (format!("{START} 3 7"), "3 7"),
            (format!("{START} 3 7;D1 20 ;D2 400"), "3 7"),
            (format!("{START} 0 1 ;D1 20"), "0 1"),
            (format!("{START} hmvc 4; fmvn 9; id \"x\";"), "4 9"),
            (format!("{START} id \"a; hmvc 5;\"; bm e4;"), "0 1"),
        ] {
            assert_eq!(fen(&line), format!("{START} {counters}"), "{line}");
        }
    }

    #[test]
    fn every_bad_line_is_reported() {
        let text = format!("\u{feff}# a book\r\n{START}\r\n\r\n8/8 w - -\n{START} 0 1\nnonsense\n");
        let errors = errors(&text, Variant::Standard);
        let lines: Vec<u32> = errors.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [4, 6]);
    }

    #[test]
    fn repeated_lines_are_counted() {
        let book = read(&format!("{START}\n\n{START} 0 1\n"), Variant::Chess960);
        assert_eq!(book.repeated, [(3, 1)]);
        assert_eq!(book.openings.len(), 2);
        let first = book.openings[0].as_ref().unwrap();
        assert_eq!(first.number.map(|number| number.0), Some(518));
    }

    #[test]
    fn a_game_that_is_over_is_no_opening() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let errors = errors(mated, Variant::Chess960);
        assert!(errors[0].1.contains("mates"), "{errors:?}");
    }

    #[test]
    fn other_programs_keep_the_rights_that_fit() {
        use Compatibility::{Cutechess, Fastchess};
        let board = "r3k2r/8/8/8/8/8/8/R3K3 w";
        for (castling, way, kept) in [
            ("KQkq", Fastchess, Some("Qkq")),
            ("KQkq", Cutechess, None),
            ("Qkq", Cutechess, Some("Qkq")),
            ("HAha", Fastchess, Some("-")),
            ("Aha", Cutechess, Some("Qkq")),
            ("-", Fastchess, Some("-")),
        ] {
            let text = format!("{board} {castling} -");
            let book = read_chosen(&text, (Variant::Standard, way), |_| vec![0]);
            let opening = book.openings[0].as_ref().ok();
            let fen = opening.map(|opening| opening.start.fen(FenDialect::XFen));
            let rights = fen.as_deref().and_then(|fen| fen.split(' ').nth(2));
            assert_eq!(rights, kept, "{castling} {way:?}");
        }
    }

    #[test]
    fn castling_that_the_variant_cannot_say() {
        let line = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
        assert_eq!(errors(line, Variant::Chess960), []);
        let errors = errors(line, Variant::Standard);
        assert!(errors[0].1.contains("chess960"), "{errors:?}");
    }
}
