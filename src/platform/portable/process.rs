//! Processes, by POSIX alone. The end of a child is waited for with `waitid`, which leaves its status to be read later.

use std::io;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Mutex;

pub(crate) use super::system::keep_descriptors;
pub(crate) use crate::platform::absent::process::this_program;
pub(crate) use crate::platform::unix::process::*;

/// Processes that have left their group cannot be found.
pub(in crate::platform) fn end_descendants(_of: Pid) {}

/// Checks again whenever a child has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    process: Pid,
    some_child: Mutex<Signal>,
}

impl Ended {
    /// For a child process that was not waited for yet. Must be called within a runtime.
    pub(crate) fn of_process(process: Pid) -> io::Result<Ended> {
        let some_child = Mutex::new(signal(SignalKind::child())?);
        Ok(Ended {
            process,
            some_child,
        })
    }

    /// Waits until the process has ended.
    pub(crate) async fn wait(&self) {
        let mut some_child = self.some_child.lock().await;
        while !self.is_true() {
            some_child.recv().await;
        }
    }

    /// Whether it has ended.
    pub(crate) fn is_true(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that it is no longer a child.
        waitid(WaitId::Pid(self.process), options).is_ok_and(|status| status.is_some())
    }
}
