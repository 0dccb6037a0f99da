//! Engines that are stopped while they are not to move: by their process group.
//!
//! **Invariant: what was stopped here is continued here**, before its engine is sent anything, and however the game
//! ends.

use rustix::process::{Pid, Signal, kill_process_group};

use crate::platform::Root;

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
