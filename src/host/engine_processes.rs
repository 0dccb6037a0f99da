//! Processes that belong to an engine without being followed. Some are children that it started
//! after it was looked at. Others have left it and carry its mark, or are in its session, its
//! group, its cgroup or its namespace of processes.
//!
//! What they took of the processors the engine has taken itself, and not the host.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::platform::proc::{self, Stat, cgroup, namespace};

/// By what the processes of an engine are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EngineProcesses {
    /// Its own process.
    pub leader: i32,
    /// `NAME=value` in the environment of all that it starts.
    pub mark: String,
}

/// What is the same for all processes of one engine and for nobody else.
#[derive(Debug)]
struct OwnTraits {
    session: Option<i32>,
    group: Option<i32>,
    namespace: Option<PathBuf>,
    cgroup: Option<String>,
}

/// What the processes of this engine have used since they began that are not `known`. It takes
/// milliseconds: all processes of the machine are looked at.
pub(crate) fn used_by_others(engine: &EngineProcesses, known: &[i32]) -> Duration {
    let stat = |process| Some((process, Stat::of_process(process)?));
    let all: HashMap<i32, Stat> = proc::processes().filter_map(stat).collect();
    let traits = OwnTraits::distinguishing(engine.leader, &all);
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let strangers = all.iter().filter(|(process, _)| {
        **process != own && !known.contains(*process) && !descends(own, **process, &all)
    });
    let its_own = strangers.filter(|(process, stat)| {
        descends(**process, engine.leader, &all) || traits.has(**process, stat, &engine.mark)
    });
    let used = its_own.filter_map(|(process, _)| proc::cpu_time(*process));
    used.sum()
}

impl OwnTraits {
    /// Those of this process that the runner does not share.
    fn distinguishing(leader: i32, all: &HashMap<i32, Stat>) -> OwnTraits {
        let own = i32::try_from(std::process::id()).unwrap_or_default();
        let its = |get: fn(&Stat) -> i32| {
            let value = all.get(&leader).map(get)?;
            (all.get(&own).map(get) != Some(value)).then_some(value)
        };
        let namespace = namespace(leader).filter(|it| namespace(own).as_ref() != Some(it));
        let cgroup = cgroup(leader).filter(|it| cgroup(own).as_ref() != Some(it));
        OwnTraits {
            session: its(|stat| stat.session),
            group: its(|stat| stat.group),
            namespace,
            cgroup,
        }
    }

    fn has(&self, process: i32, stat: &Stat, mark: &str) -> bool {
        self.session == Some(stat.session)
            || self.group == Some(stat.group)
            || carries(process, mark)
            || (self.namespace.is_some() && self.namespace == namespace(process))
            || (self.cgroup.is_some() && self.cgroup == cgroup(process))
    }
}

/// Whether a process is this one's child, or a child of its child.
fn descends(process: i32, from: i32, all: &HashMap<i32, Stat>) -> bool {
    let parents = std::iter::successors(Some(process), |process| {
        all.get(process).map(|stat| stat.parent)
    });
    // A table that was read while it changed may have a circle in it.
    let mut parents = parents.skip(1).take(all.len());
    // Everybody's last parent is no process.
    from > 0 && parents.any(|parent| parent == from)
}

fn carries(process: i32, mark: &str) -> bool {
    let environment = proc::environment(process);
    let mut entries = environment.split(|byte| *byte == 0);
    !mark.is_empty() && entries.any(|entry| entry == mark.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;
    use crate::platform::capabilities::{Capability, has};

    /// A process that keeps a processor busy, with this mark.
    fn hog(mark: &str) -> Child {
        let mut hog = Command::new("sh");
        hog.args(["-c", "while :; do :; done"])
            .env("OF_ENGINE", mark);
        hog.spawn().unwrap()
    }

    /// Waits until there is something to see.
    fn others_appear(engine_processes: &EngineProcesses, known: &[i32]) -> bool {
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while used_by_others(engine_processes, known).is_zero() {
            if std::time::Instant::now() > deadline {
                return false;
            }
            std::thread::yield_now();
        }
        true
    }

    #[test]
    fn a_process_is_known_by_its_mark_and_by_its_descent() {
        if !has(Capability::WaitEvidence) {
            return;
        }
        let mark = format!("of-{}", std::process::id());
        let mut hog = hog(&mark);
        let number = i32::try_from(hog.id()).unwrap();
        let marked = EngineProcesses {
            leader: 0,
            mark: format!("OF_ENGINE={mark}"),
        };
        let seen = others_appear(&marked, &[]);
        let known = used_by_others(&marked, &[number]);
        let me = i32::try_from(std::process::id()).unwrap();
        let parent = EngineProcesses {
            leader: me,
            mark: String::new(),
        };
        let descends = others_appear(&parent, &[]);
        hog.kill().unwrap();
        hog.wait().unwrap();
        assert!(seen && descends);
        assert_eq!(known, Duration::ZERO, "it is followed");
    }
}
