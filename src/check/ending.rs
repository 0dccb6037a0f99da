//! How the engine goes.

use std::time::Duration;

use super::bench::Bench;
use super::introductions::opening;
use super::subject::Subject;
use super::trouble::{CheckOutcome, Trouble, wrong};
use crate::chess::UciDialect;
use crate::engine::process::describe_exit;

/// A search is certainly running after this time.
const WARM: Duration = Duration::from_millis(300);

/// An engine that has played a move.
async fn idle(bench: &Bench) -> Result<Subject<'_>, Trouble> {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(subject)
}

/// An engine that thinks without end.
async fn thinking(bench: &Bench) -> Result<Subject<'_>, Trouble> {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("position startpos");
    subject.send("go infinite");
    subject.thinks_on(WARM, "came before `stop`").await?;
    Ok(subject)
}

pub(super) async fn quit(bench: &Bench) -> CheckOutcome {
    told(idle(bench).await?).await
}

pub(super) async fn quit_thinking(bench: &Bench) -> CheckOutcome {
    told(thinking(bench).await?).await
}

async fn told(mut subject: Subject<'_>) -> CheckOutcome {
    subject.send("quit");
    subject.end("`quit`").await?;
    Ok(String::new())
}

pub(super) async fn exit_status(bench: &Bench) -> CheckOutcome {
    let mut subject = idle(bench).await?;
    subject.send("quit");
    let (status, _) = subject.end("`quit`").await?;
    match status {
        Some(status) if status.success() => Ok(String::new()),
        status => wrong(format!("{} after `quit`", describe_exit(status))),
    }
}

pub(super) async fn end_of_file(bench: &Bench) -> CheckOutcome {
    cut_off(idle(bench).await?).await
}

pub(super) async fn end_of_file_thinking(bench: &Bench) -> CheckOutcome {
    cut_off(thinking(bench).await?).await
}

async fn cut_off(mut subject: Subject<'_>) -> CheckOutcome {
    subject.close();
    subject.end("the end of its input").await?;
    Ok(String::new())
}

pub(super) async fn nothing_left(bench: &Bench) -> CheckOutcome {
    let mut subject = idle(bench).await?;
    subject.send("quit");
    match subject.end("`quit`").await?.1 {
        0 => Ok(String::new()),
        left => wrong(format!("{left} processes that it started live on")),
    }
}
