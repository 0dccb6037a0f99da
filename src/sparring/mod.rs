//! The small built-in engine: real chess with nothing installed.
//!
//! Search and evaluation are a separate crate, `arbiter960-sparring`; here it is a real child process
//! that speaks UCI over real pipes, Chess960 included. `Strength` from 1 to 10 makes partners
//! of different levels. With a fixed depth or number of nodes it plays the same game for ever.
//!
//! | file | what |
//! |---|---|
//! | `protocol` | the UCI dialogue: reads commands while another thread thinks |
//! | `worker` | the thinking thread: one job after the other, their limits, and what is said of them |

mod protocol;
mod worker;

use std::io;

pub use arbiter960_sparring::Strength;
pub use protocol::serve;

/// Plays as a UCI engine on standard input and output until `quit` or end of file.
/// `strength` is the level at the start; the option `Strength` changes it.
///
/// # Errors
/// Standard input cannot be read or standard output cannot be written.
pub(crate) fn run(strength: Strength) -> io::Result<()> {
    serve(io::stdin().lock(), io::stdout(), strength)
}
