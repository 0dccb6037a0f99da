//! From the start of the process to `uciok`.

use super::bench::Bench;
use super::subject::Subject;
use super::trouble::{CheckOutcome, wrong};
use crate::chess::{Game, Position, UciDialect};
use crate::uci::{IdField, Message};

pub(super) fn uci_ok(bench: &Bench) -> CheckOutcome {
    let milliseconds = bench.introduction.took.as_millis();
    Ok(format!("after {milliseconds} ms"))
}

pub(super) fn identity(bench: &Bench) -> CheckOutcome {
    let identity = &bench.introduction.identity;
    match identity_problem(&bench.introduction.lines) {
        None => Ok(format!("{}, by {}", identity.name, identity.author)),
        Some(problem) => wrong(problem),
    }
}

pub(super) fn order(bench: &Bench) -> CheckOutcome {
    if let Some(line) = bench.introduction.afterwards.first() {
        return wrong(format!("{line:?} comes after `uciok`"));
    }
    bench.none_of(
        order_problem(&bench.introduction.lines)
            .into_iter()
            .collect(),
    )
}

pub(super) fn silent_start(bench: &Bench) -> CheckOutcome {
    match bench.introduction.unasked.as_slice() {
        [] => Ok(String::new()),
        [line, ..] => wrong(format!("it said {line:?} before `uci`")),
    }
}

pub(super) async fn two_instances(bench: &Bench) -> CheckOutcome {
    let mut first = Subject::start(bench, UciDialect::Standard).await?;
    let mut second = Subject::start(bench, UciDialect::Standard).await?;
    let start = Position::standard();
    for subject in [&mut first, &mut second] {
        subject.send("position startpos");
        subject.send("go movetime 200");
    }
    for subject in [&mut first, &mut second] {
        let search = subject.best_move(bench.timeout).await?;
        subject.legal(&start, &search)?;
    }
    Ok(String::new())
}

pub(super) async fn carriage_returns(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::spawn(bench)?;
    subject.line_end = "\r\n";
    subject.shake_hands(UciDialect::Standard).await?;
    subject.send("ucinewgame");
    subject.ready().await?;
    // In one the last word is a move, in the other `startpos` itself.
    for plies in [1, 0] {
        subject.answer(&opening(plies), "depth 2").await?;
    }
    Ok(String::new())
}

pub(super) async fn white_space(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("  position \t startpos   moves  e2e4 ");
    let search = subject.go("  depth \t 2  ", bench.timeout).await?;
    subject.legal(opening(1).position(), &search)?;
    Ok(String::new())
}

/// The first moves of an open game.
pub(super) fn opening(plies: usize) -> Game {
    let mut game = Game::new(Position::standard());
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().take(plies) {
        let _legal = game.play_uci(text, UciDialect::Standard);
    }
    game
}

/// What is wrong with name and author in the lines up to `uciok`.
fn identity_problem(lines: &[String]) -> Option<String> {
    for (wanted, word) in [(IdField::Name, "name"), (IdField::Author, "author")] {
        let of_kind = |line: &String| match Message::parse(line) {
            Message::Id { field, value } if field == wanted => Some(value.to_owned()),
            _ => None,
        };
        let given: Vec<String> = lines.iter().filter_map(of_kind).collect();
        match given.as_slice() {
            [] => return Some(format!("there is no `id {word}`")),
            [text] if text.is_empty() => return Some(format!("`id {word}` is empty")),
            [_] => {}
            several => return Some(format!("`id {word}` comes {} times", several.len())),
        }
    }
    None
}

/// What comes out of order: `id`, then `option`, then `uciok`.
fn order_problem(lines: &[String]) -> Option<String> {
    let mut declared = false;
    for line in lines {
        match Message::parse(line) {
            Message::Option(_) => declared = true,
            Message::Id { .. } if declared => {
                return Some(format!("{line:?} comes after an option"));
            }
            Message::Id { .. } | Message::UciOk => {}
            _ if line.trim().is_empty() => {}
            _ => return Some(format!("{line:?} is neither `id`, `option` nor `uciok`")),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn name_and_author_come_once_each() {
        let problem = |text: &str| identity_problem(&lines(text)).unwrap_or_default();
        assert_eq!(problem("id name A|id author B|uciok"), "");
        assert!(problem("id name A|uciok").contains("no `id author`"));
        assert!(problem("id name|id author B").contains("empty"));
        assert!(problem("id name A|id name B|id author B").contains("2 times"));
    }

    #[test]
    fn what_comes_between_is_named() {
        let problem = |text: &str| order_problem(&lines(text)).unwrap_or_default();
        let option = "option name A type button";
        assert_eq!(problem(&format!("id name A|{option}|uciok")), "");
        assert!(problem(&format!("{option}|id name A|uciok")).contains("after an option"));
        assert!(problem("A banner|id name A|uciok").contains("A banner"));
    }
}
