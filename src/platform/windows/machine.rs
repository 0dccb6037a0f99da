//! The machine, as Windows describes it.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::system;
use crate::platform::Fact;
pub(crate) use crate::platform::absent::machine::{core_of, memory_limit, processors};

/// A text of the system, in the form that Linux has; `None` if the system does not offer it.
pub(crate) fn text(fact: Fact) -> Option<String> {
    match fact {
        Fact::Memory => {
            let [total, free, swap] = system::memory()?.map(|bytes| bytes >> 10);
            Some(format!(
                "MemTotal: {total} kB\nMemAvailable: {free} kB\nSwapTotal: {swap} kB\n"
            ))
        }
        Fact::ClockSource => Some("QueryPerformanceCounter".to_owned()),
        fact => crate::platform::absent::machine::text(fact),
    }
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

/// Windows has no numbers for kinds of file systems.
pub(crate) fn file_system(_folder: &Path) -> Option<i64> {
    None
}
