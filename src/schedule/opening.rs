//! Where one game begins, and where none can.

use crate::chess::start::{self, StartError, StartNumber, Variant, VariantFenError};
use crate::chess::{Ending, Game, Move, Position, UciDialect};
use crate::uci::chess480_variant;

/// Where a game begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The start position.
    pub start: Position,
    /// Moves of a book, which no engine plays.
    pub moves: Vec<Move>,
    /// The number of the start position, where it has one.
    pub number: Option<StartNumber>,
}

/// Why no game can begin there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Not a legal position.
    #[error("{0}")]
    Fen(String),
    /// The board ends the game before it begins.
    #[error("the game is over in this position: {0}")]
    GameOver(Ending),
    /// Castling rights that the variant does not have, or that the protocol has no way to say.
    #[error(transparent)]
    Castling(VariantFenError),
    /// The protocol cannot tell an engine how the kings castle.
    #[error(
        "castling from here is no castling of chess480: a king that may castle stands on one \
         of the files b to g, and two on the same file"
    )]
    NoChess480,
}

impl Opening {
    /// An opening from any position.
    ///
    /// # Errors
    /// The game is over there, or the variant cannot say its castling.
    pub fn new(
        variant: Variant,
        start: Position,
        moves: Vec<Move>,
    ) -> Result<Opening, OpeningError> {
        variant
            .check_castling(&start)
            .map_err(OpeningError::Castling)?;
        if variant == Variant::Chess480 && chess480_variant(&start).is_none() {
            return Err(OpeningError::NoChess480);
        }
        let number = start::number_of(variant, &start);
        let opening = Opening {
            start,
            moves,
            number,
        };
        match opening.game().ending() {
            Some(ending) => Err(OpeningError::GameOver(ending)),
            None => Ok(opening),
        }
    }

    /// A numbered start of a variant.
    ///
    /// # Errors
    /// The variant has no such number.
    pub fn numbered(variant: Variant, number: StartNumber) -> Result<Opening, StartError> {
        Ok(Opening {
            start: start::position(variant, number)?,
            moves: Vec::new(),
            number: Some(number),
        })
    }

    /// The moves of the book as UCI text, castling as king takes rook.
    pub fn move_texts(&self) -> Vec<String> {
        let moves = self.moves.iter().copied();
        self.start.uci_line(moves, UciDialect::Chess960)
    }

    /// The start with the book's moves made: where the engines begin.
    pub fn game(&self) -> Game {
        Game::of(self.start.clone(), self.moves.iter().copied())
    }
}
