//! What the machine does while engines play.
//!
//! | file | what |
//! |---|---|
//! | `epoch` | the one clock of a run |
//! | `cpus` | separate processors for each lane |
//! | `neighbours` | other runs on this machine, and the processors that they have taken |
//! | `reach` | whether one folder lies in another |
//! | `disk_space` | what the disk of the results has left |
//! | `memory` | how much of it there is for engines |
//! | `threads` | processor times of an engine's threads |
//! | `standstill` | whether the runner was stopped, or the machine suspended |
//! | `process_tree` | an engine's processes and what they have used |
//! | `idle` | what the engine that is not to move uses |
//! | `engine_processes` | an engine's processes that nobody follows |
//! | `starvation` | how long an engine without a clock was kept waiting |
//! | `observer` | what the host did while an engine was on the clock |

pub(crate) mod cpus;
pub(crate) mod disk_space;
pub(crate) mod engine_processes;
pub(crate) mod epoch;
pub(crate) mod idle;
pub(crate) mod memory;
pub(crate) mod neighbours;
pub(crate) mod observer;
pub(crate) mod process_tree;
pub(crate) mod reach;
pub(crate) mod standstill;
pub(crate) mod starvation;
pub(crate) mod threads;
