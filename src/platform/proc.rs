//! What Linux reports in `/proc` (proc(5)) and `/sys`, for the modules that observe engines, count what they use, and end
//! what they leave. Other systems have none of these files, and report nothing.
//!
//! No crate is used because these files are read while engines are on the clock: no more than the
//! fields that are needed are parsed, and `children` and `schedstat` are read thread by thread.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::SchedulerTimes;
use super::capabilities::{SYSTEM, System};
pub(crate) use super::system::proc::{
    TELLS_PROCESSOR_TIME, children, cpu_time, is_strangers, processors_of, this_thread,
};

/// Where the kernel reports; elsewhere names that no file can have.
const PROC: &str = if IS_LINUX { "/proc" } else { "\0" };
const SYS: &str = if IS_LINUX { "/sys" } else { "\0" };
const IS_LINUX: bool = matches!(SYSTEM, System::Linux);

/// The numbers of all processes; none without `/proc`.
pub(crate) fn processes() -> impl Iterator<Item = i32> {
    numbers(PROC)
}

/// The numbers of a process's threads; none if it has ended.
pub(crate) fn threads(process: i32) -> impl Iterator<Item = i32> {
    numbers(&format!("{PROC}/{process}/task"))
}

/// The children that a thread has started, oldest first.
pub(crate) fn children_of_thread(process: i32, thread: i32) -> Vec<i32> {
    let children = text(&format!("{process}/task/{thread}/children")).unwrap_or_default();
    let numbers = children.split_ascii_whitespace().map(i32::from_str);
    numbers.filter_map(Result::ok).collect()
}

/// The environment that a process began with, as `NAME=value`; empty for processes of other users and for those that
/// have ended.
pub(crate) fn environment(process: i32) -> Vec<u8> {
    fs::read(format!("{PROC}/{process}/environ")).unwrap_or_default()
}

/// The name of a process's program; empty if it has ended.
pub(crate) fn name(process: i32) -> String {
    let name = fs::read_to_string(format!("{PROC}/{process}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
}

/// What the scheduler says of a thread; `None` if it has ended.
pub(crate) fn schedstat(process: i32, thread: i32) -> Option<SchedulerTimes> {
    scheduler_times(&text(&format!("{process}/task/{thread}/schedstat"))?)
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

/// The function of the kernel in which a thread of this process waits.
pub(crate) fn kernel_function(thread: i32) -> Option<String> {
    let text = fs::read_to_string(format!("{PROC}/self/task/{thread}/wchan")).ok()?;
    (!text.is_empty() && text != "0").then_some(text)
}

/// The namespace of processes that a process is in.
pub(crate) fn namespace(process: i32) -> Option<PathBuf> {
    fs::read_link(format!("{PROC}/{process}/ns/pid")).ok()
}

/// The cgroup of a process in the hierarchy of version 2 (cgroups(7)).
pub(crate) fn cgroup(process: i32) -> Option<String> {
    let text = fs::read_to_string(format!("{PROC}/{process}/cgroup")).ok()?;
    let mut lines = text.lines();
    lines.find_map(|line| Some(line.strip_prefix("0::")?.to_owned()))
}

/// A file of counters that is read repeatedly.
#[derive(Debug)]
pub(crate) struct Counters(File);

impl Counters {
    /// The `schedstat` of the calling thread.
    pub(crate) fn of_this_thread() -> Option<Counters> {
        Counters::open("thread-self/schedstat")
    }

    /// The waits of all processes for processors.
    pub(crate) fn of_pressure() -> Option<Counters> {
        Counters::open("pressure/cpu")
    }

    fn open(file: &str) -> Option<Counters> {
        File::open(format!("{PROC}/{file}")).ok().map(Counters)
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
        let (mut file, mut buffer) = (&self.0, [0; 256]);
        file.rewind().ok()?;
        let length = file.read(&mut buffer).ok()?;
        parse(std::str::from_utf8(&buffer[..length]).ok()?)
    }
}

fn numbers(folder: &str) -> impl Iterator<Item = i32> + use<> {
    let names = fs::read_dir(folder).into_iter().flatten();
    let names = names.map_while(Result::ok);
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The text of a file of `/proc`.
pub(super) fn text(file: &str) -> Option<String> {
    fs::read_to_string(format!("{PROC}/{file}")).ok()
}

/// What the processors are called.
pub(crate) fn processor_name() -> Option<String> {
    let text = text("cpuinfo")?;
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("model name"))?;
    Some(line.split_once(": ")?.1.to_owned())
}

/// A part of a file system that is shown somewhere.
#[derive(Debug)]
pub(crate) struct Mount {
    /// The device's numbers.
    pub device: String,
    /// What of the file system is shown.
    pub root: PathBuf,
    /// Where.
    pub point: PathBuf,
    /// The kind of file system.
    pub kind: String,
}

pub(crate) fn mounts() -> Vec<Mount> {
    let text = text("self/mountinfo").unwrap_or_default();
    text.lines().filter_map(mount).collect()
}

/// From a line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
fn mount(line: &str) -> Option<Mount> {
    let (place, kind) = line.split_once(" - ")?;
    let mut fields = place.split(' ').skip(2);
    let mut next = || fields.next().map(unescaped);
    Some(Mount {
        device: next()?,
        root: next()?.into(),
        point: next()?.into(),
        kind: kind.split(' ').next()?.to_owned(),
    })
}

/// Blanks and the like are three octal digits there.
fn unescaped(text: &str) -> String {
    let codes = [
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ];
    codes.iter().fold(text.to_owned(), |text, (code, meant)| {
        text.replace(code, meant)
    })
}

/// The socket of a processor, and the first processor of its core; `None` if the system does not report it.
pub(crate) fn core_of(processor: u16) -> [Option<u16>; 2] {
    let folder = format!("{SYS}/devices/system/cpu/cpu{processor}/topology");
    ["physical_package_id", "thread_siblings_list"].map(|file| {
        let text = fs::read_to_string(format!("{folder}/{file}")).ok()?;
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        numbers.next()?.parse().ok()
    })
}

/// The lowest memory limit of the cgroups above this process, in MiB (cgroups(7), `memory.max`).
pub(crate) fn memory_limit() -> Option<u64> {
    let root = Path::new(SYS).join("fs/cgroup");
    let own = cgroup(std::process::id().cast_signed())?;
    let folder = root.join(own.strip_prefix('/')?);
    let above = folder.ancestors();
    let above = above.take_while(|folder| folder.starts_with(&root));
    let limits = above.filter_map(|folder| fs::read_to_string(folder.join("memory.max")).ok());
    let bytes = limits.filter_map(|text| text.trim().parse::<u64>().ok());
    Some(bytes.min()? >> 20)
}

/// What the line of `stat` of a process or a thread says (proc_pid_stat(5)).
#[allow(
    dead_code,
    reason = "only Linux has all questions to which this is an answer"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stat {
    /// A letter.
    pub state: char,
    pub parent: i32,
    /// The number of its process group.
    pub group: i32,
    pub session: i32,
    /// Processor time of its children that have ended and were waited for, in ticks of 10 ms: the kernel reports
    /// hundredths of a second to users, whatever unit it counts in.
    pub ticks_of_ended_children: u32,
    /// Its niceness; that of a thread that runs only when no other wants to (`SCHED_IDLE`) counts as the highest.
    pub nice: i32,
    /// Number of its threads.
    pub threads: u64,
    /// When it began, in ticks since the machine was started; with its number, this identifies the process for ever.
    pub began: u64,
}

impl Stat {
    /// Of a process; `None` if the process does not exist.
    pub(crate) fn of_process(process: i32) -> Option<Stat> {
        Stat::read(&format!("{PROC}/{process}/stat"))
    }

    /// Of a thread; `None` if the thread does not exist.
    pub(crate) fn of_thread(process: i32, thread: i32) -> Option<Stat> {
        Stat::read(&format!("{PROC}/{process}/task/{thread}/stat"))
    }

    fn read(file: &str) -> Option<Stat> {
        // A program's name need not be UTF-8.
        Stat::of_line(&String::from_utf8_lossy(&fs::read(file).ok()?))
    }

    fn of_line(line: &str) -> Option<Stat> {
        const SCHED_IDLE: u32 = 5;
        // The second field is the program's name, in parentheses, and may contain any characters.
        let from_third = &line[line.rfind(')')? + 1..];
        let fields: Vec<&str> = from_third.split_ascii_whitespace().collect();
        Some(Stat {
            state: field(&fields, 3)?,
            parent: field(&fields, 4)?,
            group: field(&fields, 5)?,
            session: field(&fields, 6)?,
            ticks_of_ended_children: field::<u32>(&fields, 16)? + field::<u32>(&fields, 17)?,
            nice: match field(&fields, 41) {
                Some(SCHED_IDLE) => i32::MAX,
                _ => field(&fields, 19)?,
            },
            threads: field(&fields, 20)?,
            began: field(&fields, 22)?,
        })
    }

    /// Whether it has ended, and only its number is left.
    #[allow(dead_code, reason = "only Linux asks")]
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// A field by its number in the line.
fn field<T: FromStr>(from_third: &[&str], number: usize) -> Option<T> {
    from_third.get(number - 3)?.parse().ok()
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
        assert!(Stat::of_process(me).unwrap().parent > 0);
        assert!(!environment(me).is_empty());
    }

    const LINE: &str = "42 (a) b) S 1 40 41 0 -1 4194304 100 0 0 0 5 6 7 8 20 3 2 0 777 1000000 25";

    fn stat(line: &str) -> Stat {
        Stat::of_line(line).unwrap()
    }

    #[test]
    fn a_name_with_parentheses_is_no_field() {
        let stat = stat(LINE);
        assert_eq!((stat.state, stat.parent), ('S', 1));
        assert_eq!((stat.group, stat.session), (40, 41));
        assert_eq!((stat.threads, stat.began), (2, 777));
        assert_eq!(stat.ticks_of_ended_children, 7 + 8);
        assert!(!stat.has_ended());
    }

    #[test]
    fn who_runs_only_when_nobody_else_does_is_the_nicest() {
        let nice = |nice: i32, policy: u32| {
            let mut fields: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
            fields[19 - 4] = nice.to_string();
            fields[41 - 4] = policy.to_string();
            stat(&format!("7 (a) R (b c) S {}", fields.join(" "))).nice
        };
        assert_eq!((nice(-5, 0), nice(19, 0), nice(0, 5)), (-5, 19, i32::MAX));
    }

    #[test]
    fn what_has_ended_is_known_by_its_letter() {
        assert!(stat(&LINE.replace(" S ", " Z ")).has_ended());
        assert!(Stat::of_line("").is_none());
    }

    #[test]
    fn mounts_are_read() {
        let line = "41 30 8:1 /srv/home\\040x/sub /mnt/second rw - ext4 /dev/sda1 rw";
        let found = mount(line).unwrap();
        assert_eq!(found.root, Path::new("/srv/home x/sub"));
        assert_eq!(found.point, Path::new("/mnt/second"));
        assert_eq!((&*found.device, &*found.kind), ("8:1", "ext4"));
    }
}
