//! Effects: session, dispatcher, queue, lanes, signals.
//!
//! | file | what |
//! |---|---|
//! | `error` | why a run could not begin or continue, shards cannot be merged, a store cannot be rebuilt |
//! | `signals` | how signals stop a run |

//! | `game` | a pair that is given out, its games as planned, a game's record as a fact, and a lane's moves on their way to the disk, where its games may go on after an interruption |
//! | `live_updates` | what passes in running games, and the lines of searches, on their way to those who listen |
//! | `driver` | between the referee and the pipes |
//! | `control` | what a run is asked while it plays |
//! | `source` | the queue of pairs, where lanes get their work from, and where their facts go |
//! | `lane` | a thread that plays one game at a time |
//! | `prepare` | remarks on this machine, what was left of a former run, what engines are told of the variant |
//! | `capacity` | more threads on a clock than processors? room for all engines that can be alive at once? |
//! | `places` | processors for the lanes, with regard to other events |
//! | `replay` | one engine is asked again what it was asked in a game |
//! | `making` | starts that the engines make themselves, before the games |
//! | `work` | the plan minus the stored games |
//! | `continuation` | a plan that grows by what its results say; how an event in rounds continues |
//! | `adaptive` | how an adaptive event continues |
//! | `listeners` | listeners on separate threads, which hold nothing up |
//! | `dispatcher` | the only place that knows what is running |
//! | `session` | an event from its checked file to its last game |

pub(crate) mod adaptive;

pub mod capacity;
pub(crate) mod continuation;
pub(crate) mod control;
pub(crate) mod dispatcher;
pub(crate) mod driver;
pub(crate) mod error;
pub(crate) mod game;
pub(crate) mod lane;
pub(crate) mod listeners;
pub(crate) mod live_updates;
pub(crate) mod making;
pub(crate) mod places;
pub(crate) mod prepare;
pub(crate) mod replay;
pub(crate) mod session;
pub(crate) mod signals;
pub(crate) mod source;
pub(crate) mod work;

pub(crate) use dispatcher::{EndReason, NewBeginning, RunEnding};

pub use error::RunError;
pub use session::Session;
pub(crate) use session::{Merged, Rebuilding, could_open, folder_of, merge, rebuild};
