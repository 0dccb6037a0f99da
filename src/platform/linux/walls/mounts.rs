//! The engine's view of the file system: all of it is read-only except the places where it may write, and `/proc` shows
//! only the engine's own processes. A read-only mount refuses what Landlock does not know: changes of mode, owner,
//! times and extended attributes.

use std::env;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind_recursive, mount_change};

use super::system::{READ_ONLY, set_mount};

/// The folder in which the kernel reports on processes.
const PROC: &str = "/proc";

/// The file with the maximum process number; per namespace since Linux 6.14.
const MOST_PROCESSES: &str = "/proc/sys/kernel/pid_max";

/// Numbers below this one are not assigned a second time (`RESERVED_PIDS` of the kernel).
const RESERVED: u32 = 300;

/// Limits the number of processes of this namespace for everybody, including root; returns whether that succeeded. It
/// is a fallback behind the other limits: reserved numbers and a margin are added to it. The namespace's own `/proc`
/// must be mounted, and must not be read-only yet.
fn bound_processes(most: u32) -> bool {
    let release = rustix::system::uname();
    // In older versions the number holds for the whole machine, and root could change it from in here.
    if !release.release().to_str().is_ok_and(is_per_namespace) {
        return false;
    }
    let numbers = most.saturating_add(RESERVED + MARGIN);
    fs::write(MOST_PROCESSES, numbers.to_string()).is_ok()
}

/// Whether a release of Linux, as `6.14.2-generic`, is 6.14 or later.
fn is_per_namespace(release: &str) -> bool {
    let mut numbers = release.split(['.', '-', '+']).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(6)), Some(Ok(minor))) => minor >= 14,
        (Some(Ok(major)), Some(Ok(_))) => major > 6,
        _ => false,
    }
}

/// Room for numbers that are not free again yet.
const MARGIN: u32 = 64;

/// Which further properties the view has.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// `/proc` shows only the processes of the namespace.
    pub(super) own_proc: bool,
    /// The namespace has room for only a few more processes than the limit.
    pub(super) bounds_processes: bool,
}

/// Makes the view. This process must have a separate namespace of mounts and be the first process of its namespace of
/// processes, which may have at most `most` processes.
///
/// # Errors
/// The file system could not be made read-only.
pub(super) fn restrict(writable: &[PathBuf], most: Option<u32>) -> io::Result<View> {
    let here = env::current_dir()?;
    // Mounts made here are not seen outside.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)?;
    // If a container hides parts of /proc, the kernel refuses to mount a complete one.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let own_proc = mount("proc", PROC, "proc", flags, None).is_ok();
    let bounds_processes = own_proc && most.is_some_and(bound_processes);
    for folder in writable {
        mount_bind_recursive(folder, folder)?;
    }
    set_mount(c"/", READ_ONLY, 0, true)?;
    for folder in writable {
        set_mount(&path(folder)?, 0, READ_ONLY, true)?;
    }
    // The current folder of this process is still the one under the new mount.
    env::set_current_dir(here)?;
    Ok(View {
        own_proc,
        bounds_processes,
    })
}

fn path(folder: &Path) -> io::Result<CString> {
    Ok(CString::new(folder.as_os_str().as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_is_left_alone_where_it_is_the_machines() {
        for release in ["6.14.0", "6.18.44-fc", "7.0", "6.14-rc1"] {
            assert!(is_per_namespace(release), "{release}");
        }
        for release in ["6.13.9", "5.15.0-100-generic", "4.4", "", "six.20"] {
            assert!(!is_per_namespace(release), "{release}");
        }
    }
}
