//! What the launcher could do, before it matters: a launcher that restricts itself,
//! says what it could enforce, and ends.

use std::io;
use std::process::{Command, Stdio};

use super::{Enforced, LaunchError, Orders, restrict};
use crate::config::Confinement;
use crate::engine::this_program;

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

/// What a sandbox with every wall amounts to on this machine.
///
/// # Errors
/// This program cannot be started once more.
pub(crate) fn trial() -> Result<Enforced, TrialError> {
    let everything = Confinement {
        processes: Some(1),
        sandbox: crate::config::Sandbox::BestEffort,
        ..Confinement::default()
    };
    let orders = Orders::new(&everything, &[]);
    let orders = orders.ok_or_else(|| TrialError::Failed("it has nothing to do".to_owned()))?;
    let mut command: Command = this_program()?;
    command.args([super::COMMAND, NOTHING, &orders.to_json()?]);
    let output = command.stdin(Stdio::null()).output()?;
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    serde_json::from_slice(&output.stdout).map_err(|_| TrialError::Failed(said()))
}

/// The launcher's side of it: restricts this process, and says how far that went.
///
/// # Errors
/// Something cannot be restricted at all.
pub(crate) fn try_out(orders: &str) -> Result<String, LaunchError> {
    let unreadable = |error| LaunchError::new("the launcher's orders cannot be read", error);
    let orders: Orders = serde_json::from_str(orders).map_err(unreadable)?;
    let enforced = restrict(&orders)?;
    serde_json::to_string(&enforced).map_err(|error| LaunchError::new("no answer", error))
}
