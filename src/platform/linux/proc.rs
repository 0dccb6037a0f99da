//! What Linux says of processes by system calls, and who is whose child.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;
use rustix::thread::sched_getaffinity;

use crate::platform::proc::{children_of_thread, threads};

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = true;

/// The children of all threads of a process, oldest first within each.
pub(crate) fn children(process: i32) -> Vec<i32> {
    let of = |thread| children_of_thread(process, thread);
    threads(process).flat_map(of).collect()
}

/// The same of a process that the caller knows by a checked number.
pub(super) fn children_of(process: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    let children = children(process.as_raw_nonzero().get()).into_iter();
    let children = children.filter_map(rustix::process::Pid::from_raw);
    children.collect()
}

/// Processor time of a process; costs a system call.
pub(crate) fn cpu_time(process: i32) -> Option<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(process)).ok()?;
    Some(Duration::from(clock.now().ok()?))
}

/// Number of processors on which a thread may run.
pub(crate) fn processors_of(thread: i32) -> Option<u32> {
    let set = sched_getaffinity(rustix::process::Pid::from_raw(thread)).ok()?;
    Some(set.count())
}

/// Whether a process is of a user who has nothing to do with this folder: neither its owner, nor root, nor the user who
/// runs this program.
pub(crate) fn is_strangers(process: u32, folder: &Path) -> bool {
    let owner = |path: &Path| Some(fs::metadata(path).ok()?.uid());
    let of_process = owner(Path::new(&format!("/proc/{process}")));
    let known = [
        owner(folder),
        Some(0),
        Some(rustix::process::geteuid().as_raw()),
    ];
    of_process.is_some() && !known.contains(&of_process)
}

/// The number of the calling thread.
pub(crate) fn this_thread() -> i32 {
    rustix::thread::gettid().as_raw_nonzero().get()
}
