//! Processor times of an engine's threads, from `/proc/<process>/task/<thread>/schedstat`:
//! nanoseconds on a processor, nanoseconds runnable and not on one, and how often it had a turn.
//!
//! | file | what |
//! |---|---|
//! | `mod` | what is read |
//! | `snapshot` | what follows from two or three looks |

mod snapshot;

use std::fs;
use std::str::FromStr;

use rustix::process::Pid;
use rustix::thread::sched_getaffinity;

use crate::referee::ThreadState;

pub(crate) use snapshot::Snapshot;

/// An engine with more threads is not followed: reading them all would take longer than it is
/// worth.
pub(crate) const MOST_THREADS: usize = 256;

/// The times of one thread since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Times {
    /// Nanoseconds on a processor, up to its last tick.
    pub cpu: u64,
    /// Nanoseconds runnable and not on a processor, without a wait that has not ended.
    pub wait: u64,
    /// Turns on a processor.
    pub turns: u64,
}

impl Times {
    /// Reads the one line of `schedstat`. The kernel writes three zeros if it does not count.
    pub(crate) fn parse(text: &str) -> Option<Times> {
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
pub(crate) struct Threads {
    processes: Vec<i32>,
    /// On how many processors they may run.
    processors: u32,
}

/// What the scheduler makes of a thread at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadRunState {
    /// A letter as in `/proc/<process>/stat`.
    pub letter: char,
    /// Its niceness; that of a thread that runs only when nobody else does counts as the highest.
    pub nice: i32,
}

impl ThreadRunState {
    /// The fields after the name of the program, which may hold blanks and brackets itself.
    fn parse(stat: &str) -> Option<ThreadRunState> {
        // The numbers of proc_pid_stat(5).
        const STATE: usize = 3;
        const NICE: usize = 19;
        const POLICY: usize = 41;
        const SCHED_IDLE: &str = "5";
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split_ascii_whitespace();
        let letter = fields.next()?.chars().next()?;
        let nice = fields
            .nth(NICE - STATE - 1)
            .and_then(|nice| nice.parse().ok());
        let policy = fields.nth(POLICY - NICE - 1);
        Some(ThreadRunState {
            letter,
            nice: match policy {
                Some(SCHED_IDLE) => i32::MAX,
                _ => nice.unwrap_or(0),
            },
        })
    }
}

impl Threads {
    /// The process and all that descend from it: an engine behind a script is its child. `None`
    /// if it has more threads than `most`.
    pub(crate) fn of(leader: i32, most: usize) -> Option<Threads> {
        let mut processes = vec![leader];
        let (mut looked_at, mut seen) = (0, 0);
        while let Some(process) = processes.get(looked_at).copied() {
            looked_at += 1;
            for thread in threads(process) {
                seen += 1;
                if seen > most {
                    return None;
                }
                let path = format!("/proc/{process}/task/{thread}/children");
                let children = fs::read_to_string(path).unwrap_or_default();
                let numbers = children.split_ascii_whitespace().map(i32::from_str);
                processes.extend(numbers.filter_map(Result::ok));
            }
        }
        let affinity = sched_getaffinity(Pid::from_raw(leader));
        Some(Threads {
            processes,
            processors: affinity.map_or(1, |set| set.count()).max(1),
        })
    }

    /// The processes.
    pub(crate) fn processes(&self) -> &[i32] {
        &self.processes
    }

    /// On how many processors the most restricted of their threads may run: an engine that puts
    /// itself and others on one waits for itself.
    pub(crate) fn narrowest(&self) -> u32 {
        let counts = self.all().take(MOST_THREADS).filter_map(|(_, thread)| {
            let set = sched_getaffinity(Pid::from_raw(thread)).ok()?;
            Some(set.count())
        });
        counts.min().unwrap_or(self.processors).max(1)
    }

    /// The times now; nothing where there are more threads than `most`.
    pub(crate) fn snapshot(&self, most: usize) -> Snapshot {
        let mut found = Vec::new();
        for (process, thread) in self.all().take(most + 1) {
            // A thread that has just ended is not there any more.
            let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat"));
            let times = text.ok().and_then(|text| Times::parse(&text));
            found.extend(times.map(|times| (thread, times)));
        }
        Snapshot::new(found, self.processors, most)
    }

    /// The state of every thread.
    pub(crate) fn states(&self) -> Vec<(i32, ThreadRunState)> {
        let state = |(process, thread)| {
            let stat = fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).ok()?;
            Some((thread, ThreadRunState::parse(&stat)?))
        };
        self.all()
            .take(MOST_THREADS + 1)
            .filter_map(state)
            .collect()
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let of = |process: &i32| {
            let process = *process;
            threads(process).map(move |thread| (process, thread))
        };
        self.processes.iter().flat_map(of)
    }
}

fn threads(process: i32) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(format!("/proc/{process}/task"));
    let names = entries.into_iter().flatten().filter_map(Result::ok);
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// What threads in these states are doing together.
pub(crate) fn standing(states: &[(i32, ThreadRunState)]) -> ThreadState {
    let is = |letters: &str| {
        states
            .iter()
            .any(|(_, state)| letters.contains(state.letter))
    };
    if is("R") {
        ThreadState::Runnable
    } else if is("Tt") {
        ThreadState::Stopped
    } else if is("D") {
        ThreadState::Blocked
    } else {
        ThreadState::Asleep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }

    /// The fields of `stat` from the fourth on, with this niceness and policy.
    fn stat(nice: i32, policy: u32) -> String {
        let mut fields: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
        fields[19 - 4] = nice.to_string();
        fields[41 - 4] = policy.to_string();
        fields.join(" ")
    }

    #[test]
    fn a_threads_state_and_niceness() {
        let parsed = |nice, policy| {
            let line = format!("7 (a) R (b c) S {}", stat(nice, policy));
            ThreadRunState::parse(&line).map(|state| (state.letter, state.nice))
        };
        assert_eq!(parsed(-5, 0), Some(('S', -5)));
        assert_eq!(parsed(19, 0), Some(('S', 19)));
        assert_eq!(parsed(0, 5), Some(('S', i32::MAX)));
        assert_eq!(ThreadRunState::parse("7"), None);
    }

    #[test]
    fn what_threads_do_together() {
        let doing = |letters: &str| {
            let state = |letter| (1, ThreadRunState { letter, nice: 0 });
            standing(&letters.chars().map(state).collect::<Vec<_>>())
        };
        assert_eq!(doing("SR"), ThreadState::Runnable);
        assert_eq!(doing("T"), ThreadState::Stopped);
        assert_eq!(doing("SD"), ThreadState::Blocked);
        assert_eq!(doing(""), ThreadState::Asleep);
    }

    #[test]
    fn this_process_has_threads() {
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(Threads::of(me, 0).is_none(), "more than none");
        let me = Threads::of(me, MOST_THREADS).unwrap();
        let before = me.snapshot(MOST_THREADS);
        std::hint::black_box((0..1_000_000u64).fold(0, |sum, next| sum ^ next));
        let after = me.snapshot(MOST_THREADS);
        assert!(before.since(&before).is_some() && !me.states().is_empty());
        assert!(after.since(&before).is_some());
        assert!(
            me.snapshot(0).since(&before).is_none(),
            "a look at too many is given up"
        );
    }
}
