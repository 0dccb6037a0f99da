//! Windows.

pub(crate) mod channel;
pub(crate) mod environment;
pub(crate) mod files;
pub(crate) mod machine;
pub(crate) mod pipes;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod process_snapshot;
pub(crate) mod signals;
mod system;
pub(crate) mod terminal;
pub(crate) mod walls;

pub(crate) use super::absent as orphans;
