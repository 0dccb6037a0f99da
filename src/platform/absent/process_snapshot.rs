//! What processes use: not available. Limits of it are refused.

use std::io;

use crate::platform::Usage;
use crate::platform::process::Group;

/// Whether the system reports what processes use.
///
/// # Errors
/// Always.
pub(crate) fn available() -> io::Result<()> {
    let why = "memory_mib and processes cannot be held to on this system, which does not tell what processes \
               use: leave them out";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

/// Nothing is counted.
#[derive(Debug, Default)]
pub(crate) struct ProcessSnapshot {}

impl ProcessSnapshot {
    pub(crate) fn take(&mut self) {}

    pub(crate) fn usage(&self, _group: &Group, _kept: bool, _mark: &str) -> (Usage, Vec<i32>) {
        (Usage::default(), Vec::new())
    }
}

pub(crate) fn memory_bytes(_processes: &[i32]) -> u64 {
    0
}

pub(crate) fn held_open(_processes: &[i32], _most: usize) -> Option<u64> {
    Some(0)
}

pub(crate) fn private(_processes: &[i32]) -> u64 {
    0
}
