//! An event fixed before its first game: the record written then, and whether results match it.
//!
//! | file | what |
//! |---|---|
//! | `manifest` | the record; a hash of every pair of a plan |
//! | `sealed` | the present event files, compared to the record |
//! | `games` | which games have been found, in stores and in PGN files |

mod games;
mod manifest;
mod sealed;

pub(crate) use games::hold_against;
pub(crate) use manifest::{Manifest, SealedProgram, seal};
pub(crate) use sealed::open;
