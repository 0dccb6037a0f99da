//! Time controls and clocks, in virtual time: nothing here asks what time it is.
//!
//! | file | what |
//! |---|---|
//! | `stamp` | [`Stamp`]: when something happened, in nanoseconds of the run |
//! | `control` | [`TimeControl`]: periods as PGN writes them, `40/5400+30:1800+30` |
//! | `limits` | [`Limits`]: what bounds a search: a clock, a time, nodes, depth |
//! | `running` | [`Clock`]: the time of one player in one game, and the fall of the flag |

mod control;
mod limits;
mod running;
mod stamp;

pub(crate) use control::MAX_SECONDS;
pub use control::{Stage, TimeControl, TimeControlError, TimeControlProblem};
pub use limits::{FirstIncrement, Limits, LimitsError, NODES_OBEYED, TimeLimit};
pub use running::{Charge, Clock, FlagFall};
pub use stamp::Stamp;
pub(crate) use stamp::nanoseconds;
