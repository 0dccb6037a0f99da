//! A user of its own for the engine, if root starts it: whom nobody else is, and whose files and processes are nobody
//! else's. In the engine's root the runner's files belong to that user, by mounts that show root's files as that user's
//! (mount_setattr(2), `MOUNT_ATTR_IDMAP`); on the disk they stay root's.
//!
//! The kernel shows files so only for who rules their file system: for root. As an ordinary user the engine would lose
//! its own folder.

use std::fs;
use std::io::{self, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{self, exit};

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::{
    DumpableBehavior, Gid, Pid, Uid, WaitOptions, geteuid, getgid, getuid, set_dumpable_behavior,
    umask, waitpid,
};
use rustix::thread::{
    CapabilitySet, UnshareFlags, capabilities, set_capabilities, set_keep_capabilities,
    set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

use super::mounts;
use super::system::fork;
use crate::platform::orders::Confinement;

/// The number of a process, which no other has while it lives, is added to this. No system gives these numbers to
/// people, services or containers (systemd's `docs/UIDS-GIDS.md`); the last one is 1,964,194,303.
const FIRST: u32 = 1_960_000_000;

/// What the runner needs to watch and end the processes of another user, and the launcher to become one.
const NEEDED_CAPABILITIES: CapabilitySet = CapabilitySet::SYS_PTRACE
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SYS_ADMIN)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETGID);

/// Enters the engine's root, in which the files of root belong to the user who is returned. On an error this process
/// sees what it saw before.
///
/// # Errors
/// The engine cannot have a user of its own.
pub(super) fn enter_root(allowed: &Confinement) -> io::Result<u32> {
    may_give_users()?;
    let user = FIRST + process::id();
    let shift = shift(user)?;
    leave(UnshareFlags::NEWNS)?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)?;
    let here = std::env::current_dir()?;
    // The folders of the root are not that user's.
    let before = umask(Mode::from_raw_mode(0o022));
    let entered = mounts::enter_root(allowed, &here, Some(&shift));
    umask(before);
    let back = std::env::set_current_dir(&here);
    entered.and(back).map(|()| user)
}

/// Becomes this user, with all rights until the next namespace of users.
///
/// # Errors
/// The system refuses it; then this process is somebody else, or nobody.
pub(super) fn become_user(user: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(user));
    set_keep_capabilities(true)?;
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    let mut rights = capabilities(None)?;
    rights.effective = rights.permitted;
    set_capabilities(None, rights)?;
    // Else what the kernel says of this process is root's, and the new user cannot be named in the namespace.
    Ok(set_dumpable_behavior(DumpableBehavior::Dumpable)?)
}

fn may_give_users() -> io::Result<()> {
    let refused = |why: String| Err(io::Error::other(why));
    if !geteuid().is_root() {
        return refused("only root can give it one that may use the runner's files".to_owned());
    }
    let missing = NEEDED_CAPABILITIES - capabilities(None)?.effective;
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter_names().map(|(name, _)| name).collect();
        return refused(format!("root lacks CAP_{} here", names.join(", CAP_")));
    }
    // The adapter and the built-in engine are this program.
    let mode = fs::metadata("/proc/self/exe")?.permissions().mode();
    match mode & 0o001 {
        0 => refused("other users may not run this program".to_owned()),
        _ => Ok(()),
    }
}

/// A namespace in which root is this user, and every other user nobody else.
fn shift(user: u32) -> io::Result<OwnedFd> {
    let (mut ready, told) = pipe()?;
    let (wait, done) = pipe()?;
    match fork()? {
        None => {
            drop((ready, done));
            be_in_a_namespace(told, wait)
        }
        Some(child) => {
            drop((told, wait));
            let begun = ready.read_exact(&mut [0]);
            let shift = begun.and_then(|()| named(child, user));
            drop(done);
            let _ended = waitpid(Some(child), WaitOptions::empty());
            shift
        }
    }
}

/// Stays in a new namespace of users until it has been opened.
fn be_in_a_namespace(mut told: impl Write, mut wait: impl Read) -> ! {
    if leave(UnshareFlags::NEWUSER).is_ok() && told.write_all(b"x").is_ok() {
        let _ends = wait.read(&mut [0]);
    }
    exit(0)
}

fn named(child: Pid, user: u32) -> io::Result<OwnedFd> {
    let folder = format!("/proc/{}", child.as_raw_nonzero());
    let folder = Path::new(&folder);
    for kind in ["uid_map", "gid_map"] {
        // Written by one call (user_namespaces(7)).
        fs::write(folder.join(kind), map(user))?;
    }
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(open(folder.join("ns/user"), flags, Mode::empty())?)
}

/// Root is this user; all others are themselves.
fn map(user: u32) -> String {
    let (below, above) = (user - 1, user + 1);
    let rest = u32::MAX - above;
    format!("0 {user} 1\n1 1 {below}\n{above} {above} {rest}\n")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_one_place_in_the_map() {
        assert_eq!(map(1000), "0 1000 1\n1 1 999\n1001 1001 4294966294\n");
    }

    #[test]
    fn an_ordinary_user_gives_nobody_another_one() {
        if !geteuid().is_root() {
            let why = may_give_users().unwrap_err().to_string();
            assert!(why.contains("only root"), "{why}");
        }
    }
}
