//! Obedience to what `go` asks for.

use std::time::Duration;

use super::bench::Bench;
use super::introductions::opening;
use super::subject::{SearchAnswer, Subject};
use super::trouble::{CheckOutcome, Trouble, within, wrong};
use crate::check::info_lines::extent;
use crate::chess::{Color, Game, Position, UciDialect};

/// What `go movetime` and clocks are exceeded by at most, on a machine that has other work.
const MARGIN: Duration = Duration::from_millis(500);

/// Nodes asked for, and what is taken for them.
const NODES: u64 = 20_000;
const NODES_TAKEN: std::ops::RangeInclusive<u64> = NODES / 2..=NODES * 3 / 2;

/// Rb8 mates.
pub(super) const MATE_IN_ONE: &str = "7k/R7/8/8/8/8/8/1R2K3 w - - 0 1";

fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// A position from text that is known to be one.
pub(super) fn game(fen: &str) -> Result<Game, Trouble> {
    let position = Position::from_fen(fen);
    let position = position.map_err(|error| Trouble::Wrong(format!("{fen}: {error}")))?;
    Ok(Game::new(position))
}

pub(super) async fn depth(bench: &Bench) -> CheckOutcome {
    deepest(bench).await.map(|_| String::new())
}

pub(super) async fn not_deeper(bench: &Bench) -> CheckOutcome {
    for (depth, reached) in deepest(bench).await? {
        if reached > depth {
            return wrong(format!("it reports depth {reached} for `go depth {depth}`"));
        }
    }
    Ok(String::new())
}

/// Depths asked for, and reported; 0 where none is.
async fn deepest(bench: &Bench) -> Result<Vec<(u32, u32)>, Trouble> {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut depths = Vec::new();
    for depth in [1, 2, 4] {
        let limits = format!("depth {depth}");
        let (_, search) = subject.answer(&opening(2), &limits).await?;
        depths.push((depth, extent(&search.lines).0.unwrap_or_default()));
    }
    Ok(depths)
}

pub(super) async fn move_time(bench: &Bench) -> CheckOutcome {
    let limit = Duration::from_millis(300) + MARGIN;
    let searches = several(bench, "movetime 300").await?;
    let slowest = slowest(&searches);
    let words = format!("it answered after {}", milliseconds(slowest));
    within(limit, slowest, words)
}

pub(super) async fn uses_time(bench: &Bench) -> CheckOutcome {
    let searches = several(bench, "movetime 300").await?;
    let quickest = searches.iter().map(|search| search.took).min();
    let quickest = milliseconds(quickest.unwrap_or_default());
    match quickest_is_enough(&searches) {
        true => Ok(format!("at least {quickest}")),
        false => wrong(format!("it answered after {quickest}")),
    }
}

fn quickest_is_enough(searches: &[SearchAnswer]) -> bool {
    let enough = |search: &SearchAnswer| search.took >= Duration::from_millis(150);
    searches.iter().all(enough)
}

/// The same limit in three positions.
async fn several(bench: &Bench, limits: &str) -> Result<Vec<SearchAnswer>, Trouble> {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut searches = Vec::new();
    for plies in [0, 1, 4] {
        searches.push(subject.answer(&opening(plies), limits).await?.1);
    }
    Ok(searches)
}

fn slowest(searches: &[SearchAnswer]) -> Duration {
    let times = searches.iter().map(|search| search.took);
    times.max().unwrap_or_default()
}

/// The other side has ten minutes: an engine that looks at the wrong clock is found.
pub(super) async fn clock(bench: &Bench) -> CheckOutcome {
    on_the_clock(bench, Duration::from_secs(1), "winc 10 binc 10").await
}

pub(super) async fn short_clock(bench: &Bench) -> CheckOutcome {
    on_the_clock(bench, Duration::from_millis(100), "winc 0 binc 0").await
}

pub(super) async fn last_move(bench: &Bench) -> CheckOutcome {
    on_the_clock(bench, Duration::from_millis(500), "movestogo 1").await
}

async fn on_the_clock(bench: &Bench, own: Duration, more: &str) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut slowest = Duration::ZERO;
    for plies in 0..4 {
        let game = opening(plies);
        let (white, black) = match game.position().side_to_move() {
            Color::White => (own.as_millis(), 600_000),
            Color::Black => (600_000, own.as_millis()),
        };
        let limits = format!("wtime {white} btime {black} {more}");
        let (_, search) = subject.answer(&game, &limits).await?;
        slowest = slowest.max(search.took);
        let took = milliseconds(search.took);
        let words = format!("it took {took} of {}", milliseconds(own));
        within(own, search.took, words)?;
    }
    Ok(format!(
        "the slowest of four took {}",
        milliseconds(slowest)
    ))
}

pub(super) async fn nodes(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let limits = format!("nodes {NODES}");
    let (_, search) = subject.answer(&opening(2), &limits).await?;
    match extent(&search.lines).1 {
        None => wrong("it answered, and said no number of nodes"),
        Some(nodes) if NODES_TAKEN.contains(&nodes) => Ok(format!("{nodes} nodes")),
        Some(nodes) => wrong(format!("it searched {nodes} nodes")),
    }
}

pub(super) async fn search_moves(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for moves in ["a2a3", "f2f3 h2h4", "g2g4", "b1a3 g1h3"] {
        let limits = format!("depth 3 searchmoves {moves}");
        let (_, search) = subject.answer(&opening(0), &limits).await?;
        if !moves.split(' ').any(|mv| mv == search.text) {
            return wrong(format!(
                "it answered {} to `searchmoves {moves}`",
                search.text
            ));
        }
    }
    Ok(String::new())
}

pub(super) async fn mate(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let game = game(MATE_IN_ONE)?;
    let (mv, search) = subject.answer(&game, "mate 1").await?;
    match game.position().mates(mv) {
        true => Ok(String::new()),
        false => wrong(format!("{} does not mate", search.text)),
    }
}

pub(super) async fn repeatable(bench: &Bench) -> CheckOutcome {
    let mut results = Vec::new();
    for _ in 0..2 {
        let mut subject = Subject::start(bench, UciDialect::Standard).await?;
        results.push(fixed_search(&mut subject).await?);
    }
    same(&results, "a new process")
}

pub(super) async fn forgets(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut results = Vec::new();
    for _ in 0..2 {
        subject.send("ucinewgame");
        subject.ready().await?;
        results.push(fixed_search(&mut subject).await?);
    }
    same(&results, "`ucinewgame`")
}

/// A move and how many nodes it took.
type MoveAndNodes = (String, Option<u64>);

async fn fixed_search(subject: &mut Subject<'_>) -> Result<MoveAndNodes, Trouble> {
    let (_, search) = subject.answer(&opening(4), "depth 6").await?;
    Ok((search.text, extent(&search.lines).1))
}

fn same(results: &[MoveAndNodes], after: &str) -> CheckOutcome {
    let shown = |(text, nodes): &MoveAndNodes| match nodes {
        Some(nodes) => format!("{text} with {nodes} nodes"),
        None => text.clone(),
    };
    let shown: Vec<String> = results.iter().map(shown).collect();
    match results {
        [first, second] if first == second => Ok(shown[0].clone()),
        _ => wrong(format!("after {after}: {}", shown.join(", then "))),
    }
}
