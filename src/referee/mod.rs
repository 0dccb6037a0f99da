//! One game, as a deterministic machine without input or output.
//!
//! | file | what |
//! |---|---|
//! | `outcome` | how a game ended |
//! | `termination` | the values of the PGN tag |
//! | `fault` | what an engine did wrong |
//! | `idle` | thinking on the opponent's time |
//! | `evidence` | what the host did meanwhile, and who is to blame for a flag fall |
//! | `dialogue` | the last lines before a fault |
//! | `record` | all that is known of a game when it is over |
//! | `remarks` | what an engine says of the search that runs |
//! | `request` | what an engine was asked, said again from the record |
//! | `compatibility` | whose way is followed where programs that run engines differ |
//! | `rules` | what the event file decides of every game |
//! | `settings` | what one game is played under |
//! | `search` | what an engine is doing, and what it owes |
//! | `player` | what is kept of each side |
//! | `adjudicator` | ends a game by score or length, in four ways |
//! | `tablebase_rule` | ends a game by tablebases |
//! | `machine` | the referee |

mod adjudicator;
mod compatibility;
mod dialogue;
mod evidence;
mod fault;
mod idle;
mod machine;
mod outcome;
mod player;
mod record;
mod remarks;
mod request;
mod rules;
mod search;
mod settings;
mod tablebase_rule;
mod termination;

pub use adjudicator::{Adjudicator, ScoredMove};
pub use compatibility::Compatibility;
pub use dialogue::{
    Dialogue, DialogueRecorder, EngineExit, Exit, MAX_LINE_BYTES, MAX_STDERR_BYTES, Spoken,
};
pub(crate) use evidence::NOTHING;
pub use evidence::{Blame, EngineTimes, FlagEvidence, HostEvidence, Observation, ThreadState};
pub use fault::{Breaches, Fault, FaultKind};
pub use idle::{ALLOWED, IdlePolicy, IdleRule, IdleTimes};
pub use machine::Referee;
pub(crate) use outcome::end_words;
pub use outcome::{DrawnBy, Outcome, Uneven, VoidReason, WonBy};
pub use record::{GameRecord, MoveRecord, Pondered, Thinking};
pub(crate) use remarks::EndedSearch;
pub use remarks::Remarks;
pub use request::Request;
pub use rules::{Adjudication, DrawRule, FlagFallRule, HostFaults, ResignRule, School, Timeouts};
pub use search::SearchState;
pub use settings::{GameSettings, NodeDraw, PlayerSettings};
pub use tablebase_rule::{TablebaseResults, TablebaseRule, TablebaseTerms};
pub use termination::Termination;
