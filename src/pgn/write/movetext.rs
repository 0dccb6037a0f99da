//! Moves with their comments, what decided the game, and the result.

use std::fmt::Write as _;

use super::comments::{Comments, PgnDialect};
use super::words::{WrappedWords, printable};
use super::{comments, tcec};
use crate::chess::{Color, Move, Position};
use crate::referee::{DrawnBy, Fault, GameRecord, Outcome, WonBy};
use crate::text::push_number;

/// Appends the moves of a game, wrapped, and ends the last line. A game that is not over has no outcome.
pub(super) fn write(out: &mut String, record: &GameRecord, comments: Comments, over: bool) {
    let mut lines = WrappedWords::new(out);
    let mut position = record.start.clone();
    for &chess_move in &record.opening {
        write_move(&mut lines, &mut position, chess_move);
        match comments.dialect {
            PgnDialect::Tcec => lines.text(&tcec::book(&position)),
            PgnDialect::Standard if comments != Comments::NONE => lines.text("{book}"),
            PgnDialect::Standard => {}
        }
    }
    for played in &record.moves {
        let mover = position.side_to_move();
        match comments.dialect {
            PgnDialect::Standard => {
                write_move(&mut lines, &mut position, played.chess_move);
                comments::write_comment(&mut lines, played, mover, comments);
            }
            PgnDialect::Tcec => {
                let before = position.clone();
                write_move(&mut lines, &mut position, played.chess_move);
                lines.text(&tcec::comment(played, &before, &position));
            }
        }
    }
    match over {
        true => {
            write_ending(&mut lines, record);
            lines.text(record.outcome.pgn_result());
        }
        false => lines.text("*"),
    }
    lines.end();
}

/// Writes the number and the move. Every move is followed by a comment, so Black's move has its number too
/// (specification, 8.2.2.2).
fn write_move(lines: &mut WrappedWords<'_>, position: &mut Position, chess_move: Move) {
    lines.word(|out| {
        push_number(out, position.fullmove_number().into());
        out.push_str(by_mover(position.side_to_move()));
    });
    lines.text(&position.san(chess_move));
    position.play(chess_move);
}

fn by_mover(mover: Color) -> &'static str {
    match mover {
        Color::White => ".",
        Color::Black => "...",
    }
}

/// The last comment: the outcome and, if a fault decided the game, what the loser did.
pub(crate) fn ending_words(record: &GameRecord) -> String {
    let mut text = record.outcome.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if let Some(fault) = explained_fault(record) {
        text.push_str(": ");
        text.push_str(&fault.explained());
        if let Some(evidence) = &fault.evidence {
            // Writing to a String cannot fail.
            let _ = write!(text, "; {evidence}");
        }
    }
    let words = printable(&text);
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

fn write_ending(lines: &mut WrappedWords<'_>, record: &GameRecord) {
    let text = ending_words(record);
    let mut words = text.split_whitespace().peekable();
    let mut opening = "{";
    while let Some(word) = words.next() {
        let closing = if words.peek().is_none() { "}" } else { "" };
        lines.word(|out| {
            [opening, word, closing]
                .iter()
                .for_each(|part| out.push_str(part))
        });
        opening = "";
    }
}

/// The fault that ended the game, also if it led only to a draw.
fn explained_fault(record: &GameRecord) -> Option<&Fault> {
    let fault = match record.outcome {
        Outcome::Won {
            how: WonBy::Forfeit(_),
            ..
        } => record.deciding_fault(),
        Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(_)) => record.faults.last(),
        _ => None,
    };
    fault.filter(|fault| !fault.detail.is_empty())
}
