//! What Linux reports about processes in `/proc`, and this system does not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::platform::SchedulerTimes;

pub(crate) use crate::platform::stat::Stat;

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = false;

pub(crate) fn processes() -> impl Iterator<Item = i32> {
    std::iter::empty()
}

pub(crate) fn threads(_process: i32) -> impl Iterator<Item = i32> {
    std::iter::empty()
}

pub(crate) fn children(_process: i32) -> Vec<i32> {
    Vec::new()
}

pub(crate) fn children_of_thread(_process: i32, _thread: i32) -> Vec<i32> {
    Vec::new()
}

pub(crate) fn environment(_process: i32) -> Vec<u8> {
    Vec::new()
}

pub(crate) fn name(_process: i32) -> String {
    String::new()
}

pub(crate) fn cpu_time(_process: i32) -> Option<Duration> {
    None
}

pub(crate) fn processors_of(_thread: i32) -> Option<u32> {
    None
}

pub(crate) fn schedstat(_process: i32, _thread: i32) -> Option<SchedulerTimes> {
    None
}

pub(crate) fn is_strangers(_process: u32, _folder: &Path) -> bool {
    false
}

pub(crate) fn this_thread() -> i32 {
    0
}

pub(crate) fn kernel_function(_thread: i32) -> Option<String> {
    None
}

pub(crate) fn namespace(_process: i32) -> Option<PathBuf> {
    None
}

pub(crate) fn cgroup(_process: i32) -> Option<String> {
    None
}

/// A file of counters, which does not exist here.
#[derive(Debug)]
pub(crate) enum Counters {}

impl Counters {
    pub(crate) fn of_this_thread() -> Option<Counters> {
        None
    }

    pub(crate) fn of_pressure() -> Option<Counters> {
        None
    }

    pub(crate) fn times(&self) -> Option<SchedulerTimes> {
        match *self {}
    }

    pub(crate) fn pressure(&self) -> Option<u64> {
        match *self {}
    }
}
