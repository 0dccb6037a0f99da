//! Openings from PGN: a start position and the first moves of every game.

use std::io::Read;

use super::{PgnError, PgnReader, RawGame, Step};
use crate::chess::{Move, Position};

/// One opening of a book.
#[derive(Debug, Clone, PartialEq)]
pub struct BookOpening {
    /// Where the game starts.
    pub start: Position,
    /// The moves of the book.
    pub moves: Vec<Move>,
    /// The line of the file on which the game begins, from 1.
    pub line: u64,
}

/// Reads the openings of a file one by one.
///
/// ```
/// use arbiter960::pgn::BookOpenings;
/// let mut openings = BookOpenings::new("1. e4 e5 2. Nf3 *".as_bytes(), Some(2));
/// assert_eq!(openings.next().unwrap()?.moves.len(), 2);
/// assert!(openings.next().is_none());
/// # Ok::<(), arbiter960::pgn::PgnError>(())
/// ```
#[derive(Debug)]
pub struct BookOpenings<R> {
    reader: PgnReader<R>,
    plies: Option<u32>,
}

impl<R: Read> BookOpenings<R> {
    /// Reads from this input, at most `plies` half-moves of each game.
    pub fn new(input: R, plies: Option<u32>) -> BookOpenings<R> {
        BookOpenings {
            reader: PgnReader::new(input),
            plies,
        }
    }
}

impl<R: Read> Iterator for BookOpenings<R> {
    type Item = Result<BookOpening, PgnError>;

    /// The next opening, or what is wrong with the game before the book's end.
    fn next(&mut self) -> Option<Self::Item> {
        let plies = self.plies;
        Some(self.reader.next_game()?.and_then(|game| read(&game, plies)))
    }
}

fn read(game: &RawGame<'_>, plies: Option<u32>) -> Result<BookOpening, PgnError> {
    let mut replay = game.replay()?;
    let mut moves = Vec::new();
    while plies.is_none_or(|plies| replay.plies() < plies) {
        match replay.next_step().transpose()? {
            Some(Step::Move(chess_move)) => moves.push(chess_move),
            Some(Step::NullMove) => return Err(replay.null_move()),
            Some(_) => {}
            None => break,
        }
    }
    Ok(BookOpening {
        start: replay.start().position.clone(),
        moves,
        line: game.line(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_game_is_named_and_the_next_is_read() {
        let text = "[Event \"a\"]\n\n1. e4 e4 *\n\n[Event \"b\"]\n\n1. e4 (1. d4) e5 2. Ke3 *\n";
        let mut openings = BookOpenings::new(text.as_bytes(), Some(2));
        let error = openings.next().expect("a game").expect_err("e4 twice");
        assert_eq!(
            (error.place.line, error.place.game, error.place.ply),
            (3, 1, 2)
        );
        let opening = openings
            .next()
            .expect("a game")
            .expect("good up to the second ply");
        assert_eq!((opening.moves.len(), opening.line), (2, 5));
        assert!(openings.next().is_none());
    }
}
