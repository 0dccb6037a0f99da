//! Unix systems that offer only POSIX: macOS, and Linux with the feature `portable`.

pub(crate) mod channel;
pub(crate) mod machine;
pub(crate) mod process;
pub(crate) mod walls;

pub(crate) use super::absent::{orphans, proc, process_snapshot};
pub(crate) use super::unix::{environment, files, pipes, signals, terminal};
