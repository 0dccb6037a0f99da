//! A line of thinking, `DEPTH SCORE TIME NODES [SELDEPTH NPS TBHITS\t] MOVES`, as `info`; and moves in the engine's
//! notation.

use crate::chess::{Color, FenDialect, Game, Move, Position, UciDialect};

/// Scores beyond this are mates; the excess is the number of moves.
const MATE: i64 = 100_000;

/// The line as UCI has it; `None` if it is not a line of thinking.
pub(super) fn info(line: &str, position: &Position, dialect: UciDialect) -> Option<String> {
    let (head, tail) = match line.split_once('\t') {
        Some((head, tail)) if head.split_ascii_whitespace().count() >= 4 => (head, Some(tail)),
        _ => (line, None),
    };
    let mut words = head.split_ascii_whitespace();
    let depth = words
        .next()?
        .trim_end_matches(|one: char| !one.is_ascii_digit());
    let depth: u32 = depth.parse().ok()?;
    let mut number = || words.next()?.parse::<i64>().ok();
    let (score, time, nodes) = (number()?, number()?, number()?);
    let mut text = format!("info depth {depth}");
    let rest: Vec<&str> = words.collect();
    let (numbers, moves) = match tail {
        Some(tail) => (rest, tail.split_ascii_whitespace().collect()),
        None => (Vec::new(), rest),
    };
    for (name, value) in ["seldepth", "nps", "tbhits"].into_iter().zip(numbers) {
        if value.parse::<u64>().is_ok_and(|value| value > 0) {
            text += &format!(" {name} {value}");
        }
    }
    text += &match score.abs() {
        MATE.. if score > 0 => format!(" score mate {}", score - MATE),
        MATE.. => format!(" score mate {}", score + MATE),
        _ => format!(" score cp {score}"),
    };
    text += &format!(" time {} nodes {}", time.max(0) * 10, nodes.max(0));
    let line = variation(&moves, position, dialect);
    if !line.is_empty() {
        text += &format!(" pv{line}");
    }
    Some(text)
}

/// The moves, up to the first word that is not one; numbers, dots and remarks are skipped.
fn variation(words: &[&str], position: &Position, dialect: UciDialect) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for word in words {
        let word = word.trim_start_matches(|one: char| one.is_ascii_digit());
        let word = word.trim_start_matches('.');
        if word.is_empty() {
            continue;
        }
        let Some(played) = read_move(&position, word) else {
            break;
        };
        text += &format!(" {}", position.uci(played, dialect));
        position.play(played);
    }
    text
}

// The game that the engine has on its board, and moves in its notation.

/// Reads the words after `position`; `None` if they are not a valid game.
pub(super) fn commanded(text: &str, dialect: UciDialect) -> Option<Game> {
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (text.trim(), ""),
    };
    let mut board = Game::new(match start.strip_prefix("fen ") {
        Some(fen) => Position::from_fen(fen.trim()).ok()?,
        None => Position::standard(),
    });
    for word in moves.split_ascii_whitespace() {
        board.play_uci(word, dialect).ok()?;
    }
    Some(board)
}

/// The moves that a board has beyond the known one, if it is the same game.
pub(super) fn missing<'a>(known: &Game, board: &'a Game) -> Option<&'a [Move]> {
    let missing = board.moves().strip_prefix(known.moves())?;
    (known.start() == board.start()).then_some(missing)
}

/// A position as `setboard` takes it.
pub(super) fn setboard(start: &Position) -> String {
    format!("setboard {}", start.fen(FenDialect::XFen))
}

/// The same for engines without `setboard`: White's men, then Black's. For Black to move, a move is made before that.
pub(super) fn edit(start: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    if start.side_to_move() == Color::Black {
        lines.push("b2b3".to_owned());
    }
    lines.extend(["edit", "#"].map(str::to_owned));
    for color in Color::ALL {
        for square in start.by_color(color) {
            if let Some(piece) = start.piece_at(square) {
                lines.push(format!("{}{square}", piece.kind.letter()));
            }
        }
        lines.push(if color == Color::White { "c" } else { "." }.to_owned());
    }
    lines
}

/// A move as the engine wants it.
pub(super) fn write_move(position: &Position, played: Move, san: bool, chess960: bool) -> String {
    let castles = position.is_castling(played).is_some();
    if san || chess960 && castles {
        let text = position.san(played).to_string();
        text.trim_end_matches(['+', '#']).to_owned()
    } else {
        position.uci(played, UciDialect::Standard).to_string()
    }
}

/// A move as an engine writes it: with squares, or in short algebraic notation.
pub(super) fn read_move(position: &Position, text: &str) -> Option<Move> {
    let with_squares = position.parse_uci_loosely(text).ok();
    with_squares.or_else(|| position.parse_san_loosely(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_thinking_are_translated() {
        let info = |line: &str| info(line, &Position::standard(), UciDialect::Standard);
        assert_eq!(
            info("9 25 112 12345 1. e4 e5 2. Nf3 rest").unwrap(),
            "info depth 9 score cp 25 time 1120 nodes 12345 pv e2e4 e7e5 g1f3"
        );
        assert_eq!(
            info("9. -100003 1 5 20 1000 0\te2e4").unwrap(),
            "info depth 9 seldepth 20 nps 1000 score mate -3 time 10 nodes 5 pv e2e4"
        );
        assert_eq!(info("hello 1 2 3"), None);
        assert_eq!(info("1. e4"), None);
    }
}
