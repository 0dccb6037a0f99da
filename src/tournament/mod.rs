//! The state of an event, as it follows from what is stored.
//!
//! | file | what |
//! |---|---|
//! | `rounds` | the choices of a continuation of the plan, in their stored form; an event that is played in rounds, as its store has it |
//! | `roster` | who plays, and under which names; that a store was made out of `games.pgn`; which worker of a farm has played which pair; where an event stands: before, playing, paused, waiting, stopped, over |
//! | `fault_counts` | faults, strikes and disqualifications |
//! | `evidence` | the games that estimates are made of, and an interval that may be looked at all the time; which build of an engine has played a game |
//! | `scoreboard` | results counted by engine and encounter |
//! | `round_games` | what every game of a round was for both engines, in the signs of crosstables; limits of games that are not those of the engines |
//! | `rulings` | messages about disqualified engines |
//! | `sprt_watch` | a sequential test, fed with games as they finish |
//! | `stored` | all of these, from the store alone |
//! | `interrupted` | games that a run has left behind, and that go on |
//! | `state` | all of it as one, fed once; who meets whom in this round and the next |
//! | `arbiter` | whether a decision of the arbiter can be made, and what follows |

mod arbiter;
mod evidence;
pub(crate) mod fault_counts;
mod interrupted;
mod roster;
mod round_games;
mod rounds;
mod rulings;
mod scoreboard;
mod sprt_watch;
mod state;
mod stored;

pub(crate) use arbiter::{DecisionRefusal, Desk, PreparedDecision, open_replacements};
pub(crate) use evidence::{Builds, CopyKeys, GameEvidence, SequentialEstimate};
pub(crate) use interrupted::{
    InterruptedGame, interrupted_games, interruption_lines, resumption_lines,
};
pub(crate) use roster::{
    EventPhase, NOT_IN_PGN, PendingBids, PendingReplay, PendingRound, REBUILT, WORKERS_FILE,
};
pub use roster::{Participant, Rebuilt, Roster};
pub(crate) use round_games::{
    GameOfRound, SignedGame, game_limits, planned_limits, signs, stored_limits,
};
pub(crate) use rounds::{
    Choice, Contest, DecidedEncounters, ROUND_CHOICE, add_results, game_names, history_of,
    is_in_rounds, read_drawn,
};
pub(crate) use rulings::{
    act_words, decision_lines, decision_value, decision_values, entrant_lines, ruling_lines,
    ruling_sentence, ruling_values, unusual_games, void_lines,
};
pub use scoreboard::Scoreboard;
pub(crate) use scoreboard::{CountedGame, Rating, Ratings, StageBoard, StandingRow, points_words};
pub use sprt_watch::SprtWatch;
pub(crate) use state::RoundPairings;
pub use state::{EventState, EventView};
pub(crate) use stored::{
    bids_key, bids_wait, conduct_under, excused_games, fault_counts, pending_bids, replayed_games,
    replays,
};
