//! Which signals were ignored when the program was started.

use super::system::is_ignored;
pub(crate) use crate::platform::unix::signals::*;

/// What the system says while there is no handler yet.
#[derive(Debug)]
pub(in crate::platform) struct Ignored;

impl Ignored {
    /// To be made before there is a handler.
    pub(in crate::platform) fn at_the_start() -> Ignored {
        Ignored
    }

    /// Whether a signal is ignored.
    pub(in crate::platform) fn has(&self, number: i32) -> bool {
        is_ignored(number)
    }
}
