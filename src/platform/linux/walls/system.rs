//! The few calls that neither the standard library nor rustix offers as safe functions. A launcher has one thread,
//! which makes `fork` and what follows it sound; the safety comments refer to this where it matters.
#![allow(unsafe_code, reason = "raw system calls, each with its own reason")]

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::process::Pid;

use crate::platform::unix;

/// Begins a second process; returns its number, and in itself `None`.
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: a launcher has one thread, so no lock can be held by a thread that the child lacks.
    match unsafe { libc::fork() } {
        ..0 => Err(io::Error::last_os_error()),
        number => Ok(Pid::from_raw(number)),
    }
}

/// Ends this process by this signal, without a core file.
pub(crate) fn end_by(signal: i32) -> ! {
    // SAFETY: plain system calls; the default action runs no code of this process.
    unsafe {
        libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
        libc::signal(signal, libc::SIG_DFL);
        let mut only = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut only);
        libc::sigaddset(&raw mut only, signal);
        libc::raise(signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const only, std::ptr::null_mut());
    }
    // Reached if the signal does not end a process by default; then it cannot have ended the engine either.
    std::process::exit(128 + signal)
}

/// Closes all descriptors but the three standard ones at the next `exec` of this process. Files that were open when the
/// program was started must not be passed on.
pub(crate) fn keep_descriptors() {
    let last = libc::c_uint::MAX;
    // SAFETY: nothing is closed here; a flag is set, which takes effect at an `exec`.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3, last, libc::CLOSE_RANGE_CLOEXEC) };
    if done != 0 {
        // Before Linux 5.11: one by one.
        unix::system::keep_descriptors();
    }
}

/// `struct mount_attr` of mount_setattr(2).
#[derive(Default)]
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Read-only (`MOUNT_ATTR_RDONLY` of mount_setattr(2)).
pub(super) const READ_ONLY: u64 = 1;

/// Files belong to the users that a namespace names (`MOUNT_ATTR_IDMAP` of mount_setattr(2)).
const SHIFTED: u64 = 0x0010_0000;

/// Sets and clears attributes (`MOUNT_ATTR_…`) of the mount at a path, and with `below` also of the mounts below it.
pub(super) fn set_mount(path: &CStr, set: u64, clear: u64, below: bool) -> io::Result<()> {
    let attributes = MountAttributes {
        set,
        clear,
        ..MountAttributes::default()
    };
    let recursive = if below { libc::AT_RECURSIVE } else { 0 };
    set_attributes(libc::AT_FDCWD, path, recursive, &attributes)
}

/// In a mount that has no place yet, and all below it, files belong to those who are their owners in this namespace of
/// users.
pub(super) fn shift_mount(mount: &OwnedFd, namespace: &OwnedFd) -> io::Result<()> {
    let attributes = MountAttributes {
        set: SHIFTED,
        user_namespace: u64::try_from(namespace.as_raw_fd()).unwrap_or_default(),
        ..MountAttributes::default()
    };
    let flags = libc::AT_RECURSIVE | libc::AT_EMPTY_PATH;
    set_attributes(mount.as_raw_fd(), c"", flags, &attributes)
}

fn set_attributes(
    folder: i32,
    path: &CStr,
    flags: i32,
    attributes: &MountAttributes,
) -> io::Result<()> {
    // SAFETY: both pointers live through the call, and the size is the size of the structure.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder,
            path.as_ptr(),
            flags,
            std::ptr::from_ref(attributes),
            size_of::<MountAttributes>(),
        )
    };
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
