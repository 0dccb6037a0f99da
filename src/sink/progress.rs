//! Progress for people: a bar on a terminal, plain lines elsewhere. Both go to
//! standard error, so that standard output holds results alone.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::FinishedGame;

use super::Sink;
use super::error::SinkError;
use super::estimate::Estimate;
use super::roster::Roster;
use super::rulings::ruling_lines;
use super::scoreboard::Scoreboard;
use super::sprt_watch::SprtWatch;
use super::text::printable;

/// At least this long between two plain lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Redraws of the bar in a second.
const REDRAWS: u8 = 4;

/// Shows how far the event is.
pub struct ProgressSink {
    display: Display,
    roster: Roster,
    board: Scoreboard,
    /// The event's sequential test.
    test: Option<SprtWatch>,
    /// Games that the store had before this run.
    before: u64,
    begun: Instant,
}

enum Display {
    Bar(ProgressBar),
    Lines {
        out: Box<dyn Write + Send>,
        last: Option<Instant>,
        shown: u64,
    },
}

impl ProgressSink {
    /// A bar if standard error is a terminal, else plain lines.
    pub fn new(roster: Roster, board: Scoreboard) -> ProgressSink {
        if !std::io::stderr().is_terminal() {
            return ProgressSink::lines(Box::new(std::io::stderr()), roster, board);
        }
        let bar = ProgressBar::with_draw_target(
            roster.planned_games,
            ProgressDrawTarget::stderr_with_hz(REDRAWS),
        );
        let style = ProgressStyle::with_template("{bar:24} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(board.games());
        ProgressSink::with(Display::Bar(bar), roster, board)
    }

    /// Plain lines: at most one a second, and the last one.
    pub fn lines(out: Box<dyn Write + Send>, roster: Roster, board: Scoreboard) -> ProgressSink {
        ProgressSink::with(
            Display::Lines {
                out,
                last: None,
                shown: board.games(),
            },
            roster,
            board,
        )
    }

    fn with(display: Display, roster: Roster, board: Scoreboard) -> ProgressSink {
        let before = board.games();
        ProgressSink {
            display,
            roster,
            board,
            test: None,
            before,
            begun: Instant::now(),
        }
    }

    /// Shows this test too; it knows of the results so far.
    pub fn watching(mut self, test: Option<SprtWatch>) -> ProgressSink {
        self.test = test;
        self
    }

    fn show(&mut self, now: bool) {
        let games = self.board.games();
        let due = match &mut self.display {
            Display::Bar(_) => true,
            Display::Lines { last, shown, .. } => {
                let rested = last.is_none_or(|last| last.elapsed() >= PAUSE);
                *shown != games && (now || rested)
            }
        };
        if !due {
            return;
        }
        let text = self.text();
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_position(games);
                bar.set_message(text);
            }
            Display::Lines { out, last, shown } => {
                (*last, *shown) = (Some(Instant::now()), games);
                // Nobody may be reading; that is no reason to stop an event.
                let _unread = writeln!(out, "{text}");
            }
        }
    }

    /// `12 of 40 pairs, 24 of 80 games, 3.1 games/s, 18 s left, Alpha 14.0 - 10.0 Beta`
    fn text(&self) -> String {
        let (games, pairs) = (self.board.games(), self.board.pairs());
        let played = (games - self.before) as f64;
        let rate = played / self.begun.elapsed().as_secs_f64().max(1e-3);
        let planned = self.roster.planned_games;
        let mut text = match planned {
            Some(planned) => format!("{pairs} pairs, {games} of {planned} games"),
            None => format!("{pairs} pairs, {games} games"),
        };
        if self.roster.adaptive.is_some() {
            text += ", adaptive";
        }
        if played > 0.0 {
            text += &format!(", {rate:.1} games/s");
        }
        let missing = planned.map(|planned| self.board.missing_games(planned));
        if let Some(missing) = missing.filter(|missing| *missing > 0 && played > 0.0) {
            text += &format!(", {} left", span(missing as f64 / rate));
        }
        match self.score() {
            Some(score) => text + ", " + &score,
            None => text,
        }
    }

    /// White's score over all pairs: of any event it may be looked at all the time.
    fn white(&self) -> Option<String> {
        let white = self.board.white().score()?;
        let interval = Estimate::of(self.board.white_pairs());
        let interval = interval.map(|estimate| " ".to_owned() + &estimate.percent_text());
        Some(format!(
            "White {:.1} %{}",
            100.0 * white,
            interval.unwrap_or_default()
        ))
    }

    fn score(&self) -> Option<String> {
        let white = self.white()?;
        if self.roster.is_self_play() {
            return Some(white);
        }
        let name = |index: usize| printable(&self.board.participants()[index].name).into_owned();
        if self.board.participants().len() == 2 {
            let record = self.board.encounter(0, 1).total();
            let (own, other) = (record.points(), record.reversed().points());
            let score = format!("{} {own:.1} - {other:.1} {}", name(0), name(1));
            let elo = Estimate::of_match(&self.board, &self.roster);
            let test = self.test.as_ref().map(SprtWatch::text);
            let parts = [Some(score), elo.map(|elo| elo.elo_text()), test];
            return Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
        }
        let table = self.board.standings();
        let leader = table.first()?;
        let (points, games) = (leader.points(), leader.games);
        Some(format!(
            "{} leads, {points:.1} of {games}, {white}",
            name(usize::from(leader.engine))
        ))
    }
}

/// `42 s`, `7 min`, `3 h 20 min`.
fn span(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5999 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

impl Sink for ProgressSink {
    fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError> {
        self.board.add_game(game);
        if let Some(test) = &mut self.test {
            test.add_game(game);
        }
        if let Display::Lines { .. } = self.display {
            self.show(false);
        }
        Ok(())
    }

    fn refresh(&mut self, _running: usize) -> Result<(), SinkError> {
        self.show(false);
        Ok(())
    }

    fn voided(&mut self, game: &FinishedGame) {
        self.board.add_voided(game);
    }

    fn disqualified(&mut self, engine: u16) {
        let rulings = self.board.rulings().into_iter();
        let own = rulings.zip(ruling_lines(&self.board));
        for (_, line) in own.filter(|(ruling, _)| ruling.engine == engine) {
            self.say(&line);
        }
    }

    fn say(&mut self, words: &str) {
        match &mut self.display {
            Display::Bar(bar) => bar.println(words),
            Display::Lines { out, .. } => {
                let _unread = writeln!(out, "{words}");
            }
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.show(true);
        if let Display::Bar(bar) = &self.display {
            bar.abandon();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_of_time_are_readable() {
        assert_eq!(
            [span(0.2), span(99.0), span(100.0)],
            ["0 s", "99 s", "2 min"]
        );
        assert_eq!([span(6000.0), span(12_061.0)], ["1 h 40 min", "3 h 21 min"]);
    }
}
