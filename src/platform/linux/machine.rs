//! The machine, as Linux describes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity};
use rustix::time::{ClockId, Timespec, clock_gettime};

use super::proc::Counters;
pub(crate) use crate::platform::unix::machine::*;
use crate::platform::{Mount, ProcessorFacts};

/// The kernel's word for something, if it has one.
fn word(path: &str) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

pub(crate) fn processor_facts() -> ProcessorFacts {
    ProcessorFacts {
        ticks: word("/proc/stat").and_then(|text| ticks(&text)),
        pressure: Counters::of_pressure().and_then(|counters| counters.pressure()),
        smt: word("/sys/devices/system/cpu/smt/active").map(|active| active == "1"),
        clock_source: word("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        governor: word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    }
}

/// Stolen and total ticks of the line `cpu …` (proc_stat(5)): the eighth number is stolen,
/// the two after it are counted in others already.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let numbers = line.split_whitespace().take(8).map(str::parse);
    let ticks: Vec<u64> = numbers.collect::<Result<_, _>>().ok()?;
    Some((*ticks.get(7)?, ticks.iter().sum()))
}

/// What the processors are called.
pub(crate) fn processor_name() -> Option<String> {
    let text = word("/proc/cpuinfo")?;
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("model name"))?;
    Some(line.split_once(": ")?.1.to_owned())
}

/// Total memory, free memory, and space to which memory can be moved, in MiB.
pub(crate) fn memory() -> Option<[u64; 3]> {
    memory_of(&word("/proc/meminfo")?)
}

/// From the text of `/proc/meminfo` (proc(5)).
fn memory_of(text: &str) -> Option<[u64; 3]> {
    let mib = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        Some(kib >> 10)
    };
    let total = mib("MemTotal:")?;
    let available = mib("MemAvailable:").unwrap_or(total);
    Some([total, available, mib("SwapTotal:").unwrap_or(0)])
}

/// Locks on files, as in `/proc/locks`.
pub(crate) fn locks() -> Option<String> {
    word("/proc/locks")
}

pub(crate) fn mounts() -> Vec<Mount> {
    let text = word("/proc/self/mountinfo").unwrap_or_default();
    text.lines().filter_map(mount).collect()
}

/// From a line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
fn mount(line: &str) -> Option<Mount> {
    let mut fields = line.split(' ').skip(2);
    let device = fields.next()?.to_owned();
    let path = |text: &str| PathBuf::from(unescaped(text));
    let (root, point) = (path(fields.next()?), path(fields.next()?));
    Some(Mount {
        device,
        root,
        point,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_own_lines_are_read() {
        let stat = "cpu  10 0 20 70 0 0 0 5 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((5, 105)));
        assert_eq!(ticks("cpu  1 2 3\n"), None);
        let text = "MemTotal:       24576000 kB\nMemFree:  1 kB\nMemAvailable:   12288000 kB\n\
                    SwapTotal:       1048576 kB\n";
        assert_eq!(memory_of(text), Some([24_000, 12_000, 1024]));
        assert_eq!(memory_of("nothing"), None);
        let line = "41 30 8:1 /srv/home\\040x/sub /mnt/second rw - ext4 /dev/sda1 rw";
        let found = mount(line).unwrap();
        assert_eq!(found.root, Path::new("/srv/home x/sub"));
        assert_eq!(found.point, Path::new("/mnt/second"));
    }
}
