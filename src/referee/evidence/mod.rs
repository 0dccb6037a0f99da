//! What the host did while an engine was on the clock, and who is to blame for a
//! flag that fell.
//!
//! | file | what |
//! |---|---|
//! | `mod` | what was seen |
//! | `json` | the same as JSON |
//! | `verdict` | who is to blame: a pure function of it |
//! | `explain` | the same in words |

mod explain;
mod json;
mod verdict;

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What was seen of the host during one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "json::ObservationJson", into = "json::ObservationJson")]
pub struct Observation {
    /// How long the host was watched, up to the end of the move. What the move
    /// took beyond that is in the dark.
    pub watched: Duration,
    /// How late we were ourselves: the time that the lane's thread waited for a
    /// processor before it handled what ended the move. `None` if the system does
    /// not tell. The same holds for the durations that follow.
    pub wakeup: Option<Duration>,
    /// All such waits of the lane's thread during the watch.
    pub lane_wait: Option<Duration>,
    /// Processor times of the engine's threads.
    pub engine: Option<EngineTimes>,
    /// How long some task of the machine, any, waited for a processor (the line
    /// `some` of `/proc/pressure/cpu`, a mean over the processors).
    pub pressure: Option<Duration>,
    /// How long the machine was suspended, or the runner itself did not run.
    pub suspended: Duration,
}

/// Processor times of all threads of an engine's processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EngineTimes {
    /// On a processor, all threads together.
    pub cpu: Duration,
    /// Runnable and not on a processor, all threads together.
    pub wait: Duration,
    /// The same of the thread that waited longest, without what the engine's own threads can
    /// have made it wait: an engine with more threads than processors waits for itself. It
    /// need not be a thread that the move waits for.
    pub longest_wait: Duration,
    /// Whether every thread could be followed to the end. One that ended before
    /// took its times with it.
    pub complete: bool,
}

/// What the engine's threads are doing while its move is overdue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThreadState {
    /// They wait for nothing that the host owes them.
    #[default]
    Asleep,
    /// One at least runs, or waits for a processor.
    Runnable,
    /// One at least waits for a disk, or for memory to come back from one.
    Blocked,
    /// They were stopped by a signal.
    Stopped,
}

/// What is known at a moment after the flag has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostEvidence {
    /// The host so far.
    pub host: Observation,
    /// Time of runnable threads that is not accounted for: on a processor since
    /// its last tick, in a wait that has not ended, or asleep before.
    pub pending: Duration,
    /// What the engine is doing.
    pub standing: ThreadState,
    /// How long the thread that has answered waited for a processor since the watch began, at least. `None` if the move
    /// has not come, if it is not known which thread it was, or if a thread ran on for more than 50 ms of a processor's
    /// time after the flag had fallen: then no wait has made the move late.
    pub answerer_wait: Option<Duration>,
    /// Upper limit of the processor time used by the engine's own processes that are not followed: the engine may have
    /// waited this long for itself.
    pub own: Duration,
    /// What the host is proven to have taken of the move's time, where the event does not charge that.
    pub taken: Duration,
}

crate::chess::worded! {
    /// Who is to blame for a flag fall.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Blame,
    /// A stable word, for files that programs read.
    word: &'static str {
        /// The engine: all that the host can have cost it is less than it was late.
        Engine = "engine",
        /// The host: the engine was runnable and not run for longer than it was late.
        Host = "host",
        /// Neither can be shown.
        Undecided = "undecided",
    }
}

/// A flag fall with its evidence. The verdict is that of its time, which is not recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "json::EvidenceJson", into = "json::EvidenceJson")]
pub struct FlagEvidence {
    /// Who is to blame.
    pub verdict: Blame,
    /// The time until the move came, or until the runner stopped reading.
    pub elapsed: Duration,
    /// How much of that was beyond clock and margin.
    pub late: Duration,
    /// Whether the move did come, too late.
    pub answered: bool,
    /// The time that the engine itself reported last, in milliseconds.
    pub reported_ms: Option<u64>,
    /// What was seen.
    pub seen: HostEvidence,
}

impl ThreadState {
    /// Every standing.
    pub const ALL: [ThreadState; 4] = [
        ThreadState::Asleep,
        ThreadState::Runnable,
        ThreadState::Blocked,
        ThreadState::Stopped,
    ];
}
