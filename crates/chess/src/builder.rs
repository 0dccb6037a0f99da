//! Positions put together piece by piece.

use super::board::Board;
use super::{CastlingRule, Color, FenDialect, FenError, File, Piece, Position, Square, fen};

/// Puts a position together. [`PositionBuilder::build`] judges it as strictly as a FEN.
///
/// ```
/// use arbiter960_chess::{Color, Piece, PieceKind, PositionBuilder, Square};
/// let square = |name: &str| name.parse::<Square>().expect("a square");
/// let piece = |color, kind| Piece { color, kind };
/// let position = PositionBuilder::default()
///     .put(piece(Color::White, PieceKind::King), square("b1"))
///     .put(piece(Color::White, PieceKind::Rook), square("g1"))
///     .put(piece(Color::Black, PieceKind::King), square("e8"))
///     .castling(Color::White, square("g1").file())
///     .build()?;
/// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/1K4R1 w K - 0 1");
/// # Ok::<(), arbiter960_chess::FenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionBuilder {
    board: Board,
    castling: String,
    en_passant: Option<Square>,
    counters: (u32, u32),
}

impl PositionBuilder {
    /// Puts a piece on a square, in place of any piece there.
    #[must_use]
    pub fn put(mut self, piece: Piece, square: Square) -> PositionBuilder {
        self.board.clear(square);
        self.board.put(piece, square);
        self
    }

    /// Takes the piece on a square, if any, off the board.
    #[must_use]
    pub fn clear(mut self, square: Square) -> PositionBuilder {
        self.board.clear(square);
        self
    }

    /// Whose turn it is.
    #[must_use]
    pub fn side_to_move(mut self, color: Color) -> PositionBuilder {
        self.board.side_to_move = color;
        self
    }

    /// The right of a side to castle with the rook on this file of its first rank.
    #[must_use]
    pub fn castling(mut self, color: Color, rook: File) -> PositionBuilder {
        self.castling.push(color.cased(rook.letter()));
        self
    }

    /// The square that a pawn has just skipped.
    #[must_use]
    pub fn en_passant(mut self, square: Square) -> PositionBuilder {
        self.en_passant = Some(square);
        self
    }

    /// Plies since the last capture or pawn move, and the number of the next move.
    #[must_use]
    pub fn counters(mut self, halfmove_clock: u32, fullmove_number: u32) -> PositionBuilder {
        self.counters = (halfmove_clock, fullmove_number);
        self
    }

    /// The position.
    ///
    /// # Errors
    /// What cannot arise in a game: see [`FenError`].
    pub fn build(&self) -> Result<Position, FenError> {
        let or_none = |text: &str| match text {
            "" => "-".to_owned(),
            text => text.to_owned(),
        };
        let side = match self.board.side_to_move {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let skipped = self.en_passant.map(|square| square.to_string());
        let mut men = String::new();
        self.board.write_men(&mut men);
        let text = format!(
            "{men} {side} {} {} {} {}",
            or_none(&self.castling),
            or_none(&skipped.unwrap_or_default()),
            self.counters.0,
            self.counters.1
        );
        fen::read(&text, self.board.rule)
    }
}

/// An empty board, White to move, no rights, the counters of a first move.
impl Default for PositionBuilder {
    fn default() -> PositionBuilder {
        PositionBuilder {
            board: Board::empty(CastlingRule::Fischer),
            castling: String::new(),
            en_passant: None,
            counters: (0, 1),
        }
    }
}

/// A builder that begins with this position.
impl From<&Position> for PositionBuilder {
    fn from(position: &Position) -> PositionBuilder {
        let mut castling = String::new();
        position.write_castling(FenDialect::Shredder, &mut castling);
        PositionBuilder {
            board: *position.board(),
            castling,
            en_passant: position.en_passant(),
            counters: (position.halfmove_clock(), position.fullmove_number()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_built_again_as_it_was() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/RK1R2R1 w D - 3 9",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(
                PositionBuilder::from(&position).build(),
                Ok(position),
                "{fen}"
            );
        }
        assert!(PositionBuilder::default().build().is_err());
    }
}
