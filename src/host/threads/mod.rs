//! Processor times of an engine's threads, from `/proc/<process>/task/<thread>/schedstat`:
//! nanoseconds on a processor, nanoseconds runnable and not on one, and how often it had a turn.
//!
//! | file | what |
//! |---|---|
//! | `mod` | what is read |
//! | `snapshot` | what follows from two or three looks |

mod snapshot;

use crate::referee::ThreadState;

use crate::platform::proc::{self, Stat, children_of_thread, threads};

pub(crate) use snapshot::ThreadTimes;

/// An engine with more threads is not followed: reading them all would take longer than it is
/// worth.
pub(crate) const MAX_THREADS: usize = 256;

/// The processes of one engine.
#[derive(Debug)]
pub(crate) struct EngineThreads {
    pub(crate) processes: Vec<i32>,
    /// On how many processors they may run.
    processors: u32,
}

impl EngineThreads {
    /// The process and all that descend from it: an engine behind a script is its child. `None`
    /// if it has more threads than `most`.
    pub(crate) fn read(leader: i32, most: usize) -> Option<EngineThreads> {
        let mut processes = vec![leader];
        let (mut looked_at, mut seen) = (0, 0);
        while let Some(process) = processes.get(looked_at).copied() {
            looked_at += 1;
            for thread in threads(process) {
                seen += 1;
                if seen > most {
                    return None;
                }
                processes.extend(children_of_thread(process, thread));
            }
        }
        let processors = proc::processors_of(leader);
        Some(EngineThreads {
            processes,
            processors: processors.unwrap_or(1).max(1),
        })
    }

    /// On how many processors the most restricted of their threads may run: an engine that puts
    /// itself and others on one waits for itself.
    pub(crate) fn narrowest(&self) -> u32 {
        let threads = self.all().take(MAX_THREADS);
        let counts = threads.filter_map(|(_, thread)| proc::processors_of(thread));
        counts.min().unwrap_or(self.processors).max(1)
    }

    /// The times now; nothing where there are more threads than `most`.
    pub(crate) fn snapshot(&self, most: usize) -> ThreadTimes {
        // A thread that has just ended is not there any more.
        let times = |(process, thread)| Some((thread, proc::schedstat(process, thread)?));
        let found = self.all().take(most + 1).filter_map(times).collect();
        ThreadTimes::new(found, self.processors, most)
    }

    /// The state of every thread.
    pub(crate) fn states(&self) -> Vec<(i32, Stat)> {
        let state = |(process, thread)| Some((thread, Stat::of_thread(process, thread)?));
        self.all().take(MAX_THREADS + 1).filter_map(state).collect()
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let of = |&process: &i32| threads(process).map(move |thread| (process, thread));
        self.processes.iter().flat_map(of)
    }
}

/// What threads in these states are doing together.
pub(crate) fn standing(states: &[(i32, Stat)]) -> ThreadState {
    let is = |letters: &str| states.iter().any(|(_, stat)| letters.contains(stat.state));
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
    use crate::platform::capabilities::{Capability, has};

    #[test]
    fn what_threads_do_together() {
        let doing = |letters: &str| {
            let doing = |state| Stat {
                state,
                ..Stat::default()
            };
            let state = |letter| (1, doing(letter));
            standing(&letters.chars().map(state).collect::<Vec<_>>())
        };
        assert_eq!(doing("SR"), ThreadState::Runnable);
        assert_eq!(doing("T"), ThreadState::Stopped);
        assert_eq!(doing("SD"), ThreadState::Blocked);
        assert_eq!(doing(""), ThreadState::Asleep);
    }

    #[test]
    fn this_process_has_threads() {
        if !has(Capability::WaitEvidence) {
            return;
        }
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(EngineThreads::read(me, 0).is_none(), "more than none");
        let me = EngineThreads::read(me, MAX_THREADS).unwrap();
        let before = me.snapshot(MAX_THREADS);
        std::hint::black_box((0..1_000_000u64).fold(0, |sum, next| sum ^ next));
        let after = me.snapshot(MAX_THREADS);
        assert!(before.since(&before).is_some() && !me.states().is_empty());
        assert!(after.since(&before).is_some());
        assert!(
            me.snapshot(0).since(&before).is_none(),
            "a look at too many is given up"
        );
    }
}
