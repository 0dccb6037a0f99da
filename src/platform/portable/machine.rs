//! The machine, as POSIX and the standard library describe it.

pub(crate) use crate::platform::absent::{
    clocks, file_system, memory, processor_facts, processors,
};
pub(crate) use crate::platform::unix::machine::*;
