//! The machine, as Windows tells of it.

use std::io;
use std::path::Path;

use super::system;
use crate::platform::Fact;
pub(crate) use crate::platform::absent::machine::{clocks, core_of, memory_limit, processors};

/// What the system says, in the words of Linux; `None` if it does not.
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

/// This thread takes only processors that others leave: engines are being timed.
pub(crate) fn give_way(niceness: i32) {
    system::give_way(niceness > 10);
}

/// Bytes that this user may still write in a folder.
///
/// # Errors
/// The folder cannot be seen.
pub(crate) fn free_disk(folder: &Path) -> io::Result<u64> {
    system::free_disk(folder)
}

/// How many files may be open at once: Windows has no small limit.
pub(crate) fn open_files_limit() -> u64 {
    1 << 14
}

/// The longest file that this user may write: there is no limit.
pub(crate) fn file_size_limit() -> Option<u64> {
    None
}

/// This machine's name.
#[cfg_attr(
    not(feature = "nats"),
    allow(dead_code, reason = "a farm tells its machines apart")
)]
pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Who has started this program, in words.
pub(crate) fn user() -> String {
    std::env::var("USERNAME").unwrap_or_else(|_| "somebody".to_owned())
}

/// What kind of file system it is has no number here.
pub(crate) fn file_system(_folder: &Path) -> Option<i64> {
    None
}
