//! How much memory this machine has for engines.

use crate::platform::{machine, proc};

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
        let [total, available, swap] = machine::memory()?;
        let limit = proc::memory_limit().filter(|limit| *limit < total);
        Some(Memory {
            total: limit.unwrap_or(total),
            available: limit.map_or(available, |limit| available.min(limit)),
            // What of a limit may be swapped is limited too, and not looked up.
            swap: limit.map_or(swap, |_| 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::capabilities::{Capability, has};

    #[test]
    fn it_is_known_where_the_table_says_so() {
        let is_known = Memory::of_this_machine().is_some_and(|memory| memory.total > 100);
        assert_eq!(is_known, has(Capability::Memory));
    }
}
