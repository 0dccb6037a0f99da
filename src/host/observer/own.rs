//! Processes of an engine that nobody follows: what they use of the processors the engine has taken itself.

use std::time::{Duration, Instant};

use super::{HostObserver, ObservedEngine};
use crate::chess::Color;
use crate::clock::Stamp;
use crate::host::engine_processes::used_by_others;
use crate::host::threads::{EngineThreads, MAX_THREADS};
use crate::referee::HostEvidence;

/// The time between two searches while a move is overdue.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

impl HostObserver {
    /// No clock runs: what the engine's other processes have used is read for the first time, where that matters.
    pub(super) fn look_for_own_processes(&mut self, side: Color) {
        let engine = &mut self.engines[side.index()];
        if self.deducts {
            if engine.threads.is_none() {
                engine.threads = EngineThreads::read(engine.processes.leader, MAX_THREADS);
            }
            engine.look(|own, read| own.begin(read));
        }
    }

    /// For how long the engine may have waited for these, at most.
    pub(super) fn own(
        &mut self,
        side: Color,
        answered: bool,
        seen: &HostEvidence,
        now: Stamp,
    ) -> Duration {
        let at_stake = seen.answerer_wait.unwrap_or_default();
        let all = seen.host.watched * self.processors;
        let engine = &mut self.engines[side.index()];
        if self.deducts {
            let is_worth = at_stake + seen.host.wakeup.unwrap_or_default() >= WORTH_A_SEARCH;
            let busy = is_worth && engine.look(|own, read| own.are_busy(at_stake, read));
            return if busy { all } else { Duration::ZERO };
        }
        if at_stake.is_zero() {
            return Duration::ZERO;
        }
        let known = self
            .own_used
            .filter(|(_, at)| !answered && now < *at + SEARCH_INTERVAL);
        let used = known.unwrap_or_else(|| (engine.look(|_, read| read()), now));
        self.own_used.insert(used).0.min(all)
    }
}

impl ObservedEngine {
    /// Does something with what is known of its other processes, and with a way to read what they have used.
    fn look<T>(&mut self, with: impl FnOnce(&mut OwnProcesses, &dyn Fn() -> Duration) -> T) -> T {
        let threads = self.threads.as_ref();
        let known = threads.map_or(&[][..], |threads| &threads.processes[..]);
        with(&mut self.own, &|| used_by_others(&self.processes, known))
    }
}

/// The shortest time for which a search pays whether the engine kept itself waiting.
const WORTH_A_SEARCH: Duration = Duration::from_millis(1);

/// Searches take at most one part in this number of the time.
const SHARE: u32 = 100;

/// A search is made at once if the time at stake is this many times its length.
const STAKE: u32 = 10;

/// Looks from time to time whether an engine has processes that nobody follows, and that keep a processor busy: the
/// engine may be waiting for these.
#[derive(Debug, Default)]
pub(super) struct OwnProcesses {
    /// What they had used, and when that was read.
    used: Option<(Duration, Instant)>,
    /// How long it took to read that.
    cost: Duration,
    are_busy: bool,
}

impl OwnProcesses {
    /// Reads for the first time what they use.
    fn begin(&mut self, read: impl FnOnce() -> Duration) {
        if self.used.is_none() {
            self.look(Instant::now(), read);
        }
    }

    /// Whether they were found to be busy in this game. They are read again if that was long ago, or if much is `taken`.
    fn are_busy(&mut self, taken: Duration, read: impl FnOnce() -> Duration) -> bool {
        let now = Instant::now();
        let rested = |(_, since): (Duration, Instant)| now - since >= self.cost * SHARE;
        let due = taken >= self.cost * STAKE || self.used.is_none_or(rested);
        if !self.are_busy && due {
            self.look(now, read);
        }
        self.are_busy
    }

    fn look(&mut self, now: Instant, read: impl FnOnce() -> Duration) {
        let used = read();
        if let Some((before, since)) = self.used {
            self.are_busy |= used.saturating_sub(before) > (now - since) / SHARE;
        }
        self.used = Some((used, now));
        self.cost = now.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn processes_that_do_nothing_are_not_busy_and_those_that_do_remain_so() {
        let long_ago = Instant::now().checked_sub(1_000 * MS).unwrap();
        let at = |used| OwnProcesses {
            used: Some((used, long_ago)),
            ..OwnProcesses::default()
        };
        let mut new = OwnProcesses::default();
        assert!(!new.are_busy(MS, || 9 * MS), "a first look");
        assert!(!at(9 * MS).are_busy(MS, || 12 * MS));
        let mut busy = at(9 * MS);
        assert!(busy.are_busy(MS, || 500 * MS));
        assert!(busy.are_busy(MS, || unreachable!("it is known")));
        let mut costly = at(Duration::ZERO);
        costly.cost = 100 * MS;
        assert!(!costly.are_busy(999 * MS, || unreachable!("too soon")));
        assert!(costly.are_busy(1_000 * MS, || 500 * MS));
    }
}
