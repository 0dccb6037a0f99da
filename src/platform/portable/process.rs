//! Processes, by POSIX alone.

use rustix::process::Pid;

pub(crate) use super::ended::Ended;
pub(crate) use super::system::keep_descriptors;
pub(crate) use crate::platform::absent::process::this_program;
pub(crate) use crate::platform::unix::process::*;

/// Processes that have left their group cannot be found.
pub(in crate::platform) fn end_descendants(_of: Pid) {}
