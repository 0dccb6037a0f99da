//! What the host did while an engine was on the clock, and who is to blame for a
//! flag that fell.
//!
//! | file | what |
//! |---|---|
//! | `mod` | what was seen; the same as JSON; the same in words |
//! | `verdict` | who is to blame: a pure function of it |

mod verdict;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::{as_nanoseconds, nanoseconds};
use crate::text::duration;

pub(crate) use verdict::NOTHING;

/// What was seen of the host during one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "ObservationJson", into = "ObservationJson")]
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

/// What is known of a move that has come, or whose flag has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HostEvidence {
    /// Time of runnable threads that is not accounted for: on a processor since
    /// its last tick, in a wait that has not ended, or asleep before.
    #[serde(rename = "pending_ns", with = "as_nanoseconds")]
    pub pending: Duration,
    /// What the engine was doing when its flag had fallen and its move had not come.
    pub standing: ThreadState,
    /// The host so far.
    pub host: Observation,
    /// How long the thread that has answered, or can answer, waited for a processor since the watch began, at least;
    /// `None` if it is not known which thread that is.
    #[serde(
        rename = "answerer_wait_ns",
        serialize_with = "as_nanoseconds::serialize"
    )]
    #[serde(deserialize_with = "as_nanoseconds::if_known")]
    pub answerer_wait: Option<Duration>,
    /// What the engine's busiest thread had of a processor since the watch began.
    #[serde(rename = "busiest_ns", with = "as_nanoseconds", default)]
    pub busiest: Duration,
    /// Upper limit of the processor time used by the engine's own processes that are not followed: the engine may have
    /// waited this long for itself.
    #[serde(rename = "own_ns", with = "as_nanoseconds", default)]
    #[serde(skip_serializing_if = "Duration::is_zero")]
    pub own: Duration,
}

crate::chess::worded! {
    /// Who is to blame for a flag fall.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Blame,
    /// A stable word, for files that programs read.
    word: &'static str {
        /// The engine: it had more than its time of the processors, whatever the host took.
        Engine = "engine",
        /// The host: the engine had no more than its time, as is proven.
        Host = "host",
        /// Neither can be shown: the engine pays.
        Undecided = "undecided",
    }
}

/// A flag fall with its evidence. The verdict is that of its time, which is not recomputed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagEvidence {
    /// Who is to blame.
    pub verdict: Blame,
    /// The time until the move came, or until the runner stopped reading.
    #[serde(rename = "elapsed_ns", with = "as_nanoseconds")]
    pub elapsed: Duration,
    /// How much of that was beyond clock and margin.
    #[serde(rename = "late_ns", with = "as_nanoseconds")]
    pub late: Duration,
    /// Whether the move did come, too late.
    pub answered: bool,
    /// The time that the engine itself reported last, in milliseconds.
    pub reported_ms: Option<u64>,
    /// What was seen.
    #[serde(flatten)]
    pub seen: HostEvidence,
    /// What the host is proven to have taken of the time.
    #[serde(rename = "taken_ns", with = "as_nanoseconds", default)]
    #[serde(skip_serializing_if = "Duration::is_zero")]
    pub taken: Duration,
}

// The evidence as JSON: an array for each watched move, an object for a flag fall. Times are nanoseconds.

/// Watched, wake-up, lane's waits, engine's processor time, engine's waits, whether its threads could all be followed (1
/// or 0), pressure, suspended.
type ObservationJson = [Option<u64>; 8];

impl From<Observation> for ObservationJson {
    fn from(seen: Observation) -> ObservationJson {
        let engine = |time: fn(&EngineTimes) -> u64| seen.engine.as_ref().map(time);
        [
            Some(nanoseconds(seen.watched)),
            seen.wakeup.map(nanoseconds),
            seen.lane_wait.map(nanoseconds),
            engine(|times| nanoseconds(times.cpu)),
            engine(|times| nanoseconds(times.wait)),
            engine(|times| u64::from(times.complete)),
            seen.pressure.map(nanoseconds),
            Some(nanoseconds(seen.suspended)),
        ]
    }
}

impl From<ObservationJson> for Observation {
    fn from(row: ObservationJson) -> Observation {
        let time = |place: usize| row[place].map(Duration::from_nanos);
        let engine = || {
            Some(EngineTimes {
                cpu: time(3)?,
                wait: time(4)?,
                complete: row[5]? > 0,
            })
        };
        Observation {
            watched: time(0).unwrap_or_default(),
            wakeup: time(1),
            lane_wait: time(2),
            engine: engine(),
            pressure: time(6),
            suspended: time(7).unwrap_or_default(),
        }
    }
}

// Who is to blame for a flag that fell, in words.

impl fmt::Display for FlagEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Blame::Engine => "the engine's fault: ",
            Blame::Host => "the host's fault: ",
            Blame::Undecided => "undecided: ",
        })?;
        let atleast = if self.answered { "" } else { "at least " };
        write!(f, "{atleast}{} late, ", duration(self.late))?;
        match (self.seen.standing, self.seen.host.engine) {
            (_, None) => f.write_str("and the host was not watched"),
            (ThreadState::Stopped, _) => f.write_str("stopped by a signal"),
            (ThreadState::Blocked, _) => f.write_str("waiting for a disk"),
            _ if self.slept() => f.write_str("asleep when its flag fell"),
            _ => self.fmt_waits(f),
        }
    }
}

impl FlagEvidence {
    /// `the host cost it 2.5 ms to 7.1 ms`, or one of the two.
    fn fmt_waits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host cost it ")?;
        let (least, most) = (duration(self.taken), duration(self.most()));
        match self.verdict {
            Blame::Engine => write!(f, "{most} at most"),
            Blame::Undecided => write!(f, "{least} to {most}"),
            Blame::Host => write!(f, "{least} at least"),
        }?;
        let (own, suspended) = (self.seen.own, self.seen.host.suspended);
        let [own_words, suspended_words] = [own, suspended].map(duration);
        if !own.is_zero() {
            write!(f, ", its own other processes {own_words} at most")?;
        }
        if !suspended.is_zero() {
            write!(
                f,
                "; the machine or the runner stood still for {suspended_words}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::HostEvidence;
    use crate::referee::evidence::verdict::tests::{MS, waited};

    #[test]
    fn the_words_say_what_the_host_took() {
        let words = |late, answered, seen| {
            FlagEvidence::judge(1000 * MS, late * MS, answered, seen).to_string()
        };
        let undecided = "undecided: 5 ms late, the host cost it 4 ms to 8 ms";
        assert_eq!(words(5, true, waited(8, 4)), undecided);
        let engine = "the engine's fault: at least 7 ms late, the host cost it 6 ms at most";
        assert_eq!(words(7, false, waited(6, 6)), engine);
        let host = "the host's fault: 5 ms late, the host cost it 6 ms at least";
        assert_eq!(words(5, true, waited(6, 6)), host);
        let mut hogged = waited(6, 6);
        hogged.own = 4 * MS;
        let own = "undecided: 5 ms late, the host cost it 2 ms to 6 ms, its own other \
                   processes 4 ms at most";
        assert_eq!(words(5, true, hogged), own);
        let nothing = "undecided: 5 ms late, and the host was not watched";
        assert_eq!(words(5, true, HostEvidence::default()), nothing);
    }
}
