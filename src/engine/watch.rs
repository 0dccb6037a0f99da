//! Ends engines that use more memory or more processes than the event file allows.
//!
//! Memory is the resident size, sampled: a limit of the address space would end engines
//! that reserve much and use little. A separate thread samples, so that no lane waits for
//! it. It lives only while such an engine does.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::config::Confinement;
use crate::platform::process::Group;
use crate::platform::process_counts::{self, ProcessCounts, resident};
use crate::platform::{Usage, orphans};
use crate::referee::FaultKind;

/// The time between two looks at the memory of the processes that are known.
const LOOK: Duration = Duration::from_millis(25);

/// So many looks are made until all processes are counted again.
const LOOKS: u32 = 10;

/// Watches engines. All clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    registry: Arc<Mutex<Registry>>,
}

#[derive(Debug, Default)]
struct Registry {
    engines: Vec<Watched>,
    /// Engines taken up so far.
    count: u64,
    /// Whether the thread runs.
    running: bool,
}

#[derive(Debug)]
struct Watched {
    id: u64,
    group: Group,
    kept: bool,
    mark: String,
    allowed: Allowance,
    exceeded: Arc<OnceLock<LimitExceeded>>,
    /// Its processes when they were last counted, and what they had beyond what is resident.
    known: Vec<i32>,
    beyond: u64,
}

#[derive(Debug, Clone, Copy)]
struct Allowance {
    memory_mib: Option<u32>,
    processes: Option<u32>,
}

/// An engine under watch. Drop it before the leader of the group is reaped: from then on
/// the group's number may belong to somebody else.
#[derive(Debug)]
pub(crate) struct WatchedEngine {
    id: u64,
    watch: Watch,
    exceeded: Arc<OnceLock<LimitExceeded>>,
}

/// What an engine was ended for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    /// The memory that it used and the memory that it was allowed, both in MiB.
    Memory(u64, u32),
    /// How many processes and threads it had, and how many it was allowed.
    Processes(u64, u32),
}

impl LimitExceeded {
    /// The fault that this is.
    pub(crate) fn fault(self) -> FaultKind {
        match self {
            LimitExceeded::Memory(..) => FaultKind::MemoryLimit,
            LimitExceeded::Processes(..) => FaultKind::ProcessLimit,
        }
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitExceeded::Memory(used, allowed) => write!(
                f,
                "it was ended because it used {used} MiB of memory; memory_mib allows {allowed}"
            ),
            LimitExceeded::Processes(count, allowed) => write!(
                f,
                "it was ended because it had {count} processes and threads; processes allows \
                 {allowed}"
            ),
        }
    }
}

impl Allowance {
    fn exceeded(self, usage: Usage) -> Option<LimitExceeded> {
        let mib = usage.resident >> 20;
        let memory = self.memory_mib.filter(|most| mib > u64::from(*most));
        let tasks = usage.tasks;
        let processes = self.processes.filter(|most| tasks > u64::from(*most));
        memory
            .map(|most| LimitExceeded::Memory(mib, most))
            .or_else(|| processes.map(|most| LimitExceeded::Processes(tasks, most)))
    }
}

impl Watch {
    /// Watches an engine by its group, its mark and its descent; `None` if nothing of it is
    /// limited.
    ///
    /// # Errors
    /// The system refuses a thread, or does not tell what processes use.
    pub(crate) fn take_up(
        &self,
        confinement: &Confinement,
        group: &Group,
        kept: bool,
        mark: &str,
    ) -> io::Result<Option<WatchedEngine>> {
        if !confinement.is_watched() {
            return Ok(None);
        }
        process_counts::available()?;
        let mut registry = self.lock();
        if !registry.running {
            let watch = self.clone();
            let thread = std::thread::Builder::new().name("watch".to_owned());
            thread.spawn(move || watch.run())?;
            registry.running = true;
        }
        registry.count += 1;
        let (id, exceeded) = (registry.count, Arc::default());
        registry.engines.push(Watched {
            id,
            group: group.clone(),
            kept,
            mark: mark.to_owned(),
            allowed: Allowance {
                memory_mib: confinement.memory_mib,
                processes: confinement.processes,
            },
            exceeded: Arc::clone(&exceeded),
            known: Vec::new(),
            beyond: 0,
        });
        let watch = self.clone();
        Ok(Some(WatchedEngine {
            id,
            watch,
            exceeded,
        }))
    }

    /// Samples until no engine is left to watch.
    fn run(&self) {
        let mut process_counts = ProcessCounts::default();
        for look in (0..LOOKS).cycle() {
            // Read before the lock is taken: an engine that ends waits for the lock.
            if look == 0 {
                process_counts.take();
            }
            let mut registry = self.lock();
            if registry.engines.is_empty() {
                registry.running = false;
                return;
            }
            for engine in &mut registry.engines {
                match look {
                    0 => engine.count(&process_counts),
                    _ => engine.look(),
                }
            }
            drop(registry);
            std::thread::sleep(LOOK);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    /// All that it uses, by a new count of processes.
    fn count(&mut self, process_counts: &ProcessCounts) {
        let (usage, known) = process_counts.usage(&self.group, self.kept, &self.mark);
        self.beyond = usage.resident.saturating_sub(resident(&known));
        self.known = known;
        self.judge(usage);
    }

    /// What is known of it now, by the processes of the last count.
    fn look(&self) {
        if self.allowed.memory_mib.is_some() {
            self.judge(Usage {
                resident: resident(&self.known) + self.beyond,
                tasks: 0,
            });
        }
    }

    /// Ends the engine if it uses too much. Its leader is not reaped while it is listed, so
    /// the group's number is its own.
    fn judge(&self, usage: Usage) {
        let Some(exceeded) = self.allowed.exceeded(usage) else {
            return;
        };
        if self.exceeded.set(exceeded).is_ok() {
            let group = self.group.number();
            tracing::warn!(group, %exceeded, "an engine was ended");
        }
        self.group.kill();
        orphans::end(&self.mark);
    }
}

impl WatchedEngine {
    /// Why the engine was ended, if it was.
    pub(crate) fn exceeded(&self) -> Option<LimitExceeded> {
        self.exceeded.get().copied()
    }
}

impl Drop for WatchedEngine {
    fn drop(&mut self) {
        let mut registry = self.watch.lock();
        registry.engines.retain(|engine| engine.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_allowed() {
        let allowed = Allowance {
            memory_mib: Some(64),
            processes: Some(4),
        };
        let usage = |mib: u64, tasks| Usage {
            resident: mib << 20,
            tasks,
        };
        assert_eq!(allowed.exceeded(usage(64, 4)), None);
        assert_eq!(
            allowed.exceeded(usage(65, 4)),
            Some(LimitExceeded::Memory(65, 64))
        );
        assert_eq!(
            allowed.exceeded(usage(64, 5)),
            Some(LimitExceeded::Processes(5, 4))
        );
    }

    #[test]
    fn faults_name_what_was_too_much() {
        let memory = LimitExceeded::Memory(300, 256);
        assert_eq!(memory.fault(), FaultKind::MemoryLimit);
        assert!(memory.to_string().contains("300 MiB of memory"));
    }
}
