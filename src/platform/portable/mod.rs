//! Unix systems that offer only POSIX: macOS, and Linux with the feature `portable`.

pub(crate) mod channel;
pub(crate) mod machine;
pub(crate) mod process;
pub(crate) mod walls;

pub(crate) use super::unix::{environment, files, pipes, signals, terminal};
pub(crate) use super::{absent as orphans, absent as proc, absent as process_snapshot};
