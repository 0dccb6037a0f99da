//! What Linux reports about processes in `/proc` (proc(5)). All reading is here, for the modules that observe engines,
//! count what they use, and end what they leave.
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

/// The line of `stat` of a process or a thread (proc_pid_stat(5)).
#[derive(Debug)]
pub(crate) struct Stat {
    line: String,
    /// Start of the third field: the second is the program's name, in parentheses, and may contain any characters.
    third: usize,
}

impl Stat {
    /// The line of a process; `None` if the process does not exist.
    pub(crate) fn of_process(process: i32) -> Option<Stat> {
        Stat::read(&format!("/proc/{process}/stat"))
    }

    /// The line of a thread; `None` if the thread does not exist.
    pub(crate) fn of_thread(process: i32, thread: i32) -> Option<Stat> {
        Stat::read(&format!("/proc/{process}/task/{thread}/stat"))
    }

    fn read(file: &str) -> Option<Stat> {
        // A program's name need not be UTF-8.
        Stat::of_line(String::from_utf8_lossy(&fs::read(file).ok()?).into_owned())
    }

    fn of_line(line: String) -> Option<Stat> {
        let third = line.rfind(')')? + 1;
        Some(Stat { line, third })
    }

    fn field<T: FromStr>(&self, number: usize) -> Option<T> {
        let mut fields = self.line[self.third..].split_ascii_whitespace();
        fields.nth(number - 3)?.parse().ok()
    }

    /// Its state, as a letter.
    pub(crate) fn state(&self) -> Option<char> {
        self.field(3)
    }

    /// Whether it has ended, and only its number is left.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state(), None | Some('Z' | 'X'))
    }

    /// The number of its parent.
    pub(crate) fn parent(&self) -> Option<i32> {
        self.field(4)
    }

    /// The number of its process group.
    pub(crate) fn group(&self) -> Option<i32> {
        self.field(5)
    }

    /// The number of its session.
    pub(crate) fn session(&self) -> Option<i32> {
        self.field(6)
    }

    /// Processor time of its children that have ended and were waited for, in ticks of 10 ms: the kernel reports
    /// hundredths of a second to users, whatever unit it counts in.
    pub(crate) fn ticks_of_ended_children(&self) -> Option<u32> {
        Some(self.field::<u32>(16)? + self.field::<u32>(17)?)
    }

    /// Its niceness; a thread that runs only when no other wants to (`SCHED_IDLE`) counts as the highest.
    pub(crate) fn nice(&self) -> i32 {
        const SCHED_IDLE: u32 = 5;
        match self.field(41) {
            Some(SCHED_IDLE) => i32::MAX,
            _ => self.field(19).unwrap_or(0),
        }
    }

    /// Number of its threads.
    pub(crate) fn threads(&self) -> Option<u64> {
        self.field(20)
    }

    /// When it began, in ticks since the machine was started; with its number, this identifies the process for ever.
    pub(crate) fn began(&self) -> Option<u64> {
        self.field(22)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "42 (a) b) S 1 40 41 0 -1 4194304 100 0 0 0 5 6 7 8 20 3 2 0 777 1000000 25";

    fn stat(line: &str) -> Stat {
        Stat::of_line(line.to_owned()).unwrap()
    }

    #[test]
    fn a_name_with_parentheses_is_no_field() {
        let stat = stat(LINE);
        assert_eq!((stat.state(), stat.parent()), (Some('S'), Some(1)));
        assert_eq!((stat.group(), stat.session()), (Some(40), Some(41)));
        assert_eq!((stat.threads(), stat.began()), (Some(2), Some(777)));
        assert_eq!(stat.ticks_of_ended_children(), Some(7 + 8));
        assert!(!stat.has_ended());
    }

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
    fn who_runs_only_when_nobody_else_does_is_the_nicest() {
        let nice = |nice: i32, policy: u32| {
            let mut fields: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
            fields[19 - 4] = nice.to_string();
            fields[41 - 4] = policy.to_string();
            stat(&format!("7 (a) R (b c) S {}", fields.join(" "))).nice()
        };
        assert_eq!((nice(-5, 0), nice(19, 0), nice(0, 5)), (-5, 19, i32::MAX));
    }

    #[test]
    fn what_has_ended_is_known_by_its_letter() {
        assert!(stat(&LINE.replace(" S ", " Z ")).has_ended());
        assert!(Stat::of_line(String::new()).is_none());
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
