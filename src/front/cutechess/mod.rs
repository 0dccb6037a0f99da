//! The command line of cutechess-cli, its lines and its files.
//!
//! | file | what |
//! |---|---|
//! | `rows` | every option: its name, its words, what it sets |
//! | `engines` | the keys of `-engine`, and `engines.json` |
//! | `options` | the command line as a whole |
//! | `standing` | the standings of the engines |
//! | `debug` | the lines of `-debug` |
//! | `lines` | what is printed, game by game |
//! | `pgn` | games in its PGN |

mod debug;
mod engines;
mod lines;
mod options;
mod pgn;
mod rows;
mod standing;

pub(super) use debug::DebugLines;
pub(super) use lines::CutechessLines;
pub(super) use options::read;
pub(super) use pgn::CutechessPgn;
pub(super) use standing::CutechessStandings;
