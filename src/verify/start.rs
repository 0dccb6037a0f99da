//! Start number and castling rights against the FEN; and what strict readers want of tags and marks.

use crate::chess::start::{self, STANDARD_NUMBER, StartNumber, Variant};
use crate::chess::{Color, FenDialect, Position};
use crate::pgn::{GameStart, RawGame, Replay, Step, Token};

use super::Finding;

/// Checks what the tags say about the start.
pub(super) fn check(game: &RawGame<'_>, start: &GameStart, found: &mut Vec<Finding>) {
    if let (Some(name), None) = (game.tag("StartVariant"), start.start_variant) {
        let words = format!("StartVariant {name:?} is not a variant");
        found.push(Finding::in_tag(game, "StartVariant", 0, words));
        return;
    }
    if is_another_name(game, start) {
        let words = "transcendental chess has no castling: read as double Fischer random (dfrc), which FICGS calls so";
        found.push(Finding::in_tag(game, "Variant", 0, words).warning_if(true));
    }
    if let Some(words) = foreign_rights(start) {
        found.push(Finding::in_tag(game, "FEN", 0, words));
        return;
    }
    if game.tag("FEN").is_none() {
        found.extend(no_start(game, start));
        return;
    }
    match game.tag("StartNumber") {
        Some(number) => found.extend(compare(game, start, &number)),
        None => {
            let variant = claimed_variant(start);
            found.extend(variant.and_then(|variant| rights_of_start(game, start, variant)));
        }
    }
}

/// Double Fischer random under the name of transcendental chess.
fn is_another_name(game: &RawGame<'_>, start: &GameStart) -> bool {
    let name = game.tag("Variant");
    let begins = |name: &str| name.to_ascii_lowercase().starts_with("transcendental");
    start.variant == Some(Variant::Dfrc) && name.is_some_and(|name| begins(&name))
}

/// Castling rights that the claimed variant does not have.
fn foreign_rights(start: &GameStart) -> Option<String> {
    let claimed = start.start_variant.or(start.variant)?;
    if claimed == Variant::Standard {
        return None;
    }
    let rights = claimed.check_castling(&start.position);
    rights.err().map(|error| error.to_string())
}

/// Chess960 without any information on the start.
fn no_start(game: &RawGame<'_>, start: &GameStart) -> Option<Finding> {
    let variant = claimed_variant(start)?;
    let has_moves = game.movetext().iter().any(u8::is_ascii_alphabetic);
    let words =
        format!("{variant} without FEN or StartNumber: it is replayed from {STANDARD_NUMBER}");
    let finding = Finding::in_tag(game, "Variant", 0, words).warning_if(true);
    (game.tag("StartNumber").is_none() && has_moves).then_some(finding)
}

/// The variant that the tags name, if its starts have castling rights.
fn claimed_variant(start: &GameStart) -> Option<Variant> {
    let claimed = start.start_variant.or(start.variant)?;
    let has_rights = claimed.sends_uci_chess960() || claimed == Variant::Moab;
    has_rights.then_some(claimed)
}

/// The FEN against the start of this number.
fn compare(game: &RawGame<'_>, start: &GameStart, number: &str) -> Option<Finding> {
    let variant = start.numbering();
    let parsed = start::parse_number(variant, number);
    let numbered = parsed.and_then(|claimed| Ok((claimed, start::position(variant, claimed)?)));
    let wrong = |words: String| Some(Finding::in_tag(game, "StartNumber", 0, words));
    let Ok((claimed, expected)) = numbered else {
        return wrong(format!(
            "StartNumber {number:?} is not a start of {variant}"
        ));
    };
    if is_other_board(&expected, &start.position) {
        return wrong(match start::number_of(variant, &start.position) {
            Some(actual) => {
                format!("StartNumber {claimed}, but the FEN is {variant} start {actual}")
            }
            None => format!("the FEN is not {variant} start {claimed}"),
        });
    }
    other_rights(game, (variant, claimed), &expected, &start.position)
}

/// Castling rights against those of the numbered start with this board.
fn rights_of_start(game: &RawGame<'_>, start: &GameStart, variant: Variant) -> Option<Finding> {
    let (number, expected) = start_on_this_board(variant, &start.position)?;
    if is_other_board(&expected, &start.position) {
        return None;
    }
    other_rights(game, (variant, number), &expected, &start.position)
}

fn start_on_this_board(variant: Variant, position: &Position) -> Option<(StartNumber, Position)> {
    let fen = position.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let rights = match variant {
        Variant::Moab => "Mm",
        _ => "KQkq",
    };
    let all_rights = format!("{board} w {rights} - 0 1");
    let with_rights = Position::from_fen_with(&all_rights, variant.castling_rule()).ok()?;
    let number = start::number_of(variant, &with_rights)?;
    Some((number, with_rights))
}

/// A field of the X-FEN of each.
fn fields(positions: [&Position; 2], field: usize) -> [String; 2] {
    positions.map(|position| {
        let fen = position.fen(FenDialect::XFen);
        fen.split(' ').nth(field).unwrap_or_default().to_owned()
    })
}

/// Whether pieces, side to move or en passant differ.
fn is_other_board(expected: &Position, found: &Position) -> bool {
    [0, 1, 3].into_iter().any(|field| {
        let [expected, found] = fields([expected, found], field);
        expected != found
    })
}

/// Castling rights that differ from those of a start. TCEC's No-Castling games begin at numbered starts, and a FEN may say so.
fn other_rights(
    game: &RawGame<'_>,
    (variant, number): (Variant, StartNumber),
    expected: &Position,
    found: &Position,
) -> Option<Finding> {
    let [expected, found] = fields([expected, found], 2);
    let words = format!("castling rights {found}, but {variant} start {number} has {expected}");
    let finding = Finding::in_tag(game, "FEN", 0, words).warning_if(found == "-");
    (expected != found).then_some(finding)
}

// Errors for strict readers only: `SetUp`, move numbers, marks of check and mate.

/// Checks a game that can be played to its end.
pub(super) fn check_strictly(game: &RawGame<'_>, found: &mut Vec<Finding>) {
    check_set_up(game, found);
    let Ok(mut replay) = game.replay() else {
        return;
    };
    let before = game.text().len() - game.movetext().len();
    let mut variations = 0;
    for (place, token) in game.tokens() {
        variations += i32::from(matches!(token, Token::VariationStart));
        variations -= i32::from(matches!(token, Token::VariationEnd));
        let words = match token {
            _ if variations > 0 => None,
            Token::MoveNumber => number(&game.movetext()[place..], replay.position()),
            Token::Move(word) => check_mark(word, &mut replay),
            _ => None,
        };
        let line = || game.line_at(before + place);
        found.extend(words.map(|words| Finding::error(game, line(), replay.plies(), words)));
    }
}

fn check_set_up(game: &RawGame<'_>, found: &mut Vec<Finding>) {
    let (value, fen) = (game.tag("SetUp"), game.tag("FEN").is_some());
    let agrees = match value.as_deref().map(str::trim) {
        Some("1") => fen,
        Some("0") | None => !fen,
        Some(_) => false,
    };
    if !agrees {
        let (tag, words) = match value.as_deref() {
            None => ("FEN", "a FEN without the tag SetUp \"1\"".to_owned()),
            Some(value) => {
                let is_there = if fen { "a" } else { "no" };
                let words = format!("SetUp {value:?}, but there is {is_there} FEN");
                ("SetUp", words)
            }
        };
        found.push(Finding::in_tag(game, tag, 0, words));
    }
}

/// Compares a number in the movetext with the move that comes next.
fn number(text: &[u8], position: &Position) -> Option<String> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = text[digits..]
        .iter()
        .take_while(|&&byte| byte == b'.')
        .count();
    let found = std::str::from_utf8(&text[..digits + dots]).ok()?;
    let number = position.fullmove_number();
    let side = position.side_to_move();
    // Three dots mean that Black moves; one dot or no dot may come before either side's move.
    let right =
        text[..digits] == *number.to_string().as_bytes() && (dots < 3 || side == Color::Black);
    let dots = if side == Color::White { "." } else { "..." };
    (!right).then(|| format!("move number {found}, but the next move is {number}{dots}"))
}

/// Plays the next move, which this word is, and compares its marks.
fn check_mark(word: &[u8], replay: &mut Replay<'_>) -> Option<String> {
    let before = replay.position().clone();
    let chess_move = loop {
        match replay.next_step()?.ok()? {
            Step::Move(chess_move) => break chess_move,
            Step::NullMove => return None,
            Step::Comment(_) | Step::Result(_) => {}
        }
    };
    let expected = before.san(chess_move);
    let mark = |text: &[u8]| text.last().copied().filter(|byte| b"+#".contains(byte));
    let found = String::from_utf8_lossy(word);
    (mark(word) != mark(expected.as_str().as_bytes()))
        .then(|| format!("{found} is written {expected}: the mark of check or mate is wrong"))
}
