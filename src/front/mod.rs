//! The command lines of other runners, translated: words to a checked event, facts to their lines
//! and files. Nothing is played, judged or counted here that the program does not do for itself.
//!
//! | file | what |
//! |---|---|
//! | `common` | what both fronts use: the settings of a command line, their event, the begin of a game |
//! | `fastchess` | the command line of fastchess, its lines, its files |
//! | `cutechess` | the command line of cutechess-cli, its lines and its PGN |
//! | `files` | the files that games are appended to |
//! | `prepared` | an event that can be played |
//! | `unplayable` | games of fastchess that cannot begin |
//! | `listeners` | the listeners of a run |
//! | `play` | from the words to the last line |
//! | `names` | the names under which the program is another runner's front |

mod common;
mod cutechess;
mod fastchess;
mod files;
mod listeners;
mod names;
mod play;
mod prepared;
mod unplayable;

pub(crate) use names::{Front, NAMES};
pub(crate) use play::{PRINT_CONFIG, play};
