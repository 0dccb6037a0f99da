//! Errors in principal variations, compared to the rules and to the engine's own score.
//!
//! No check is made while games are played: the last variation of every move is in the store, and is checked
//! afterwards.
//!
//! | file | what |
//! |---|---|
//! | `lint` | one variation |
//! | `tally` | all variations of an event, by engine |
//! | `text` | for people |

mod lint;
mod tally;
mod text;

pub(crate) use tally::{EngineVariations, Variations};
pub(crate) use text::{Flaws, variation_lines};
