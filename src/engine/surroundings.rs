//! What surrounds an engine's process: who ends it, who watches it, who writes down what
//! it says, and where it may run.

use crate::engine::guardian::Guardian;
use crate::engine::uci_log::UciLog;
use crate::engine::watch::Watch;
use crate::platform::cgroup::Cgroups;

/// The surroundings of the engines of one lane, or of those that are started for a trial.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// Ends them if the runner is killed.
    pub guardian: Guardian,
    /// Ends those that use more than they may.
    pub watch: Watch,
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
}

impl Surroundings {
    /// Surroundings in which nothing is written down, and any processor may be used.
    pub(crate) fn new(guardian: Guardian) -> Surroundings {
        Surroundings {
            guardian,
            watch: Watch::default(),
            cgroups: None,
            uci_log: None,
            place: "start".to_owned(),
            cpus: Vec::new(),
            lanes: 1,
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
