//! Watches the host while an engine is on the clock: what its threads and our own waited for a
//! processor, the pressure on the machine, whether it was suspended.
//!
//! **Invariant: looking costs no engine time that could decide a game.** The first look of a move
//! comes before its `go`, when no clock runs; but where there is plenty of time it comes
//! `SOON` after it, so that moves made at once cost nothing. The last look comes after the
//! stamp of the answer. While a clock runs no more than a `MAX_THREADS_WHILE_TIMED` threads are looked at: an engine
//! with more of them is looked at before its `go`.
//!
//! The file `observer/own` is about processes of an engine that nobody follows: it may wait for these.

mod own;

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::host::engine_processes::EngineProcesses;
use crate::host::standstill::{self, Clocks};
use crate::host::threads::{EngineThreads, MAX_THREADS, ThreadTimes, standing};
use crate::platform::proc::{Counters, Stat};
use crate::referee::{HostEvidence, NOTHING, Observation};

use own::OwnProcesses;

/// With more time than this left, a move is watched from a little later on.
const PLENTY: Duration = Duration::from_secs(1);

/// How much later.
const SOON: Duration = Duration::from_millis(5);

/// How many threads are looked at while a clock runs: some 0.1 ms.
const MAX_THREADS_WHILE_TIMED: usize = 8;

/// What a lane sees of the host. The files stay open: a look at them is a `pread`.
#[derive(Debug)]
pub(crate) struct HostObserver {
    own: Option<Counters>,
    pressure: Option<Counters>,
    engines: [ObservedEngine; 2],
    /// How many the machine has.
    processors: u32,
    /// Our own waits when they were last read.
    waited: Option<u64>,
    /// The event does not charge what the host takes.
    deducts: bool,
    /// What an engine's processes that nobody follows had used when they were last looked for during this move, and
    /// when that was.
    own_used: Option<(Duration, Stamp)>,
    watch: Watch,
}

#[derive(Debug, Default)]
struct ObservedEngine {
    processes: EngineProcesses,
    /// Its threads, looked for when they are needed first.
    threads: Option<EngineThreads>,
    /// Whether it has more than a few threads.
    many: bool,
    /// Where the event does not charge what the host takes: whether it has processes that nobody follows.
    own: OwnProcesses,
}

#[derive(Debug)]
enum Watch {
    Off,
    Begins { side: Color, at: Stamp },
    On(Box<First>),
}

/// The first look of a move.
#[derive(Debug)]
struct First {
    side: Color,
    at: Stamp,
    own: Option<u64>,
    /// For how long we waited before the last time that we woke up.
    wakeup: Option<Duration>,
    /// For how long the runner itself was stopped.
    still: Duration,
    engine: Option<ThreadTimes>,
    /// When the threads are to be listed while the engine thinks: a thread that is on a processor after
    /// that may be the one that answers.
    roll_due: Option<Stamp>,
    /// The last look that is known to have come before the answer.
    roll: Option<ThreadTimes>,
    /// The last look, after which the answer has not been waited for yet.
    latest: Option<ThreadTimes>,
    pressure: Option<u64>,
    clocks: Clocks,
}

impl HostObserver {
    /// An observer for the thread that calls this, and for no other.
    pub(crate) fn of_this_thread() -> HostObserver {
        let own = Counters::of_this_thread();
        // This thread has had its turns: a kernel that counts them knows of one.
        let times = own.as_ref().and_then(Counters::times);
        let times = times.filter(|times| times.turns > 0);
        HostObserver {
            own: own.filter(|_| times.is_some()),
            waited: times.map(|times| times.wait),
            deducts: false,
            own_used: None,
            pressure: Counters::of_pressure(),
            engines: Default::default(),
            processors: processors(),
            watch: Watch::Off,
        }
    }

    /// Whether the kernel tells this thread how long it has waited for a processor.
    pub(crate) fn can_see(&self) -> bool {
        self.own.is_some()
    }

    /// A game begins between the engines of these processes. Where the event `deducts` what the host takes, every move
    /// is watched from before its `go`.
    pub(crate) fn meet(&mut self, engines: [EngineProcesses; 2], deducts: bool) {
        for (engine, processes) in self.engines.iter_mut().zip(engines) {
            *engine = ObservedEngine {
                processes,
                many: engine.many,
                ..ObservedEngine::default()
            };
        }
        self.deducts = deducts;
        self.watch = Watch::Off;
    }

    /// The clock of this side, with `allowed` on it, is about to be started.
    pub(crate) fn begin(&mut self, side: Color, allowed: Option<Duration>, now: Stamp) {
        let many = self.engines[side.index()].many;
        self.own_used = None;
        self.look_for_own_processes(side);
        self.watch = match allowed {
            None => Watch::Off,
            Some(allowed) if allowed <= PLENTY || many || self.deducts => {
                let roll_due = now + SOON.min(allowed / 2);
                let look = self.look(side, now, MAX_THREADS);
                // What we have waited while we looked was no part of the move.
                self.waited = wait_of(self.own.as_ref());
                Watch::On(Box::new(First {
                    own: self.waited,
                    roll_due: Some(roll_due).filter(|_| !self.engines[side.index()].many),
                    ..look
                }))
            }
            Some(_) => Watch::Begins {
                side,
                at: now + SOON,
            },
        };
    }

    /// When [`woken`](Self::woken) must be called if nothing else happens.
    pub(crate) fn due(&self) -> Option<Stamp> {
        match &self.watch {
            Watch::Begins { at, .. } => Some(*at),
            Watch::On(first) => first.roll_due,
            Watch::Off => None,
        }
    }

    /// The lane has woken up, for whatever reason; `overslept` is the time since its timer was due.
    pub(crate) fn woken(&mut self, now: Stamp, overslept: Option<Duration>) {
        if let Watch::Begins { side, at } = self.watch
            && now >= at
        {
            let before = self.waited;
            let mut first = self.look(side, now, MAX_THREADS_WHILE_TIMED);
            // Of what we waited since an earlier move no more counts than what nobody listened for.
            let waited = gained(first.own, before).map(Duration::from_nanos);
            first.wakeup = waited.zip(overslept).map(|(a, b)| a.min(b));
            first.still = unexplained(overslept, first.wakeup);
            self.watch = Watch::On(Box::new(first));
            return;
        }
        match &mut self.watch {
            Watch::On(first) => {
                let own = wait_of(self.own.as_ref());
                first.wakeup = gained(own, self.waited).map(Duration::from_nanos);
                self.waited = own;
                first.still += unexplained(overslept, first.wakeup);
                if first.roll_due.is_some_and(|due| now >= due) {
                    first.roll_due = None;
                    let engine = self.engines[first.side.index()].threads.as_ref();
                    first.roll = engine.map(|threads| threads.snapshot(MAX_THREADS_WHILE_TIMED));
                }
            }
            Watch::Off | Watch::Begins { .. } => {}
        }
    }

    /// The move has been made: what was seen since it began. `None` if it was not watched.
    pub(crate) fn observe(&mut self, now: Stamp) -> Option<Box<Observation>> {
        let Watch::On(first) = &self.watch else {
            return None;
        };
        if self.deducts {
            // The referee has got it with the evidence.
            return None;
        }
        let engine = self.snapshot(first.side);
        Some(Box::new(self.seen(first, engine.as_ref(), now)))
    }

    /// What is known of a move that has come or whose flag has fallen. Where it has come, what the engine is doing since
    /// says nothing any more but which thread has answered.
    pub(crate) fn evidence(&mut self, answered: bool, now: Stamp) -> HostEvidence {
        let Watch::On(first) = &self.watch else {
            return HostEvidence::default();
        };
        let side = first.side;
        let threads = self.engines[side.index()].threads.as_ref();
        let states = || threads.map(EngineThreads::states).unwrap_or_default();
        // Before the times: a wait that ends in between is in both, and not in neither.
        let overdue = (!answered).then(states);
        let engine = self.snapshot(side);
        let host = self.seen(first, engine.as_ref(), now);
        let looks = engine.as_ref().zip(first.engine.as_ref());
        let mut evidence = HostEvidence {
            host,
            busiest: looks.map_or(Duration::ZERO, |(now, before)| now.busiest_since(before)),
            ..HostEvidence::default()
        };
        if let Some(states) = &overdue {
            let pending = looks.map(|(now, before)| now.pending(before, states, host.watched));
            evidence.pending = pending.unwrap_or_default();
            evidence.standing = standing(states);
        }
        let waited = host.engine.unwrap_or_default().wait;
        if waited + host.wakeup.unwrap_or_default() + host.suspended >= NOTHING {
            let states = overdue.unwrap_or_else(states);
            let narrowest = threads.map(EngineThreads::narrowest);
            let narrow = engine.clone().map(|look| look.on(narrowest));
            evidence.answerer_wait = self.answerers_wait(first, narrow.as_ref(), &states);
            evidence.own = self.own(side, answered, &evidence, now);
        }
        if !answered {
            self.call_the_roll(engine);
        }
        evidence
    }

    fn answerers_wait(
        &self,
        first: &First,
        now: Option<&ThreadTimes>,
        states: &[(i32, Stat)],
    ) -> Option<Duration> {
        let before = first.engine.as_ref()?;
        let leader = self.engines[first.side.index()].processes.leader;
        // A first look that came after `go` will do.
        let roll = first.roll.as_ref().unwrap_or(before);
        now?.answerers_wait(before, roll, states, leader)
    }

    /// Keeps the looks before the answer. It may have been on its way at the latest one, but not
    /// at the one before: that has been waited for since.
    fn call_the_roll(&mut self, engine: Option<ThreadTimes>) {
        if let Watch::On(first) = &mut self.watch {
            let before = std::mem::replace(&mut first.latest, engine);
            first.roll = before.or(first.roll.take());
            first.roll_due = None;
        }
    }

    /// Looks at an engine's threads, this number at most.
    fn look(&mut self, side: Color, now: Stamp, most: usize) -> First {
        let own = wait_of(self.own.as_ref());
        self.waited = own;
        let engine = &mut self.engines[side.index()];
        if own.is_some() && engine.threads.is_none() {
            engine.threads = EngineThreads::read(engine.processes.leader, most);
            engine.many = engine.threads.is_none();
        }
        let threads = engine.threads.as_ref();
        let look = threads.map(|threads| threads.snapshot(most));
        let exceeds = |look: &ThreadTimes| look.exceeds(MAX_THREADS_WHILE_TIMED);
        engine.many |= look.as_ref().is_some_and(exceeds);
        First {
            side,
            at: now,
            own,
            wakeup: None,
            still: Duration::ZERO,
            engine: look,
            roll_due: None,
            roll: None,
            latest: None,
            pressure: self.pressure.as_ref().and_then(Counters::pressure),
            clocks: Clocks::read(),
        }
    }

    fn snapshot(&self, side: Color) -> Option<ThreadTimes> {
        let threads = self.engines[side.index()].threads.as_ref();
        threads.map(|threads| threads.snapshot(MAX_THREADS))
    }

    fn seen(&self, first: &First, engine: Option<&ThreadTimes>, now: Stamp) -> Observation {
        let own = wait_of(self.own.as_ref());
        let pressure = self.pressure.as_ref().and_then(Counters::pressure);
        let engine = engine.zip(first.engine.as_ref());
        Observation {
            watched: now.saturating_since(first.at),
            wakeup: first.wakeup,
            lane_wait: gained(own, first.own).map(Duration::from_nanos),
            engine: engine.and_then(|(now, before)| now.since(before)),
            pressure: gained(pressure, first.pressure).map(Duration::from_micros),
            suspended: Clocks::read().suspended_since(&first.clocks) + first.still,
        }
    }
}

/// The part of a wait beyond its timer that was not a wait for a processor: the whole runner was stopped
/// then. Zero if the kernel does not count.
fn unexplained(overslept: Option<Duration>, waited: Option<Duration>) -> Duration {
    let rest = overslept.zip(waited);
    let rest = rest.map(|(overslept, waited)| overslept.saturating_sub(waited));
    let rest = rest.filter(|rest| *rest >= standstill::MIN_LATENESS);
    rest.unwrap_or_default()
}

/// For how long this thread has waited for a processor.
fn wait_of(own: Option<&Counters>) -> Option<u64> {
    Some(own?.times()?.wait)
}

fn processors() -> u32 {
    let count = std::thread::available_parallelism();
    count.map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX))
}

fn gained(now: Option<u64>, before: Option<u64>) -> Option<u64> {
    Some(now?.saturating_sub(before?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runner_stood_still_only_if_it_did_not_wait_for_a_processor() {
        let ms = Duration::from_millis;
        let still =
            |overslept, waited: Option<u64>| unexplained(Some(ms(overslept)), waited.map(ms));
        assert_eq!(still(500, Some(10)), ms(490));
        assert_eq!(still(500, Some(495)), Duration::ZERO, "a busy machine");
        assert_eq!(still(500, None), Duration::ZERO, "nobody counts");
        assert_eq!(unexplained(None, Some(ms(0))), Duration::ZERO);
    }

    #[test]
    fn with_plenty_of_time_the_watch_begins_a_little_later() {
        let mut observer = HostObserver::of_this_thread();
        let leader = i32::try_from(std::process::id()).unwrap();
        let mark = String::new();
        let me = EngineProcesses { leader, mark };
        observer.meet([me.clone(), me], false);
        observer.begin(Color::White, Some(Duration::from_secs(60)), Stamp(0));
        assert_eq!(observer.due(), Some(Stamp(5_000_000)));
        assert!(observer.observe(Stamp(4_000_000)).is_none(), "made at once");
        observer.woken(Stamp(6_000_000), None);
        let seen = observer.observe(Stamp(8_000_000)).unwrap();
        assert_eq!(seen.watched, Duration::from_millis(2));
        observer.begin(Color::Black, None, Stamp(0));
        assert!(observer.due().is_none() && observer.observe(Stamp(9)).is_none());
        observer.begin(Color::Black, Some(Duration::from_millis(900)), Stamp(0));
        assert!(observer.observe(Stamp(9)).is_some(), "from before `go` on");
    }
}
