//! This program once more, as a small launcher: it restricts itself and then becomes the
//! engine by `exec`: the same process, the same group. Not by `pre_exec`, which would
//! make every start copy the runner's memory map. A system without `exec` has no launcher: there
//! the runner sets the limits.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Output, Stdio};

use crate::config::{Confinement, EngineSpec, Launch, Sandbox};
pub use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders, token};
use crate::platform::process::{HAS_LAUNCHER, become_program, this_program, unbuffered_input};
use crate::platform::walls::restrict;

/// The hidden command that makes this program a launcher.
pub(crate) const COMMAND: &str = "launch";

/// The orders for an engine in a lane with these processors; `None` if it asks for
/// nothing that a launcher would have to do.
pub(crate) fn orders(confinement: &Confinement, lane: &[u16]) -> Option<Orders> {
    let mut allowed = confinement.clone();
    allowed.memory_mib = allowed.memory_mib.filter(|_| !HAS_LAUNCHER);
    if allowed.cpus.is_empty() {
        allowed.cpus = lane.to_owned();
    }
    (allowed != Confinement::default()).then(|| Orders {
        token: token(),
        runner: std::process::id(),
        allowed,
        guarded: Vec::new(),
        cgroup: None,
    })
}

/// Restricts this process, as its standard input begins by telling it, and becomes the program; returns only what went
/// wrong, as the one line that the runner looks for.
pub(crate) fn launch(command: &[OsString]) -> String {
    let orders = match unbuffered_input().and_then(Orders::read) {
        Ok(orders) => orders,
        Err(error) => return format!("the launcher's orders cannot be read: {error}"),
    };
    let error = match restrict(&orders) {
        Ok(_) => become_the_engine(command),
        Err(error) => error,
    };
    orders.sign(&error)
}

fn become_the_engine(command: &[OsString]) -> LaunchError {
    let Some((program, arguments)) = command.split_first() else {
        return LaunchError::new("nothing to launch", "the command is empty");
    };
    let error = become_program(program, arguments);
    LaunchError::new(format!("cannot run {}", program.display()), error)
}

/// In place of a program: nothing is launched.
const NOTHING: &str = "--trial";

/// What of all that can be asked for can be enforced on this machine, found by a launcher that becomes nothing; for an
/// engine, whose files may lie where a wall cannot be built.
///
/// # Errors
/// Why the launcher said nothing.
pub(crate) fn trial(spec: Option<&EngineSpec>) -> Result<Enforced, String> {
    let mut everything = Confinement {
        processes: Some(1),
        sandbox: Sandbox::BestEffort,
        ..Confinement::default()
    };
    if let Some(spec) = spec {
        everything.readable.clone_from(&spec.confinement.readable);
        everything.writable.clone_from(&spec.confinement.writable);
        if let Launch::Program { path, .. } = &spec.launch {
            everything.readable.push(path.clone());
        }
    }
    let output = launched(&everything);
    let output = output.map_err(|error| format!("the launcher cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let enforced = serde_json::from_slice(&output.stdout);
    enforced.map_err(|_| format!("the launcher failed: {}", said.trim()))
}

fn launched(confinement: &Confinement) -> io::Result<Output> {
    let mut command = this_program()?;
    command.args([COMMAND, NOTHING]).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let (Some(mut input), Some(orders)) = (child.stdin.take(), orders(confinement, &[])) {
        input.write_all(&orders.to_bytes()?)?;
    }
    child.wait_with_output()
}

/// The launcher's side of it: restricts this process, and says how far that went.
///
/// # Errors
/// Something cannot be restricted at all.
pub(crate) fn try_out() -> Result<String, LaunchError> {
    let unreadable = |error| LaunchError::new("the launcher's orders cannot be read", error);
    let orders = unbuffered_input().and_then(Orders::read);
    let orders = orders.map_err(unreadable)?;
    let enforced = restrict(&orders)?;
    serde_json::to_string(&enforced).map_err(|error| LaunchError::new("no answer", error))
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
        assert_eq!(orders(&Confinement::default(), &[]), None);
        // Memory is watched from outside, and a job bounds it.
        assert_eq!(orders(&watched, &[]).is_none(), HAS_LAUNCHER);
        assert!(orders(&watched, &[0]).is_some());
    }

    #[test]
    fn own_processors_go_before_the_lanes() {
        let confinement = Confinement {
            cpus: vec![3],
            ..Confinement::default()
        };
        let found = orders(&confinement, &[0, 1]);
        assert_eq!(found.map(|orders| orders.allowed.cpus), Some(vec![3]));
    }

    #[test]
    fn only_the_launcher_can_speak_for_itself() {
        let nice = Confinement {
            nice: Some(1),
            ..Confinement::default()
        };
        let [ours, theirs] = [(), ()].map(|()| orders(&nice, &[]).unwrap());
        let words = format!("noise\n{}", ours.sign(&LaunchError::new("cannot", "no")));
        assert_eq!(ours.failure(&words).as_deref(), Some("cannot: no"));
        assert_eq!(theirs.failure(&words), None);
        assert_eq!(ours.failure("arbiter960 launcher: cannot: no"), None);
    }
}
