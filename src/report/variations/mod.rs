//! Principal variations that do not hold: what engines say of their own searches.
//!
//! Nothing of this happens while games are played: the last variation of every move is
//! in the store, and is looked at afterwards.
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
