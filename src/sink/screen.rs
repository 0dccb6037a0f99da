//! What is drawn on a terminal: the bar, below it the results, and the lanes.

use std::io;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::lane_lines::{LaneGames, lane_lines};
use super::terminal::{Terminal, size};
use crate::event::live::Update;
use crate::tournament::Roster;

use crate::text::fitted;

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
