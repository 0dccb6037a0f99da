//! What the processes of a job use.

use std::io;

use super::system;
use crate::platform::Usage;
use crate::platform::process::Group;

/// Whether the system reports what processes use.
///
/// # Errors
/// Never.
pub(crate) fn available() -> io::Result<()> {
    Ok(())
}

/// Holds nothing: the processes of each job are read when they are counted.
#[derive(Debug, Default)]
pub(crate) struct ProcessSnapshot {}

impl ProcessSnapshot {
    /// Does nothing: every count is a new one.
    pub(crate) fn take(&mut self) {}

    /// What the processes of an engine use, and their numbers.
    pub(crate) fn usage(&self, group: &Group, _kept: bool, _mark: &str) -> (Usage, Vec<i32>) {
        let processes = group.processes();
        let threads = system::threads_of(&processes).unwrap_or_default();
        let numbers = processes.iter().map(|number| number.cast_signed());
        let numbers: Vec<i32> = numbers.collect();
        let usage = Usage {
            memory_bytes: memory_bytes(&numbers),
            tasks: threads.len() as u64,
        };
        (usage, numbers)
    }
}

/// The resident memory of these processes, in bytes; a process that has ended counts as 0.
pub(crate) fn memory_bytes(processes: &[i32]) -> u64 {
    let numbers = processes.iter().map(|number| number.cast_unsigned());
    numbers.filter_map(system::resident).sum()
}

pub(crate) fn held_open(_processes: &[i32], _most: usize) -> Option<u64> {
    Some(0)
}

/// As [`memory_bytes`]: shared memory is not separated.
pub(crate) fn private(processes: &[i32]) -> u64 {
    memory_bytes(processes)
}
