//! Words on standard error that may be lost: nothing of an event depends on them.

use std::io::{self, IsTerminal, Write};

use super::wrap;
use crate::platform::Stream;
use crate::platform::terminal::size;

/// Below this many columns the terminal breaks lines itself.
const NARROWEST: usize = 40;

/// Writes a line to standard error. One that cannot be written, because the disk below it is
/// full or its reader has gone, is lost: `eprintln!` would end the program.
pub(crate) fn tell(line: &str) {
    // One write: lines of several threads stay whole.
    let _lost = io::stderr().write_all(format!("{}\n", fitted(line)).as_bytes());
}

/// For standard error: the text with its lines broken at blanks to the width of the terminal, where there is one.
pub(crate) fn fitted(text: &str) -> String {
    let columns = match io::stderr().is_terminal() {
        true => size(Stream::Error).map_or(0, |[columns, _]| columns),
        false => 0,
    };
    if columns < NARROWEST {
        return text.to_owned();
    }
    let lines = text.lines().map(|line| {
        let deeper = line.len() - line.trim_start().len() + 2;
        wrap(line, columns, "", &" ".repeat(deeper)).join("\n")
    });
    lines.collect::<Vec<_>>().join("\n")
}
