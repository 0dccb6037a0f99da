//! One game, as a deterministic machine without input or output.
//!
//! | file | what |
//! |---|---|
//! | `outcome` | how a game ended |
//! | `fault` | what an engine did wrong; the values of the PGN tag; the last lines before a fault |
//! | `evidence` | what the host did meanwhile, and who is to blame for a flag fall |
//! | `record` | all that is known of a game when it is over; what an engine says of the search that runs; what it was asked, said again |
//! | `rules` | what the event file decides of every game, ends by tablebases among it; thinking on the opponent's time |
//! | `settings` | what one game is played under; whose way is followed where programs that run engines differ |
//! | `search` | what an engine is doing, and what it owes |
//! | `player` | what is kept of each side |
//! | `adjudicator` | ends a game by score or length, in four ways |
//! | `machine` | the referee |

mod adjudicator;
mod evidence;
mod fault;
mod machine;
mod outcome;
mod player;
mod record;
mod rules;
mod search;
mod settings;

pub use adjudicator::{Adjudicator, ScoredMove};
pub(crate) use evidence::NOTHING;
pub use evidence::{Blame, EngineTimes, FlagEvidence, HostEvidence, Observation, ThreadState};
pub use fault::{
    Breaches, Dialogue, DialogueRecorder, EngineExit, Exit, Fault, FaultKind, MAX_LINE_BYTES,
    MAX_STDERR_BYTES, Spoken, Termination,
};
pub use machine::Referee;
pub(crate) use outcome::end_words;
pub use outcome::{DrawnBy, Outcome, Uneven, VoidReason, WonBy};
pub(crate) use record::EndedSearch;
pub use record::{GameRecord, MoveRecord, Pondered, Remarks, Request};
pub use rules::{
    ALLOWED, Adjudication, DrawRule, FlagFallRule, HostFaults, IdlePolicy, IdleRule, IdleTimes,
    OpenTables, ResignRule, School, TablebaseResults, TablebaseRule, Timeouts,
};
pub use search::SearchState;
pub use settings::{Compatibility, GameSettings, NodeDraw, PlayerSettings};

pub use crate::uci::Thinking;
