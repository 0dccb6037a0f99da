//! Linux.

pub(crate) mod channel;
pub(crate) mod machine;
pub(crate) mod orphans;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod process_snapshot;

pub(crate) mod walls;

pub(crate) use super::unix::{environment, files, pipes, signals, terminal};
