//! What surrounds an engine's process: what it is told of the variant, how long it may take to be ready, who ends it,
//! who watches it, who writes down what it says, where it may run, and its environment variables.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::config::{EngineSpec, Launch, named_files};
use crate::engine::guardian::Guardian;
use crate::engine::uci_log::UciLog;
use crate::engine::watch::EngineWatch;
use crate::platform::cgroup::Cgroups;
use crate::platform::environment::{
    FOLDERS, REQUIRED_PREFIX, REQUIRED_VARIABLES, SYSTEM_FOLDERS, USER_VARIABLES, is_same_name,
};
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

// The environment of an engine: a short list of what programs need to run at all, and what the event file gives it.
// Whatever else the user's shell holds, keys and tokens among it, is nobody's business.

/// A folder that does not exist, for engines without a separate folder.
const NOWHERE: &str = "/nonexistent";

/// Gives a command the engine's environment and nothing else.
pub(crate) fn dress(command: &mut Command, spec: &EngineSpec) {
    let shut_in = spec.confinement.is_shut_in();
    reduce(command, shut_in);
    if shut_in {
        command.env("HOME", home(spec));
        // An engine that is shut in learns of the system's folders and those that it may read.
        for name in FOLDERS {
            if let Some(all) = std::env::var_os(name) {
                command.env(name, visible(&all, &spec.confinement.readable));
            }
        }
    }
    if let Launch::Program { env, .. } = &spec.launch {
        command.envs(env.iter().cloned());
    }
}

/// Gives a command the short list and nothing else.
pub(crate) fn reduce(command: &mut Command, shut_in: bool) {
    command.env_clear();
    command.envs(std::env::vars_os().filter(|(name, _)| is_passed(name, shut_in)));
}

fn is_passed(name: &OsString, shut_in: bool) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let is_of = |list: &[&str]| list.iter().any(|known| is_same_name(known, name));
    // Who is not shut in may look at the user's folder anyway.
    is_of(REQUIRED_VARIABLES)
        || name.starts_with(REQUIRED_PREFIX)
        || (!shut_in && is_of(USER_VARIABLES))
}

fn visible(folders: &OsStr, readable: &[PathBuf]) -> OsString {
    let own = readable.iter().map(PathBuf::as_path);
    let places: Vec<&Path> = SYSTEM_FOLDERS.iter().map(Path::new).chain(own).collect();
    let folders = std::env::split_paths(folders);
    let seen = folders.filter(|folder| places.iter().any(|place| folder.starts_with(place)));
    // What was one list can be one again.
    std::env::join_paths(seen).unwrap_or_default()
}

/// Its `directory`, if it may write there.
fn home(spec: &EngineSpec) -> OsString {
    match &spec.launch {
        Launch::Program { directory, .. } if spec.confinement.writable.contains(directory) => {
            directory.clone().into()
        }
        _ => NOWHERE.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_shut_in_does_not_learn_where_the_users_programs_are() {
        let own = [
            "/home/anna/bin",
            "/usr/games",
            "/opt/nets/bin",
            "/usrx",
            "/bin",
        ];
        let own = std::env::join_paths(own).unwrap();
        let expected = std::env::join_paths(["/usr/games", "/opt/nets/bin", "/bin"]).unwrap();
        assert_eq!(visible(&own, &["/opt/nets".into()]), expected);
    }

    #[test]
    fn the_list_is_short() {
        let passed = |name: &str, shut_in| is_passed(&name.into(), shut_in);
        for name in ["PATH", "LANG", "LC_ALL", "TZ"] {
            assert!(passed(name, true) && passed(name, false), "{name}");
        }
        assert!(passed("HOME", false) && !passed("HOME", true));
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "LD_PRELOAD",
            "DISPLAY",
            "PATHS",
            "ARBITER960_STORE",
        ] {
            assert!(!passed(name, false), "{name}");
        }
    }
}
