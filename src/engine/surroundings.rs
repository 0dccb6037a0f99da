//! What surrounds an engine's process: what it is told of the variant, how long it may take to be ready, who ends it,
//! who watches it, who writes down what it says, and where it may run.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{EngineSpec, Launch, named_files};
use crate::engine::guardian::Guardian;
use crate::engine::uci_log::UciLog;
use crate::engine::watch::EngineWatch;
use crate::platform::cgroup::Cgroups;
use crate::referee::Timeouts;

/// What is sent to every engine of an event about the variant, before it is asked whether it is ready.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct VariantSetup {
    /// The value of `UCI_Chess960`.
    pub chess960: bool,
    /// The absolute path of a file that explains the variant.
    pub variants_file: Option<String>,
    /// The name of a variant that engines must know by themselves.
    pub variant: Option<&'static str>,
}

/// The surroundings of the engines of one lane, or of those that are started for a trial.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// What they are told of the variant.
    pub rules: VariantSetup,
    /// How long they may take to be ready.
    pub timeouts: Timeouts,
    /// Ends them if the runner is killed.
    pub guardian: Guardian,
    /// Ends those that use more than they may.
    pub watch: EngineWatch,
    /// Where engines have a cgroup each, if this user may make any.
    pub cgroups: Option<Cgroups>,
    /// Writes down the dialogue, if that was asked for.
    pub uci_log: Option<UciLog>,
    /// The lane, in words for the names of files.
    pub place: String,
    /// The lane's own processors; none: those that the runner has.
    pub cpus: Vec<u16>,
    /// Games at once.
    pub lanes: usize,
    /// What engines in a sandbox must not change, though it may lie where they write.
    pub guarded: Arc<[Guarded]>,
}

/// A file of an engine.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub path: PathBuf,
    /// The engine, if it may change the file itself.
    pub owner: Option<String>,
}

impl Guarded {
    /// The programs of these engines, and the files that the event file names for them.
    pub(crate) fn of_engines(engines: &[EngineSpec]) -> Arc<[Guarded]> {
        let guarded = engines.iter().flat_map(|spec| {
            let program = match &spec.launch {
                Launch::Program { path, .. } => Some((path.clone(), None)),
                Launch::Sparring => None,
            };
            let files = named_files(spec).into_iter();
            let files = files.filter(|file| !file.volatile);
            let files = files.map(|file| (file.path, Some(spec.name.clone())));
            program.into_iter().chain(files)
        });
        let guarded = guarded.map(|(path, owner)| Guarded { path, owner });
        guarded.collect()
    }
}

impl Surroundings {
    /// Surroundings of standard chess, in which nothing is written down, and any processor may be used.
    pub(crate) fn new(guardian: Guardian) -> Surroundings {
        Surroundings {
            rules: VariantSetup::default(),
            timeouts: Timeouts::default(),
            guardian,
            watch: EngineWatch::default(),
            cgroups: None,
            uci_log: None,
            place: "start".to_owned(),
            cpus: Vec::new(),
            lanes: 1,
            guarded: Arc::default(),
        }
    }

    /// The same for a lane, by its index, with these processors.
    pub(crate) fn of_lane(&self, index: usize, cpus: Vec<u16>) -> Surroundings {
        Surroundings {
            place: format!("lane-{}", index + 1),
            cpus,
            ..self.clone()
        }
    }
}
