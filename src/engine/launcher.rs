//! This program once more, as a small launcher: it restricts itself and then becomes the
//! engine by `exec`: the same process, the same group. Not by `pre_exec`, which would
//! make every start copy the runner's memory map. A system without `exec` has no launcher: there
//! the runner sets the limits.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::config::{Confinement, EngineSpec, Launch, Sandbox};
pub use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders, SandboxOrders, Unkept};
use crate::platform::process::{HAS_LAUNCHER, become_program, this_program, unbuffered_input};
use crate::platform::walls::restrict;

/// The hidden command that makes this program a launcher.
pub(crate) const COMMAND: &str = "launch";

/// The orders for an engine in a lane with these processors; `None` if it asks for
/// nothing that a launcher would have to do.
pub(crate) fn orders(confinement: &Confinement, lane: &[u16]) -> Option<Orders> {
    let sandbox = match confinement.sandbox {
        Sandbox::Off => None,
        level => Some(SandboxOrders {
            required: level != Sandbox::BestEffort,
            strict: level == Sandbox::Strict,
            readable: confinement.readable.clone(),
            writable: confinement.writable.clone(),
            unkept: unkept(confinement),
            guarded: Vec::new(),
        }),
    };
    let cpus = if confinement.cpus.is_empty() {
        lane
    } else {
        &confinement.cpus
    };
    let mut orders = Orders::default();
    orders.nice = confinement.nice;
    orders.cpus = cpus.to_owned();
    orders.processes = confinement.processes;
    let memory = confinement.memory_mib.filter(|_| !HAS_LAUNCHER);
    orders.memory = memory.map(|mib| u64::from(mib) << 20);
    orders.file_size = confinement.file_size_mib.map(|mib| u64::from(mib) << 20);
    orders.sandbox = sandbox;
    orders.ask_for_something().then_some(orders)
}

fn unkept(confinement: &Confinement) -> Option<Unkept> {
    let folder = confinement.unkept.clone()?;
    let room = u64::from(confinement.disk_mib?) << 20;
    Some(Unkept { folder, room })
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

/// Why it is not known what can be enforced.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrialError {
    /// This program could not be started once more.
    #[error("the launcher cannot be started: {0}")]
    Start(#[from] io::Error),
    /// It did not answer.
    #[error("the launcher failed: {0}")]
    Failed(String),
}

/// What a sandbox with every wall enforces on this machine.
///
/// # Errors
/// This program cannot be started once more.
pub(crate) fn trial() -> Result<Enforced, TrialError> {
    trial_with(Vec::new(), Vec::new())
}

/// The same for the sandbox of this engine: its files may lie where a wall cannot be built.
///
/// # Errors
/// As [`trial`].
pub(crate) fn trial_for(spec: &EngineSpec) -> Result<Enforced, TrialError> {
    let mut readable = spec.confinement.readable.clone();
    if let Launch::Program { path, .. } = &spec.launch {
        readable.push(path.clone());
    }
    trial_with(readable, spec.confinement.writable.clone())
}

fn trial_with(readable: Vec<PathBuf>, writable: Vec<PathBuf>) -> Result<Enforced, TrialError> {
    let everything = Confinement {
        processes: Some(1),
        sandbox: Sandbox::BestEffort,
        readable,
        writable,
        ..Confinement::default()
    };
    let orders = orders(&everything, &[]);
    let orders = orders.ok_or_else(|| TrialError::Failed("it has nothing to do".to_owned()))?;
    let mut command: Command = this_program()?;
    command.args([COMMAND, NOTHING]).stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(&orders.to_bytes()?)?;
    }
    let output = child.wait_with_output()?;
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    serde_json::from_slice(&output.stdout).map_err(|_| TrialError::Failed(said()))
}

/// The launcher's side of it: restricts this process, and says how far that went.
///
/// # Errors
/// Something cannot be restricted at all.
pub(crate) fn try_out() -> Result<String, LaunchError> {
    let unreadable = |error| LaunchError::new("the launcher's orders cannot be read", error);
    let orders = unbuffered_input()
        .and_then(Orders::read)
        .map_err(unreadable)?;
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
        assert_eq!(found.map(|orders| orders.cpus), Some(vec![3]));
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
