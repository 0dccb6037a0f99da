//! What Linux tells of processes in `/proc`, and this system does not.

use std::path::PathBuf;
use std::time::Duration;

/// Whether the system tells what each process has used of the processors.
pub(crate) const TELLS_PROCESSOR_TIME: bool = false;

/// None are told.
pub(crate) fn processes() -> impl Iterator<Item = i32> {
    std::iter::empty()
}

/// None are told.
pub(crate) fn threads(_process: i32) -> impl Iterator<Item = i32> {
    std::iter::empty()
}

/// None are told.
pub(crate) fn children(_process: i32) -> Vec<i32> {
    Vec::new()
}

/// None are told.
pub(crate) fn children_of_thread(_process: i32, _thread: i32) -> Vec<i32> {
    Vec::new()
}

/// Not told.
pub(crate) fn environment(_process: i32) -> Vec<u8> {
    Vec::new()
}

/// Not told.
pub(crate) fn name(_process: i32) -> String {
    String::new()
}

/// Not told.
pub(crate) fn cpu_time(_process: i32) -> Option<Duration> {
    None
}

/// Not told.
pub(crate) fn processors_of(_thread: i32) -> Option<u32> {
    None
}

/// Not told.
pub(crate) fn schedstat(_process: i32, _thread: i32) -> Option<String> {
    None
}

/// There are none.
pub(crate) fn namespace(_process: i32) -> Option<PathBuf> {
    None
}

/// There are none.
pub(crate) fn cgroup(_process: i32) -> Option<String> {
    None
}

/// A file of counters; there is none.
#[derive(Debug)]
pub(crate) enum Counters {}

impl Counters {
    /// Not told.
    pub(crate) fn of_this_thread() -> Option<Counters> {
        None
    }

    /// Not told.
    pub(crate) fn of_pressure() -> Option<Counters> {
        None
    }

    pub(crate) fn read<'b>(&self, _room: &'b mut [u8]) -> Option<&'b str> {
        match *self {}
    }
}

/// Where a process or thread stands; not told.
#[derive(Debug)]
pub(crate) enum Stat {}

impl Stat {
    /// Not told.
    pub(crate) fn of_process(_process: i32) -> Option<Stat> {
        None
    }

    /// Not told.
    pub(crate) fn of_thread(_process: i32, _thread: i32) -> Option<Stat> {
        None
    }

    pub(crate) fn state(&self) -> Option<char> {
        match *self {}
    }

    pub(crate) fn parent(&self) -> Option<i32> {
        match *self {}
    }

    pub(crate) fn group(&self) -> Option<i32> {
        match *self {}
    }

    pub(crate) fn session(&self) -> Option<i32> {
        match *self {}
    }

    pub(crate) fn nice(&self) -> i32 {
        match *self {}
    }

    pub(crate) fn ticks_of_ended_children(&self) -> Option<u32> {
        match *self {}
    }
}
