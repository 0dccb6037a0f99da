//! The machine, as Windows describes it.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::system;
use crate::platform::ProcessorFacts;
pub(crate) use crate::platform::absent::{file_system, processors};

pub(crate) fn processor_facts() -> ProcessorFacts {
    ProcessorFacts {
        clock_source: Some("QueryPerformanceCounter".to_owned()),
        ..ProcessorFacts::default()
    }
}

/// Total memory, free memory, and space to which memory can be moved, in MiB.
pub(crate) fn memory() -> Option<[u64; 3]> {
    Some(system::memory()?.map(|bytes| bytes >> 20))
}

/// How far these clocks can be behind: some ticks of the system, of 16 ms each.
const TICKS: Duration = Duration::from_millis(50);

/// A clock that stops while the machine is suspended, one that does not, and the first again; the first as early and as
/// late as it can have been, so that a tick is not taken for a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    let [running, with_suspension] = system::running_time();
    [
        running.saturating_sub(TICKS),
        with_suspension,
        running + TICKS,
    ]
}

/// Lets other threads go before this one, because engines are being timed.
pub(crate) fn give_way(niceness: i32) {
    system::give_way(niceness > 10);
}

/// Number of bytes that this user may still write in a folder.
///
/// # Errors
/// The folder cannot be accessed.
pub(crate) fn free_disk(folder: &Path) -> io::Result<u64> {
    system::free_disk(folder)
}

/// Maximum number of files open at once: Windows has no small limit.
pub(crate) fn open_files_limit() -> u64 {
    1 << 14
}

/// Maximum size of a file that this user may write: Windows has no limit.
pub(crate) fn file_size_limit() -> Option<u64> {
    None
}

pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// The user who has started this program, in words.
pub(crate) fn user() -> String {
    std::env::var("USERNAME").unwrap_or_else(|_| "somebody".to_owned())
}
