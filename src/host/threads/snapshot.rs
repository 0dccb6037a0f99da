//! What follows from looks at an engine's threads.

use std::time::Duration;

use crate::platform::SchedulerTimes;
use crate::platform::proc::Stat;
use crate::referee::EngineTimes;

/// The times of all threads of an engine at one moment, by thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThreadTimes {
    threads: Vec<(i32, SchedulerTimes)>,
    processors: u32,
    /// More threads than were to be followed, or none at all.
    blind: bool,
}

impl ThreadTimes {
    /// What was found, and on how many processors the threads may run.
    pub(super) fn new(
        threads: Vec<(i32, SchedulerTimes)>,
        processors: u32,
        most: usize,
    ) -> ThreadTimes {
        ThreadTimes {
            blind: threads.is_empty() || threads.len() > most,
            threads,
            processors,
        }
    }

    /// The same look at threads that may run on this number of processors.
    pub(crate) fn on(self, processors: Option<u32>) -> ThreadTimes {
        let processors = processors.unwrap_or(self.processors);
        ThreadTimes { processors, ..self }
    }

    /// Whether there were more threads than this.
    pub(crate) fn exceeds(&self, few: usize) -> bool {
        self.threads.len() > few
    }

    /// What the threads have had since `before`; `None` if that cannot be said.
    pub(crate) fn since(&self, before: &ThreadTimes) -> Option<EngineTimes> {
        if self.blind || before.blind {
            return None;
        }
        let gains = self.gains(before);
        Some(EngineTimes {
            cpu: gains.iter().map(|gain| gain.cpu).sum(),
            wait: gains.iter().map(|gain| gain.wait).sum(),
            complete: self.has_all(before),
        })
    }

    /// What the busiest thread has had of a processor since `before`.
    pub(crate) fn busiest_since(&self, before: &ThreadTimes) -> Duration {
        let gains = self.gains(before).into_iter();
        gains.map(|gain| gain.cpu).max().unwrap_or_default()
    }

    /// The longest wait of a thread since `before`, without what the engine's own threads can have made it wait, where these threads
    /// were ready to run for all of the time in `between`; `None` if that cannot be said.
    pub(crate) fn longest_wait(
        &self,
        before: &ThreadTimes,
        between: Duration,
        all_along: impl Fn(i32) -> bool,
    ) -> Option<Duration> {
        if self.blind || before.blind {
            return None;
        }
        let mut gains = self.gains(before);
        let ready = gains.iter_mut().filter(|gain| all_along(gain.thread));
        ready.for_each(|gain| gain.wait = gain.wait.max(between.saturating_sub(gain.cpu)));
        let waits = gains.iter().map(|gain| self.wait_for_others(gain, &gains));
        waits.max()
    }

    /// What the thread that has answered waited since `before`, at least: it is one of those that
    /// were on a processor since `roll`, and the least of their waits is what is certain. A thread
    /// that is nicer than the engine's first one waits because it wants to. `None` if nobody
    /// can tell which thread it was.
    pub(crate) fn answerers_wait(
        &self,
        before: &ThreadTimes,
        roll: &ThreadTimes,
        states: &[(i32, Stat)],
        leader: i32,
    ) -> Option<Duration> {
        if self.blind || before.blind || roll.blind || !self.has_all(roll) {
            return None;
        }
        let state = |thread| states.iter().find(|(other, _)| *other == thread);
        let (_, leader) = state(leader)?;
        let gains = self.gains(before);
        let waits = gains.iter().filter_map(|gain| {
            let now = state(gain.thread).map(|(_, state)| state);
            let runs = now.is_none_or(|state| state.state == 'R');
            let ran = roll.times_of(gain.thread) != self.times_of(gain.thread);
            let nicer = now.is_none_or(|state| state.nice > leader.nice);
            (ran || runs).then(|| {
                if nicer {
                    Duration::ZERO
                } else {
                    self.wait_for_others(gain, &gains)
                }
            })
        });
        waits.min()
    }

    /// Time of runnable threads in the `watched` time that their times do not account for.
    pub(crate) fn pending(
        &self,
        before: &ThreadTimes,
        states: &[(i32, Stat)],
        watched: Duration,
    ) -> Duration {
        let runnable = states.iter().filter(|(_, state)| state.state == 'R');
        let pending = runnable.map(|(thread, _)| {
            let now = self.times_of(*thread).unwrap_or_default();
            let gain = Gain::new(*thread, now, before.times_of(*thread));
            watched.saturating_sub(gain.cpu + gain.wait)
        });
        pending.sum()
    }

    fn gains(&self, before: &ThreadTimes) -> Vec<Gain> {
        let gain = |(thread, now): &(i32, _)| Gain::new(*thread, *now, before.times_of(*thread));
        self.threads.iter().map(gain).collect()
    }

    /// What of a thread's wait its own engine cannot have caused: to keep it waiting, the other
    /// threads must hold all processors at once.
    fn wait_for_others(&self, gain: &Gain, gains: &[Gain]) -> Duration {
        let others = gains.iter().filter(|other| other.thread != gain.thread);
        let busy = others.clone().filter(|other| !other.cpu.is_zero()).count();
        let cpu: Duration = others.map(|other| other.cpu).sum();
        let own = if u32::try_from(busy).unwrap_or(u32::MAX) < self.processors {
            Duration::ZERO
        } else {
            cpu / self.processors
        };
        gain.wait.saturating_sub(own)
    }

    /// Whether every thread of an earlier look is there still.
    fn has_all(&self, before: &ThreadTimes) -> bool {
        let mut threads = before.threads.iter();
        threads.all(|(old, _)| self.times_of(*old).is_some())
    }

    fn times_of(&self, thread: i32) -> Option<SchedulerTimes> {
        let mut threads = self.threads.iter();
        threads.find_map(|(other, times)| (*other == thread).then_some(*times))
    }
}

/// What a thread has had since an earlier look.
#[derive(Debug, Clone, Copy)]
struct Gain {
    thread: i32,
    cpu: Duration,
    wait: Duration,
}

impl Gain {
    /// Of a new thread since it began.
    fn new(thread: i32, now: SchedulerTimes, before: Option<SchedulerTimes>) -> Gain {
        let before = before.unwrap_or_default();
        Gain {
            thread,
            cpu: Duration::from_nanos(now.cpu.saturating_sub(before.cpu)),
            wait: Duration::from_nanos(now.wait.saturating_sub(before.wait)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(threads: &[(i32, u64, u64)]) -> ThreadTimes {
        let times = |(thread, cpu, wait): &(i32, u64, u64)| {
            let (cpu, wait, turns) = (*cpu, *wait, 1);
            (*thread, SchedulerTimes { cpu, wait, turns })
        };
        ThreadTimes::new(threads.iter().map(times).collect(), 2, 256)
    }

    fn states(threads: &[(i32, char, i32)]) -> Vec<(i32, Stat)> {
        let state = |(thread, letter, nice): &(i32, char, i32)| {
            let (state, nice) = (*letter, *nice);
            let others = Stat::default();
            (
                *thread,
                Stat {
                    state,
                    nice,
                    ..others
                },
            )
        };
        threads.iter().map(state).collect()
    }

    const NS: Duration = Duration::from_nanos(1);

    #[test]
    fn waits_are_added() {
        let before = snapshot(&[(1, 10, 5), (2, 20, 50)]);
        let after = snapshot(&[(1, 15, 9), (2, 20, 51), (3, 7, 8)]);
        let times = after.since(&before).unwrap();
        assert_eq!((times.cpu, times.wait), ((5 + 7) * NS, (4 + 1 + 8) * NS));
        assert!(times.complete);
        let ended = snapshot(&[(2, 30, 60)]);
        assert!(!ended.since(&before).unwrap().complete);
        assert_eq!(snapshot(&[]).since(&before), None);
    }

    #[test]
    fn a_wait_that_has_not_ended_counts_where_a_thread_was_ready_all_along() {
        let before = snapshot(&[(1, 10, 5), (2, 20, 50)]);
        let after = snapshot(&[(1, 15, 9), (2, 20, 51)]);
        let longest = |ready: &[i32]| {
            let all_along = |thread| ready.contains(&thread);
            after.longest_wait(&before, 100 * NS, all_along).unwrap()
        };
        assert_eq!(longest(&[]), 4 * NS);
        assert_eq!(longest(&[1]), 95 * NS);
        assert_eq!(longest(&[1, 2]), 100 * NS);
    }

    #[test]
    fn what_an_engine_makes_itself_wait_is_not_the_hosts_doing() {
        let longest = |threads: &[(i32, u64, u64)]| {
            let none = snapshot(&[(9, 0, 0)]);
            let wait = snapshot(threads).longest_wait(&none, NS, |_| false);
            wait.unwrap().as_nanos()
        };
        // one other thread cannot hold both processors
        assert_eq!(longest(&[(1, 50, 50), (2, 100, 0)]), 50);
        // two can, for as long as half of their time
        assert_eq!(longest(&[(1, 50, 60), (2, 50, 0), (3, 50, 0)]), 10);
        assert_eq!(longest(&[(1, 50, 50), (2, 50, 50), (3, 50, 50)]), 0);
        // a thread that never ran held nobody up
        assert_eq!(longest(&[(1, 50, 60), (2, 50, 0), (3, 0, 0)]), 60);
    }

    #[test]
    fn the_wait_of_the_thread_that_answers_counts_and_no_other() {
        let before = snapshot(&[(1, 0, 0), (2, 0, 0)]);
        let roll = snapshot(&[(1, 5, 1), (2, 30, 70)]);
        let wait = |after: &[(i32, u64, u64)], now: &[(i32, char, i32)]| {
            snapshot(after).answerers_wait(&before, &roll, &states(now), 1)
        };
        let asleep = [(1, 'S', 0), (2, 'S', 0)];
        // a search thread answers, the first one has slept since
        assert_eq!(wait(&[(1, 5, 1), (2, 31, 80)], &asleep), Some(80 * NS));
        // the first one answers: what a helper waited is of no consequence
        assert_eq!(wait(&[(1, 6, 2), (2, 30, 70)], &asleep), Some(2 * NS));
        // it may have been either
        assert_eq!(wait(&[(1, 6, 2), (2, 31, 80)], &asleep), Some(2 * NS));
        let runs = [(1, 'R', 0), (2, 'S', 0)];
        assert_eq!(wait(&[(1, 5, 1), (2, 31, 80)], &runs), Some(NS));
        // it wanted to wait
        let nicer = [(1, 'S', 0), (2, 'S', 19)];
        assert_eq!(
            wait(&[(1, 5, 1), (2, 31, 80)], &nicer),
            Some(Duration::ZERO)
        );
        // nobody can have answered, or it has ended since
        assert_eq!(wait(&[(1, 5, 1), (2, 30, 70)], &asleep), None);
        assert_eq!(wait(&[(1, 6, 1)], &asleep), None);
        assert_eq!(wait(&[(1, 6, 1), (2, 30, 70)], &[]), None);
    }

    #[test]
    fn only_what_a_runnable_thread_cannot_account_for_is_pending() {
        let before = snapshot(&[(1, 0, 0), (2, 0, 0)]);
        let after = snapshot(&[(1, 60, 30), (2, 0, 1)]);
        let first = states(&[(1, 'R', 0), (2, 'S', 0)]);
        assert_eq!(after.pending(&before, &first, 100 * NS), 10 * NS);
        let second = states(&[(1, 'S', 0), (2, 'R', 0)]);
        assert_eq!(after.pending(&before, &second, 100 * NS), 99 * NS);
    }
}
