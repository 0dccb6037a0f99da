//! The lanes of one event, in this process.

use std::sync::Arc;

use crate::config::EngineSpec;
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::probe::probe;
use crate::engine::surroundings::{Guarded, Surroundings};
use crate::engine::watch::EngineWatch;
use crate::host::epoch::Epoch;
use crate::host::memory::Memory;
use crate::host::neighbours;
use crate::run::farm::assignment::Assignment;
use crate::run::glimpses::Glimpses;
use crate::run::lane::{self, LaneContext};
use crate::run::memory::{self, EngineMemory};
use crate::run::searches::Searches;
use crate::run::source::{LocalSource, WorkGiver, WorkSource};
use crate::run::{RunError, places, prepare, variant};
use crate::text::tell;

use super::Worker;

/// The lanes of a worker.
pub(super) struct WorkerLanes {
    pub(super) giver: WorkGiver,
    pub(super) threads: lane::Lanes,
}

impl WorkerLanes {
    /// Starts every engine once that this machine does not lack something for, then the lanes.
    pub(super) async fn start(
        assignment: &Assignment,
        worker: &Worker,
        lacks: &[String],
        guardian: &Guardian,
    ) -> Result<WorkerLanes, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let tournament = Arc::new(assignment.tournament.clone());
        prepare::check_evidence(&tournament).map_err(|error| words(&error))?;
        let rules = variant::rules(tournament.variant, &worker.folder);
        let rules = rules.map_err(|error| words(&error))?;
        let neighbours = neighbours::folder();
        let places = places::choose(&tournament, neighbours.as_deref());
        let places = places.map_err(|error| words(&error))?;
        let around = Surroundings {
            lanes: worker.lanes.get(),
            cgroups: prepare::cgroups(&tournament),
            watch: EngineWatch::of(&tournament.engines),
            guarded: Guarded::of(&tournament.engines),
            ..Surroundings::new(guardian.clone())
        };
        let can_be_started =
            |spec: &EngineSpec| !spec.needs.iter().any(|need| lacks.contains(need));
        let started = probe(&tournament, &rules, &around, can_be_started).await;
        let started = started.map_err(|unfit| words(&RunError::Engines(unfit)))?;
        if let Some(memory) = Memory::of_this_machine() {
            let engines = tournament.engines.iter().zip(&started);
            let engines: Vec<EngineMemory> = engines
                .filter_map(|(spec, probed)| Some(EngineMemory::seen(spec, probed.as_ref()?)))
                .collect();
            let warning = memory::check(&engines, worker.lanes, memory);
            if let Some(warning) = warning.map_err(|error| words(&error))? {
                tell(&warning);
            }
        }
        let originals = Originals::new(&tournament, &assignment.announced.identity);
        let (source, giver) = LocalSource::open();
        let shared = LaneContext {
            originals: Arc::new(originals.keeping_in(&worker.folder)),
            rules,
            epoch: Epoch::begin(),
            glimpses: Glimpses::default(),
            searches: Searches::default(),
            around,
            stop: source.stop(),
            disqualified: source.disqualified(),
            source,
            tournament,
        };
        let threads = lane::Lanes::start(&shared, places.lanes, &giver.queue);
        Ok(WorkerLanes {
            threads: threads.map_err(|error| words(&error))?,
            giver,
        })
    }
}
