//! The game that the engine has on its board, and moves in its notation.

use crate::chess::{Color, FenDialect, Game, Move, Position, UciDialect};

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
