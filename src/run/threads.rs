//! Processor times of an engine's threads, from `/proc/<process>/task/<thread>/schedstat`:
//! nanoseconds on a processor, nanoseconds runnable and not on one, and how often it had a turn.

use std::fs;
use std::str::FromStr;
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::sched_getaffinity;

use crate::referee::{EngineTimes, Standing};

/// An engine with more threads is not followed: reading them all would take longer than it is
/// worth.
const MOST_THREADS: usize = 256;

/// The times of one thread since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Nanoseconds on a processor, up to its last tick.
    pub cpu: u64,
    /// Nanoseconds runnable and not on a processor, without a wait that has not ended.
    pub wait: u64,
    /// Turns on a processor.
    pub turns: u64,
}

impl Times {
    /// Reads the one line of `schedstat`. The kernel writes three zeros if it does not count.
    pub fn parse(text: &str) -> Option<Times> {
        let mut numbers = text.split_ascii_whitespace().map(u64::from_str);
        let mut next = || numbers.next()?.ok();
        Some(Times {
            cpu: next()?,
            wait: next()?,
            turns: next()?,
        })
    }
}

/// The processes of one engine.
#[derive(Debug)]
pub struct Threads {
    processes: Vec<i32>,
    /// On how many processors they may run.
    processors: u32,
}

/// The times of all threads of an engine at one moment, by thread.
#[derive(Debug, Default)]
pub struct Snapshot {
    threads: Vec<(i32, Times)>,
    processors: u32,
    /// More threads than are followed, or none at all.
    blind: bool,
}

impl Threads {
    /// The process and all that descend from it: an engine behind a script is its child.
    pub fn of(leader: i32) -> Threads {
        let mut processes = vec![leader];
        let mut looked_at = 0;
        while let Some(process) = processes.get(looked_at).copied() {
            looked_at += 1;
            for thread in threads(process) {
                let path = format!("/proc/{process}/task/{thread}/children");
                let children = fs::read_to_string(path).unwrap_or_default();
                let numbers = children.split_ascii_whitespace().map(i32::from_str);
                processes.extend(numbers.filter_map(Result::ok));
            }
            processes.truncate(MOST_THREADS);
        }
        let affinity = sched_getaffinity(Pid::from_raw(leader));
        Threads {
            processes,
            processors: affinity.map_or(1, |set| set.count()).max(1),
        }
    }

    /// The times now.
    pub fn snapshot(&self) -> Snapshot {
        let mut found = Vec::new();
        for (process, thread) in self.all() {
            // A thread that has just ended is not there any more.
            let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat"));
            let times = text.ok().and_then(|text| Times::parse(&text));
            found.extend(times.map(|times| (thread, times)));
        }
        Snapshot {
            blind: found.is_empty() || found.len() > MOST_THREADS,
            threads: found,
            processors: self.processors,
        }
    }

    /// The state of every thread, a letter as in `/proc/<process>/stat`.
    pub fn states(&self) -> Vec<(i32, char)> {
        let state = |(process, thread)| {
            let stat = fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).ok()?;
            Some((thread, state(&stat)?))
        };
        self.all().filter_map(state).collect()
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let of = |process: &i32| {
            let process = *process;
            threads(process).map(move |thread| (process, thread))
        };
        self.processes.iter().flat_map(of).take(MOST_THREADS + 1)
    }
}

fn threads(process: i32) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(format!("/proc/{process}/task"));
    let names = entries.into_iter().flatten().filter_map(Result::ok);
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The field after the name of the program, which may hold blanks and brackets itself.
fn state(stat: &str) -> Option<char> {
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.chars().next()
}

impl Snapshot {
    /// What the threads have had since `before`; `None` if that cannot be said.
    pub fn since(&self, before: &Snapshot) -> Option<EngineTimes> {
        if self.blind || before.blind {
            return None;
        }
        let mut sum = EngineTimes {
            complete: before
                .threads
                .iter()
                .all(|(old, _)| self.of(*old).is_some()),
            ..EngineTimes::default()
        };
        let threads = self.threads.iter();
        let gains: Vec<(Duration, Duration)> = threads
            .map(|(thread, now)| gained(*now, before.of(*thread)))
            .collect();
        sum.cpu = gains.iter().map(|(cpu, _)| *cpu).sum();
        sum.wait = gains.iter().map(|(_, wait)| *wait).sum();
        let busy = gains.iter().filter(|(cpu, _)| !cpu.is_zero()).count();
        for (cpu, wait) in gains {
            let others = busy - usize::from(!cpu.is_zero());
            let own = self.own_doing(others, sum.cpu - cpu);
            sum.longest_wait = sum.longest_wait.max(wait.saturating_sub(own));
        }
        Some(sum)
    }

    /// The longest that a thread can have waited for so many others of its own engine, which
    /// had so much processor time: to keep it waiting they must hold all processors at once.
    fn own_doing(&self, others: usize, cpu: Duration) -> Duration {
        match u32::try_from(others).unwrap_or(u32::MAX) < self.processors {
            true => Duration::ZERO,
            false => cpu / self.processors,
        }
    }

    /// Time of runnable threads in the `watched` time that their times do not account for.
    pub fn pending(
        &self,
        before: &Snapshot,
        states: &[(i32, char)],
        watched: Duration,
    ) -> Duration {
        let runnable = states.iter().filter(|(_, state)| *state == 'R');
        let pending = runnable.map(|(thread, _)| {
            let now = self.of(*thread).unwrap_or_default();
            let (cpu, wait) = gained(now, before.of(*thread));
            watched.saturating_sub(cpu + wait)
        });
        pending.sum()
    }

    fn of(&self, thread: i32) -> Option<Times> {
        let mut threads = self.threads.iter();
        threads.find_map(|(other, times)| (*other == thread).then_some(*times))
    }
}

/// What a thread has had since then; a new one since it began.
fn gained(now: Times, before: Option<Times>) -> (Duration, Duration) {
    let before = before.unwrap_or_default();
    (
        Duration::from_nanos(now.cpu.saturating_sub(before.cpu)),
        Duration::from_nanos(now.wait.saturating_sub(before.wait)),
    )
}

/// What threads in these states are doing together.
pub fn standing(states: &[(i32, char)]) -> Standing {
    let is = |letters: &str| states.iter().any(|(_, state)| letters.contains(*state));
    if is("R") {
        Standing::Runnable
    } else if is("Tt") {
        Standing::Stopped
    } else if is("D") {
        Standing::Blocked
    } else {
        Standing::Asleep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(threads: &[(i32, u64, u64)]) -> Snapshot {
        let times = |(thread, cpu, wait): &(i32, u64, u64)| {
            let (cpu, wait, turns) = (*cpu, *wait, 1);
            (*thread, Times { cpu, wait, turns })
        };
        Snapshot {
            threads: threads.iter().map(times).collect(),
            processors: 2,
            blind: threads.is_empty(),
        }
    }

    #[test]
    fn a_line_of_the_kernel() {
        let times = Times {
            cpu: 1,
            wait: 22,
            turns: 3,
        };
        assert_eq!(Times::parse("1 22 3\n"), Some(times));
        assert_eq!(Times::parse("1 22"), None);
        assert_eq!(Times::parse("1 -2 3"), None);
        assert_eq!(state("7 (a) R (b c) S 1 2"), Some('S'));
    }

    #[test]
    fn waits_are_added_and_the_longest_is_known() {
        let ns = Duration::from_nanos;
        let before = snapshot(&[(1, 10, 5), (2, 20, 50)]);
        let after = snapshot(&[(1, 15, 9), (2, 20, 51), (3, 7, 8)]);
        let times = after.since(&before).unwrap();
        assert_eq!((times.cpu, times.wait), (ns(5 + 7), ns(4 + 1 + 8)));
        assert_eq!((times.longest_wait, times.complete), (ns(8), true));
        let ended = snapshot(&[(2, 30, 60)]);
        assert!(!ended.since(&before).unwrap().complete);
        assert_eq!(snapshot(&[]).since(&before), None);
    }

    #[test]
    fn what_an_engine_makes_itself_wait_is_not_the_hosts_doing() {
        let longest = |threads: &[(i32, u64, u64)]| {
            let none = snapshot(&[(9, 0, 0)]);
            let since = snapshot(threads).since(&none).unwrap();
            since.longest_wait.as_nanos()
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
    fn only_what_a_runnable_thread_cannot_account_for_is_pending() {
        let ns = Duration::from_nanos;
        let before = snapshot(&[(1, 0, 0), (2, 0, 0)]);
        let after = snapshot(&[(1, 60, 30), (2, 0, 1)]);
        assert_eq!(
            after.pending(&before, &[(1, 'R'), (2, 'S')], ns(100)),
            ns(10)
        );
        assert_eq!(
            after.pending(&before, &[(1, 'S'), (2, 'R')], ns(100)),
            ns(99)
        );
        assert_eq!(standing(&[(1, 'S'), (2, 'R')]), Standing::Runnable);
        assert_eq!(standing(&[(1, 'T')]), Standing::Stopped);
        assert_eq!(standing(&[(1, 'S'), (2, 'D')]), Standing::Blocked);
        assert_eq!(standing(&[]), Standing::Asleep);
    }

    #[test]
    fn this_process_has_threads() {
        let me = Threads::of(i32::try_from(std::process::id()).unwrap());
        let before = me.snapshot();
        std::hint::black_box((0..1_000_000u64).fold(0, |sum, next| sum ^ next));
        let after = me.snapshot();
        assert!(!before.blind && !me.states().is_empty());
        assert!(after.since(&before).is_some());
    }
}
