//! What the machine does while engines play.
//!
//! | file | what |
//! |---|---|
//! | `epoch` | the one clock of a run |
//! | `cpus` | processors of their own for each lane |
//! | `reach` | whether one folder lies in another |
//! | `disk_space` | how much room the disk has left |
//! | `threads` | processor times of an engine's threads |
//! | `suspension` | whether the machine was suspended |
//! | `standstill` | whether the runner itself stood still |
//! | `witness` | what the host did while an engine was on the clock |

pub(crate) mod cpus;
pub(crate) mod disk_space;
pub(crate) mod epoch;
pub(crate) mod reach;
pub(crate) mod standstill;
pub(crate) mod suspension;
pub(crate) mod threads;
pub(crate) mod witness;
