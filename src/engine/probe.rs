//! Before the first game every engine is started once: all engines that cannot play
//! this event are named now, together. Trial searches show whether an engine searches what it is given: one that
//! ignores its limit makes every sentence about that limit untrue, and its games a waste of time.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::clock::NODES_OBEYED;
use crate::config::{EngineSpec, RefusedByEngine, Tournament};
use crate::engine::process::{AwaitedReply, Process};
use crate::engine::start::{Engine, EngineStartError};
use crate::engine::surroundings::Surroundings;
use crate::host::process_tree::ProcessTree;
use crate::platform::process_snapshot;
use crate::text::count;
use crate::uci::{HandshakeError, Message, Ready};

/// Engines started at the same time: enough to be quick, few enough that a slow
/// machine does not make them late.
const AT_ONCE: usize = 4;

/// An engine that cannot take part.
#[derive(Debug)]
pub struct UnfitEngine {
    /// Its name in the event file.
    pub name: String,
    /// Why.
    pub error: EngineStartError,
}

impl UnfitEngine {
    /// What it refuses, one after the other; it has this place in the event file.
    pub(crate) fn refused(&self, place: usize) -> Vec<RefusedByEngine> {
        let refused = |option: Option<&str>, words: String| RefusedByEngine {
            place,
            engine: self.name.clone(),
            option: option.map(str::to_owned),
            words,
        };
        let EngineStartError::Unfit(errors) = &self.error else {
            return vec![refused(None, self.error.to_string())];
        };
        let one = |error: &HandshakeError| match error {
            HandshakeError::Option(option) => refused(Some(option.name()), error.to_string()),
            _ => refused(None, error.to_string()),
        };
        errors.iter().map(one).collect()
    }
}

/// What was seen of an engine.
#[derive(Debug)]
pub(crate) struct Probed {
    /// What it said of itself, and what was set.
    pub(crate) ready: Ready,
    /// The memory that belonged to it alone when it was ready, in bytes.
    pub(crate) memory: u64,
}

/// Starts these engines, hears what each says of itself, and ends it. The answers are in the order of the event file.
///
/// # Errors
/// All engines that cannot take part.
pub(crate) async fn probe(
    tournament: &Tournament,
    around: &Surroundings,
    is_tried: impl Fn(&EngineSpec) -> bool,
) -> Result<Vec<Probed>, Vec<UnfitEngine>> {
    let (mut running, mut answers) = (JoinSet::new(), BTreeMap::new());
    let engines = tournament.engines.iter().enumerate();
    for (index, spec) in engines.filter(|(_, spec)| is_tried(spec)) {
        let spec = spec.clone();
        while running.len() >= AT_ONCE {
            answers.extend(running.join_next().await.and_then(Result::ok));
        }
        let around = around.clone();
        running.spawn(async move { (index, one(&spec, &around).await) });
    }
    while let Some(answer) = running.join_next().await {
        answers.extend(answer.ok());
    }
    let (mut probed, mut unfit) = (Vec::new(), Vec::new());
    for (index, answer) in answers {
        match answer {
            Ok(answer) => probed.push(answer),
            Err(error) => {
                let name = tournament.engines[index].name.clone();
                unfit.push(UnfitEngine { name, error });
            }
        }
    }
    unfit.is_empty().then_some(probed).ok_or(unfit)
}

async fn one(spec: &EngineSpec, around: &Surroundings) -> Result<Probed, EngineStartError> {
    let started = Engine::start(spec, around).await?;
    let (mut process, mut ready) = (started.process, started.ready);
    let memory = process_snapshot::private(&ProcessTree::read(process.root()).processes);
    let missed = missed_limit(spec, &mut process).await;
    process.shut_down().await;
    match missed {
        Some(missed) if !spec.may_miss_its_limit => {
            return Err(EngineStartError::MissesItsLimit(missed));
        }
        missed => ready.warnings.extend(missed),
    }
    Ok(Probed { ready, memory })
}

/// The moves before each search.
const MOVES: [&str; 3] = ["", " moves e2e4 e7e5 g1f3", " moves d2d4 d7d5 c2c4"];

/// What all searches together may take. Where they take longer, nothing is known.
const TRIAL_TIMEOUT: Duration = Duration::from_secs(2);

/// A search that does not end in the time of the trial is reported if it has searched this many times
/// the nodes of its limit.
const MAX_NODES_FACTOR: u64 = 10;

/// What is to be told of an engine whose limit is not what it searches. Whatever else
/// goes wrong is for the games to find.
async fn missed_limit(spec: &EngineSpec, process: &mut Process) -> Option<String> {
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
        match process.attend(AwaitedReply::Output, deadline).await {
            Some(true) => {}
            Some(false) => return None,
            None => return Some(trial),
        }
    }
}
