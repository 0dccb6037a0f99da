//! This program once more, as a small launcher: it restricts itself and then becomes the
//! engine by `exec`: the same process, the same group. Not by `pre_exec`, which would
//! make every start copy the runner's memory map.
//!
//! | file | what |
//! |---|---|
//! | `orders` | what the launcher is told, and from which confinement it follows |
//! | `enforced` | what this machine can enforce, in words |
//! | `limits` | niceness, processors, resource limits |
//! | `namespaces` | a user and a network namespace of the engine's own |
//! | `file_rules` | Landlock: files, TCP, signals |
//! | `system_calls` | seccomp: no sockets |
//! | `trial` | what the launcher could do, before it matters |

mod enforced;
mod file_rules;
mod limits;
mod namespaces;
mod orders;
mod system_calls;
mod trial;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

pub use enforced::Enforced;
pub use orders::{Orders, SandboxOrders};
pub use trial::{TrialError, trial, try_out};

/// The hidden command that makes this program a launcher.
pub const COMMAND: &str = "launch";

/// Why a launcher could not become the engine.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {reason}")]
pub struct LaunchError {
    /// What could not be done.
    what: String,
    /// Why, and what to do.
    reason: String,
}

impl LaunchError {
    fn new(what: impl Into<String>, reason: impl ToString) -> LaunchError {
        let (what, reason) = (what.into(), reason.to_string());
        LaunchError { what, reason }
    }
}

/// Restricts this process and becomes the program; returns only what went wrong, as the
/// one line that the runner looks for.
pub fn launch(orders: &str, command: &[OsString]) -> String {
    let orders: Orders = match serde_json::from_str(orders) {
        Ok(orders) => orders,
        Err(error) => return format!("the launcher's orders cannot be read: {error}"),
    };
    let error = match restrict(&orders) {
        Ok(_) => become_the_engine(command),
        Err(error) => error,
    };
    orders.sign(&error)
}

/// Restricts this process, and says what was enforced.
///
/// # Errors
/// Something that was required cannot be had.
pub fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    limits::set_niceness(orders.nice)?;
    limits::set_processors(&orders.cpus)?;
    let mut enforced = Enforced::default();
    if orders.sandbox.is_some() || orders.processes.is_some() {
        enforced.namespaces = namespaces::enter().err().map(|error| error.to_string());
    }
    if let Some(sandbox) = &orders.sandbox {
        limits::forbid_core_files()?;
        enforced.landlock = file_rules::enforce(sandbox)?;
        enforced.system_calls = system_calls::forbid_sockets(sandbox.required)?;
    }
    limits::set_file_size(orders.file_size)?;
    // Last: this process may be at the limit already.
    enforced.counts_processes = match orders.processes {
        Some(most) if enforced.namespaces.is_none() => limits::set_processes(most)?,
        _ => false,
    };
    Ok(enforced)
}

fn become_the_engine(command: &[OsString]) -> LaunchError {
    let Some((program, arguments)) = command.split_first() else {
        return LaunchError::new("nothing to launch", "the command is empty");
    };
    let error = Command::new(program).args(arguments).exec();
    LaunchError::new(format!("cannot run {}", program.display()), error)
}
