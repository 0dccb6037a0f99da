//! The machine, as far as the standard library describes it.

use std::io;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::platform::ProcessorFacts;

/// Nothing is known of the processors.
pub(crate) fn processor_facts() -> ProcessorFacts {
    ProcessorFacts::default()
}

/// It is not known how much there is.
pub(crate) fn memory() -> Option<[u64; 3]> {
    None
}

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let count = u16::try_from(available_parallelism()?.get()).unwrap_or(u16::MAX);
    Ok((0..count).collect())
}

/// This system offers no two clocks whose difference shows a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [Duration::ZERO; 3]
}
