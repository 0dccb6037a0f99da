//! Checks of searches and of foreign input: those that are plain dialogues of `checks.txt`, and those that are not.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::chess::{Game, Position, UciDialect};
use crate::engine::process::describe_exit;
use crate::text::{count, duration};
use crate::uci::OptionKind;

use super::bench::{Bench, CheckError, Checked, wrong};
use super::info_lines::extent;
use super::subject::Subject;

/// The nodes an engine may take of 20,000: a fixed number is for repeatable games.
const NODES_TAKEN: RangeInclusive<u64> = 10_000..=30_000;
/// Half of a `movetime` of 300 ms.
const HALF_MOVE_TIME: Duration = Duration::from_millis(150);

/// A game of up to four usual half-moves.
fn opening(plies: usize) -> Game {
    let mut game = Game::new(Position::standard());
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().take(plies) {
        let _legal = game.play_uci(text, UciDialect::Standard);
    }
    game
}

async fn plays(subject: &mut Subject<'_>) -> Checked {
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

pub(super) async fn two_instances(bench: &Bench) -> Checked {
    let mut first = Subject::start(bench, UciDialect::Standard).await?;
    let mut second = Subject::start(bench, UciDialect::Standard).await?;
    for subject in [&mut first, &mut second] {
        subject.send("position startpos");
        subject.send("go movetime 200");
    }
    for subject in [&mut first, &mut second] {
        let search = subject.best_move(bench.timeout).await?;
        subject.legal(&Position::standard(), &search)?;
    }
    Ok(String::new())
}

pub(super) async fn white_space(subject: &mut Subject<'_>) -> Checked {
    subject.send("  position \t startpos   moves  e2e4 ");
    let search = subject.go("  depth \t 2  ", subject.bench.timeout).await?;
    subject.legal(opening(1).position(), &search)?;
    Ok(String::new())
}

pub(super) async fn set_defaults(subject: &mut Subject<'_>) -> Checked {
    for option in subject.bench.introduction.identity.options.iter() {
        let value = match &option.kind {
            OptionKind::Button => continue,
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::String { default } if default.is_empty() => continue,
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
        };
        subject.send(&format!("setoption name {} value {value}", option.name));
    }
    plays(subject).await
}

pub(super) async fn garbage(subject: &mut Subject<'_>) -> Checked {
    let long = "x".repeat(100_000);
    let lines = [
        "",
        "   ",
        "\t",
        "position",
        "position fen",
        "setoption",
        "setoption name",
        "setoption value 1",
        "\u{1}\u{7f}\u{fffd} 棋 \u{1b}[2J",
        &long,
    ];
    lines.into_iter().for_each(|line| subject.send(line));
    plays(subject).await
}

pub(super) async fn not_deeper(subject: &mut Subject<'_>) -> Checked {
    for depth in [1, 2, 4] {
        let limits = format!("depth {depth}");
        let (_, search) = subject.answer(&opening(2), &limits).await?;
        let reached = extent(&search.lines).0.unwrap_or_default();
        if reached > depth {
            return wrong(format!("it reports depth {reached} for `go depth {depth}`"));
        }
    }
    Ok(String::new())
}

pub(super) async fn uses_time(subject: &mut Subject<'_>) -> Checked {
    let mut quickest = Duration::MAX;
    for plies in [0, 1, 4] {
        let (_, search) = subject.answer(&opening(plies), "movetime 300").await?;
        quickest = quickest.min(search.took);
    }
    let took = duration(quickest);
    if quickest < HALF_MOVE_TIME {
        return wrong(format!("it answered after {took}"));
    }
    Ok(format!("at least {took}"))
}

pub(super) async fn nodes(subject: &mut Subject<'_>) -> Checked {
    let (_, search) = subject.answer(&opening(2), "nodes 20000").await?;
    match extent(&search.lines).1 {
        None => wrong("it answered, and said no number of nodes"),
        Some(nodes) if NODES_TAKEN.contains(&nodes) => Ok(count(nodes, "node")),
        Some(nodes) => wrong(format!("it searched {}", count(nodes, "node"))),
    }
}

pub(super) async fn repeatable(bench: &Bench) -> Checked {
    let mut results = Vec::new();
    for _ in 0..2 {
        let mut subject = Subject::start(bench, UciDialect::Standard).await?;
        results.push(fixed_search(&mut subject).await?);
    }
    same(&results, "a new process")
}

pub(super) async fn forgets(subject: &mut Subject<'_>) -> Checked {
    let mut results = Vec::new();
    for _ in 0..2 {
        subject.send("ucinewgame");
        subject.ready().await?;
        results.push(fixed_search(subject).await?);
    }
    same(&results, "`ucinewgame`")
}

/// Move and nodes of a search to a fixed depth, in words.
async fn fixed_search(subject: &mut Subject<'_>) -> Checked {
    let (_, search) = subject.answer(&opening(4), "depth 6").await?;
    let nodes = extent(&search.lines).1;
    let nodes = nodes.map(|nodes| format!(" with {}", count(nodes, "node")));
    Ok(search.text + &nodes.unwrap_or_default())
}

fn same(results: &[String], after: &str) -> Checked {
    match results {
        [first, second] if first == second => Ok(first.clone()),
        _ => wrong(format!("after {after}: {}", results.join(", then "))),
    }
}

// The checks that are dialogues in `checks.txt`, which says what a step means.

/// A dialogue that is held with an engine.
struct HeldDialogue<'a> {
    subject: Subject<'a>,
    /// The game up to the last position that was sent.
    game: Game,
    slowest: Duration,
}

/// Holds a dialogue; what was measured is the slowest answer to `go`.
pub(super) async fn hold(bench: &Bench, steps: &str) -> Checked {
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
        subject,
        game: Game::new(Position::standard()),
        slowest: Duration::ZERO,
    };
    for step in steps {
        let end = step.strip_prefix("ends ");
        if let Some((how, why)) = end.and_then(|end| end.split_once("after ")) {
            return ends(held.subject, how, why).await;
        }
        held.step(step).await?;
    }
    let slowest = held.slowest;
    let words = || format!("the slowest answer took {}", duration(slowest));
    Ok((!slowest.is_zero()).then(words).unwrap_or_default())
}

async fn ends(subject: Subject<'_>, how: &str, why: &str) -> Checked {
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
    async fn step(&mut self, step: &str) -> Checked<()> {
        match step.split_once(' ').unwrap_or((step, "")) {
            (">", line) => {
                self.subject.send(line);
                self.game = game_of(line).unwrap_or_else(|| self.game.clone());
                Ok(())
            }
            ("<", "readyok") => self.subject.wait_ready().await,
            ("<", "no move") => self.no_move().await,
            ("<", answer) => self.best_move(answer).await,
            ("needs", option) => self.subject.bench.needs_option(option),
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
    async fn best_move(&mut self, answer: &str) -> Checked<()> {
        let (answer, limit) = answer.split_once(" within ").unwrap_or((answer, ""));
        let search = self.subject.best_move(self.subject.bench.timeout).await?;
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
            let by = search.took.saturating_sub(limit);
            if !by.is_zero() {
                return Err(CheckError::Late { words, by });
            }
        }
        Ok(())
    }

    async fn no_move(&mut self) -> Checked<()> {
        let search = self.subject.best_move(self.subject.bench.timeout).await?;
        let text = search.text;
        if matches!(text.as_str(), "(none)" | "0000") {
            return Ok(());
        }
        let fen = self.game.position().fen(self.subject.fen());
        wrong(format!(
            "`bestmove {text}` where there is no move, in {fen}"
        ))
    }
}
