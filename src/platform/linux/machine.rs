//! The machine, as Linux describes it.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use rustix::thread::{CpuSet, sched_getaffinity};
use rustix::time::{ClockId, clock_gettime};

use crate::platform::ProcessorFacts;
use crate::platform::proc::{Counters, text};
pub(crate) use crate::platform::unix::machine::*;

pub(crate) fn processor_facts() -> ProcessorFacts {
    let word = |file: &str| {
        let text = fs::read_to_string(format!("/sys/devices/system/{file}")).ok()?;
        Some(text.trim().to_owned())
    };
    ProcessorFacts {
        ticks: text("stat").and_then(|text| ticks(&text)),
        pressure: Counters::of_pressure().and_then(|counters| counters.pressure()),
        smt: word("cpu/smt/active").map(|active| active == "1"),
        clock_source: word("clocksource/clocksource0/current_clocksource"),
        governor: word("cpu/cpu0/cpufreq/scaling_governor"),
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

/// Total memory, free memory, and space to which memory can be moved, in MiB.
pub(crate) fn memory() -> Option<[u64; 3]> {
    memory_of(&text("meminfo")?)
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

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let set = sched_getaffinity(None)?;
    let numbers = (0..CpuSet::MAX_CPU).filter(|number| set.is_set(*number));
    let numbers = numbers.filter_map(|number| u16::try_from(number).ok());
    Ok(numbers.collect())
}

/// A clock that stops while the machine is suspended, one that does not, and the first again: time that passes between
/// two readings is not taken for a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [ClockId::Monotonic, ClockId::Boottime, ClockId::Monotonic]
        .map(|clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default())
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
    }
}
