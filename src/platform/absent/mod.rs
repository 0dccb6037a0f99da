//! What a system may lack: evidence of threads and of other processes, walls. The functions return nothing for
//! what is not known.

#![allow(
    dead_code,
    reason = "Windows and portable Unix take what each of them lacks"
)]

pub(crate) mod machine;
pub(crate) mod orphans;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod process_snapshot;
pub(crate) mod walls;
