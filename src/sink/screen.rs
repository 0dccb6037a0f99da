//! What is drawn on a terminal: the bar, and below it the lanes.

use std::io;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustix::termios::tcgetwinsize;

use super::lane_lines::{LaneGames, lane_lines};
use crate::event::live::Update;
use crate::tournament::Roster;

/// Redraws in a second.
const REDRAWS: u8 = 4;

/// A terminal that does not say how large it is.
const USUAL: [usize; 2] = [80, 24];

/// The bar and the lanes.
pub(super) struct Screen {
    all: MultiProgress,
    bar: ProgressBar,
    lanes: Vec<ProgressBar>,
    games: LaneGames,
}

impl Screen {
    /// An event of this number of games, and how many are played.
    pub(super) fn new(planned: Option<u64>, games: u64) -> Screen {
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
        let all = MultiProgress::with_draw_target(target);
        let bar = planned.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let bar = all.add(bar.with_style(style("{bar:24} {wide_msg}")));
        bar.set_position(games);
        Screen {
            all,
            bar,
            lanes: Vec::new(),
            games: LaneGames::default(),
        }
    }

    /// Something passed in the games that run.
    pub(super) fn hear(&mut self, update: &Update) {
        self.games.hear(update);
    }

    /// The lines of the lanes, half of the terminal's at most.
    pub(super) fn lines(&self, roster: &Roster) -> Vec<String> {
        let size = tcgetwinsize(io::stderr()).ok();
        let size = size.map(|size| [size.ws_col, size.ws_row].map(usize::from));
        let [width, height] = size.filter(|size| !size.contains(&0)).unwrap_or(USUAL);
        lane_lines(&self.games, roster, Instant::now(), [width, height / 2])
    }

    /// Draws all of it.
    pub(super) fn show(&mut self, games: u64, text: String, lines: &[String]) {
        while self.lanes.len() > lines.len() {
            let lane = self.lanes.pop();
            lane.iter().for_each(|lane| self.all.remove(lane));
        }
        while self.lanes.len() < lines.len() {
            let lane = ProgressBar::no_length().with_style(style("{wide_msg}"));
            self.lanes.push(self.all.add(lane));
        }
        for (lane, line) in self.lanes.iter().zip(lines) {
            lane.set_message(line.clone());
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
        for lane in self.lanes.drain(..) {
            lane.finish_and_clear();
            self.all.remove(&lane);
        }
        self.bar.abandon();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}
