//! How a launcher restricts itself before it becomes an engine by `exec`.
//!
//! | file | what |
//! |---|---|
//! | `limits` | niceness, processors, resource limits |
//! | `users` | a user and namespaces of its own for the engine |
//! | `keeper` | the processes that stay with a confined engine, and end with it |
//! | `mounts` | its own view of the file system: what it may use, read-only, and where it may write |
//! | `file_rules` | Landlock: files, TCP, signals |
//! | `system_calls` | seccomp: the filters, the system calls that they allow, and what they refuse of these |
//! | `system` | the parts that need raw system calls |

mod file_rules;
mod keeper;
mod limits;
mod mounts;
mod system;
mod system_calls;
mod users;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use super::proc;
use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders, Sandbox};
use crate::platform::process::Group;

pub(super) use keeper::is_first_of_a_namespace;
pub(crate) use system::{end_by, keep_descriptors};

/// Restricts this process, and returns what was enforced. If a process must stay with the engine (`keeper`), this
/// returns in a new process, and the calling one stays for that.
///
/// # Errors
/// A required restriction is not available.
pub(crate) fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    let allowed = &orders.allowed;
    limits::set_niceness(allowed.nice)?;
    limits::set_processors(&allowed.cpus)?;
    let mut enforced = Enforced::default();
    // Opened before it is out of sight. A process that cannot join is counted and ended without the cgroup.
    let cgroup = orders.cgroup.as_ref();
    let cgroup = cgroup.and_then(|file| File::options().write(true).open(file).ok());
    if orders.are_kept() {
        // The new root does not show which names are links.
        let places = mounts::names(allowed);
        let entered = change_user(orders, &mut enforced)?;
        enforced.namespaces = users::enter().err().map(|error| error.to_string());
        if let (true, Some(why)) = (entered, &enforced.namespaces) {
            return Err(LaunchError::new("its user cannot make namespaces", why));
        }
        stay_beside(orders, &places, entered, &mut enforced)?;
    }
    if let Some(mut cgroup) = cgroup {
        // Only the engine, and what it starts, joins: the processes that stay with it must keep running.
        let _ = cgroup.write_all(b"0");
    }
    limits::set_file_size(allowed.file_size_mib)?;
    // This process and those that stay with it may have reached the limit already.
    enforced.counts_processes = match allowed.processes {
        Some(most) if enforced.namespaces.is_none() => limits::set_processes(most)?,
        _ => false,
    };
    if allowed.is_shut_in() {
        shut_in(orders, &mut enforced)?;
    }
    Ok(enforced)
}

/// Enters the engine's root as a user of its own, if it can have one; returns whether it has.
fn change_user(orders: &Orders, enforced: &mut Enforced) -> Result<bool, LaunchError> {
    if !orders.allowed.is_shut_in() {
        return Ok(false);
    }
    match users::enter_root(&orders.allowed) {
        Ok(user) => {
            let refused = |error| LaunchError::new("cannot become the engine's user", error);
            users::become_user(user).map_err(refused)?;
            Ok(true)
        }
        Err(why) => {
            enforced.user = Some(why.to_string());
            Ok(false)
        }
    }
}

/// Continues as a new process that a keeper looks after.
fn stay_beside(
    orders: &Orders,
    places: &BTreeMap<PathBuf, PathBuf>,
    entered: bool,
    enforced: &mut Enforced,
) -> Result<(), LaunchError> {
    let own = enforced.namespaces.is_none();
    let prepare = || {
        enforced.mounts = if own && orders.allowed.is_shut_in() {
            let view = mounts::restrict(orders, places, entered, enforced);
            view.err().map(|error| error.to_string())
        } else {
            enforced.namespaces.clone()
        };
        match &enforced.mounts {
            Some(why) if orders.allowed.unkept.is_some() => {
                let what = "cannot throw away what the engine writes (sandbox_keep = false)";
                Err(LaunchError::new(what, why))
            }
            _ => Ok(()),
        }
    };
    keeper::stand_by(orders.runner, own, prepare)
}

/// Builds the walls. The last of them refuses the system calls that are needed to build the others.
fn shut_in(orders: &Orders, enforced: &mut Enforced) -> Result<(), LaunchError> {
    let allowed = &orders.allowed;
    limits::limit_files()?;
    if enforced.namespaces.is_some() {
        enforced.root_rights = limits::give_up_roots_rights().err();
    }
    enforced.landlock = file_rules::enforce(allowed)?;
    let standing = system_calls::OtherWalls {
        processes: enforced.namespaces.is_none(),
        mounts: enforced.namespaces.is_none() && enforced.mounts.is_none(),
        placed: !allowed.cpus.is_empty(),
    };
    enforced.system_calls = system_calls::refuse(allowed.sandbox >= Sandbox::Required, standing)?;
    let gaps = enforced.gaps();
    if allowed.sandbox == Sandbox::Strict && !gaps.is_empty() {
        let what = "cannot build every wall that `sandbox = \"strict\"` asks for";
        let open = format!("open would be {}", gaps.join("; "));
        return Err(LaunchError::new(what, open));
    }
    Ok(())
}

/// Whether a second process stays with a confined engine.
pub(crate) const KEEPS: bool = true;

/// The process of the engine whose keeper leads this group; `None` before it exists.
pub(crate) fn kept_by(keeper: &Group) -> Option<i32> {
    keeper::kept_by(keeper.0).map(|engine| engine.as_raw_nonzero().get())
}

/// The first process of the namespace that the keeper of this group has begun, if it has.
pub(crate) fn first_process(keeper: &Group) -> Option<i32> {
    let first = proc::children_of(keeper.0).into_iter().next();
    let first = first.filter(|process| is_first_of_a_namespace(*process));
    first.map(|process| process.as_raw_nonzero().get())
}
