//! Moves as UCI writes them (S. Meyer-Kahlen, UCI protocol 2006): from, to, promotion.
//!
//! * here: writing, and reading what is right
//! * `explain`: the names of everything that can be wrong, and which of them a refused text is

mod explain;

use crate::board::Board;
use crate::castling::CastlingPath;
use crate::piece::{Black, White};
use crate::text::{ShortText, short_text};
use crate::{Color, Move, PieceKind, Position, Square};

pub use explain::{CastlingRefusal, UciMoveError};

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UciDialect {
    /// The king's own step: `e1g1`. For plain chess, without the option `UCI_Chess960`. Where the king goes less than
    /// two files, this could be a plain king move, so castling is written as the king taking its rook here too.
    Standard,
    /// The king takes its own rook: `e1h1`. With the option `UCI_Chess960`.
    Chess960,
}

short_text! {
    /// A move in UCI's notation, on the stack.
    UciText
}

impl Position {
    /// A legal move as UCI text.
    ///
    /// ```
    /// use arbiter960_chess::{Position, UciDialect};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.parse_san("O-O")?;
    /// assert_eq!(position.uci(castling, UciDialect::Standard), "e1g1");
    /// assert_eq!(position.uci(castling, UciDialect::Chess960), "e1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uci(&self, mv: Move, dialect: UciDialect) -> UciText {
        let mut text = ShortText::new();
        let standard = dialect == UciDialect::Standard && self.is_castling(mv).is_some();
        let to = if standard {
            self.standard_castling_target(mv)
        } else {
            mv.to()
        };
        for square in [mv.from(), to] {
            text.push(square.file().letter());
            text.push(square.rank().digit());
        }
        if let Some(kind) = mv.promotion() {
            text.push(kind.letter().to_ascii_lowercase());
        }
        UciText(text)
    }

    /// A line of moves from here as UCI text.
    pub fn uci_line(
        &self,
        moves: impl IntoIterator<Item = Move>,
        dialect: UciDialect,
    ) -> Vec<String> {
        let mut position = self.clone();
        let text = |mv| {
            let text = position.uci(mv, dialect).to_string();
            position.play(mv);
            text
        };
        moves.into_iter().map(text).collect()
    }

    /// Reads a move strictly: exactly as [`Position::uci`] writes it, and legal.
    ///
    /// # Errors
    /// See [`UciMoveError`].
    pub fn parse_uci(&self, text: &str, dialect: UciDialect) -> Result<Move, UciMoveError> {
        let mv = self.split_uci(text)?;
        if self.is_legal(mv) {
            let expected = self.uci(mv, dialect);
            if expected == text {
                return Ok(mv);
            }
            return Err(UciMoveError::OtherDialect {
                text: text.to_owned(),
                expected,
            });
        }
        let legal = self.legal_moves();
        let written = |dialect| legal.iter().find(|&&mv| self.uci(mv, dialect) == text);
        match (dialect, written(UciDialect::Standard)) {
            (UciDialect::Standard, Some(&mv)) => Ok(mv),
            (UciDialect::Chess960, Some(&mv)) => {
                let expected = self.uci(mv, dialect);
                Err(UciMoveError::OtherDialect {
                    text: text.to_owned(),
                    expected,
                })
            }
            (_, None) => Err(self.explain(text, mv, dialect)),
        }
    }

    /// Reads a move as any program might write it, if only one legal move can be meant: either
    /// dialect of castling, capital letters, blanks around it, `e7-e8=Q`. A referee reads
    /// strictly, with [`Position::parse_uci`].
    ///
    /// ```
    /// use arbiter960_chess::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.parse_uci_loosely("E1-G1")?;
    /// assert_eq!(position.parse_uci_loosely("e1h1"), Ok(castling));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`UciMoveError`].
    pub fn parse_uci_loosely(&self, text: &str) -> Result<Move, UciMoveError> {
        let plain: String = text
            .trim()
            .chars()
            .filter(|sign| !matches!(sign, '-' | '='))
            .map(|sign| sign.to_ascii_lowercase())
            .collect();
        self.parse_uci(&plain, UciDialect::Chess960)
            .or_else(|error| {
                self.parse_uci(&plain, UciDialect::Standard)
                    .map_err(|_| error)
            })
    }

    /// The squares and the promotion, if the text has that form.
    fn split_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        if matches!(text, "0000" | "(none)") {
            let legal = self.legal_moves().len();
            return Err(UciMoveError::NoMove {
                text: text.to_owned(),
                legal,
            });
        }
        let malformed = || UciMoveError::Malformed(text.to_owned());
        let square = |part: Option<&str>| part.and_then(|name| name.parse().ok());
        let from = square(text.get(..2)).ok_or_else(malformed)?;
        let to = square(text.get(2..4)).ok_or_else(malformed)?;
        match &text[4..] {
            "" => Ok(Move::new(from, to)),
            "q" => Ok(Move::promoting(from, to, PieceKind::Queen)),
            "r" => Ok(Move::promoting(from, to, PieceKind::Rook)),
            "b" => Ok(Move::promoting(from, to, PieceKind::Bishop)),
            "n" => Ok(Move::promoting(from, to, PieceKind::Knight)),
            _ => Err(malformed()),
        }
    }

    /// Where the king goes in the standard dialect.
    fn standard_castling_target(&self, castling: Move) -> Square {
        let target = castling_target(self.board(), castling);
        let files = target
            .file()
            .index()
            .abs_diff(castling.from().file().index());
        if files >= 2 { target } else { castling.to() }
    }
}

/// Where the king lands.
fn castling_target(board: &Board, castling: Move) -> Square {
    let path = CastlingPath::new(board.rule, castling.from(), castling.to());
    match board.side_to_move {
        Color::White => path.king_to::<White>(),
        Color::Black => path.king_to::<Black>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str, text: &str, dialect: UciDialect) -> String {
        let position = Position::from_fen(fen).unwrap();
        position.parse_uci(text, dialect).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_why() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const PAWN: &str = "8/4P1k1/8/8/8/8/8/4K2R w K - 0 1";
        for (fen, text, reason) in [
            (START, "", "not a move"),
            (START, "e2e4qzzz", "not a move"),
            (START, "E2E4", "not a move"),
            (START, "e2é4", "not a move"),
            (START, "0000", "has 20 legal moves"),
            (START, "(none)", "has 20 legal moves"),
            (START, "e4e5", "no piece on e4"),
            (START, "e7e5", "belongs to the opponent"),
            (START, "e2e5", "the pawn on e2 cannot go to e5"),
            (START, "b1d2", "the knight on b1 cannot go to d2"),
            (PAWN, "e7e8", "the letter is missing"),
            (PAWN, "e7e8k", "not a move"),
            (PAWN, "e1e2q", "only a pawn"),
            (PAWN, "e1h2", "cannot go to h2"),
            (
                "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
                "e2c3",
                "would be in check",
            ),
            (
                "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1",
                "e1d1",
                "would be in check",
            ),
            (
                "4k3/3rn3/8/8/8/8/8/4K3 w - - 0 1",
                "e1d3",
                "cannot go to d3",
            ),
        ] {
            let error = error(fen, text, UciDialect::Chess960);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn castling_in_the_other_dialect_is_refused_with_the_right_text() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for (text, dialect, expected) in [
            ("e1g1", UciDialect::Chess960, "castling is written e1h1"),
            ("e1c1", UciDialect::Chess960, "castling is written e1a1"),
            ("e1h1", UciDialect::Standard, "castling is written e1g1"),
            ("e1a1", UciDialect::Standard, "castling is written e1c1"),
        ] {
            let error = error(fen, text, dialect);
            assert!(error.contains(expected), "{text}: {error}");
        }
        let blocked = "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1";
        let error = error(blocked, "e1g1", UciDialect::Standard);
        assert!(error.contains("may not castle: f1 is occupied"), "{error}");
    }

    #[test]
    fn a_plain_king_move_is_not_castling() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        for dialect in [UciDialect::Standard, UciDialect::Chess960] {
            let step = position.parse_uci("f1g1", dialect).unwrap();
            assert_eq!(position.is_castling(step), None);
            let castling = position.parse_uci("f1h1", dialect).unwrap();
            assert_eq!(position.san(castling), "O-O");
        }
    }
}
