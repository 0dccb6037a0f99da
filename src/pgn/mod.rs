//! Records to PGN, and a PGN reader on the rules core.
//!
//! | part | what |
//! |---|---|
//! | `write` | a game as PGN; a finished one is byte for byte the same whenever it is written |
//! | `input` | plain or compressed files, with the line ends of every system |
//! | `read` | a stream of games, their tags, their tokens, their moves with full legality |
//! | `game` | a game with what its comments say of it, and the tags by which a plan knows it |
//! | `book` | openings from PGN: a start position and the first moves |
//!
//! The format is defined by the *Portable Game Notation Specification and
//! Implementation Guide* (Steven J. Edwards, 1994), with the tags and comment
//! commands that engine tournaments have added since.

mod book;
mod game;
mod input;
mod read;
mod write;

use std::fmt;

use crate::chess::Color;
use crate::stats::counts::GameScore;

pub use book::{BookOpening, book_openings};
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
}
