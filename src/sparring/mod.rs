//! The small built-in engine: real chess with nothing installed.
//!
//! Plain alpha-beta, on the project's own rules core; a real child process
//! that speaks UCI over real pipes, Chess960 included. `Strength` from 1 to 10 makes partners
//! of different levels. With a fixed depth or number of nodes it plays the same game for ever.
//!
//! | file | what |
//! |---|---|
//! | `protocol` | the UCI dialogue: reads commands while another thread thinks |
//! | `control` | how a running search is ended |
//! | `worker` | the thinking thread: one job after the other |
//! | `report` | `info` lines |
//! | `strength` | what makes the engine weaker |
//! | `budget` | how much time, how many nodes a move may take |
//! | `search` | iterative deepening, the limits of a search |
//! | `tree` | alpha-beta, and captures at its leaves |
//! | `ordering` | which move to try first |
//! | `table` | the transposition table |
//! | `evaluate` | how good a position is |
//! | `placement` | how good a square is for a piece |
//!
//! Terms and ideas are those of the Chess Programming Wiki; all values are the project's own.

mod budget;
mod control;
mod evaluate;
mod ordering;
mod placement;
mod protocol;
mod report;
mod search;
mod strength;
mod table;
mod tree;
mod worker;

use std::io;

pub use protocol::serve;
pub use strength::Strength;

/// Plays as a UCI engine on standard input and output until `quit` or end of file.
/// `strength` is the level at the start; the option `Strength` changes it.
///
/// # Errors
/// Standard input cannot be read or standard output cannot be written.
pub(crate) fn run(strength: Strength) -> io::Result<()> {
    serve(io::stdin().lock(), io::stdout(), strength)
}
