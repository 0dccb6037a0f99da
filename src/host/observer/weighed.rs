//! A move has come in an event that does not charge what the host has taken of it: what that is.

use std::time::Duration;

use super::{HostObserver, Watch};
use crate::chess::Color;
use crate::clock::Stamp;
use crate::host::taken::{NOTHING, WORTH_A_SEARCH, Waits};
use crate::host::threads::{MOST_THREADS, Threads};
use crate::referee::HostEvidence;

impl HostObserver {
    /// A move has come, after this time, in an event that does not charge what the host has taken of it.
    pub(crate) fn weighed(&mut self, elapsed: Duration, now: Stamp) -> HostEvidence {
        let Watch::On(first) = &self.watch else {
            return HostEvidence::default();
        };
        let side = first.side;
        let engine = self.snapshot(side);
        let host = self.seen(first, engine.as_ref(), now);
        let looks = engine.as_ref().zip(first.engine.as_ref());
        let waits = Waits {
            elapsed,
            busiest: looks.map_or(Duration::ZERO, |(now, before)| now.busiest_since(before)),
            answerer: host
                .engine
                .map_or(Duration::ZERO, |engine| engine.longest_wait),
            wakeup: host.wakeup.unwrap_or_default(),
            still: first.still,
        };
        let mut evidence = HostEvidence {
            host,
            ..HostEvidence::default()
        };
        if waits.answerer + waits.wakeup + waits.still < NOTHING {
            return evidence;
        }
        let threads = self.threads[side.index()].as_ref();
        let states = threads.map(Threads::states).unwrap_or_default();
        let narrow = engine.map(|look| look.on(threads.map(Threads::narrowest)));
        evidence.answerer_wait = self.answerers_wait(first, narrow.as_ref(), &states);
        evidence.taken = Waits {
            answerer: evidence.answerer_wait.unwrap_or_default(),
            ..waits
        }
        .proven();
        if evidence.taken >= WORTH_A_SEARCH && self.are_own_processes_busy(side, evidence.taken) {
            evidence.own = host.watched * self.processors;
            evidence.taken = Duration::ZERO;
        }
        evidence
    }

    /// No clock runs: what the engine's other processes have used is read for the first time, where that matters.
    pub(super) fn look_for_own_processes(&mut self, side: Color) {
        let Some(mut own) = self.deducts.take() else {
            return;
        };
        let leader = self.engines[side.index()].leader;
        let known = &mut self.threads[side.index()];
        *known = known.take().or_else(|| Threads::of(leader, MOST_THREADS));
        own[side.index()].begin(|| self.used_by_others(side));
        self.deducts = Some(own);
    }

    fn are_own_processes_busy(&mut self, side: Color, taken: Duration) -> bool {
        let Some(mut own) = self.deducts.take() else {
            return false;
        };
        let busy = own[side.index()].are_busy(taken, || self.used_by_others(side));
        self.deducts = Some(own);
        busy
    }
}
