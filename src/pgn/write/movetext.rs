//! Moves with their comments, what decided the game, and the result.

use std::fmt::Write as _;

use crate::chess::{Color, Move, PieceKind, Position};
use crate::referee::{DrawnBy, Fault, GameRecord, MoveRecord, Outcome, Thinking, WonBy};
use crate::text::push_number;
use crate::uci::{Score, ScoreStyle};

use super::comments::{Comments, PgnDialect, write_comment};
use super::{WrappedWords, printable};

/// Appends the moves of a game, wrapped, and ends the last line. A game that is not over has no outcome.
pub(super) fn write(out: &mut String, record: &GameRecord, comments: Comments, over: bool) {
    let mut lines = WrappedWords::new(out);
    let mut position = record.start.clone();
    for &chess_move in &record.opening {
        write_move(&mut lines, &mut position, chess_move);
        match comments.dialect {
            PgnDialect::Tcec => lines.text(&format!("{{book, mb={},}}", balance(&position))),
            PgnDialect::Standard if comments != Comments::NONE => lines.text("{book}"),
            PgnDialect::Standard => {}
        }
    }
    for played in &record.moves {
        let mover = position.side_to_move();
        let before = (comments.dialect == PgnDialect::Tcec).then(|| position.clone());
        write_move(&mut lines, &mut position, played.chess_move);
        match before {
            Some(before) => lines.text(&tcec_comment(played, &before, &position)),
            None => write_comment(&mut lines, played, mover, comments),
        }
    }
    if over {
        lines.comment(ending_words(record).split_whitespace());
        lines.text(record.outcome.pgn_result());
    } else {
        lines.text("*")
    }
    lines.end();
}

/// Writes the number and the move. Every move is followed by a comment, so Black's move has its number too
/// (specification, 8.2.2.2).
fn write_move(lines: &mut WrappedWords<'_>, position: &mut Position, chess_move: Move) {
    lines.word(|out| {
        push_number(out, position.fullmove_number().into());
        out.push_str([".", "..."][position.side_to_move().index()]);
    });
    lines.text(&position.san(chess_move));
    position.play(chess_move);
}

/// The last comment: the outcome and, if a fault decided the game, what the loser did.
pub(crate) fn ending_words(record: &GameRecord) -> String {
    let mut text = record.outcome.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if let Some(fault) = explained_fault(record) {
        text.push_str("; ");
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

// Comments in the format that the viewers of the Top Chess Engine Championship read: every key, in their order,
// with commas.
//
//
// Values that an engine does not report are 0. Source: the parser of the TCEC's own page (`parse_pgn` in
// `js/game.js` of github.com/TCEC-Chess/tcecgui) and the games in its tests.

/// The comment on a move that led from one position to the next.
pub(super) fn tcec_comment(record: &MoveRecord, before: &Position, after: &Position) -> String {
    let thinking = &record.thinking;
    let milliseconds = |time: std::time::Duration| time.as_millis();
    let spent = milliseconds(record.charged());
    let left = record.clock.map_or(0, milliseconds);
    let hash = thinking.hashfull.unwrap_or(0);
    // Writing to a String cannot fail.
    let mut text = String::with_capacity(160);
    let _ = write!(
        text,
        "{{d={}, sd={}, mt={spent}, tl={left}, s={}, n={}, pv={}, tb={}, h={}.{}, ph=0.0, wv={}, R50={}, Rd=-11, Rr=-11, mb={},}}",
        thinking.depth.unwrap_or(0),
        thinking.seldepth.unwrap_or(0),
        thinking.nps.unwrap_or(0),
        thinking.nodes.unwrap_or(0),
        variation(thinking, before),
        thinking.tbhits.unwrap_or(0),
        hash / 10,
        hash % 10,
        score(thinking.score, before.side_to_move()),
        50_u32.saturating_sub(after.halfmove_clock().div_ceil(2)),
        balance(after),
    );
    text
}

fn score(score: Option<Score>, mover: Color) -> String {
    let score = score.unwrap_or(Score::Centipawns(0));
    score.of_white(mover).text(ScoreStyle::Tcec)
}

fn variation(thinking: &Thinking, before: &Position) -> String {
    let mut position = before.clone();
    let mut text = String::new();
    for word in thinking.pv.split_whitespace() {
        let Ok(played) = position.parse_uci_loosely(word) else {
            break;
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.san(played));
        position.play(played);
    }
    text
}

fn balance(position: &Position) -> String {
    let kinds = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ];
    let mut text = String::new();
    for kind in kinds {
        let [white, black] = Color::ALL.map(|color| i64::from(position.pieces(color, kind).len()));
        let _ = write!(text, "{:+}", white - black);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::UciDialect;
    use crate::clock::Stamp;

    #[test]
    fn every_key_is_there_in_the_order_of_the_championship() {
        let before = Position::from_fen("4k3/8/8/3p4/8/8/4P3/4K2R b K - 4 20").unwrap();
        let played = before.parse_uci("d5d4", UciDialect::Chess960).unwrap();
        let mut after = before.clone();
        after.play(played);
        let record = MoveRecord {
            received: Stamp(312_000_000),
            clock: Some(Duration::from_millis(9_800)),
            thinking: Thinking {
                score: Some(Score::Centipawns(31)),
                depth: Some(18),
                seldepth: Some(24),
                nodes: Some(123_456),
                nps: Some(400_000),
                hashfull: Some(57),
                pv: "d5d4 e1h1 nonsense".to_owned(),
                ..Thinking::default()
            },
            ..MoveRecord::new(played, Stamp(0))
        };
        assert_eq!(
            tcec_comment(&record, &before, &after),
            "{d=18, sd=24, mt=312, tl=9800, s=400000, n=123456, pv=d4 O-O, tb=0, h=5.7, ph=0.0, wv=-0.31, \
             R50=50, Rd=-11, Rr=-11, mb=+0+0+0+1+0,}"
        );
        assert_eq!(score(Some(Score::Mate(-3)), Color::Black), "M3");
        assert_eq!(score(Some(Score::Mate(3)), Color::Black), "-M3");
        assert_eq!(balance(&after), "+0+0+0+1+0");
    }
}
