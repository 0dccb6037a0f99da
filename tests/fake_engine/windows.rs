//! The same on Windows, which has neither signals nor groups; what it has nothing like is an error.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::time::{Duration, Instant};

/// Nothing asks a process of Windows to end but its input, its console and its job.
pub(crate) struct Listeners;

impl Listeners {
    /// There is nothing to listen to.
    #[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub(crate) fn new() -> io::Result<Listeners> {
        Ok(Listeners)
    }
}

/// The time on the wall: the system counts a thread's time in steps of 15 ms.
pub(crate) struct ThreadClock {
    begun: Instant,
}

impl ThreadClock {
    /// From now on.
    pub(crate) fn new() -> ThreadClock {
        ThreadClock {
            begun: Instant::now(),
        }
    }

    /// What has passed.
    pub(crate) fn used(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// There are no sessions that a program could leave: it stays in the job.
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(crate) fn leave_session() -> io::Result<()> {
    Ok(())
}

/// There are no groups.
pub(crate) fn join_parents_group() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not asked for by any test on this system.
pub(crate) fn run_on_one_processor() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not asked for by any test on this system.
pub(crate) fn be_nicest() {
    panic!("no niceness of threads on this system");
}

/// Closes its standard output: nothing else holds it.
#[allow(unsafe_code, reason = "nothing safe closes a standard stream")]
pub(crate) fn close_output() {
    let output = std::io::stdout().as_raw_handle();
    // SAFETY: the handle is open, and this process neither writes nor closes anything afterwards.
    drop(unsafe { OwnedHandle::from_raw_handle(output) });
}

/// Closes its standard input.
#[allow(unsafe_code, reason = "nothing safe closes a standard stream")]
pub(crate) fn close_input() {
    let input = std::io::stdin().as_raw_handle();
    // SAFETY: the handle is open, and this process reads nothing afterwards.
    drop(unsafe { OwnedHandle::from_raw_handle(input) });
}

/// Stands still without an end.
pub(crate) fn stop_myself() {
    loop {
        std::thread::park();
    }
}

/// Ends with the status of a bad pointer, `STATUS_ACCESS_VIOLATION`.
pub(crate) fn segmentation_fault() -> ! {
    std::process::exit(-0x3FFF_FFFB)
}
