//! A PGN reader on the rules core: any size of file in bounded memory.
//!
//! | file | what |
//! |---|---|
//! | `reader` | [`PgnReader`]: games one after the other from a stream, or from a part that is cut where games seem to begin |
//! | `parallel` | [`read_in_parallel`]: all processors read one file |
//! | `scan` | where a game's tags and moves end, by skipping |
//! | `tag` | one tag, its value unescaped; where a game begins on the line of another's result |
//! | `raw` | [`RawGame`]: tags at once, moves only when asked; what can be wrong, and where |
//! | `token` | [`MoveTokens`]: the movetext, nothing copied |
//! | `start` | which variant, castling and position a game starts from |
//! | `replay` | [`Replay`]: the moves played with full legality |

mod parallel;
mod raw;
mod reader;
mod replay;
mod scan;
mod start;
mod tag;
mod token;

pub use parallel::read_in_parallel;
pub use raw::{PgnError, PgnErrorKind, PgnPlace, RawGame, Style, Warning};
pub use reader::{MAX_GAME_BYTES, PgnReader};
pub use replay::{Replay, Step};
pub use start::{GameStart, StartTagError};
pub use token::{MoveTokens, Token};
