//! What the program asks of an operating system. Nothing outside this folder names one.
//!
//! | file | what |
//! |---|---|
//! | `capabilities` | what each system can do, as a table |
//! | `orders` | what a launcher is told before it becomes an engine |
//! | `enforced` | what this machine can enforce, in words |
//! | `linux` | Linux: `/proc`, pidfd, cgroups, namespaces, Landlock, seccomp |
//! | `portable` | other Unix systems: POSIX alone; on Linux with the feature `portable` |
//! | `unix` | what those two share |
//! | `windows` | Windows: job objects, named pipes, the console |
//! | `absent` | evidence that `portable` and `windows` have none of |
//!
//! Each system has the same modules: `cgroup`, `channel`, `files`, `frozen`, `machine`, `orphans`, `pipes`,
//! `proc`, `process`, `process_counts`, `signals`, `terminal` and `walls`.

pub(crate) mod capabilities;
pub(crate) mod enforced;
pub(crate) mod orders;

#[cfg(not(any(unix, windows)))]
compile_error!(
    "arbiter960 runs on Linux, macOS and other Unix systems, and on Windows: see docs/platforms.md."
);

#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
mod absent;
#[cfg(all(target_os = "linux", not(feature = "portable")))]
mod linux;
#[cfg(all(unix, any(not(target_os = "linux"), feature = "portable")))]
mod portable;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as system;
#[cfg(all(unix, any(not(target_os = "linux"), feature = "portable")))]
use portable as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    cgroup, channel, files, frozen, machine, orphans, pipes, proc, process, process_counts,
    signals, terminal, walls,
};

use std::io::{self, Read};
use std::path::Path;

/// The environment variable with an engine's mark, which all that it starts inherits. The marks of a run's
/// engines are its own mark, a dot, and a number.
pub(crate) const MARK_VARIABLE: &str = "ARBITER960_ENGINE";

/// The mark that begins those of all engines of the event in this folder, in every run of it and
/// wherever the folder is moved to on its disk.
///
/// # Errors
/// The folder cannot be seen.
pub(crate) fn mark_of_event(folder: &Path) -> io::Result<String> {
    let folder = files::known(folder)?;
    Ok(format!("{:x}-{:x}", folder.device, folder.inode))
}

/// The process from which all others of an engine descend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Root {
    /// Its number.
    pub(crate) process: i32,
    /// Whether it is the engine's own; else it only looks after the engine, and does not count.
    pub(crate) is_engine: bool,
}

/// What the processes of one engine use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// Resident memory, bytes. What processes share is counted for each.
    pub resident: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// What a file is known by: which one it is, how long, and when it was last written and changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownFile {
    /// The disk.
    pub device: u64,
    /// The file's number on it.
    pub inode: u64,
    /// Bytes.
    pub length: u64,
    /// Seconds and nanoseconds of the last change of its content.
    pub written: (i64, i64),
    /// The same of any change, where the system counts them.
    pub changed: (i64, i64),
}

/// A folder, pipe, device or link lies where a file belongs.
fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")
}

/// The longest file of a stranger that is read whole, bytes.
const LONGEST_READ: u64 = 256 << 20;

/// A text of a folder in which strangers may make files; what is appended meanwhile is left out.
///
/// # Errors
/// Those of [`bytes_of_strangers`]; it is no UTF-8.
pub(crate) fn text_of_strangers(path: &Path) -> io::Result<String> {
    let bytes = bytes_of_strangers(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The same of a file that need not be text.
///
/// # Errors
/// It cannot be read, is a link, no plain file, or too long.
pub(crate) fn bytes_of_strangers(path: &Path) -> io::Result<Vec<u8>> {
    let file = files::open_of_strangers(path)?;
    let length = file.metadata()?.len();
    if length > LONGEST_READ {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Standard output or standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// What asks a run to stop.
#[allow(dead_code, reason = "no system has all of them")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// SIGINT; Ctrl-C.
    Interrupt,
    /// SIGTERM; Ctrl-Break, the end of the session.
    Terminate,
    /// SIGHUP; the window is closed.
    HangUp,
    /// SIGUSR1.
    User,
}

/// A text that the kernel keeps about the machine or this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// What the processors are and can do, as in `/proc/cpuinfo`.
    Processors,
    /// Memory, as in `/proc/meminfo`.
    Memory,
    /// The time of all processors, as in `/proc/stat`.
    ProcessorTime,
    /// Waits for processors, as in `/proc/pressure/cpu`.
    Pressure,
    /// How frequencies are chosen.
    Governor,
    /// The clock that the kernel reads.
    ClockSource,
    /// Whether cores show themselves as several processors: `1`.
    Smt,
    /// What is mounted, as in `/proc/self/mountinfo`.
    Mounts,
    /// Locks on files, as in `/proc/locks`.
    Locks,
}
