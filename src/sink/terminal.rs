//! Standard error as a terminal: the bar, below it the results, and the lanes. A drawing is one write, and never overwrites
//! what others have written.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::event::live::LiveUpdate;
use crate::platform::{Stream, terminal};
use crate::text::fitted;
use crate::tournament::Roster;

use super::lane_lines::{LaneGames, fit, lane_lines};

/// Minimum time between two drawings.
const REDRAW_INTERVAL: Duration = Duration::from_millis(250);

/// Columns of the bar.
const BAR_COLUMNS: u64 = 24;

/// The bar and the lines below it.
pub(super) struct Screen {
    /// Not through the standard library: its lock would be held by a write that waits.
    out: File,
    /// The program was stopped (Ctrl-Z) and has continued: others have written below the last drawing.
    resumed: Arc<AtomicBool>,
    planned: Option<u64>,
    /// The last drawing.
    lines: Vec<String>,
    drawn: Option<Instant>,
    games: LaneGames,
}

impl Screen {
    /// For an event with this number of games.
    ///
    /// # Errors
    /// There is no standard error.
    pub(super) fn new(planned: Option<u64>) -> io::Result<Screen> {
        let resumed = Arc::<AtomicBool>::default();
        if let Err(error) = terminal::tell_when_resumed(&resumed) {
            tracing::warn!(%error, "the display will not notice when a stopped run goes on");
        }
        Ok(Screen {
            out: terminal::own(Stream::Error)?,
            resumed,
            planned,
            lines: Vec::new(),
            drawn: None,
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

    /// Whether it is time for another drawing.
    pub(super) fn is_due(&self) -> bool {
        self.drawn
            .is_none_or(|last| last.elapsed() >= REDRAW_INTERVAL)
    }

    /// Draws the bar with its text, and these lines.
    pub(super) fn show(&mut self, games: u64, text: &str, lines: Vec<String>) {
        let filled = match self.planned {
            Some(planned @ 1..) => (BAR_COLUMNS * games / planned).min(BAR_COLUMNS),
            _ => 0,
        };
        let [full, empty] = [filled, BAR_COLUMNS - filled].map(|columns| columns as usize);
        let bar = format!("{}{} {text}", "█".repeat(full), "░".repeat(empty));
        let [width, _] = size();
        let lines = std::iter::once(bar).chain(lines);
        let lines = lines.map(|line| fit(&line, width)).collect();
        self.draw("", lines);
        self.drawn = Some(Instant::now());
    }

    /// Words above the bar.
    pub(super) fn say(&mut self, words: &str) {
        self.draw(&fitted(words), self.lines.clone());
    }

    /// Words that stay, and these lines in the place of the last drawing.
    fn draw(&mut self, words: &str, lines: Vec<String>) {
        let drawn = words.lines().chain(lines.iter().map(String::as_str));
        let text: String = drawn.flat_map(|line| [line, "\n"]).collect();
        let before = std::mem::replace(&mut self.lines, lines).len();
        // The program can be stopped at any moment; so this is checked last of all.
        let text = match self.resumed.swap(false, Ordering::Relaxed) || before == 0 {
            true => text,
            false => format!("\x1b[{before}A\x1b[J{text}"),
        };
        // A closed terminal is noticed elsewhere.
        let _unseen = self.out.write_all(text.as_bytes());
    }
}

/// A terminal that does not say how large it is.
const USUAL: [usize; 2] = [80, 24];

/// The present columns and rows of the terminal: somebody may have changed its size.
pub(super) fn size() -> [usize; 2] {
    let size = terminal::size(Stream::Error);
    size.filter(|size| !size.contains(&0)).unwrap_or(USUAL)
}
