//! Records to PGN, and a PGN reader on the rules core.
//!
//! | part | what |
//! |---|---|
//! | `write` | a game as PGN; a finished one is byte for byte the same whenever it is written |
//! | `input` | plain or compressed files, with the line ends of every system |
//! | `read` | a stream of games, their tags, their tokens, their moves with full legality |
//! | `game` | a game with what its comments say of it, and the tags by which a plan knows it |
//! | `book` | openings from PGN: a start position and the first moves |
//! | `result` | the result tokens |
//!
//! The format is defined by the *Portable Game Notation Specification and
//! Implementation Guide* (Steven J. Edwards, 1994), with the tags and comment
//! commands that engine tournaments have added since.

mod book;
mod game;
mod input;
mod read;
mod result;
mod write;

pub use book::{BookOpening, BookOpenings};
pub use game::Annotations;
pub(crate) use game::{PgnGame, check_planned, is_book_mark, moment, planned_id};
pub use input::{LineEnds, decompressed, open};
pub use read::{
    GameStart, MAX_GAME_BYTES, MoveTokens, PgnError, PgnErrorKind, PgnPlace, PgnReader, RawGame,
    Replay, StartTagError, Step, Style, StyleKind, Token, Warning, WarningKind, read_in_parallel,
};
pub use result::GameResult;
pub(crate) use write::{
    Comments, GameEnd, PgnDialect, RulingTags, ending_words, write_game_with, write_unplayed,
};
pub use write::{EngineTags, EventTags, write_game};
