//! From the start of the process to `uciok`.

use super::bench::Bench;
use super::subject::Subject;
use super::trouble::{Outcome, wrong};
use crate::audit::check::introduction::{identity_problem, order_problem};
use crate::chess::{Game, Position, UciDialect};

pub(super) fn uci_ok(bench: &Bench) -> Outcome {
    let milliseconds = bench.introduction.took.as_millis();
    Ok(format!("after {milliseconds} ms"))
}

pub(super) fn identity(bench: &Bench) -> Outcome {
    let identity = &bench.introduction.identity;
    match identity_problem(&bench.introduction.lines) {
        None => Ok(format!("{}, by {}", identity.name, identity.author)),
        Some(problem) => wrong(problem),
    }
}

pub(super) fn order(bench: &Bench) -> Outcome {
    if let Some(line) = bench.introduction.afterwards.first() {
        return wrong(format!("{line:?} comes after `uciok`"));
    }
    bench.none_of(
        order_problem(&bench.introduction.lines)
            .into_iter()
            .collect(),
    )
}

pub(super) fn silent_start(bench: &Bench) -> Outcome {
    match bench.introduction.unasked.as_slice() {
        [] => Ok(String::new()),
        [line, ..] => wrong(format!("it said {line:?} before `uci`")),
    }
}

pub(super) async fn two_instances(bench: &Bench) -> Outcome {
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

pub(super) async fn carriage_returns(bench: &Bench) -> Outcome {
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

pub(super) async fn white_space(bench: &Bench) -> Outcome {
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
        if let Ok(mv) = game.position().parse_uci(text, UciDialect::Standard) {
            game.play(mv);
        }
    }
    game
}
