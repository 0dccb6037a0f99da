//! A UCI engine that plays random legal moves and misbehaves as it is told to,
//! for the tests alone.
//!
//! | file | what |
//! |---|---|
//! | `script` | the command line: what to do, and when |
//! | `dialogue` | the sound part: commands in, moves out |
//! | `deeds` | what it does in place of an answer |
//! | `outlaw` | signals, groups and children |
//! | `raid` | what a hostile engine tries |
//! | `spoiler` | the built-in engine with one fault |

mod deeds;
mod dialogue;
mod outlaw;
mod raid;
mod script;
mod spoiler;

use std::io;

fn main() -> io::Result<()> {
    let script = script::Script::from_arguments(std::env::args().skip(1));
    // Kept to the end: a signal is ignored as long as somebody listens to it.
    let _listeners = outlaw::prepare(&script)?;
    match script.value("spoil") {
        Some(fault) => spoiler::run(fault),
        None => dialogue::Dialogue::new(script).run(),
    }
}
