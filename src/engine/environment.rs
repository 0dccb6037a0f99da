//! The environment of an engine: a short list of what programs need to run at all, and what the
//! event file gives it. Whatever else the user's shell holds, keys and tokens among it, is nobody's
//! business.

use std::ffi::OsString;
use std::process::Command;

use crate::config::{EngineSpec, Launch, Sandbox};

/// Passed on as they are: where programs and libraries are, the language, the time zone.
const PASSED: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "TZ"];

/// Beginnings of others: the language in detail, and this program's own variables.
const PASSED_BEGINNINGS: [&str; 2] = ["LC_", "ARBITER960_"];

/// Passed on to an engine that is not shut in, which may look at that folder anyway.
const USERS: [&str; 3] = ["HOME", "USER", "LOGNAME"];

/// A folder that does not exist, for engines without a separate folder.
const NOWHERE: &str = "/nonexistent";

/// Gives a command the engine's environment and nothing else.
pub(crate) fn dress(command: &mut Command, spec: &EngineSpec) {
    let shut_in = spec.confinement.sandbox != Sandbox::Off;
    reduce(command, shut_in);
    if shut_in {
        command.env("HOME", home(spec));
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
    let begins = PASSED_BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning));
    PASSED.contains(&name) || begins || (!shut_in && USERS.contains(&name))
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
    fn the_list_is_short() {
        let passed = |name: &str, shut_in| is_passed(&name.into(), shut_in);
        for name in ["PATH", "LANG", "LC_ALL", "TZ", "ARBITER960_ENGINE"] {
            assert!(passed(name, true) && passed(name, false), "{name}");
        }
        assert!(passed("HOME", false) && !passed("HOME", true));
        for name in [
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "LD_PRELOAD",
            "DISPLAY",
            "PATHS",
        ] {
            assert!(!passed(name, false), "{name}");
        }
    }
}
