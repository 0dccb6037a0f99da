//! Ends engines that use more memory, more processes or more room on the disk than the event file allows.
//!
//! Memory is the resident size, sampled: a limit of the address space would end engines
//! that reserve much and use little. Separate threads sample, so that no lane waits for
//! them, and they live only while such engines do.
//!
//! **Invariant: nothing is counted while a lock is held that a lane needs.** The list of engines is copied and then
//! counted; only the end of an engine is done under a lock, which is that engine's own.

use std::io;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::config::{Confinement, EngineSpec};
use crate::engine::allowance::{LimitExceeded, MAX_OPEN_FILES, exceeded, exceeded_on_disk};
use crate::engine::places::EnginePlaces;
use crate::platform::process::Group;
use crate::platform::process_snapshot::{self, ProcessSnapshot, held_open, memory_bytes};
use crate::platform::{Usage, lock, orphans};

/// The time between two looks at the memory of the processes that are known.
const LOOK_INTERVAL: Duration = Duration::from_millis(25);

/// So many looks are made until all processes are counted again.
const LOOKS_PER_RECOUNT: u32 = 10;

/// The time between two looks at the disk, at least and at most; within that, `DISK_SHARE` times as long as a look takes.
const DISK_LOOK: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(10)];
const DISK_SHARE: u32 = 50;

/// Watches engines. All clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct EngineWatch {
    registry: Arc<Mutex<Registry>>,
    places: Arc<EnginePlaces>,
}

#[derive(Debug, Default)]
struct Registry {
    engines: Vec<Arc<Watched>>,
    /// Whether the threads run, as [`SAMPLERS`] has them.
    running: [bool; 2],
}

/// The threads that sample: memory and processes, and the disk.
const SAMPLERS: [fn(&EngineWatch); 2] = [EngineWatch::sample_usage, EngineWatch::sample_disk];
const USAGE: usize = 0;
const DISK: usize = 1;

#[derive(Debug)]
struct Watched {
    group: Group,
    kept: bool,
    mark: String,
    allowed: Confinement,
    exceeded: OnceLock<LimitExceeded>,
    /// The processes when they were last counted, and the memory of files that they held open.
    known: Mutex<(Vec<i32>, u64)>,
    /// Whether its leader is not reaped yet: the group's number is its own.
    is_listed: Mutex<bool>,
}

/// An engine under watch. Drop it before the leader of the group is reaped: from then on
/// the group's number may belong to somebody else.
#[derive(Debug)]
pub(crate) struct WatchedEngine {
    watch: EngineWatch,
    engine: Arc<Watched>,
}

impl EngineWatch {
    /// Watches engines of this event. What they may write is counted from what is on the disk now, so none of them
    /// may run yet.
    pub(crate) fn of_engines(engines: &[EngineSpec]) -> EngineWatch {
        EngineWatch {
            places: Arc::new(EnginePlaces::of_engines(engines)),
            ..EngineWatch::default()
        }
    }

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
        process_snapshot::available()?;
        let engine = Arc::new(Watched {
            group: group.clone(),
            kept,
            mark: mark.to_owned(),
            allowed: confinement.clone(),
            exceeded: OnceLock::new(),
            known: Mutex::default(),
            is_listed: Mutex::new(true),
        });
        let mut registry = lock(&self.registry);
        for (runs, sample) in registry.running.iter_mut().zip(SAMPLERS) {
            if !*runs {
                let watch = self.clone();
                let thread = std::thread::Builder::new().name("watch".to_owned());
                thread.spawn(move || sample(&watch))?;
                *runs = true;
            }
        }
        registry.engines.push(Arc::clone(&engine));
        let watch = self.clone();
        Ok(Some(WatchedEngine { watch, engine }))
    }

    /// The engines; `None`: none is left, and the thread of the sampler ends.
    fn listed(&self, sampler: usize) -> Option<Vec<Arc<Watched>>> {
        let mut registry = lock(&self.registry);
        let listed = registry.engines.clone();
        registry.running[sampler] = !listed.is_empty();
        (!listed.is_empty()).then_some(listed)
    }

    fn sample_usage(&self) {
        let mut process_snapshot = ProcessSnapshot::default();
        for look in (0..LOOKS_PER_RECOUNT).cycle() {
            let Some(engines) = self.listed(USAGE) else {
                return;
            };
            if look == 0 {
                process_snapshot.take();
            }
            engines.iter().for_each(|engine| match look {
                0 => engine.count(&process_snapshot),
                _ => engine.look(),
            });
            std::thread::sleep(LOOK_INTERVAL);
        }
    }

    fn sample_disk(&self) {
        while let Some(engines) = self.listed(DISK) {
            let began = Instant::now();
            for engine in engines {
                let added = self.places.added(&engine.allowed.writable);
                if let Some(exceeded) = exceeded_on_disk(&engine.allowed, added) {
                    engine.end(exceeded);
                }
            }
            let [least, most] = DISK_LOOK;
            std::thread::sleep((began.elapsed() * DISK_SHARE).clamp(least, most));
        }
    }
}

impl Watched {
    /// All that it uses, by a new count of processes.
    fn count(&self, process_snapshot: &ProcessSnapshot) {
        let (mut usage, processes) = process_snapshot.usage(&self.group, self.kept, &self.mark);
        let held_open = match self.allowed.memory_mib {
            Some(_) => held_open(&processes, MAX_OPEN_FILES),
            None => Some(0),
        };
        let Some(held_open) = held_open else {
            return self.end(LimitExceeded::OpenFiles);
        };
        usage.memory_bytes += held_open;
        self.judge(usage);
        *lock(&self.known) = (processes, held_open);
    }

    /// What is known of it now, by the processes of the last count.
    fn look(&self) {
        if self.allowed.memory_mib.is_some() {
            let (processes, held_open) = &*lock(&self.known);
            self.judge(Usage {
                memory_bytes: memory_bytes(processes) + held_open,
                tasks: 0,
            });
        }
    }

    /// Ends the engine if it uses too much, or the system has refused that.
    fn judge(&self, usage: Usage) {
        let refused = self.group.memory_refused().zip(self.allowed.memory_mib);
        let refused = refused.map(|(bytes, most)| LimitExceeded::Memory(bytes >> 20, most));
        if let Some(exceeded) = exceeded(&self.allowed, usage).or(refused) {
            self.end(exceeded);
        }
    }

    /// Ends the engine, unless its lane has done that: its group's number may be another's then.
    fn end(&self, exceeded: LimitExceeded) {
        let is_listed = lock(&self.is_listed);
        if !*is_listed {
            return;
        }
        if self.exceeded.set(exceeded).is_ok() {
            let group = self.group.number();
            tracing::warn!(group, %exceeded, "an engine was ended");
        }
        self.group.kill();
        drop(is_listed);
        orphans::end(&self.mark);
    }
}

impl WatchedEngine {
    /// Why the engine was ended, if it was.
    pub(crate) fn exceeded(&self) -> Option<LimitExceeded> {
        self.engine.exceeded.get().copied()
    }
}

impl Drop for WatchedEngine {
    fn drop(&mut self) {
        *lock(&self.engine.is_listed) = false;
        let is_other = |engine: &Arc<Watched>| !Arc::ptr_eq(engine, &self.engine);
        lock(&self.watch.registry).engines.retain(is_other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::capabilities::{Capability, has};

    /// An engine whose count takes as long as it likes is ended by its lane meanwhile.
    #[test]
    fn a_lane_waits_for_no_count() {
        if !has(Capability::MemoryLimit) {
            return;
        }
        let watch = EngineWatch::default();
        let confinement = Confinement {
            memory_mib: Some(1 << 20),
            ..Confinement::default()
        };
        let group = Group::from_number(i32::MAX).unwrap();
        let engine = watch.take_up(&confinement, &group, false, "no such mark");
        let engine = engine.unwrap().unwrap();
        // What a sampler has while it counts.
        let counted = watch.listed(USAGE).unwrap();
        assert_eq!(counted.len(), 1);
        drop(engine);
        assert!(lock(&watch.registry).engines.is_empty());
        counted[0].end(LimitExceeded::OpenFiles);
        assert_eq!(
            counted[0].exceeded.get(),
            None,
            "its group may be another's"
        );
    }
}
