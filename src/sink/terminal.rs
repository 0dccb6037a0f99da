//! Standard error as a terminal: the bar, below it the results, and the lanes. A drawing is one write, and never overwrites
//! what others have written.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{io, mem};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::event::live::LiveUpdate;
use crate::platform::{Stream, terminal};
use crate::text::fitted;
use crate::tournament::Roster;

use super::lane_lines::{LaneGames, lane_lines};

/// Redraws in a second.
const REDRAWS: u8 = 4;

/// The bar and the lines below it.
pub(super) struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
    below: Vec<ProgressBar>,
    games: LaneGames,
}

impl Screen {
    /// For an event with this number of games, and the number already played.
    ///
    /// # Errors
    /// There is no standard error.
    pub(super) fn new(planned: Option<u64>, games: u64) -> io::Result<Screen> {
        let terminal = Box::new(Terminal::new()?);
        let target = ProgressDrawTarget::term_like_with_hz(terminal, REDRAWS);
        let all = MultiProgress::with_draw_target(target);
        let bar = planned.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let bar = all.add(bar.with_style(style("{bar:24} {wide_msg}")));
        bar.set_position(games);
        Ok(Screen {
            all,
            bar,
            below: Vec::new(),
            games: LaneGames::default(),
        })
    }

    /// An update of the running games.
    pub(super) fn hear(&mut self, update: &LiveUpdate) {
        self.games.hear(update);
    }

    /// The lines of the lanes, half of the terminal's at most.
    pub(super) fn lanes(&self, roster: &Roster) -> Vec<String> {
        let [width, height] = size();
        lane_lines(&self.games, roster, Instant::now(), [width, height / 2])
    }

    /// Draws all of it.
    pub(super) fn show(&mut self, games: u64, text: String, lines: &[String]) {
        while self.below.len() > lines.len() {
            let line = self.below.pop();
            line.iter().for_each(|line| self.all.remove(line));
        }
        while self.below.len() < lines.len() {
            let line = ProgressBar::no_length().with_style(style("{wide_msg}"));
            self.below.push(self.all.add(line));
        }
        for (bar, line) in self.below.iter().zip(lines) {
            bar.set_message(line.clone());
        }
        self.bar.set_position(games);
        self.bar.set_message(text);
    }

    /// Words above the bar.
    pub(super) fn say(&self, words: &str) {
        // A closed terminal is noticed elsewhere.
        let _unseen = self.all.println(fitted(words));
    }

    /// The bar stays unchanged; no game runs any more.
    pub(super) fn finish(&mut self) {
        for line in self.below.drain(..) {
            line.finish_and_clear();
            self.all.remove(&line);
        }
        self.bar.abandon();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

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
