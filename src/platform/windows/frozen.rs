//! Stopping engines while they are not to move: Windows has no call for it.

use crate::platform::Root;

/// Nothing is ever stopped.
#[derive(Debug, Default)]
pub(crate) struct Frozen {}

impl Frozen {
    pub(crate) fn stop(_root: Root) -> Frozen {
        Frozen {}
    }

    /// Whether nothing is stopped.
    pub(crate) fn is_none(&self) -> bool {
        true
    }

    pub(crate) fn go_on(&mut self) {}
}
