//! Words on standard error that may be lost: nothing of an event depends on them.

use std::io::{self, Write};

/// Writes a line to standard error. One that cannot be written, because the disk below it is
/// full or its reader has gone, is lost: `eprintln!` would end the program.
pub(crate) fn tell(line: &str) {
    // One write: lines of several threads stay whole.
    let _lost = io::stderr().write_all(format!("{line}\n").as_bytes());
}
