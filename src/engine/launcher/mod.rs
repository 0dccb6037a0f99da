//! This program once more, as a small launcher: it restricts itself and then becomes the
//! engine by `exec`: the same process, the same group. Not by `pre_exec`, which would
//! make every start copy the runner's memory map.
//!
//! | file | what |
//! |---|---|
//! | `orders` | what the launcher is told, and from which confinement it follows |
//! | `enforced` | what this machine can enforce, in words |
//! | `limits` | niceness, processors, resource limits |
//! | `namespaces` | namespaces of the engine's own |
//! | `keeper` | the processes that stay beside a confined engine, and end with it |
//! | `mounts` | its own view of the file system, read-only |
//! | `file_rules` | Landlock: files, TCP, signals |
//! | `system_calls` | seccomp: the filters |
//! | `refusals` | the system calls that they refuse |
//! | `system` | what takes raw system calls |
//! | `trial` | what the launcher could do, before it matters |

mod enforced;
mod file_rules;
mod keeper;
mod limits;
mod mounts;
mod namespaces;
mod orders;
mod refusals;
mod system;
mod system_calls;
mod trial;

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::Command;

pub use enforced::Enforced;
pub(crate) use keeper::{is_first_of_a_namespace, kept_by};
pub(crate) use orders::{Orders, SandboxOrders};
pub(crate) use system::keep_descriptors;
pub(crate) use trial::{trial, try_out};

use refusals::OtherWalls;

/// The hidden command that makes this program a launcher.
pub(crate) const COMMAND: &str = "launch";

/// Why a launcher could not become the engine.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {reason}")]
pub(crate) struct LaunchError {
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
pub(crate) fn launch(orders: &str, command: &[OsString]) -> String {
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

/// Restricts this process, and says what was enforced. Where something has to stay beside the
/// engine (`keeper`), this returns in a new process, and the one that called it stays for that.
///
/// # Errors
/// Something that was required cannot be had.
pub(crate) fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    limits::set_niceness(orders.nice)?;
    limits::set_processors(&orders.cpus)?;
    let mut enforced = Enforced::default();
    // Opened before it is out of sight. Whoever could not join is counted and ended without it.
    let cgroup = orders.cgroup.as_ref();
    let cgroup = cgroup.and_then(|file| File::options().write(true).open(file).ok());
    if orders.are_kept() {
        enforced.namespaces = namespaces::enter().err().map(|error| error.to_string());
        stay_beside(orders, &mut enforced)?;
    }
    if let Some(mut cgroup) = cgroup {
        // Only the engine, and what it starts: those that stay beside it must go on.
        let _ = cgroup.write_all(b"0");
    }
    limits::set_file_size(orders.file_size)?;
    // This process and those that stay beside it may be at the limit already.
    enforced.counts_processes = match orders.processes {
        Some(most) if enforced.namespaces.is_none() => limits::set_processes(most)?,
        _ => false,
    };
    if let Some(sandbox) = &orders.sandbox {
        shut_in(orders, sandbox, &mut enforced)?;
    }
    Ok(enforced)
}

/// Goes on as a new process that somebody looks after.
fn stay_beside(orders: &Orders, enforced: &mut Enforced) -> Result<(), LaunchError> {
    let own = enforced.namespaces.is_none();
    let prepare = || {
        enforced.mounts = match &orders.sandbox {
            Some(sandbox) if own => match mounts::restrict(&sandbox.writable, orders.processes) {
                Ok(view) => {
                    enforced.own_proc = view.own_proc;
                    enforced.bounds_root = view.bounds_processes;
                    None
                }
                Err(error) => Some(error.to_string()),
            },
            _ => enforced.namespaces.clone(),
        };
        Ok(())
    };
    keeper::stand_by(orders.runner, own, prepare)
}

/// The walls themselves, the last of which refuses what building the others takes.
fn shut_in(
    orders: &Orders,
    sandbox: &SandboxOrders,
    enforced: &mut Enforced,
) -> Result<(), LaunchError> {
    limits::forbid_core_files()?;
    if enforced.namespaces.is_some() {
        enforced.root_rights = limits::give_up_roots_rights().err();
    }
    enforced.landlock = file_rules::enforce(sandbox)?;
    let standing = OtherWalls {
        processes: enforced.namespaces.is_none(),
        mounts: enforced.namespaces.is_none() && enforced.mounts.is_none(),
        placed: !orders.cpus.is_empty(),
    };
    enforced.system_calls = system_calls::refuse(sandbox.required, standing)?;
    Ok(())
}

fn become_the_engine(command: &[OsString]) -> LaunchError {
    let Some((program, arguments)) = command.split_first() else {
        return LaunchError::new("nothing to launch", "the command is empty");
    };
    let error = Command::new(program).args(arguments).exec();
    LaunchError::new(format!("cannot run {}", program.display()), error)
}
