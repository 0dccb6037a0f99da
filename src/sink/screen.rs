//! What is drawn on a terminal: the bar, below it what the results say, and the lanes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustix::termios::tcgetwinsize;
use signal_hook::consts::SIGCONT;

use super::lane_lines::{LaneGames, lane_lines};
use crate::event::live::Update;
use crate::tournament::Roster;

/// Redraws in a second.
const REDRAWS: u8 = 4;

/// A terminal that does not say how large it is.
const USUAL: [usize; 2] = [80, 24];

/// The bar and the lines below it.
pub(super) struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
    below: Vec<ProgressBar>,
    games: LaneGames,
    /// The program was stopped (Ctrl-Z) and goes on: others have written below what was drawn.
    resumed: Arc<AtomicBool>,
}

impl Screen {
    /// An event of this number of games, and how many are played.
    pub(super) fn new(planned: Option<u64>, games: u64) -> Screen {
        let all = MultiProgress::with_draw_target(target());
        let bar = planned.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let bar = all.add(bar.with_style(style("{bar:24} {wide_msg}")));
        bar.set_position(games);
        let resumed = Arc::<AtomicBool>::default();
        if let Err(error) = signal_hook::flag::register(SIGCONT, Arc::clone(&resumed)) {
            tracing::warn!(%error, "the display will not notice when a stopped run goes on");
        }
        Screen {
            all,
            bar,
            below: Vec::new(),
            games: LaneGames::default(),
            resumed,
        }
    }

    /// Something passed in the games that run.
    pub(super) fn hear(&mut self, update: &Update) {
        self.games.hear(update);
    }

    /// The lines of the lanes, half of the terminal's at most.
    pub(super) fn lanes(&self, roster: &Roster) -> Vec<String> {
        let [width, height] = size();
        lane_lines(&self.games, roster, Instant::now(), [width, height / 2])
    }

    /// Draws all of it.
    pub(super) fn show(&mut self, games: u64, text: String, lines: &[String]) {
        if self.resumed.swap(false, Ordering::Relaxed) {
            // A new target has drawn nothing yet: what stands above is left as it is.
            self.all.set_draw_target(target());
        }
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
        // A terminal that has gone is noticed by others.
        let _unseen = self.all.println(words);
    }

    /// The bar stays as it is; no game runs any more.
    pub(super) fn finish(&mut self) {
        for line in self.below.drain(..) {
            line.finish_and_clear();
            self.all.remove(&line);
        }
        self.bar.abandon();
    }
}

/// Columns and rows of the terminal as it is now: somebody may have changed its size.
pub(super) fn size() -> [usize; 2] {
    let size = tcgetwinsize(io::stderr()).ok();
    let size = size.map(|size| [size.ws_col, size.ws_row].map(usize::from));
    size.filter(|size| !size.contains(&0)).unwrap_or(USUAL)
}

fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr_with_hz(REDRAWS)
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}
