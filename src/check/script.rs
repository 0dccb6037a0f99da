//! The checks that are dialogues in `checks.txt`, which says what a step means.

use std::time::Duration;

use super::bench::{Bench, CheckError, CheckOutcome, within, wrong};
use super::subject::Subject;
use crate::chess::{Game, Position, UciDialect};
use crate::engine::process::describe_exit;
use crate::text::duration;

/// A dialogue that is held with an engine.
struct HeldDialogue<'a> {
    bench: &'a Bench,
    subject: Subject<'a>,
    /// The game up to the last position that was sent.
    game: Game,
    slowest: Duration,
}

/// Holds a dialogue; what was measured is the slowest answer to `go`.
pub(super) async fn hold(bench: &Bench, steps: &str) -> CheckOutcome {
    let mut steps = steps.lines().peekable();
    if steps.peek().is_none() {
        return wrong("nobody makes this check");
    }
    let mut subject = Subject::spawn(bench)?;
    if steps.next_if_eq(&"CR LF").is_some() {
        subject.line_end = "\r\n";
    }
    subject.shake_hands(UciDialect::Standard).await?;
    let mut held = HeldDialogue {
        bench,
        subject,
        game: Game::new(Position::standard()),
        slowest: Duration::ZERO,
    };
    for step in steps {
        if let Some((how, why)) = end_of(step) {
            return ends(held.subject, how, why).await;
        }
        held.step(step).await?;
    }
    let slowest = held.slowest;
    let words = || format!("the slowest answer took {}", duration(slowest));
    Ok((!slowest.is_zero()).then(words).unwrap_or_default())
}

fn end_of(step: &str) -> Option<(&str, &str)> {
    step.strip_prefix("ends ")?.split_once("after ")
}

async fn ends(subject: Subject<'_>, how: &str, why: &str) -> CheckOutcome {
    let (status, left) = subject.end(why).await?;
    match how.trim() {
        "with status 0" if !status.is_some_and(|status| status.success()) => {
            wrong(format!("{} after {why}", describe_exit(status)))
        }
        "alone" if left > 0 => wrong(format!("{left} processes that it started live on")),
        _ => Ok(String::new()),
    }
}

/// `500 ms`, and what follows it.
fn time(text: &str) -> Option<(Duration, &str)> {
    let (milliseconds, rest) = text.split_once(" ms")?;
    Some((Duration::from_millis(milliseconds.parse().ok()?), rest))
}

/// The game up to the position of such a line, with castling in either dialect.
pub(super) fn game_of(line: &str) -> Option<Game> {
    let line = line.strip_prefix("position ")?;
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut game = Game::new(match start.strip_prefix("fen ") {
        Some(fen) => Position::from_fen(fen).ok()?,
        None => Position::standard(),
    });
    for text in moves.split_whitespace() {
        let mut dialects = [UciDialect::Standard, UciDialect::Chess960].into_iter();
        dialects.find_map(|dialect| game.play_uci(text, dialect).ok())?;
    }
    Some(game)
}

impl HeldDialogue<'_> {
    async fn step(&mut self, step: &str) -> Result<(), CheckError> {
        match step.split_once(' ').unwrap_or((step, "")) {
            (">", line) => {
                self.subject.send(line);
                self.game = game_of(line).unwrap_or_else(|| self.game.clone());
                Ok(())
            }
            ("<", "readyok") => self.subject.wait_ready().await,
            ("<", "no move") => self.no_move().await,
            ("<", answer) => self.best_move(answer).await,
            ("needs", option) => self.bench.needs_option(option),
            ("close", _) => {
                self.subject.close();
                Ok(())
            }
            ("silent", rest) => {
                let (time, words) = time(rest).unwrap_or_default();
                let words = words.trim_start_matches(": ");
                self.subject.thinks_on(time, words).await
            }
            _ => wrong(format!("there is no step {step:?}")),
        }
    }

    /// `bestmove` with a legal move, one of these if any are named, within its time if it has one.
    async fn best_move(&mut self, answer: &str) -> Result<(), CheckError> {
        let (answer, limit) = answer.split_once(" within ").unwrap_or((answer, ""));
        let search = self.subject.best_move(self.bench.timeout).await?;
        self.subject.legal(self.game.position(), &search)?;
        let mut wanted = answer.split(' ').skip(1).peekable();
        let names_moves = wanted.peek().is_some();
        if names_moves && !wanted.any(|wanted| wanted == search.text) {
            let moves = answer.trim_start_matches("bestmove ");
            return wrong(format!("it answered {}, and not {moves}", search.text));
        }
        self.slowest = self.slowest.max(search.took);
        if let Some((limit, _)) = time(limit) {
            let [took, allowed] = [search.took, limit].map(duration);
            let words = format!("it answered after {took} of {allowed}");
            within(limit, search.took, words)?;
        }
        Ok(())
    }

    async fn no_move(&mut self) -> Result<(), CheckError> {
        let text = self.subject.best_move(self.bench.timeout).await?.text;
        if matches!(text.as_str(), "(none)" | "0000") {
            return Ok(());
        }
        let fen = self.game.position().fen(self.subject.fen());
        wrong(format!(
            "`bestmove {text}` where there is no move, in {fen}"
        ))
    }
}
