//! How much memory this machine has for engines.

use crate::platform::{Fact, machine};

/// In MiB. Where a cgroup gives less than the machine has, what it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    /// All of it.
    pub(crate) total: u64,
    /// What could be had now without swapping.
    pub(crate) available: u64,
    /// Room to which memory can be moved.
    pub(crate) swap: u64,
}

impl Memory {
    /// What the system says; `None` if it does not.
    pub(crate) fn of_this_machine() -> Option<Memory> {
        let memory = Memory::read(&machine::text(Fact::Memory)?)?;
        Some(match machine::memory_limit() {
            Some(limit) if limit < memory.total => Memory {
                total: limit,
                available: memory.available.min(limit),
                // What of it may be swapped is limited too, and not looked up.
                swap: 0,
            },
            _ => memory,
        })
    }

    /// From the text of `/proc/meminfo` (proc(5)).
    fn read(text: &str) -> Option<Memory> {
        let mib = |name: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
            Some(kib >> 10)
        };
        let total = mib("MemTotal:")?;
        Some(Memory {
            total,
            available: mib("MemAvailable:").unwrap_or(total),
            swap: mib("SwapTotal:").unwrap_or(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::capabilities::{Capability, has};

    #[test]
    fn it_is_read_in_mebibytes() {
        let text = "MemTotal:       24576000 kB\nMemFree:  1 kB\nMemAvailable:   12288000 kB\n\
                    SwapTotal:       1048576 kB\n";
        let memory = Memory::read(text).unwrap();
        assert_eq!(
            (memory.total, memory.available, memory.swap),
            (24_000, 12_000, 1024)
        );
        assert_eq!(Memory::read("nothing"), None);
        let is_known = Memory::of_this_machine().is_some_and(|memory| memory.total > 100);
        assert_eq!(is_known, has(Capability::Memory));
    }
}
