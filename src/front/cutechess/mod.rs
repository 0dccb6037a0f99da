//! The command line of cutechess-cli, its lines and its files.
//!
//! | file | what |
//! |---|---|
//! | `rows` | every option: its name, its words, what it sets |
//! | `engines` | the keys of `-engine`, and `engines.json` |
//! | `options` | the command line as a whole |
//! | `standing` | the standings of the engines |
//! | `lines` | what is printed, game by game, and the dialogue of `-debug` |
//! | `pgn` | games in its PGN |

mod engines;
mod lines;
mod options;
mod pgn;
mod rows;
mod standing;

pub(super) use lines::{CutechessLines, DebugLines};
pub(super) use options::read;
pub(super) use pgn::CutechessPgn;
pub(super) use standing::CutechessStandings;
