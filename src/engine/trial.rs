//! Trial searches before the first game: does an engine search the nodes it is given? One that
//! ignores its limit makes every sentence about that limit untrue, and its games a waste of time.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::clock::NODES_OBEYED;
use crate::config::EngineSpec;
use crate::engine::process::Process;
use crate::engine::start::read_once;
use crate::uci::Message;

/// Where the searches begin; every engine has legal moves there.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The moves before each search.
const MOVES: [&str; 3] = ["", " moves e2e4 e7e5 g1f3", " moves d2d4 d7d5 c2c4"];

/// What all searches together may take. Where they take longer, nothing is known.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// What is to be told of an engine whose limit in nodes is not what it searches. Whatever else
/// goes wrong is for the games to find.
pub(super) async fn unobeyed_limit(spec: &EngineSpec, process: &mut Process) -> Option<String> {
    let limit = spec.limits.nodes?;
    let deadline = Instant::now() + LONGEST_WAIT;
    let mut searched = Vec::new();
    for moves in MOVES {
        searched.push(nodes_of(process, moves, limit, deadline).await?);
    }
    searched.sort_unstable();
    let median = searched[searched.len() / 2];
    let share = median as f64 / limit.max(1) as f64;
    (!NODES_OBEYED.contains(&share)).then(|| {
        format!(
            "it does not obey its limit: in trial searches it reported a median of {median} nodes \
             of {limit}; what its games say is not about {limit} nodes"
        )
    })
}

/// The nodes it reports last before its move.
async fn nodes_of(
    process: &mut Process,
    moves: &str,
    limit: u64,
    deadline: Instant,
) -> Option<u64> {
    let commands = format!("position fen {START}{moves}\ngo nodes {limit}\n");
    process.input.send(&commands).ok()?;
    let mut nodes = None;
    loop {
        while let Some(line) = process.output.lines.next_line() {
            match Message::parse(line.text) {
                Message::Info(info) => nodes = info.parse().nodes.or(nodes),
                Message::BestMove { .. } => return nodes,
                _ => {}
            }
        }
        let read = timeout_at(deadline, read_once(process, deadline)).await;
        if read.ok().flatten() != Some(true) {
            return None;
        }
    }
}
