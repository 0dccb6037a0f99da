//! An event fixed before its first game: what is written down then, and whether results are of it.
//!
//! | file | what |
//! |---|---|
//! | `plan_hash` | a hash of every pair of a plan |
//! | `manifest` | what is written down |
//! | `sealed` | the event files as they are now, against what was written down |
//! | `games` | which games have been found, in stores and in PGN files |

mod games;
mod manifest;
mod plan_hash;
mod sealed;

pub(crate) use games::hold_against;
pub(crate) use manifest::{Manifest, SealedProgram, seal};
pub(crate) use sealed::open;
