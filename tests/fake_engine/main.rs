//! A UCI engine that plays random legal moves and misbehaves as its arguments say. Only for the tests.
//!
//! | file | what |
//! |---|---|
//! | `script` | the command line: what to do, and when |
//! | `dialogue` | the sound part: commands in, moves out |
//! | `chorus` | what it says when it is not its turn |
//! | `deeds` | what it does in place of an answer |
//! | `outlaw` | signals, groups and children |
//! | `unix`, `windows` | what those need of each system |
//! | `raid` | what a hostile engine tries |
//! | `attack` | what an engine that wants harm tries, all of it |
//! | `wrapper` | runs a program where namespaces are not allowed |
//! | `spoiler` | the built-in engine with one fault |

#[cfg(target_os = "linux")]
mod attack;
mod chorus;
mod deeds;
mod dialogue;
mod outlaw;
#[cfg(target_os = "linux")]
mod raid;
mod script;
mod spoiler;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
#[cfg(target_os = "linux")]
mod wrapper;

use std::io;

fn main() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(wrapped) = wrapper::wrapped() {
        return Err(wrapped);
    }
    let script = script::Script::from_arguments(std::env::args().skip(1));
    // Kept to the end: the signals are ignored as long as there are listeners.
    let _listeners = outlaw::prepare(&script)?;
    match script.value("spoil") {
        Some(fault) => spoiler::run(fault),
        None => dialogue::Dialogue::new(script).run(),
    }
}
