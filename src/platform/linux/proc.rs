//! What Linux reports about processes in `/proc` (proc(5)). All reading is here and in `stat`, for the modules that
//! observe engines, count what they use, and end what they leave.
//!
//! No crate is used because these files are read while engines are on the clock: fields are located in the line without
//! copying it, and `children` and `schedstat` are read thread by thread.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;
use rustix::thread::sched_getaffinity;

use crate::platform::SchedulerTimes;

pub(crate) use crate::platform::stat::Stat;

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = true;

/// The numbers of all processes; none without `/proc`.
pub(crate) fn processes() -> impl Iterator<Item = i32> {
    numbers("/proc")
}

/// The numbers of a process's threads; none if it has ended.
pub(crate) fn threads(process: i32) -> impl Iterator<Item = i32> {
    numbers(&format!("/proc/{process}/task"))
}

/// The children that a thread has started, oldest first.
pub(crate) fn children_of_thread(process: i32, thread: i32) -> Vec<i32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{thread}/children"));
    let children = children.unwrap_or_default();
    let numbers = children.split_ascii_whitespace().map(i32::from_str);
    numbers.filter_map(Result::ok).collect()
}

/// The children of all threads of a process, oldest first within each.
pub(crate) fn children(process: i32) -> Vec<i32> {
    let of = |thread| children_of_thread(process, thread);
    threads(process).flat_map(of).collect()
}

/// The environment that a process began with, as `NAME=value`; empty for processes of other users and for those that
/// have ended.
pub(crate) fn environment(process: i32) -> Vec<u8> {
    fs::read(format!("/proc/{process}/environ")).unwrap_or_default()
}

/// The name of a process's program; empty if it has ended.
pub(crate) fn name(process: i32) -> String {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
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

/// What the scheduler says of a thread; `None` if it has ended.
pub(crate) fn schedstat(process: i32, thread: i32) -> Option<SchedulerTimes> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat"));
    scheduler_times(&text.ok()?)
}

/// The one line of `schedstat`. The kernel writes three zeros if it does not count.
fn scheduler_times(text: &str) -> Option<SchedulerTimes> {
    let mut numbers = text.split_ascii_whitespace().map(u64::from_str);
    let mut next = || numbers.next()?.ok();
    Some(SchedulerTimes {
        cpu: next()?,
        wait: next()?,
        turns: next()?,
    })
}

/// Microseconds of `total=` in the line `some` of a file of `/proc/pressure`.
fn pressure(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    line.split("total=").nth(1)?.trim().parse().ok()
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

/// The function of the kernel in which a thread of this process waits.
pub(crate) fn kernel_function(thread: i32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/self/task/{thread}/wchan")).ok()?;
    (!text.is_empty() && text != "0").then_some(text)
}

/// The namespace of processes that a process is in.
pub(crate) fn namespace(process: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/pid")).ok()
}

/// The cgroup of a process in the hierarchy of version 2 (cgroups(7)).
pub(crate) fn cgroup(process: i32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{process}/cgroup")).ok()?;
    let mut lines = text.lines();
    lines.find_map(|line| Some(line.strip_prefix("0::")?.to_owned()))
}

/// A file of counters that is read repeatedly.
#[derive(Debug)]
pub(crate) struct Counters(File);

impl Counters {
    /// The `schedstat` of the calling thread.
    pub(crate) fn of_this_thread() -> Option<Counters> {
        File::open("/proc/thread-self/schedstat").ok().map(Counters)
    }

    /// The waits of all processes for processors.
    pub(crate) fn of_pressure() -> Option<Counters> {
        File::open("/proc/pressure/cpu").ok().map(Counters)
    }

    /// Of a `schedstat`: what it says now.
    pub(crate) fn times(&self) -> Option<SchedulerTimes> {
        self.read(scheduler_times)
    }

    /// Of the waits of all processes: microseconds in which one or more waited.
    pub(crate) fn pressure(&self) -> Option<u64> {
        self.read(pressure)
    }

    fn read<T>(&self, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let mut buffer = [0; 256];
        let length = self.0.read_at(&mut buffer, 0).ok()?;
        parse(std::str::from_utf8(&buffer[..length]).ok()?)
    }
}

fn numbers(folder: &str) -> impl Iterator<Item = i32> + use<> {
    let names = fs::read_dir(folder).into_iter().flatten();
    let names = names.map_while(Result::ok);
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedulers_lines_are_read() {
        let times = SchedulerTimes {
            cpu: 1,
            wait: 22,
            turns: 3,
        };
        assert_eq!(scheduler_times("1 22 3\n"), Some(times));
        assert_eq!(scheduler_times("1 22"), None);
        assert_eq!(scheduler_times("1 -2 3"), None);
        let text = "some avg10=1.00 avg60=0.12 avg300=0.03 total=18471595\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(pressure(text), Some(18_471_595));
        assert_eq!(pressure("full total=7\n"), None);
    }

    #[test]
    fn this_process_has_this_thread_and_a_parent() {
        let me = i32::try_from(std::process::id()).unwrap();
        let thread = threads(me).next().unwrap();
        assert!(processes().any(|process| process == me));
        assert!(Stat::of_thread(me, thread).is_some());
        assert!(Stat::of_process(me).unwrap().parent() > Some(0));
        assert!(!environment(me).is_empty());
    }
}
