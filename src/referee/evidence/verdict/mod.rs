//! Who is to blame for a flag that fell, and whether waiting longer may still show it.

#[cfg(test)]
pub(super) mod tests;

use std::time::Duration;

use super::{Blame, FlagEvidence, HostEvidence, ThreadState};

impl FlagEvidence {
    /// Judges a flag fall.
    ///
    /// The host has cost the engine at least the wait of the thread that has answered, our own latency when the move
    /// was read, and the standstill of the machine or the runner; other threads do not count here, because a helper of
    /// the engine may wait for as long as it likes. It has cost at most the waits of all threads, all waits of our own,
    /// what was not watched, what is not accounted for, and the standstill. The host is to blame if the minimum is more
    /// than the engine was late, because then the move would have been in time. The engine is to blame if the maximum
    /// is not more. While an engine has not moved, it is not known how late it is, so the host is not blamed.
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
        };
        evidence.verdict = evidence.verdict();
        evidence
    }

    fn verdict(&self) -> Blame {
        // Nothing is read during a standstill: an answer that is late by no more may have come in time.
        let excused = match self.seen.host.suspended.is_zero() {
            true => self.least() > self.late,
            false => self.least() >= self.late,
        };
        if self.answered && excused {
            return Blame::Host;
        }
        match self.most() {
            Some(most) if most <= self.late => Blame::Engine,
            _ => Blame::Undecided,
        }
    }

    /// The least time that the host has cost, without what the engine's own processes can have caused.
    pub(super) fn least(&self) -> Duration {
        let host = &self.seen.host;
        let waited = self.seen.answerer_wait.filter(|_| self.answered);
        let read = host.wakeup.filter(|_| self.answered);
        let waited = waited.unwrap_or_default() + read.unwrap_or_default();
        waited.saturating_sub(self.seen.own) + host.suspended
    }

    /// The most time that the host can have cost; `None` if it is not known.
    pub(super) fn most(&self) -> Option<Duration> {
        let host = &self.seen.host;
        let engine = host.engine.filter(|engine| engine.complete)?;
        let held = matches!(
            self.seen.standing,
            ThreadState::Blocked | ThreadState::Stopped
        );
        if held && !self.answered {
            return None;
        }
        let dark = self.elapsed.saturating_sub(host.watched);
        Some(engine.wait + host.lane_wait? + dark + self.seen.pending + host.suspended)
    }

    /// For how long further waiting may still show something; zero if it cannot.
    pub(in crate::referee) fn worth_waiting(&self) -> Duration {
        // For an engine that is held, only its wait so far is known.
        let waited = self.seen.answerer_wait.unwrap_or_default() + self.seen.host.suspended;
        let bound = self.most().unwrap_or(waited);
        match self.answered {
            true => Duration::ZERO,
            false => bound.saturating_sub(self.late),
        }
    }
}
