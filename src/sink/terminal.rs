//! Standard error as a terminal on which a drawing is one write, and never overwrites what others have written.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::TermLike;

use crate::platform::{Stream, terminal};

/// A terminal that does not say how large it is.
const USUAL: [usize; 2] = [80, 24];

/// Collects a drawing until it is whole.
#[derive(Debug)]
pub(super) struct Terminal {
    /// Not through the standard library: its lock would be held by a write that waits.
    out: File,
    /// The program was stopped (Ctrl-Z) and has continued: others have written below the last drawing.
    resumed: Arc<AtomicBool>,
    drawing: Mutex<Drawing>,
}

/// The drawing that is collected.
#[derive(Debug, Default)]
struct Drawing {
    /// With cursor movement: the drawing replaces the one before it.
    over: String,
    /// Without cursor movement: the drawing goes below whatever is there.
    below: String,
}

impl Terminal {
    /// # Errors
    /// There is no standard error.
    pub(super) fn new() -> io::Result<Terminal> {
        let resumed = Arc::<AtomicBool>::default();
        if let Err(error) = terminal::tell_when_resumed(&resumed) {
            tracing::warn!(%error, "the display will not notice when a stopped run goes on");
        }
        Ok(Terminal {
            out: terminal::own(Stream::Error)?,
            resumed,
            drawing: Mutex::default(),
        })
    }

    fn drawing(&self) -> MutexGuard<'_, Drawing> {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn moves(&self, sequence: &str) -> io::Result<()> {
        self.drawing().over += sequence;
        Ok(())
    }

    /// Control sequence `ESC [ n LETTER`; none for 0, which terminals take for 1.
    fn moves_by(&self, count: usize, letter: char) -> io::Result<()> {
        match count {
            0 => Ok(()),
            _ => self.moves(&format!("\x1b[{count}{letter}")),
        }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        u16::try_from(size()[0]).unwrap_or(u16::MAX)
    }

    fn height(&self) -> u16 {
        u16::try_from(size()[1]).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, count: usize) -> io::Result<()> {
        self.moves_by(count, 'A')
    }

    fn move_cursor_down(&self, count: usize) -> io::Result<()> {
        self.moves_by(count, 'B')
    }

    fn move_cursor_right(&self, count: usize) -> io::Result<()> {
        self.moves_by(count, 'C')
    }

    fn move_cursor_left(&self, count: usize) -> io::Result<()> {
        self.moves_by(count, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)?;
        self.write_str("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let mut drawing = self.drawing();
        drawing.over += text;
        drawing.below += text;
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.moves("\r\x1b[2K")
    }

    /// The program can be stopped at any moment; so this is checked last of all.
    fn flush(&self) -> io::Result<()> {
        let Drawing { over, below } = mem::take(&mut *self.drawing());
        let text = match self.resumed.swap(false, Ordering::Relaxed) {
            true => below,
            false => over,
        };
        (&self.out).write_all(text.as_bytes())
    }
}

/// The present columns and rows of the terminal: somebody may have changed its size.
pub(super) fn size() -> [usize; 2] {
    let size = terminal::size(Stream::Error);
    size.filter(|size| !size.contains(&0)).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_drawing_that_was_begun_before_a_stop_replaces_nothing_after_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let terminal = Terminal {
            out: file.reopen().unwrap(),
            resumed: Arc::default(),
            drawing: Mutex::default(),
        };
        let written = || fs::read_to_string(file.path()).unwrap();
        let draw = || {
            terminal.move_cursor_up(0)?;
            terminal.move_cursor_up(2)?;
            terminal.clear_line()?;
            terminal.write_line("bar")
        };
        draw().unwrap();
        assert_eq!(written(), "", "not before it is whole");
        terminal.resumed.store(true, Ordering::Relaxed);
        terminal.flush().unwrap();
        assert_eq!(written(), "bar\n");
        draw().unwrap();
        terminal.flush().unwrap();
        assert_eq!(written(), "bar\n\x1b[2A\r\x1b[2Kbar\n");
    }
}
