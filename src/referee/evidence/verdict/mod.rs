//! Who is to blame for a flag that fell, and whether waiting longer may still show it.
//!
//! An engine's own time is the time that has passed less what the host took of it. What the host took is known between
//! two bounds: what is proven, and what is possible. The same function says what a move is charged with where the event
//! does not charge the host's share.

#[cfg(test)]
pub(super) mod tests;

use std::time::Duration;

use super::{Blame, FlagEvidence, HostEvidence, ThreadState};

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
        Some(proven)
            .filter(|proven| *proven >= NOTHING)
            .unwrap_or_default()
    }

    /// The most time that the host can have taken: the waits of all threads, all waits of our own, what was not watched,
    /// what is not accounted for, and the standstill. If they are not all known, all time in which no thread is known to
    /// have been on a processor.
    pub(super) fn most(&self) -> Duration {
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
