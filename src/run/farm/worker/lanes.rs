//! The lanes of one event, in this process.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::{mpsc, watch};

use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::probe::probe;
use crate::engine::surroundings::Surroundings;
use crate::host::epoch::Epoch;
use crate::host::neighbours;
use crate::run::farm::assignment::Assignment;
use crate::run::glimpses::Glimpses;
use crate::run::lane::{self, Shared};
use crate::run::queue::Queue;
use crate::run::searches::Searches;
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, LocalSource, Report, WorkSource};
use crate::run::{places, prepare, variant};

use super::Worker;

/// The lanes of a worker.
pub(super) struct Lanes {
    pub(super) queue: Arc<Queue>,
    pub(super) reports: mpsc::UnboundedReceiver<Report>,
    pub(super) stop: watch::Sender<Stop>,
    pub(super) disqualified: watch::Sender<Disqualifications>,
    pub(super) threads: Vec<JoinHandle<io::Result<()>>>,
}

impl Lanes {
    /// Starts every engine once, then the lanes.
    pub(super) async fn start(
        assignment: &Assignment,
        worker: &Worker,
        guardian: &Guardian,
    ) -> Result<Lanes, String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let tournament = Arc::new(assignment.tournament.clone());
        let rules = variant::rules(tournament.variant, &worker.folder);
        let rules = rules.map_err(|error| words(&error))?;
        let neighbours = neighbours::folder();
        let places = places::choose(&tournament, neighbours.as_deref());
        let places = places.map_err(|error| words(&error))?;
        let around = Surroundings {
            lanes: worker.lanes.get(),
            cgroups: prepare::cgroups(&tournament),
            ..Surroundings::new(guardian.clone())
        };
        let started = probe(&tournament, &rules, &around).await;
        started.map_err(|unfit| words(&crate::run::RunError::Engines(unfit)))?;
        let originals = Originals::new(&tournament, &assignment.announced.identity);
        let (stop, stopped) = watch::channel(Stop::No);
        let (reporter, reports) = mpsc::unbounded_channel();
        let (disqualified, disqualifications) = watch::channel(Disqualifications::default());
        let queue = Arc::new(Queue::default());
        let source = Arc::new(LocalSource {
            queue: Arc::clone(&queue),
            reports: reporter,
            stop: stopped,
            disqualified: disqualifications,
        });
        let shared = Shared {
            originals: Arc::new(originals),
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
        let start = |(index, cpus)| lane::start(index, shared.in_lane(index, cpus));
        let threads: io::Result<Vec<_>> = (0..).zip(places.lanes).map(start).collect();
        if threads.is_err() {
            queue.close();
        }
        Ok(Lanes {
            queue,
            reports,
            stop,
            disqualified,
            threads: threads.map_err(|error| words(&error))?,
        })
    }
}
