//! What Windows reports about processes.

use std::time::Duration;

use super::system;

pub(crate) use crate::platform::absent::{is_strangers, processors_of, this_thread};

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = true;

/// The processes that this one has started and that live. The number of a parent that has ended may be another's
/// today: a child is younger than its parent.
pub(crate) fn children(process: i32) -> Vec<i32> {
    let younger = || {
        let parent = u32::try_from(process).ok()?;
        let born = |process| Some(system::process_times(process)?.0);
        let parents = born(parent)?;
        let children = system::children_of(parent).ok()?.into_iter();
        let younger = children.filter(|child| born(*child) >= Some(parents));
        Some(younger.map(u32::cast_signed).collect())
    };
    younger().unwrap_or_default()
}

/// Processor time of a process; under Wine, of its living threads.
pub(crate) fn cpu_time(process: i32) -> Option<Duration> {
    let process = u32::try_from(process).ok()?;
    if !system::is_wine() {
        return system::process_times(process).map(|(_, used)| used);
    }
    // All threads of the machine are read for that: milliseconds.
    let threads = system::threads_of(&[process]).ok()?;
    Some(threads.into_iter().filter_map(system::thread_time).sum())
}
