//! Errors for strict readers only: `SetUp`, move numbers, marks of check and mate.

use super::Finding;
use crate::chess::{Color, Position};
use crate::pgn::{PgnPlace, RawGame, Replay, Step, Token};

/// Checks a game that can be played to its end.
pub(super) fn check(game: &RawGame<'_>, found: &mut Vec<Finding>) {
    check_set_up(game, found);
    let Ok(mut replay) = game.replay() else {
        return;
    };
    let before = game.text().len() - game.movetext().len();
    let mut variations = 0;
    for (place, token) in game.tokens() {
        let words = match token {
            Token::VariationStart => {
                variations += 1;
                None
            }
            Token::VariationEnd => {
                variations -= 1;
                None
            }
            _ if variations > 0 => None,
            Token::MoveNumber => number(&game.movetext()[place..], replay.position()),
            Token::Move(word) => check_mark(word, &mut replay),
            _ => None,
        };
        let place = |ply| PgnPlace {
            line: game.line_at(before + place),
            game: game.number(),
            ply,
        };
        found.extend(words.map(|words| Finding::error(place(replay.plies()), words)));
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
        let tag = if value.is_some() { "SetUp" } else { "FEN" };
        let value = value.as_deref();
        let words = match (value, fen) {
            (None, true) => "a FEN without the tag SetUp \"1\"".to_owned(),
            (value, true) => format!("SetUp {:?}, but there is a FEN", value.unwrap_or("")),
            (value, false) => format!("SetUp {:?}, but there is no FEN", value.unwrap_or("")),
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
    let mark = |text: &[u8]| {
        text.last()
            .copied()
            .filter(|byte| matches!(byte, b'+' | b'#'))
    };
    let found = String::from_utf8_lossy(word);
    (mark(word) != mark(expected.as_str().as_bytes()))
        .then(|| format!("{found} is written {expected}: the mark of check or mate is wrong"))
}
