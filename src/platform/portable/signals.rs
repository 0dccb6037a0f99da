//! Which signals were ignored when the program was started.

use super::system::is_ignored;
pub(crate) use crate::platform::unix::signals::*;

/// The system is asked before a handler is installed.
#[derive(Debug)]
pub(in crate::platform) struct Ignored;

impl Ignored {
    /// Must be made before a handler is installed.
    pub(in crate::platform) fn at_the_start() -> Ignored {
        Ignored
    }

    /// Whether a signal is ignored.
    pub(in crate::platform) fn has(&self, number: i32) -> bool {
        is_ignored(number)
    }
}
