//! Progress for people: on a terminal a bar and a line for each lane, plain lines elsewhere; and how fast games end. All
//! of it goes to standard error, so that standard output holds results alone.

use std::io;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use textwrap::core::display_width;

use crate::event::PlayedGame;
use crate::event::live::LiveUpdate;
use crate::platform::Stream;
use crate::platform::terminal::own;
use crate::text::{about, count, duration, percent, printable};
use crate::tournament::{
    Contest, EventState, EventView, Scoreboard, SequentialEstimate, SprtWatch, points_words,
    ruling_lines,
};

use super::terminal::{Screen, size};
use super::{Sink, SinkError, has_rested};

/// Minimum time between two plain lines.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Shows the progress of the event.
pub struct ProgressSink {
    display: ProgressDisplay,
    event: EventView,
    /// Games that the store had before this run.
    before: u64,
    begun: Instant,
    /// When the last game ended, and whether the silence since then was reported.
    ended: Instant,
    silent: bool,
}

enum ProgressDisplay {
    Screen(Screen),
    Lines {
        out: Box<dyn Write + Send>,
        last: Option<Instant>,
        shown: u64,
    },
}

impl ProgressSink {
    /// A bar and the lanes if standard error is a terminal that can move its cursor, else plain lines.
    ///
    /// # Errors
    /// There is no standard error.
    pub fn new(event: EventView) -> io::Result<ProgressSink> {
        if !io::stderr().is_terminal() || is_dumb() {
            // Not through the standard library: its lock would be held by a write that waits.
            let own = own(Stream::Error)?;
            return Ok(ProgressSink::lines(Box::new(own), event));
        }
        let screen = Screen::new(event.read(|event| event.board().planned_games()))?;
        Ok(ProgressSink::with(ProgressDisplay::Screen(screen), event))
    }

    /// Plain lines: at most one a second, and the last one.
    pub fn lines(out: Box<dyn Write + Send>, event: EventView) -> ProgressSink {
        let (last, shown) = (None, event.read(played));
        ProgressSink::with(ProgressDisplay::Lines { out, last, shown }, event)
    }

    fn with(display: ProgressDisplay, event: EventView) -> ProgressSink {
        ProgressSink {
            display,
            before: event.read(played),
            begun: Instant::now(),
            ended: Instant::now(),
            silent: false,
            event,
        }
    }

    fn show(&mut self, now: bool) {
        let games = self.event.read(played);
        let silent = self.pace(games).and_then(Pace::silence).is_some();
        let falls_silent = silent && !std::mem::replace(&mut self.silent, silent);
        let due = match &mut self.display {
            ProgressDisplay::Screen(screen) => now || screen.is_due(),
            ProgressDisplay::Lines { last, shown, .. } => {
                let rested = has_rested(*last, UPDATE_INTERVAL);
                falls_silent || *shown != games && (now || rested)
            }
        };
        if !due {
            return;
        }
        let progress = self.event.read(|event| self.progress(event));
        match &mut self.display {
            // In the end one line stays.
            ProgressDisplay::Screen(screen) if now => {
                let text = self.event.read(|event| in_one_line(event, progress));
                screen.show(games, &text, Vec::new());
            }
            ProgressDisplay::Screen(screen) => {
                let lines = self.event.read(|event| {
                    let [width, _] = size();
                    let test = event.test().map(SprtWatch::text);
                    let said = [test, score(event), standings(event, width)];
                    let said = said.into_iter().flatten();
                    said.chain(screen.lanes(event.roster())).collect()
                });
                screen.show(games, &progress, lines);
            }
            ProgressDisplay::Lines { out, last, shown } => {
                (*last, *shown) = (Some(Instant::now()), games);
                let text = self.event.read(|event| in_one_line(event, progress));
                // The output may have no reader; the event must not stop because of that.
                let _unread = out.write_all(format!("{text}\n").as_bytes());
            }
        }
    }

    /// The pace of this run; none before its first game.
    fn pace(&self, games: u64) -> Option<Pace> {
        let played = games.saturating_sub(self.before);
        let played = u32::try_from(played).ok().filter(|played| *played > 0)?;
        Some(Pace {
            a_game: self.begun.elapsed() / played,
            silent: self.ended.elapsed(),
        })
    }

    /// `12 pairs, 24 of 80 games, 3.1 games/s, 18 s left`
    fn progress(&self, event: &EventState) -> String {
        let (roster, board) = (event.roster(), event.board());
        let (games, pairs) = (board.games(), board.pairs());
        let pace = self.pace(games);
        let planned = board.planned_games();
        let mut text = match planned {
            Some(planned) => format!("{}, {games} of {planned} games", count(pairs, "pair")),
            None => format!("{}, {}", count(pairs, "pair"), count(games, "game")),
        };
        if roster.adaptive.is_some() {
            text += ", adaptive";
        }
        let Some(pace) = pace else { return text };
        text += &format!(", {}", rate_text(pace));
        let missing = board.missing_games();
        let until_decided = event.test().and_then(SprtWatch::games_left_range);
        if let Some(silence) = pace.silence() {
            text += &format!(", {silence}");
        } else if let Some([low, _, high]) = until_decided {
            let [low, high] = [low, high].map(|games| about(pace.seconds(games)));
            text += &if low == high {
                format!(", about {low} until the SPRT decides")
            } else {
                format!(", {low} to {high} until the SPRT decides (80 %)")
            };
        } else if let Some(missing) = missing.filter(|missing| *missing > 0) {
            text += &format!(", {} left", about(pace.seconds(missing as f64)));
        }
        text
    }
}

/// `LLR 1.23 [-2.94, 2.94], 6 to 44 games left (80 %), 12 pairs, 24 of 80 games, 3.1 games/s, 18 s left, Alpha 14.0 - 10.0 Beta`
fn in_one_line(event: &EventState, progress: String) -> String {
    let test = event.test().map(SprtWatch::text);
    // The most important parts come first: a narrow terminal cuts the end.
    let parts = [test, Some(progress), score(event)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `3.1 games/s`, and of long games `12 games/h`.
fn rate_text(pace: Pace) -> String {
    let rate = 1.0 / pace.seconds(1.0).max(1e-6);
    match rate {
        _ if rate >= 0.95 => format!("{rate:.1} games/s"),
        _ if rate * 60.0 >= 0.95 => format!("{:.1} games/min", rate * 60.0),
        _ => format!("{:.1} games/h", rate * 3600.0),
    }
}

/// A terminal that cannot move its cursor, or of which nothing is known.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|kind| kind.is_empty() || kind == "dumb")
}

/// `Stockfish 12.5/20, Ethereal 8.0/18 + 2.0, … and 5 more`: of more than two, as many as there is room for. What
/// follows the plus are points without a game.
fn standings(event: &EventState, width: usize) -> Option<String> {
    let board = event.board();
    let table = board.standings();
    if table.len() < 3 || board.games() == 0 {
        return None;
    }
    let mut line = String::new();
    for (place, row) in table.iter().enumerate() {
        let name = printable(&board.participants()[usize::from(row.engine)].name).into_owned();
        let unplayed = row.unplayed_points();
        let played = row.points() - unplayed;
        let mut entry = format!("{name} {played:.1}/{}", row.games);
        if unplayed > 0.0 {
            entry += &format!(" + {unplayed:.1}");
        }
        let rest = table.len() - place;
        let more = format!("… and {rest} more");
        let reserve = match rest {
            1 => 0,
            _ => display_width(&more) + 2,
        };
        if place > 0 && display_width(&line) + 2 + display_width(&entry) + reserve > width {
            return Some(format!("{line}, {more}"));
        }
        if place > 0 {
            line += ", ";
        }
        line += &entry;
    }
    Some(line)
}

/// Finished games that count.
fn played(event: &EventState) -> u64 {
    event.board().games()
}

/// White's score over all pairs, or over all games where pairs say nothing yet; looking at it at any time is valid for
/// any kind of event.
fn white(board: &Scoreboard) -> Option<String> {
    let estimate = board.white_estimate();
    let estimate = estimate.filter(SequentialEstimate::says_something);
    let words = match estimate {
        Some(estimate) => estimate.percent_text(),
        None => percent(board.white().score()?),
    };
    Some(format!("White {words}"))
}

fn score(event: &EventState) -> Option<String> {
    let (roster, board) = (event.roster(), event.board());
    let white = white(board)?;
    if roster.is_self_play() {
        return Some(white);
    }
    let name = |index: usize| printable(&board.participants()[index].name).into_owned();
    if board.participants().len() == 2 {
        let record = board.encounter(0, 1).total();
        let (own, other) = (record.points(), record.reversed().points());
        let score = format!("{} {own:.1} - {other:.1} {}", name(0), name(1));
        let elo = board.match_estimate();
        let elo = elo.map(|elo| format!(", {}", elo.elo_text()));
        return Some(score + &elo.unwrap_or_default());
    }
    if let Some(stage) = board.contest().and_then(Contest::stage_name) {
        return Some(format!("{}, {white}", printable(&stage)));
    }
    if let Some(progress) = board.contest().and_then(Contest::progress) {
        let still = progress.still_in().len() as u64;
        return (still > 0).then(|| format!("still in: {}, {white}", count(still, "engine")));
    }
    let table = board.standings();
    let leader = table.first()?;
    let level = table.iter().filter(|row| row.place == leader.place);
    let leaders = match level.count() as u64 {
        1 => format!("{} leads", name(usize::from(leader.engine))),
        several => format!("{several} engines lead"),
    };
    let points = points_words(leader.points(), leader.games, leader.unplayed_points());
    Some(format!("{leaders} with {points}, {white}"))
}

impl Sink for ProgressSink {
    fn committed(&mut self, _game: &PlayedGame) -> Result<(), SinkError> {
        self.ended = Instant::now();
        if let ProgressDisplay::Lines { .. } = self.display {
            self.show(false);
        }
        Ok(())
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        self.show(false);
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        matches!(self.display, ProgressDisplay::Screen(_))
    }

    fn live(&mut self, update: &LiveUpdate) -> Result<(), SinkError> {
        if let ProgressDisplay::Screen(screen) = &mut self.display {
            screen.hear(update);
        }
        Ok(())
    }

    fn disqualified(&mut self, engine: u16) {
        let lines = self.event.read(|event| {
            let rulings = event.board().rulings().into_iter();
            let own = rulings.zip(ruling_lines(event.board()));
            let own = own.filter(|(ruling, _)| ruling.engine == engine);
            own.map(|(_, line)| line).collect::<Vec<_>>()
        });
        lines.iter().for_each(|line| self.say(line));
    }

    fn say(&mut self, words: &str) {
        match &mut self.display {
            ProgressDisplay::Screen(screen) => screen.say(words),
            ProgressDisplay::Lines { out, .. } => {
                let _unread = out.write_all(format!("{words}\n").as_bytes());
            }
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.show(true);
        Ok(())
    }
}

/// A shorter silence has no meaning.
const SILENCE: Duration = Duration::from_secs(60);

/// After a silence in which this number of games should have ended, the measured pace is no longer valid.
const GAMES: u32 = 5;

/// How fast games end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Between two ends, with all games that are played at once.
    pub(crate) a_game: Duration,
    /// Since the last end.
    pub(crate) silent: Duration,
}

impl Pace {
    /// `no game has ended for 3 min`, if that is too long for any prediction to be credible.
    pub(crate) fn silence(self) -> Option<String> {
        let is_silent = self.silent >= SILENCE.max(self.a_game * GAMES);
        is_silent.then(|| format!("no game has ended for {}", duration(self.silent)))
    }

    /// Seconds that this number of games takes.
    pub(crate) fn seconds(self, games: f64) -> f64 {
        games * self.a_game.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_readable() {
        let rate = |seconds| {
            let [a_game, silent] = [seconds, 0.0].map(Duration::from_secs_f64);
            rate_text(Pace { a_game, silent })
        };
        assert_eq!(rate(0.1), "10.0 games/s");
        assert_eq!(rate(6.0), "10.0 games/min");
        assert_eq!(rate(360.0), "10.0 games/h");
    }

    #[test]
    fn a_silence_counts_when_it_is_long_for_these_games() {
        let silence = |a_game, silent| {
            let [a_game, silent] = [a_game, silent].map(Duration::from_secs);
            Pace { a_game, silent }.silence()
        };
        assert_eq!(silence(2, 59), None);
        let words = Some("no game has ended for 3 min".to_owned());
        assert_eq!(silence(2, 180), words);
        // Long games are silent for long.
        assert_eq!(silence(120, 599), None);
        assert!(silence(120, 600).is_some());
    }
}
