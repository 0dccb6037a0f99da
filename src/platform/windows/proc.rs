//! What Windows reports about processes.

use std::time::Duration;

use super::system;

pub(crate) use crate::platform::absent::proc::{
    Counters, Stat, cgroup, children_of_thread, environment, is_strangers, kernel_function, name,
    namespace, processes, processors_of, schedstat, this_thread, threads,
};

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = true;

/// The processes that this one has started and that live. The number of a parent that has ended may be another's
/// today: a child is younger than its parent.
pub(crate) fn children(process: i32) -> Vec<i32> {
    let younger = || {
        let parent = u32::try_from(process).ok()?;
        let born = system::birth_of(parent)?;
        let children = system::children_of(parent).ok()?.into_iter();
        let younger = children.filter(|child| system::birth_of(*child) >= Some(born));
        Some(
            younger
                .filter_map(|child| i32::try_from(child).ok())
                .collect(),
        )
    };
    younger().unwrap_or_default()
}

/// Processor time of the living threads of a process. Its own sum would have those that have ended, too, but Wine
/// answers with that of the caller.
pub(crate) fn cpu_time(process: i32) -> Option<Duration> {
    let threads = system::threads_of(&[u32::try_from(process).ok()?]).ok()?;
    Some(threads.into_iter().filter_map(system::thread_time).sum())
}
