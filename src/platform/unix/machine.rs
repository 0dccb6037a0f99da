//! The machine, as POSIX describes it.

use std::io;
use std::path::Path;

use rustix::process::{Resource, getrlimit, getuid, setpriority_process};

/// Lets other processes go first, up to this niceness, because engines are being timed. On Linux only this thread gives
/// way. If the system refuses, this only takes a larger share of the processors.
pub(crate) fn give_way(niceness: i32) {
    let _refused = setpriority_process(None, niceness);
}

/// Number of bytes that this user may still write in a folder.
///
/// # Errors
/// The folder cannot be accessed.
pub(crate) fn free_disk(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Maximum number of files open at once.
pub(crate) fn open_files_limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Maximum size of a file that this user may write, in bytes (`ulimit -f`).
pub(crate) fn file_size_limit() -> Option<u64> {
    getrlimit(Resource::Fsize).current
}

pub(crate) fn host_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// The user who has started this program, in words.
pub(crate) fn user() -> String {
    format!("user {}", getuid().as_raw())
}
