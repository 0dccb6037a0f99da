//! What a system has none of: evidence of threads and of other processes, cgroups, walls. Nothing is said of what is
//! not known.

#![allow(
    dead_code,
    reason = "Windows and portable Unix take what each of them lacks"
)]

pub(crate) mod cgroup;
pub(crate) mod machine;
pub(crate) mod orphans;
pub(crate) mod proc;
pub(crate) mod process;
pub(crate) mod process_counts;
pub(crate) mod walls;
