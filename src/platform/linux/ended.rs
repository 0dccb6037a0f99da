//! Waits for the end of a process, by its descriptor.

use std::io;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Readable when the process has ended.
#[derive(Debug)]
pub(crate) struct Ended(AsyncFd<OwnedFd>);

impl Ended {
    /// For a child process that was not waited for yet. Must be called within a runtime.
    pub(crate) fn of_process(process: Pid) -> io::Result<Ended> {
        let ended = pidfd_open(process, PidfdFlags::NONBLOCK)?;
        // Its replacement is `unsafe`, for types whose descriptor may change under
        // tokio's hands. An `OwnedFd` keeps its own until it is dropped.
        #[allow(deprecated)]
        let ended = AsyncFd::with_interest(ended, Interest::READABLE)?;
        Ok(Ended(ended))
    }

    /// Waits until the process has ended.
    pub(crate) async fn wait(&self) {
        // An error means that the runtime has ended.
        let _ = self.0.readable().await;
    }

    /// Whether it has ended.
    pub(crate) fn is_true(&self) -> bool {
        let mut leader = [PollFd::new(self.0.get_ref(), PollFlags::IN)];
        poll(&mut leader, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }
}
