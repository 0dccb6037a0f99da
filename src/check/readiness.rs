//! `isready`, `ucinewgame`, and what an engine should not mind.

use std::time::Duration;

use super::bench::Bench;
use super::introductions::opening;
use super::subject::Subject;
use super::trouble::CheckOutcome;
use crate::chess::UciDialect;

/// A search is certainly running after this time.
const WARM: Duration = Duration::from_millis(200);

pub(super) async fn ready(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.ready().await?;
    for command in ["ucinewgame", "position startpos moves e2e4", "debug off"] {
        subject.send(command);
        subject.ready().await?;
    }
    subject.answer(&opening(2), "depth 2").await?;
    subject.ready().await?;
    Ok(String::new())
}

pub(super) async fn ready_thinking(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("position startpos");
    subject.send("go infinite");
    subject.thinks_on(WARM, "came before `stop`").await?;
    subject.ready().await?;
    subject.thinks_on(WARM, "came after `isready`").await?;
    subject.send("stop");
    let search = subject.best_move(bench.timeout).await?;
    subject.legal(opening(0).position(), &search)?;
    Ok(String::new())
}

pub(super) async fn new_game(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for plies in 0..4 {
        subject.send("ucinewgame");
        subject.ready().await?;
        subject.answer(&opening(plies), "depth 2").await?;
    }
    for _ in 0..8 {
        subject.send("ucinewgame");
    }
    subject.ready().await?;
    Ok(String::new())
}

pub(super) async fn unknown_command(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for command in ["xyzzy", "please think hard", "960"] {
        subject.send(command);
    }
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

/// The protocol's own example is `joho debug on`.
pub(super) async fn leading_words(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.ready().await?;
    subject.ready_by("joho isready").await?;
    Ok(String::new())
}

pub(super) async fn garbage(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
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
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

pub(super) async fn bad_position(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("position startpos moves e2e5 zzzz");
    subject.ready().await?;
    subject.send("position fen no/such/board x - - 0 1");
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}
