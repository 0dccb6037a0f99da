//! Processes of an engine that nobody follows: what they use of the processors the engine has taken itself.

use std::time::Duration;

use super::HostObserver;
use crate::chess::Color;
use crate::clock::Stamp;
use crate::host::engine_processes::used_by_others;
use crate::host::own_processes::WORTH_A_SEARCH;
use crate::host::threads::{EngineThreads, MAX_THREADS};
use crate::referee::HostEvidence;

/// The time between two searches while a move is overdue.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

impl HostObserver {
    /// No clock runs: what the engine's other processes have used is read for the first time, where that matters.
    pub(super) fn look_for_own_processes(&mut self, side: Color) {
        let Some(mut own) = self.deducts.take() else {
            return;
        };
        let leader = self.engines[side.index()].leader;
        let known = &mut self.threads[side.index()];
        *known = known
            .take()
            .or_else(|| EngineThreads::read(leader, MAX_THREADS));
        own[side.index()].begin(|| self.used_by_others(side));
        self.deducts = Some(own);
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
        if let Some(mut own) = self.deducts.take() {
            let is_worth = at_stake + seen.host.wakeup.unwrap_or_default() >= WORTH_A_SEARCH;
            let busy =
                is_worth && own[side.index()].are_busy(at_stake, || self.used_by_others(side));
            self.deducts = Some(own);
            return if busy { all } else { Duration::ZERO };
        }
        if at_stake.is_zero() {
            return Duration::ZERO;
        }
        let known = self
            .own_used
            .filter(|(_, at)| !answered && now < *at + SEARCH_INTERVAL);
        let used = known.unwrap_or_else(|| (self.used_by_others(side), now));
        self.own_used.insert(used).0.min(all)
    }

    fn used_by_others(&self, side: Color) -> Duration {
        let side = side.index();
        let known = self.threads[side]
            .as_ref()
            .map(|threads| &threads.processes[..]);
        used_by_others(&self.engines[side], known.unwrap_or_default())
    }
}
