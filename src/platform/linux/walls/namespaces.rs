//! Namespaces for the engine, if the system lets users make them: users, processes (others have no number in it, and
//! all of it ends with its first process), mounts, a network without devices, System V objects. The limit of processes
//! then counts only those of the engine.

use std::fs;
use std::io;

use rustix::process::{getgid, getuid};
use rustix::thread::UnshareFlags;

/// The user that root is mapped to inside. As root it would have every right over the namespace.
pub(super) const NOBODY: u32 = 65_534;

/// Leaves the runner's namespaces; the next process that this one starts is the first of the new namespace of
/// processes. On an error this process is still in the old namespaces, or in a namespace in which its user has no name;
/// neither weakens the other walls.
pub(super) fn enter() -> io::Result<()> {
    let (user, group) = (getuid(), getgid());
    let inside = if user.is_root() {
        NOBODY
    } else {
        user.as_raw()
    };
    leave(
        UnshareFlags::NEWUSER
            | UnshareFlags::NEWPID
            | UnshareFlags::NEWNS
            | UnshareFlags::NEWNET
            | UnshareFlags::NEWIPC,
    )?;
    // Without this the kernel refuses to map a group (user_namespaces(7)).
    fs::write("/proc/self/setgroups", "deny")?;
    let map = |inside: u32, outside: u32| format!("{inside} {outside} 1");
    fs::write("/proc/self/uid_map", map(inside, user.as_raw()))?;
    fs::write("/proc/self/gid_map", map(group.as_raw(), group.as_raw()))
}

/// Leaves these namespaces of the runner.
pub(super) fn leave(namespaces: UnshareFlags) -> io::Result<()> {
    // Its replacement is `unsafe` for `UnshareFlags::FILES`, which takes descriptors from
    // other threads. That is not asked for, and this process has one thread.
    #[allow(deprecated)]
    Ok(rustix::thread::unshare(namespaces)?)
}
