//! An event fixed before its first game: the record written then, and whether results match it.
//!
//! | file | what |
//! |---|---|
//! | `manifest` | the record; a hash of every pair of a plan |
//! | `sealed` | the present event files, compared to the record; the record of all results, written after the last game |
//! | `games` | which games have been found, in stores and in PGN files; drawn games, played again |

mod games;
mod manifest;
mod sealed;

pub(crate) use games::{hold_against, replay};
pub(crate) use manifest::{SealedProgram, seal};
pub(crate) use sealed::{Closing, open, read};
