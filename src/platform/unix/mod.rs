//! What all Unix systems share.

pub(crate) mod channel;
pub(crate) mod environment;
pub(crate) mod files;
pub(in crate::platform) mod limits;
pub(crate) mod machine;
pub(crate) mod pipes;
pub(crate) mod process;
pub(crate) mod signals;
pub(in crate::platform) mod system;
pub(crate) mod terminal;
