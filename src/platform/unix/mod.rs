//! What all Unix systems share.

pub(crate) mod channel;
pub(crate) mod environment;
pub(crate) mod files;
pub(crate) mod machine;
pub(crate) mod pipes;
pub(crate) mod process;
pub(crate) mod signals;
pub(crate) mod terminal;
