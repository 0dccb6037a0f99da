//! The lanes of one event, in this process.

use std::sync::Arc;

use crate::config::EngineSpec;
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::probe::probe;
use crate::host::epoch::Epoch;
use crate::host::neighbours;
use crate::run::farm::assignment::Assignment;
use crate::run::glimpses::Glimpses;
use crate::run::lane::{LaneContext, Lanes};
use crate::run::searches::Searches;
use crate::run::source::{LocalSource, WorkGiver};
use crate::run::{RunError, memory, places, prepare, variant};
use crate::text::tell;

use super::Worker;

/// The lanes of a worker.
pub(super) struct WorkerLanes {
    pub(super) giver: WorkGiver,
    pub(super) threads: Lanes,
}

impl WorkerLanes {
    /// Starts every engine once that this machine does not lack something for, then the lanes.
    pub(super) async fn start(
        assignment: &Assignment,
        worker: &Worker,
        lacks: &[String],
        guardian: &Guardian,
    ) -> Result<WorkerLanes, RunError> {
        let tournament = Arc::new(assignment.tournament.clone());
        prepare::check_evidence(&tournament)?;
        let rules = variant::rules(tournament.variant, &worker.folder)?;
        let places = places::choose(&tournament, neighbours::folder().as_deref())?;
        let around = prepare::surroundings(&tournament, guardian);
        let can_be_started =
            |spec: &EngineSpec| !spec.needs.iter().any(|need| lacks.contains(need));
        let started = probe(&tournament, &rules, &around, can_be_started).await;
        let started = started.map_err(RunError::Engines)?;
        if let Some(warning) = memory::check_seen(&tournament, &started, worker.lanes)? {
            tell(&warning);
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
            source,
            tournament,
        };
        let threads = Lanes::start(&shared, places.lanes, &giver.queue)?;
        Ok(WorkerLanes { threads, giver })
    }
}
