//! The machine, as far as the standard library describes it.

use std::io;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::platform::{Mount, ProcessorFacts};

/// Nothing is known of the processors.
pub(crate) fn processor_facts() -> ProcessorFacts {
    ProcessorFacts::default()
}

/// Their name is not known.
pub(crate) fn processor_name() -> Option<String> {
    None
}

/// It is not known how much there is.
pub(crate) fn memory() -> Option<[u64; 3]> {
    None
}

/// It is not known who holds locks.
pub(crate) fn locks() -> Option<String> {
    None
}

/// It is not known what is mounted.
pub(crate) fn mounts() -> Vec<Mount> {
    Vec::new()
}

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let count = u16::try_from(available_parallelism()?.get()).unwrap_or(u16::MAX);
    Ok((0..count).collect())
}

/// It is not known which processors share a core.
pub(crate) fn core_of(_processor: u16) -> [Option<u16>; 2] {
    [None, None]
}

/// There is no limit below the machine's memory.
pub(crate) fn memory_limit() -> Option<u64> {
    None
}

/// This system offers no two clocks whose difference shows a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [Duration::ZERO; 3]
}
