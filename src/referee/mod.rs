//! One game, as a deterministic machine without input or output.
//!
//! | file | what |
//! |---|---|
//! | `outcome` | how a game ended |
//! | `fault` | what an engine did wrong |
//! | `evidence` | what the host did meanwhile, and who is to blame for a flag fall |
//! | `record` | all that is known of a game when it is over |
//! | `rules` | what the event file decides of every game |
//! | `settings` | what one game is played under |
//! | `player` | what is kept of each side |
//! | `adjudicator` | ends a game by score or length |
//! | `machine` | the referee |

mod adjudicator;
mod evidence;
mod fault;
mod machine;
mod outcome;
mod player;
mod record;
mod rules;
mod settings;

pub use evidence::{EngineTimes, FlagEvidence, Observation, Standing, Testimony, Verdict};
pub use fault::{Breaches, Fault, FaultKind};
pub use machine::Referee;
pub use outcome::{DrawnBy, Outcome, Termination, VoidReason, WonBy};
pub use record::{GameRecord, MoveRecord, Thinking};
pub use rules::{Adjudication, DrawRule, FlagFallRule, HostFaults, ResignRule, Timeouts};
pub use settings::{GameSettings, NodeDraw, PlayerSettings};
