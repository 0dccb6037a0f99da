//! The environment of an engine: a short list of what programs need to run at all, and what the
//! event file gives it. Whatever else the user's shell holds, keys and tokens among it, is nobody's
//! business.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::config::{EngineSpec, Launch};
use crate::platform::environment::{
    FOLDERS, REQUIRED_PREFIX, REQUIRED_VARIABLES, SYSTEM_FOLDERS, USER_VARIABLES, is_same_name,
};

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
