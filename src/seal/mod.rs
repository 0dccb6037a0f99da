//! An event fixed before its first game: the record written then, and whether results match it.
//!
//! | file | what |
//! |---|---|
//! | `plan_hash` | a hash of every pair of a plan |
//! | `manifest` | the record |
//! | `sealed` | the present event files, compared to the record |
//! | `games` | which games have been found, in stores and in PGN files |

mod games;
mod manifest;
mod plan_hash;
mod sealed;

pub(crate) use games::hold_against;
pub(crate) use manifest::{Manifest, SealedProgram, seal};
pub(crate) use sealed::open;
