//! The machine, as POSIX and the standard library describe it.

use std::path::Path;

pub(crate) use crate::platform::absent::machine::*;
pub(crate) use crate::platform::unix::machine::*;

/// Kinds of file systems have other numbers on each system.
pub(crate) fn file_system(_folder: &Path) -> Option<i64> {
    None
}
