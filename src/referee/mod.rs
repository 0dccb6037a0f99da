//! One game, as a deterministic machine without input or output.
//!
//! | file | what |
//! |---|---|
//! | `outcome` | how a game ended |
//! | `fault` | what an engine did wrong |
//! | `record` | all that is known of a game when it is over |
//! | `rules` | what the event file decides: limits, timeouts, adjudication |

mod fault;
mod outcome;
mod record;
mod rules;

pub use fault::{Breaches, Fault, FaultKind};
pub use outcome::{DrawnBy, Outcome, Termination, VoidReason, WonBy};
pub use record::{GameRecord, MoveRecord, Thinking};
pub use rules::{Adjudication, DrawRule, FlagFallRule, ResignRule, Timeouts};
