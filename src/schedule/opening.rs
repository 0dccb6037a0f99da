//! Where one game begins, and where none can.

use crate::chess::start::{self, StartError, StartNumber, Variant};
use crate::chess::{Color, Ending, FenDialect, Game, Move, Position};
use crate::uci::chess480_variant;

/// Where a game begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The start position.
    pub start: Position,
    /// Moves of a book, played by nobody.
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
    /// The protocol has no way to say this castling outside Chess960.
    #[error(
        "castling with king or rooks off their orthodox squares does not exist in {0}: \
         use variant = \"chess960\", or no castling rights"
    )]
    ForeignCastling(Variant),
    /// No engine can be told how the kings castle.
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
        if !variant.sends_uci_chess960() && !castles_orthodox(&start) {
            return Err(OpeningError::ForeignCastling(variant));
        }
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

    /// The start with the book's moves made: where the engines begin.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for &book_move in &self.moves {
            game.play(book_move);
        }
        game
    }
}

/// Whether all castling rights are those of kings and rooks on their orthodox squares.
fn castles_orthodox(start: &Position) -> bool {
    let fen = start.fen(FenDialect::Shredder);
    let rights = fen.split(' ').nth(2).unwrap_or("-");
    let at_home = |color: Color, corners: [char; 2], king: &str| {
        let own = |letter: &char| letter.is_ascii_uppercase() == (color == Color::White);
        let mut letters = rights
            .chars()
            .filter(|&letter| letter != '-')
            .filter(own)
            .peekable();
        letters.peek().is_none()
            || (letters.all(|letter| corners.contains(&letter))
                && start.king(color).to_string() == king)
    };
    at_home(Color::White, ['A', 'H'], "e1") && at_home(Color::Black, ['a', 'h'], "e8")
}
