//! Checks of searches and of foreign input that are no plain dialogues.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::bench::{Bench, CheckError, CheckOutcome, wrong};
use super::info_lines::extent;
use super::subject::Subject;
use crate::chess::{Game, Position, UciDialect};
use crate::text::{count, duration};
use crate::uci::OptionKind;

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

async fn plays(subject: &mut Subject<'_>) -> CheckOutcome {
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

pub(super) async fn two_instances(bench: &Bench) -> CheckOutcome {
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

pub(super) async fn white_space(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("  position \t startpos   moves  e2e4 ");
    let search = subject.go("  depth \t 2  ", bench.timeout).await?;
    subject.legal(opening(1).position(), &search)?;
    Ok(String::new())
}

pub(super) async fn set_defaults(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for option in bench.introduction.identity.options.iter() {
        let value = match &option.kind {
            OptionKind::Button => continue,
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::String { default } if default.is_empty() => continue,
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
        };
        subject.send(&format!("setoption name {} value {value}", option.name));
    }
    plays(&mut subject).await
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
    plays(&mut subject).await
}

pub(super) async fn not_deeper(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
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

pub(super) async fn uses_time(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
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

pub(super) async fn nodes(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let (_, search) = subject.answer(&opening(2), "nodes 20000").await?;
    match extent(&search.lines).1 {
        None => wrong("it answered, and said no number of nodes"),
        Some(nodes) if NODES_TAKEN.contains(&nodes) => Ok(count(nodes, "node")),
        Some(nodes) => wrong(format!("it searched {}", count(nodes, "node"))),
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

/// Move and nodes of a search to a fixed depth, in words.
async fn fixed_search(subject: &mut Subject<'_>) -> Result<String, CheckError> {
    let (_, search) = subject.answer(&opening(4), "depth 6").await?;
    let nodes = extent(&search.lines).1;
    let nodes = nodes.map(|nodes| format!(" with {}", count(nodes, "node")));
    Ok(search.text + &nodes.unwrap_or_default())
}

fn same(results: &[String], after: &str) -> CheckOutcome {
    match results {
        [first, second] if first == second => Ok(first.clone()),
        _ => wrong(format!("after {after}: {}", results.join(", then "))),
    }
}
