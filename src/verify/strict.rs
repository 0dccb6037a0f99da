//! Errors for strict readers only: `SetUp`, move numbers, marks of check and mate.

use std::fmt;

use super::{Finding, FindingKind, tag_finding};
use crate::chess::{Color, Position, SanText};
use crate::pgn::{PgnPlace, RawGame, Replay, Step, Token};

/// A difference from the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StrictKind {
    /// `SetUp` and `FEN` do not agree (specification, 9.7).
    SetUp {
        /// The tag's value.
        value: Option<String>,
        /// Whether there is a FEN.
        fen: bool,
    },
    /// A move number that does not belong to the move (specification, 8.2.2).
    MoveNumber {
        /// The number in the file.
        found: String,
        /// The number of the move that follows, with the dots of its side.
        expected: String,
    },
    /// A mark of check or mate that is wrong or missing (specification, 8.2.3.5).
    CheckMark {
        /// The move as written in the file.
        found: String,
        /// The move as it should be written.
        expected: SanText,
    },
}

impl fmt::Display for StrictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrictKind::SetUp {
                value: None,
                fen: true,
            } => f.write_str("a FEN without the tag SetUp \"1\""),
            StrictKind::SetUp { value, fen } => {
                let there = if *fen {
                    "there is a FEN"
                } else {
                    "there is no FEN"
                };
                write!(f, "SetUp {:?}, but {there}", value.as_deref().unwrap_or(""))
            }
            StrictKind::MoveNumber { found, expected } => {
                write!(f, "move number {found}, but the next move is {expected}")
            }
            StrictKind::CheckMark { found, expected } => {
                write!(
                    f,
                    "{found} is written {expected}: the mark of check or mate is wrong"
                )
            }
        }
    }
}

/// Checks a game that can be played to its end.
pub(super) fn check(game: &RawGame<'_>, found: &mut Vec<Finding>) {
    check_set_up(game, found);
    let Ok(mut replay) = game.replay() else {
        return;
    };
    let before = game.text().len() - game.movetext().len();
    let mut variations = 0;
    for (place, token) in game.tokens() {
        let kind = match token {
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
        found.extend(kind.map(|kind| Finding {
            place: place(replay.plies()),
            kind: FindingKind::Strict(kind),
        }));
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
        let value = value.map(|value| value.into_owned());
        let kind = FindingKind::Strict(StrictKind::SetUp { value, fen });
        found.push(tag_finding(game, tag, 0, kind));
    }
}

/// Compares a number in the movetext with the move that comes next.
fn number(text: &[u8], position: &Position) -> Option<StrictKind> {
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
    let expected = || match side {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    };
    (!right).then(|| StrictKind::MoveNumber {
        found: found.to_owned(),
        expected: expected(),
    })
}

/// Plays the next move, which this word is, and compares its marks.
fn check_mark(word: &[u8], replay: &mut Replay<'_>) -> Option<StrictKind> {
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
    let found = String::from_utf8_lossy(word).into_owned();
    (mark(word) != mark(expected.as_str().as_bytes()))
        .then_some(StrictKind::CheckMark { found, expected })
}
