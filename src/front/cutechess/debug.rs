//! The lines of `-debug`: what runner and engines say to each other, on the standard output.

use std::fmt::Write;
use std::io;

use crate::engine::uci_log::{Speaker, SpokenLine, SpokenLines, missing};
use crate::front::common::output::print;
use crate::text::tell;

/// Waiting text is printed when it has reached this length, in bytes.
const WAITING: usize = 16 << 10;

/// Prints these lines, each as a whole.
#[derive(Debug, Default)]
pub(in crate::front) struct DebugLines {
    waiting: String,
}

impl SpokenLines for DebugLines {
    /// `25 >A(0): isready`: milliseconds since the run began, and the number of the engine's process.
    /// Empty lines and what an engine writes on its standard error are not printed.
    fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()> {
        let sign = match line.speaker {
            Speaker::Runner => '>',
            Speaker::Engine => '<',
            Speaker::Stderr => return Ok(()),
        };
        if line.text.is_empty() {
            return Ok(());
        }
        let (milliseconds, name, process) = (line.at.0 / 1_000_000, line.engine, line.process);
        let text = &line.text;
        writeln!(
            self.waiting,
            "{milliseconds} {sign}{name}({process}): {text}"
        )
        .map_err(io::Error::other)?;
        match self.waiting.len() > WAITING {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.waiting);
        match text.is_empty() {
            true => Ok(()),
            false => print(&text).map_err(io::Error::other),
        }
    }

    fn end(&mut self, dropped: u64) -> io::Result<()> {
        if dropped > 0 {
            tell(&format!("Warning: -debug: {}", missing(dropped)));
        }
        self.flush()
    }
}
