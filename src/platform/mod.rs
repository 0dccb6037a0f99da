//! What the program needs from an operating system. Code outside this folder names no system.
//!
//! | file | what |
//! |---|---|
//! | `capabilities` | what each system can do, as a table |
//! | `cgroup` | an engine in a cgroup of its own, where there are cgroups |
//! | `marks` | by what the processes of an engine are known |
//! | `orders` | what an engine may use; the orders of a launcher, which it follows before it becomes an engine |
//! | `enforced` | what this machine can enforce, in words |
//! | `locks` | which processes hold locks on files |
//! | `proc` | what is read in `/proc` and `/sys` |
//! | `linux` | Linux: `/proc`, pidfd, cgroups, namespaces, Landlock, seccomp |
//! | `portable` | other Unix systems: POSIX alone; on Linux with the feature `portable` |
//! | `unix` | what these two share |
//! | `windows` | Windows: job objects, named pipes, the console |
//! | `absent` | stubs for what `portable` and `windows` lack |
//!
//! Each system has the same modules: `channel`, `environment`, `files`, `machine`, `orphans`, `pipes`,
//! `proc`, `process`, `process_snapshot`, `signals`, `terminal` and `walls`.

pub(crate) mod capabilities;
pub(crate) mod cgroup;
pub(crate) mod enforced;
pub(crate) mod locks;
pub(crate) mod marks;
pub(crate) mod orders;
pub(crate) mod proc;

#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
pub(crate) mod absent;
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
    channel, environment, files, machine, orphans, pipes, process, process_snapshot, signals,
    terminal, walls,
};

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::Runtime;

/// What the channel to the run of the event in this folder is named by. It stays the same if the folder is moved on its
/// disk.
///
/// # Errors
/// The folder cannot be accessed.
fn number_of(folder: &Path) -> io::Result<String> {
    let folder = files::known(folder)?;
    Ok(format!("{:x}-{:x}", folder.device, folder.inode))
}

/// What is behind a lock. It counts also if a thread has panicked with it: nothing that is done under a lock here can
/// leave it half changed.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A runtime for the thread that calls.
///
/// # Errors
/// The system refuses what it needs.
pub(crate) fn runtime() -> io::Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build()
}

/// The process from which all others of an engine descend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Root {
    pub(crate) process: i32,
    /// Whether it is the engine's own process; otherwise it only looks after the engine, and does not count.
    pub(crate) is_engine: bool,
}

/// A started program, with its pipes.
#[derive(Debug)]
pub(crate) struct Spawned {
    pub(crate) leader: process::Leader,
    pub(crate) group: process::Group,
    pub(crate) input: pipes::Sender,
    pub(crate) output: pipes::Receiver,
    pub(crate) errors: pipes::Receiver,
}

impl Drop for process::Frozen {
    fn drop(&mut self) {
        self.go_on();
    }
}

/// What the processes of one engine use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// Memory, resident or swapped out, and page tables, bytes. What processes share is counted for each.
    pub memory_bytes: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// The values that identify a file and its state: disk, number, length, and times of the last changes.
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
    /// Time of the last change of any kind, if the system records it.
    pub changed: (i64, i64),
}

/// The error that a folder, pipe, device or link was found where a file is expected.
fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")
}

/// Maximum size of a file from other users that is read as a whole, in bytes.
const MAX_READ_BYTES: u64 = 256 << 20;

/// Gives a file another name, in one step, also if another program holds it open for a moment.
///
/// # Errors
/// Those of [`fs::rename`]; another program does not close the file.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    files::patiently(to, || fs::rename(from, to))
}

/// Makes a folder in one in which others may make files, unless it is there.
///
/// # Errors
/// It cannot be made, or a link or a file is in its place.
pub(crate) fn make_folder_untrusted(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if fs::symlink_metadata(folder)?.is_dir() {
        Ok(())
    } else {
        let words = "it is no folder, but a link";
        Err(io::Error::new(io::ErrorKind::NotADirectory, words))
    }
}

/// The text of a file in a folder in which others may make files; bytes that are appended meanwhile are left out.
///
/// # Errors
/// Those of [`read_bytes_untrusted`]; the file is not UTF-8.
pub(crate) fn read_text_untrusted(path: &Path) -> io::Result<String> {
    let bytes = read_bytes_untrusted(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// As [`read_text_untrusted`], for a file that need not be text.
///
/// # Errors
/// The file cannot be read, is a link, not a plain file, or too long.
pub(crate) fn read_bytes_untrusted(path: &Path) -> io::Result<Vec<u8>> {
    let file = files::open_untrusted(path)?;
    let length = file.metadata()?.len();
    if length > MAX_READ_BYTES {
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

/// The signals and events that ask a run to stop.
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

/// A signal as it was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReceivedSignal {
    pub signal: StopSignal,
    /// The process that has sent it, where the system says so.
    pub sender: Option<i32>,
}

/// What a system says of its processors; `None` where it says nothing.
#[derive(Debug, Default)]
pub(crate) struct ProcessorFacts {
    /// Stolen and total time of all of them, in ticks.
    pub ticks: Option<(u64, u64)>,
    /// Time in which somebody waited for one, microseconds.
    pub pressure: Option<u64>,
    /// Whether each core appears as several.
    pub smt: Option<bool>,
    /// The clock that the kernel uses.
    pub clock_source: Option<String>,
    /// The policy that chooses frequencies.
    pub governor: Option<String>,
}

/// The times of one thread since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SchedulerTimes {
    /// Nanoseconds on a processor, up to its last tick.
    pub cpu: u64,
    /// Nanoseconds runnable and not on a processor, without a wait that has not ended.
    pub wait: u64,
    /// Turns on a processor.
    pub turns: u64,
}

/// How a process ended that ended with this status. Windows has negative numbers for the ends that it has brought about.
pub(crate) fn ended_with(status: i32) -> String {
    const REASONS: [(u32, &str); 6] = [
        (0xC000_0005, "it accessed memory that is not its own"),
        (
            0xC000_001D,
            "an instruction that this processor does not have",
        ),
        (0xC000_0094, "a division by zero"),
        (0xC000_00FD, "its stack was full"),
        (0xC000_0135, "a library that it needs is missing"),
        (0xC000_0409, "it stopped itself after an error"),
    ];
    if status >= 0 {
        return format!("exited with status {status}");
    }
    let status = status.cast_unsigned();
    let reason = REASONS.iter().find(|(known, _)| *known == status);
    let reason = reason.map_or(String::new(), |(_, words)| format!(": {words}"));
    format!("ended with error 0x{status:08X}{reason}")
}

/// How a process ended that was ended by this signal.
pub(crate) fn ended_by(signal: i32) -> String {
    let words = match signal {
        4 => "crashed: an instruction that this processor does not have",
        6 => "stopped itself after an error",
        8 => "crashed: a division by zero",
        9 => "was killed from outside",
        11 => "crashed: it accessed memory that is not its own",
        _ => return format!("was ended by signal {signal}"),
    };
    format!("{words} (signal {signal})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_windows_ends_a_program_is_said() {
        assert_eq!(ended_with(3), "exited with status 3");
        let access = ended_with(-1_073_741_819);
        assert!(
            access.starts_with("ended with error 0xC0000005: "),
            "{access}"
        );
        assert_eq!(ended_with(-1), "ended with error 0xFFFFFFFF");
    }
}
