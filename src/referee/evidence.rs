//! What the host did while an engine was on the clock, and who is to blame for a flag that fell: what was seen, the same as
//! JSON and in words, and the verdict.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::{as_nanoseconds, nanoseconds};
use crate::text::duration;

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

// Who is to blame for a flag that fell, and whether waiting longer may still show it: a pure function of the evidence.
//
// An engine's own time is the time that has passed less what the host took of it. What the host took is known between
// two bounds: what is proven, and what is possible. The same function says what a move is charged with where the event
// does not charge the host's share.

/// Less than this is charged nevertheless: every answer costs as much.
pub(crate) const NOTHING: Duration = Duration::from_micros(100);

impl FlagEvidence {
    /// Judges a flag fall, or weighs a move that came in time: the host is to blame if the engine's own time was at most
    /// what it had, the engine if even its least own time was more.
    pub fn judge(
        elapsed: Duration,
        late: Duration,
        answered: bool,
        seen: HostEvidence,
    ) -> FlagEvidence {
        let mut evidence = FlagEvidence {
            verdict: Blame::Undecided,
            elapsed,
            late,
            answered,
            reported_ms: None,
            seen,
            taken: Duration::ZERO,
        };
        evidence.taken = evidence.least();
        evidence.verdict = evidence.verdict();
        evidence
    }

    fn verdict(&self) -> Blame {
        if self.slept() || self.most() < self.late {
            Blame::Engine
        } else if self.taken >= self.late {
            Blame::Host
        } else {
            Blame::Undecided
        }
    }

    /// Whether nothing of the engine wanted to run when its flag had fallen and its move had not come: nobody kept it.
    pub(in crate::referee) fn slept(&self) -> bool {
        let is_seen = self.seen.host.engine.is_some();
        is_seen && !self.answered && self.seen.standing == ThreadState::Asleep
    }

    /// The least time that the host has taken: the wait of the thread that answers, our own delay in reading the answer,
    /// without what the engine's own processes can have caused, and the standstill of machine or runner. Other threads
    /// do not count, because a helper of the engine may wait for as long as it likes.
    fn least(&self) -> Duration {
        let host = &self.seen.host;
        let read = host.wakeup.filter(|_| self.answered);
        let waited = self.seen.answerer_wait.unwrap_or_default() + read.unwrap_or_default();
        let proven = waited.saturating_sub(self.seen.own) + host.suspended;
        let proven = proven.min(self.not_busy());
        let charged = Some(proven).filter(|proven| *proven >= NOTHING);
        charged.unwrap_or_default()
    }

    /// The most time that the host can have taken: the waits of all threads, all waits of our own, what was not watched,
    /// what is not accounted for, and the standstill. If they are not all known, all time in which no thread is known to
    /// have been on a processor.
    fn most(&self) -> Duration {
        self.possible().unwrap_or(self.not_busy())
    }

    fn possible(&self) -> Option<Duration> {
        let engine = self.seen.host.engine.filter(|engine| engine.complete)?;
        let held = matches!(
            self.seen.standing,
            ThreadState::Blocked | ThreadState::Stopped
        );
        if held && !self.answered {
            return None;
        }
        let dark = self.elapsed.saturating_sub(self.seen.host.watched);
        let waited = engine.wait + self.seen.host.lane_wait? + self.seen.pending;
        Some((waited + dark + self.seen.host.suspended).min(self.not_busy()))
    }

    /// Nobody waits while it is on a processor.
    fn not_busy(&self) -> Duration {
        self.elapsed.saturating_sub(self.seen.busiest)
    }

    /// For how long a move that has not come can still change who is to blame; zero if it cannot.
    pub(in crate::referee) fn worth_waiting(&self) -> Duration {
        // Of an engine that is held, or was not followed to the end, only its known waits can ever be proven.
        let known = self.seen.host.engine.unwrap_or_default().wait;
        let known = known + self.seen.pending + self.seen.host.suspended;
        let bound = self.possible().unwrap_or(known);
        if self.answered || self.slept() || bound < self.late {
            Duration::ZERO
        } else {
            bound - self.late + Duration::from_nanos(1)
        }
    }
}

#[cfg(test)]
mod tests;
