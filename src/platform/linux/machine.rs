//! The machine, as Linux describes it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity};
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::platform::Fact;
pub(crate) use crate::platform::unix::machine::*;

/// A text of the kernel; `None` if the system does not offer it.
pub(crate) fn text(fact: Fact) -> Option<String> {
    let path = match fact {
        Fact::Processors => "/proc/cpuinfo",
        Fact::Memory => "/proc/meminfo",
        Fact::ProcessorTime => "/proc/stat",
        Fact::Pressure => "/proc/pressure/cpu",
        Fact::Governor => "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
        Fact::ClockSource => "/sys/devices/system/clocksource/clocksource0/current_clocksource",
        Fact::Smt => "/sys/devices/system/cpu/smt/active",
        Fact::Mounts => "/proc/self/mountinfo",
        Fact::Locks => "/proc/locks",
    };
    fs::read_to_string(path).ok()
}

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let set = sched_getaffinity(None)?;
    let numbers = (0..CpuSet::MAX_CPU).filter(|number| set.is_set(*number));
    Ok(numbers
        .filter_map(|number| u16::try_from(number).ok())
        .collect())
}

/// The socket of a processor, and the first processor of its core; `None` if the system does not report it.
pub(crate) fn core_of(processor: u16) -> [Option<u16>; 2] {
    let folder = format!("/sys/devices/system/cpu/cpu{processor}/topology");
    ["physical_package_id", "thread_siblings_list"].map(|file| {
        let text = fs::read_to_string(format!("{folder}/{file}")).ok()?;
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        text[..end].parse().ok()
    })
}

/// The lowest memory limit of the cgroups above this process, in MiB (cgroups(7), `memory.max`).
pub(crate) fn memory_limit() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let folder = root.join(own);
    let above = folder
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    let limits = above.filter_map(|folder| fs::read_to_string(folder.join("memory.max")).ok());
    let bytes = limits.filter_map(|text| text.trim().parse::<u64>().ok());
    Some(bytes.min()? >> 20)
}

/// A clock that stops while the machine is suspended, one that does not, and the first again: time that passes between
/// two readings is not taken for a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [ClockId::Monotonic, ClockId::Boottime, ClockId::Monotonic]
        .map(|clock| duration(clock_gettime(clock)))
}

fn duration(time: Timespec) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The number of the kind of file system (`statfs(2)`, `linux/magic.h`) that contains a folder.
pub(crate) fn file_system(folder: &Path) -> Option<i64> {
    rustix::fs::statfs(folder).ok().map(|found| found.f_type)
}
