//! The processes of an engine, and what they have used of the processors.

use std::time::Duration;

use crate::platform::Root;
use crate::platform::proc::{Stat, children, cpu_time};

/// More processes than these are not looked at.
const MAX_PROCESSES: usize = 64;

/// A tick of the kernel's times of processes.
const TICK: Duration = Duration::from_millis(10);

/// The processes that descend from a root.
#[derive(Debug, Default)]
pub(crate) struct ProcessTree {
    root: i32,
    /// With the root, if it is the engine's own.
    pub(crate) processes: Vec<i32>,
}

/// The processor times of a process tree at one moment.
#[derive(Debug, Default)]
pub(crate) struct Used {
    own: Vec<(i32, Duration)>,
    /// Of children that have ended and were waited for; where the processes were looked for just before.
    ended: Option<Duration>,
}

impl ProcessTree {
    /// The processes that descend from this one now.
    pub(crate) fn read(root: Root) -> ProcessTree {
        let mut found = vec![root.process];
        let mut looked_at = 0;
        while let Some(process) = found.get(looked_at).copied() {
            looked_at += 1;
            found.extend(children(process));
            if found.len() > MAX_PROCESSES {
                break;
            }
        }
        found.truncate(MAX_PROCESSES);
        ProcessTree {
            root: root.process,
            processes: found.split_off(usize::from(!root.is_engine)),
        }
    }

    /// What each has used, a system call for each; with what those had used that have [ended](Self::ended).
    pub(crate) fn used(&self, ended: Option<Duration>) -> Used {
        let own = self.processes.iter();
        let own = own.filter_map(|process| Some((*process, cpu_time(*process)?)));
        let own = own.collect();
        Used { own, ended }
    }

    /// What was used by those who have ended; a file for each process.
    pub(crate) fn ended(&self) -> Duration {
        // Who looks after an engine waits for those who have lost their parents.
        let keeper = (!self.processes.contains(&self.root)).then_some(&self.root);
        let waiting = self.processes.iter().chain(keeper);
        waiting.filter_map(|process| ended(*process)).sum()
    }
}

impl Used {
    /// What was used since `before`, at least. Who was not known then counts from its beginning
    /// if all processes were looked for then, else not at all.
    pub(crate) fn since(&self, before: &Used) -> Duration {
        let of = |used: &Used, process| {
            let mut known = used.own.iter();
            known.find_map(|(other, time)| (*other == process).then_some(*time))
        };
        let own = self.own.iter().map(|(process, now)| {
            let then = of(before, *process).or(before.ended.map(|_| Duration::ZERO));
            now.saturating_sub(then.unwrap_or(*now))
        });
        let gone = before.own.iter();
        let gone = gone.filter(|(process, _)| of(self, *process).is_none());
        let gone: Duration = gone.map(|(_, time)| *time).sum();
        let ended = self.ended.zip(before.ended);
        let ended = ended.map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then));
        own.sum::<Duration>() + ended.saturating_sub(gone)
    }
}

/// Processor time of a process's children that have ended and were waited for.
fn ended(process: i32) -> Option<Duration> {
    Some(TICK * Stat::of_process(process)?.ticks_of_ended_children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::capabilities::{Capability, has};

    const MS: Duration = Duration::from_millis(1);

    fn used(own: &[(i32, u32)], ended: Option<u32>) -> Used {
        let own = own.iter().map(|(process, time)| (*process, *time * MS));
        Used {
            own: own.collect(),
            ended: ended.map(|time| time * MS),
        }
    }

    #[test]
    fn what_a_tree_has_used_since() {
        let before = used(&[(1, 100), (2, 50)], Some(0));
        let since = |own, ended| used(own, ended).since(&before);
        assert_eq!(since(&[(1, 101), (2, 57)], Some(0)), 8 * MS);
        assert_eq!(since(&[(1, 100), (2, 50), (3, 9)], Some(0)), 9 * MS, "new");
        // One has ended, and what it had used counts once.
        assert_eq!(since(&[(1, 100)], Some(60)), 10 * MS);
        assert_eq!(since(&[(1, 100)], None), Duration::ZERO);
        let before = used(&[(1, 100), (2, 50)], None);
        let strange = used(&[(1, 100), (3, 9)], None);
        assert_eq!(strange.since(&before), Duration::ZERO);
    }

    #[test]
    fn this_process_and_its_child_are_a_tree() {
        if !has(Capability::IdleEvidence) {
            return;
        }
        let me = i32::try_from(std::process::id()).unwrap();
        let root = |is_engine| Root {
            process: me,
            is_engine,
        };
        let mut child = std::process::Command::new("sleep")
            .arg("600")
            .spawn()
            .unwrap();
        let process_tree = ProcessTree::read(root(true)).processes;
        let kept = ProcessTree::read(root(false)).processes;
        child.kill().unwrap();
        child.wait().unwrap();
        let number = i32::try_from(child.id()).unwrap();
        assert!(process_tree.starts_with(&[me]) && process_tree.contains(&number));
        assert!(!kept.contains(&me) && kept.contains(&number));
    }

    #[test]
    fn work_is_seen() {
        if !has(Capability::IdleEvidence) {
            return;
        }
        let me = Root {
            process: i32::try_from(std::process::id()).unwrap(),
            is_engine: true,
        };
        let process_tree = ProcessTree::read(me);
        let used = || process_tree.used(Some(process_tree.ended()));
        let before = used();
        std::hint::black_box((0..5_000_000u64).fold(0, |sum, next| sum ^ next));
        assert!(used().since(&before) > Duration::ZERO);
    }
}
