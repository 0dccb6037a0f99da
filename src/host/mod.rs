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
//! | `family` | an engine's processes and what they have used |
//! | `idle` | what the engine that is not to move uses |
//! | `witness` | what the host did while an engine was on the clock |

pub mod cpus;
pub mod disk_space;
pub mod epoch;
pub mod family;
pub mod idle;
pub mod reach;
pub mod standstill;
pub mod suspension;
pub mod threads;
pub mod witness;
