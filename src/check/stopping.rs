//! `stop`, `infinite`, `ponderhit`.

use std::time::Duration;

use super::bench::Bench;
use super::introductions::opening;
use super::limits::{MATE_IN_ONE, game};
use super::subject::{SearchAnswer, Subject};
use super::trouble::{CheckOutcome, Trouble, within};
use crate::chess::{FenDialect, Game, UciDialect};

/// How quick an answer to `stop` should be.
const QUICK: Duration = Duration::from_millis(100);

/// How often the latency of `stop` is measured.
const STOPS: usize = 5;

/// How long an infinite search is watched.
const WATCH: Duration = Duration::from_millis(500);

/// The clocks of a search on the opponent's time, in milliseconds.
const CLOCK: u64 = 2_000;

/// Starts an infinite search, watches it, and stops it.
async fn stopped(
    subject: &mut Subject<'_>,
    game: &Game,
    watch: Duration,
    limit: Duration,
) -> Result<SearchAnswer, Trouble> {
    subject.place(game, FenDialect::XFen);
    subject.send("go infinite");
    subject.thinks_on(watch, "came before `stop`").await?;
    subject.send("stop");
    let search = subject.best_move(limit).await?;
    subject.legal(game.position(), &search)?;
    Ok(search)
}

pub(super) async fn infinite(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("position startpos");
    subject.send("go infinite");
    subject.thinks_on(WATCH, "came before `stop`").await?;
    Ok(String::new())
}

pub(super) async fn stop(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let search = stopped(&mut subject, &opening(1), WATCH, bench.timeout).await?;
    Ok(format!("after {} ms", search.took.as_millis()))
}

pub(super) async fn stop_latency(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut slowest = Duration::ZERO;
    for stop in 0..STOPS {
        // At different moments of the search.
        let watch = Duration::from_millis(50 + 70 * stop as u64);
        let search = stopped(&mut subject, &opening(stop), watch, bench.timeout).await?;
        slowest = slowest.max(search.took);
    }
    let words = format!("the slowest of five after {} ms", slowest.as_millis());
    within(QUICK, slowest, words)
}

pub(super) async fn one_best_move(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    stopped(&mut subject, &opening(0), WATCH, bench.timeout).await?;
    subject.send("stop");
    subject.ready().await?;
    subject.thinks_on(WATCH, "is a second answer").await?;
    subject.answer(&opening(2), "depth 2").await?;
    subject.send("stop");
    subject.ready().await?;
    subject.thinks_on(WATCH, "is a second answer").await?;
    Ok(String::new())
}

pub(super) async fn idle_stop(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("stop");
    subject.ready().await?;
    subject.thinks_on(WATCH, "is no answer to anything").await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

pub(super) async fn patient_mate(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let watch = Duration::from_secs(1);
    stopped(&mut subject, &game(MATE_IN_ONE)?, watch, bench.timeout).await?;
    Ok(String::new())
}

/// An engine that thinks about the move it expects.
async fn pondering(bench: &Bench) -> Result<Subject<'_>, Trouble> {
    bench.needs_option("Ponder")?;
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("setoption name Ponder value true");
    subject.ready().await?;
    subject.place(&opening(2), FenDialect::XFen);
    subject.send(&format!(
        "go ponder wtime {CLOCK} btime {CLOCK} winc 0 binc 0"
    ));
    subject.thinks_on(WATCH, "came before `ponderhit`").await?;
    Ok(subject)
}

pub(super) async fn ponder(bench: &Bench) -> CheckOutcome {
    let mut subject = pondering(bench).await?;
    subject.send("ponderhit");
    let search = subject.best_move(bench.timeout).await?;
    subject.legal(opening(2).position(), &search)?;
    let took = search.took.as_millis();
    let words = format!("{took} ms of {CLOCK} after `ponderhit`");
    within(Duration::from_millis(CLOCK), search.took, words)
}

pub(super) async fn ponder_stop(bench: &Bench) -> CheckOutcome {
    let mut subject = pondering(bench).await?;
    subject.send("stop");
    let search = subject.best_move(bench.timeout).await?;
    subject.legal(opening(2).position(), &search)?;
    Ok(format!("after {} ms", search.took.as_millis()))
}
