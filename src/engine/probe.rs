//! Before the first game every engine is started once: all engines that cannot play
//! this event are named now, together.

use tokio::task::JoinSet;

use crate::config::{EngineSpec, RefusedByEngine, Tournament};
use crate::engine::start::{Engine, EngineStartError, VariantSetup};
use crate::engine::surroundings::Surroundings;
use crate::engine::trial;
use crate::host::process_tree::ProcessTree;
use crate::platform::process_snapshot;
use crate::referee::Timeouts;
use crate::uci::{HandshakeError, Ready};

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
    /// What it refuses, one after the other.
    pub(crate) fn refused(&self) -> Vec<RefusedByEngine> {
        let refused = |option: Option<&str>, words: String| RefusedByEngine {
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
    rules: &VariantSetup,
    around: &Surroundings,
    is_tried: impl Fn(&EngineSpec) -> bool,
) -> Result<Vec<Probed>, Vec<UnfitEngine>> {
    let mut running = JoinSet::new();
    let mut answers = Vec::new();
    let engines = tournament.engines.iter().enumerate();
    for (index, spec) in engines.filter(|(_, spec)| is_tried(spec)) {
        let spec = spec.clone();
        while running.len() >= AT_ONCE {
            answers.extend(running.join_next().await);
        }
        let (timeouts, around) = (tournament.timeouts, around.clone());
        let rules = rules.clone();
        running.spawn(async move { (index, one(&spec, &rules, &timeouts, &around).await) });
    }
    while let Some(answer) = running.join_next().await {
        answers.push(answer);
    }
    sort_out(
        tournament,
        answers.into_iter().filter_map(Result::ok).collect(),
    )
}

async fn one(
    spec: &EngineSpec,
    rules: &VariantSetup,
    timeouts: &Timeouts,
    around: &Surroundings,
) -> Result<Probed, EngineStartError> {
    let started = Engine::start(spec, rules, timeouts, around).await?;
    let (mut process, mut ready) = (started.process, started.ready);
    let memory = process_snapshot::private(&ProcessTree::read(process.root()).processes);
    let missed = trial::missed_limit(spec, &mut process).await;
    process.shut_down().await;
    match missed {
        Some(missed) if !spec.may_miss_its_limit => {
            return Err(EngineStartError::MissesItsLimit(missed));
        }
        missed => ready.warnings.extend(missed),
    }
    Ok(Probed { ready, memory })
}

fn sort_out(
    tournament: &Tournament,
    mut answers: Vec<(usize, Result<Probed, EngineStartError>)>,
) -> Result<Vec<Probed>, Vec<UnfitEngine>> {
    answers.sort_by_key(|(index, _)| *index);
    let mut probed = Vec::new();
    let mut unfit = Vec::new();
    for (index, answer) in answers {
        match answer {
            Ok(answer) => probed.push(answer),
            Err(error) => {
                let name = tournament.engines[index].name.clone();
                unfit.push(UnfitEngine { name, error });
            }
        }
    }
    if unfit.is_empty() {
        Ok(probed)
    } else {
        Err(unfit)
    }
}
