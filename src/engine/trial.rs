//! Trial searches before the first game: does an engine search what it is given? One that
//! ignores its limit makes every sentence about that limit untrue, and its games a waste of time.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::clock::NODES_OBEYED;
use crate::config::EngineSpec;
use crate::engine::process::Process;
use crate::engine::start::read_once;
use crate::text::count;
use crate::uci::Message;

/// The moves before each search.
const MOVES: [&str; 3] = ["", " moves e2e4 e7e5 g1f3", " moves d2d4 d7d5 c2c4"];

/// What all searches together may take. Where they take longer, nothing is known.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(2);

/// A search that does not end in the time of the trial is reported if it has searched this many times
/// the nodes of its limit.
const MAX_NODES_FACTOR: u64 = 10;

/// What is to be told of an engine whose limit is not what it searches. Whatever else
/// goes wrong is for the games to find.
pub(super) async fn missed_limit(spec: &EngineSpec, process: &mut Process) -> Option<String> {
    let deadline = Instant::now() + TRIAL_TIMEOUT;
    if let Some(limit) = spec.limits.nodes {
        return missed_nodes(process, limit, deadline).await;
    }
    let limit = u64::from(spec.limits.depth?);
    let trial = search(process, MOVES[0], &format!("depth {limit}"), deadline).await?;
    let depth = trial.depth?;
    // Some report a depth of 0, and a forced mate or draw ends a search early: less is no proof.
    let is_missed = depth > limit && (!trial.has_ended || !obeys(depth, limit));
    is_missed.then(|| {
        format!(
            "it does not obey its limit: in a trial search to depth {limit} it reported depth {depth}{}",
            trial.words()
        )
    })
}

async fn missed_nodes(process: &mut Process, limit: u64, deadline: Instant) -> Option<String> {
    let mut searched = Vec::new();
    for moves in MOVES {
        let trial = search(process, moves, &format!("nodes {limit}"), deadline).await?;
        if !trial.has_ended {
            let (nodes, words) = (trial.nodes?, trial.words());
            let far = nodes > limit.saturating_mul(MAX_NODES_FACTOR);
            return far.then(|| {
                format!(
                    "it does not obey its limit: with a limit of {limit} for nodes a trial search reported \
                     {nodes}{words}"
                )
            });
        }
        searched.push(trial.nodes?);
    }
    searched.sort_unstable();
    let median = searched[searched.len() / 2];
    (!obeys(median, limit)).then(|| {
        format!(
            "it does not obey its limit: in trial searches it reported a median of {} \
             of {limit}; what its games say is not about that limit",
            count(median, "node")
        )
    })
}

fn obeys(searched: u64, limit: u64) -> bool {
    NODES_OBEYED.contains(&(searched as f64 / limit.max(1) as f64))
}

/// What an engine reported in a trial search.
#[derive(Debug, Default)]
struct TrialReport {
    nodes: Option<u64>,
    depth: Option<u64>,
    has_ended: bool,
}

impl TrialReport {
    fn words(&self) -> &'static str {
        if self.has_ended {
            ""
        } else {
            " and searched on; its games last as long as it likes"
        }
    }
}

/// What it reports last before its move, or before the time is over.
async fn search(
    process: &mut Process,
    moves: &str,
    limit: &str,
    deadline: Instant,
) -> Option<TrialReport> {
    let commands = format!("position startpos{moves}\ngo {limit}\n");
    process.input.send(&commands).ok()?;
    let mut trial = TrialReport::default();
    loop {
        while let Some(line) = process.output.lines.next_line() {
            match Message::parse(line.text) {
                Message::Info(info) => {
                    let report = info.parse();
                    trial.nodes = report.nodes.or(trial.nodes);
                    trial.depth = report.depth.map(u64::from).or(trial.depth);
                }
                Message::BestMove { .. } => {
                    trial.has_ended = true;
                    return Some(trial);
                }
                _ => {}
            }
        }
        if Instant::now() >= deadline {
            return Some(trial);
        }
        let read = timeout_at(deadline, read_once(process, deadline)).await;
        match read.ok().flatten() {
            Some(true) => {}
            Some(false) => return None,
            None => return Some(trial),
        }
    }
}
