//! Processes: what Linux offers in addition to POSIX, among it a descriptor of a process, by which its end is waited for.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

pub(in crate::platform) use super::orphans::end_descendants;
pub(crate) use super::walls::keep_descriptors;
pub(crate) use crate::platform::unix::process::*;

/// The file of the running program, also if its name was changed meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// A command that starts this program. It starts the same program for the whole run, also if the file it was started
/// from is replaced or deleted.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this_program() -> io::Result<Command> {
    if !Path::new(RUNNING).exists() {
        return Ok(Command::new(std::env::current_exe()?));
    }
    let mut command = Command::new(RUNNING);
    command.arg0(env!("CARGO_PKG_NAME"));
    Ok(command)
}

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
