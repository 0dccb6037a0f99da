//! The game that the engine has on its board, and moves in its notation.

use crate::chess::{Color, FenDialect, Move, Position, UciDialect};

/// A game as `position` gives it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CommandedGame {
    /// The start position.
    pub(super) start: Position,
    /// Its moves.
    pub(super) moves: Vec<Move>,
    /// The position after the last move.
    pub(super) position: Position,
}

impl CommandedGame {
    /// Reads the words after `position`; `None` if they are not a valid game.
    pub(super) fn parse(text: &str, dialect: UciDialect) -> Option<CommandedGame> {
        let (start, moves) = match text.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (text.trim(), ""),
        };
        let start = match start.strip_prefix("fen ") {
            Some(fen) => Position::from_fen(fen.trim()).ok()?,
            None => Position::standard(),
        };
        let mut board = CommandedGame {
            position: start.clone(),
            start,
            moves: Vec::new(),
        };
        for word in moves.split_ascii_whitespace() {
            let played = board.position.parse_uci(word, dialect).ok()?;
            board.play(played);
        }
        Some(board)
    }

    /// Makes a move.
    pub(super) fn play(&mut self, played: Move) {
        self.moves.push(played);
        self.position.play(played);
    }

    /// The moves that the other board has beyond this one, if it is the same game.
    pub(super) fn missing<'a>(&self, other: &'a CommandedGame) -> Option<&'a [Move]> {
        let is_same = self.start == other.start;
        let missing = other.moves.strip_prefix(self.moves.as_slice())?;
        is_same.then_some(missing)
    }

    /// The place of the side to move: 0 for White.
    pub(super) fn side(&self) -> usize {
        usize::from(self.position.side_to_move() == Color::Black)
    }
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
    match san || chess960 && castles {
        true => {
            let text = position.san(played).to_string();
            text.trim_end_matches(['+', '#']).to_owned()
        }
        false => position.uci(played, UciDialect::Standard).to_string(),
    }
}

/// A move as an engine writes it: with squares, or in short algebraic notation.
pub(super) fn read_move(position: &Position, text: &str) -> Option<Move> {
    let with_squares = position.parse_uci_loosely(text).ok();
    with_squares.or_else(|| position.parse_san_loosely(text).ok())
}
