//! Processes, by POSIX alone. The end of a child is waited for with `waitid`, which leaves its status to be read later.

use std::io;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::signal::unix::{self, SignalKind, signal};
use tokio::sync::Mutex;

use crate::platform::Root;

pub(crate) use crate::platform::absent::this_program;
pub(crate) use crate::platform::unix::process::*;
pub(crate) use crate::platform::unix::system::keep_descriptors;

/// Checks again whenever a child has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    process: Pid,
    some_child: Mutex<unix::Signal>,
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

// Engines that are stopped while they are not to move: by their process group.
//
// **Invariant: what was stopped here is continued here**, before its engine is sent anything, and however the game
// ends.

/// The group that is stopped.
#[derive(Debug, Default)]
pub(crate) struct Frozen(Option<Pid>);

impl Frozen {
    /// Stops the group of this process.
    pub(crate) fn stop(root: Root) -> Frozen {
        let group = Pid::from_raw(root.process).filter(|_| root.is_engine);
        Frozen(group.filter(|group| kill_process_group(*group, Signal::STOP).is_ok()))
    }

    /// Whether nothing is stopped.
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn go_on(&mut self) {
        if let Some(group) = self.0.take() {
            // The group may have been killed.
            let _ = kill_process_group(group, Signal::CONT);
        }
    }
}
