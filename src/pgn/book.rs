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

/// The openings of a file one by one, at most `plies` half-moves of each game, or what is wrong with a game. Of a game that
/// is wrong somewhere the moves before that place may be taken.
///
/// ```
/// use arbiter960::pgn::book_openings;
/// let mut openings = book_openings("1. e4 e5 2. Nf3 *".as_bytes(), Some(2), false);
/// assert_eq!(openings.next().unwrap()?.moves.len(), 2);
/// assert!(openings.next().is_none());
/// # Ok::<(), arbiter960::pgn::PgnError>(())
/// ```
pub fn book_openings(
    input: impl Read,
    plies: Option<u32>,
    takes_legal_part: bool,
) -> impl Iterator<Item = Result<BookOpening, PgnError>> {
    let mut reader = PgnReader::new(input);
    std::iter::from_fn(move || {
        let game = reader.next_game()?;
        Some(game.and_then(|game| read(&game, plies, takes_legal_part)))
    })
}

fn read(
    game: &RawGame<'_>,
    plies: Option<u32>,
    takes_legal_part: bool,
) -> Result<BookOpening, PgnError> {
    let mut replay = game.replay()?;
    let mut moves = Vec::new();
    let mut wrong = None;
    while wrong.is_none() && plies.is_none_or(|plies| replay.plies() < plies) {
        match replay.next_step() {
            Some(Ok(Step::Move(chess_move))) => moves.push(chess_move),
            Some(Ok(Step::NullMove)) => wrong = Some(replay.null_move()),
            Some(Ok(_)) => {}
            Some(Err(error)) => wrong = Some(error),
            None => break,
        }
    }
    if !takes_legal_part && let Some(wrong) = wrong {
        return Err(wrong);
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
    fn of_a_bad_game_the_legal_part_can_be_taken() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Ke3 d6 *";
        let openings = book_openings(text.as_bytes(), None, true);
        let opening = openings.into_iter().next().expect("a game").expect("moves");
        assert_eq!(opening.moves.len(), 4);
    }

    #[test]
    fn a_bad_game_is_named_and_the_next_is_read() {
        let text = "[Event \"a\"]\n\n1. e4 e4 *\n\n[Event \"b\"]\n\n1. e4 (1. d4) e5 2. Ke3 *\n";
        let mut openings = book_openings(text.as_bytes(), Some(2), false);
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
