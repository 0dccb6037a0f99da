//! A child that has ended, by `waitid` that leaves it to be waited for.

use std::io;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Mutex;

/// Asks again whenever some child has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    process: Pid,
    /// SIGCHLD.
    some_child: Mutex<Signal>,
}

impl Ended {
    /// Of this process, a child that was not waited for. Must be called within a runtime.
    pub(crate) fn of(process: Pid) -> io::Result<Ended> {
        let some_child = Mutex::new(signal(SignalKind::child())?);
        Ok(Ended {
            process,
            some_child,
        })
    }

    /// Until it has ended.
    pub(crate) async fn wait(&self) {
        let mut some_child = self.some_child.lock().await;
        while !self.is_true() {
            some_child.recv().await;
        }
    }

    /// Whether it has ended.
    pub(crate) fn is_true(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error: it is no child any more.
        waitid(WaitId::Pid(self.process), options).is_ok_and(|status| status.is_some())
    }
}
