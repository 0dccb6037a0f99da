//! What the launcher is told: one JSON text on its command line.

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::LaunchError;
use crate::config::{Confinement, Sandbox};

/// What to restrict before the engine begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// Known to the runner and the launcher alone: what begins with it on stderr is the
    /// launcher's word, and no engine can put a failure of its own on the launcher.
    token: String,
    /// The runner's process number: what stays beside the engine ends it when the runner has gone.
    pub runner: u32,
    /// The niceness.
    pub nice: Option<i8>,
    /// The processors; none named: those that the runner has.
    pub cpus: Vec<u16>,
    /// Processes and threads together.
    pub processes: Option<u32>,
    /// The longest file, bytes.
    pub file_size: Option<u64>,
    /// The walls.
    pub sandbox: Option<SandboxOrders>,
    /// The file by which the engine joins its cgroup.
    pub cgroup: Option<PathBuf>,
}

/// What a sandbox leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SandboxOrders {
    /// Whether the engine may not begin with less.
    pub required: bool,
    /// What may be read and run.
    pub readable: Vec<PathBuf>,
    /// Where may be written.
    pub writable: Vec<PathBuf>,
}

impl Orders {
    /// The orders for an engine in a lane with these processors; `None` if it asks for
    /// nothing that a launcher would have to do.
    pub(crate) fn new(confinement: &Confinement, lane: &[u16]) -> Option<Orders> {
        let sandbox = match confinement.sandbox {
            Sandbox::Off => None,
            level => Some(SandboxOrders {
                required: level == Sandbox::Required,
                readable: confinement.readable.clone(),
                writable: confinement.writable.clone(),
            }),
        };
        let cpus = match confinement.cpus.is_empty() {
            true => lane,
            false => &confinement.cpus,
        };
        let orders = Orders {
            token: token(),
            runner: std::process::id(),
            nice: confinement.nice,
            cpus: cpus.to_owned(),
            processes: confinement.processes,
            file_size: confinement.file_size_mib.map(|mib| u64::from(mib) << 20),
            sandbox,
            cgroup: None,
        };
        orders.ask_for_something().then_some(orders)
    }

    fn ask_for_something(&self) -> bool {
        self.nice.is_some()
            || !self.cpus.is_empty()
            || self.processes.is_some()
            || self.file_size.is_some()
            || self.sandbox.is_some()
    }

    /// Whether a process stays beside the engine, which is then not the one that was started.
    pub(crate) fn are_kept(&self) -> bool {
        self.sandbox.is_some() || self.processes.is_some()
    }

    /// The same, and the program itself may be read and run.
    #[must_use]
    pub(crate) fn opening(mut self, program: &OsStr) -> Orders {
        if let Some(sandbox) = &mut self.sandbox {
            sandbox.readable.push(program.into());
        }
        self
    }

    /// The same, and the engine joins a cgroup by this file.
    #[must_use]
    pub(crate) fn joining(self, cgroup: Option<PathBuf>) -> Orders {
        Orders { cgroup, ..self }
    }

    /// The orders as the launcher reads them.
    ///
    /// # Errors
    /// A path that is not UTF-8.
    pub(crate) fn to_json(&self) -> io::Result<String> {
        serde_json::to_string(self).map_err(io::Error::other)
    }

    /// The launcher's last line on stderr.
    pub(super) fn sign(&self, error: &LaunchError) -> String {
        format!("{} {error}", self.token)
    }

    /// What the launcher said, if it failed: from the end of the process's stderr.
    pub(crate) fn failure(&self, stderr: &str) -> Option<String> {
        let line = stderr
            .lines()
            .find_map(|line| line.strip_prefix(&self.token));
        line.map(|words| words.trim().to_owned())
    }
}

/// 128 bits that nobody guesses: the keys of the standard library's hash tables.
fn token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_asks_for_nothing_needs_no_launcher() {
        let watched = Confinement {
            memory_mib: Some(64),
            ..Confinement::default()
        };
        assert_eq!(Orders::new(&Confinement::default(), &[]), None);
        // Memory is watched from outside.
        assert_eq!(Orders::new(&watched, &[]), None);
        assert!(Orders::new(&watched, &[0]).is_some());
    }

    #[test]
    fn own_processors_go_before_the_lanes() {
        let confinement = Confinement {
            cpus: vec![3],
            ..Confinement::default()
        };
        let orders = Orders::new(&confinement, &[0, 1]);
        assert_eq!(orders.map(|orders| orders.cpus), Some(vec![3]));
    }

    #[test]
    fn only_the_launcher_can_speak_for_itself() {
        let nice = Confinement {
            nice: Some(1),
            ..Confinement::default()
        };
        let [ours, theirs] = [(), ()].map(|()| Orders::new(&nice, &[]).unwrap());
        let words = format!("noise\n{}", ours.sign(&LaunchError::new("cannot", "no")));
        assert_eq!(ours.failure(&words).as_deref(), Some("cannot: no"));
        assert_eq!(theirs.failure(&words), None);
        assert_eq!(ours.failure("arbiter960 launcher: cannot: no"), None);
    }
}
