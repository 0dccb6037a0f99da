//! Records to PGN, and a PGN reader on the rules core.
//!
//! | part | what |
//! |---|---|
//! | `write` | a game as PGN; a finished one is byte for byte the same whenever it is written |
//! | `input` | plain or compressed files, with the line ends of every system |
//! | `read` | a stream of games, their tags, their tokens, their moves with full legality |
//! | `game` | a game with what its comments say of it, and the tags by which a plan knows it |
//! | this one | result tokens; openings from PGN: a start position and the first moves |
//!
//! The format is defined by the *Portable Game Notation Specification and
//! Implementation Guide* (Steven J. Edwards, 1994), with the tags and comment
//! commands that engine tournaments have added since.

mod game;
mod input;
mod read;
mod write;

use std::fmt;
use std::io::Read;

use crate::chess::{Color, Move, Position};
use crate::stats::counts::GameScore;

pub use game::Annotations;
pub use input::{LineEnds, decompressed, open};
pub use read::{
    GameStart, MAX_GAME_BYTES, MoveTokens, PgnError, PgnErrorKind, PgnPlace, PgnReader, RawGame,
    Replay, StartTagError, Step, Style, Token, Warning, read_in_parallel,
};
pub use write::{EngineTags, EventTags, write_game};

pub(crate) use game::{PgnGame, check_planned, is_book_mark, moment, planned_id};
pub(crate) use write::{
    BIDS, Comments, GameEnd, PgnDialect, RulingTags, ending_words, write_game_with, write_unplayed,
};

// The four result tokens of PGN.

/// The value of the tag `Result` and of the token after the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0` or `0-1`.
    Won(Color),
    /// `1/2-1/2`.
    Drawn,
    /// `*`: not finished, or not known.
    Unknown,
}

impl GameResult {
    /// Reads a result as PGN writes it; also `1/2` and `½-½`, which some programs write.
    pub fn parse(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::Won(Color::White)),
            b"0-1" => Some(GameResult::Won(Color::Black)),
            b"1/2-1/2" | b"1/2" | b"\xC2\xBD-\xC2\xBD" => Some(GameResult::Drawn),
            b"*" => Some(GameResult::Unknown),
            _ => None,
        }
    }

    /// The token.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::Won(Color::White) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// White's score; `None` if unknown.
    pub fn white_score(self) -> Option<GameScore> {
        match self {
            GameResult::Won(Color::White) => Some(GameScore::Win),
            GameResult::Won(Color::Black) => Some(GameScore::Loss),
            GameResult::Drawn => Some(GameScore::Draw),
            GameResult::Unknown => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

// Openings from PGN: a start position and the first moves of every game.

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
        Some(game.and_then(|game| opening_of(&game, plies, takes_legal_part)))
    })
}

fn opening_of(
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
    fn every_token_is_read_back() {
        for token in ["1-0", "0-1", "1/2-1/2", "*"] {
            let result = GameResult::parse(token.as_bytes()).expect("a result token");
            assert_eq!(result.as_str(), token);
        }
        assert_eq!(GameResult::parse(b"2-0"), None);
    }
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
