//! From the first engine's start to the last lane's end.

use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::{mpsc, watch};

use super::Session;
use crate::config::{EngineSpec, Tournament};
use crate::report::printable;
use crate::run::dispatcher::{Dispatcher, Ending, State};
use crate::run::epoch::Epoch;
use crate::run::error::RunError;
use crate::run::guardian::Guardian;
use crate::run::lane::{self, Shared};
use crate::run::originals::Originals;
use crate::run::probe::probe;
use crate::run::queue::Queue;
use crate::run::room::Room;
use crate::run::signals::{Signals, Stop};
use crate::run::stop_rule::StopRule;
use crate::run::surroundings::Surroundings;
use crate::run::traffic::Recording;
use crate::run::{capacity, prepare, variant};
use crate::sink::Sinks;
use crate::uci::Ready;

/// The lanes' threads, each with its error.
type Threads = Vec<JoinHandle<io::Result<()>>>;

impl Session {
    /// Starts every engine once, then plays what is missing.
    pub(super) async fn play_on(
        &mut self,
        guardian: &Guardian,
        prepare_sinks: impl FnOnce(&Session) -> Result<Sinks, RunError>,
    ) -> Result<Ending, RunError> {
        let mut signals = Signals::listen()?;
        let originals = Originals::new(&self.tournament, &self.identity);
        let rules = variant::rules(self.tournament.variant, self.folder())?;
        let cpus = prepare::lane_cpus(&self.tournament)?;
        let epoch = Epoch::begin();
        // Ends after all that speaks has ended.
        let recording = Recording::begin(self.traffic_log.as_deref(), epoch)?;
        let around = Surroundings {
            traffic: recording.traffic(),
            ..Surroundings::new(guardian.clone())
        };
        let ready = tokio::select! {
            biased;
            (_, code) = signals.next() => return Ok(Ending { signal: Some(code), voided: 0 }),
            ready = probe(&self.tournament, &rules, &around) => ready.map_err(RunError::Engines)?,
        };
        let warnings = warnings(&self.tournament, &ready);
        self.describe_engines(ready)?;
        let mut sinks = prepare_sinks(self)?;
        warnings.iter().for_each(|words| sinks.say(words));
        let conduct = self.reader()?.conduct()?;
        let (stop, stopped) = watch::channel(Stop::No);
        let (reporter, reports) = mpsc::unbounded_channel();
        let queue = Arc::new(Queue::default());
        let shared = Shared {
            tournament: Arc::clone(&self.tournament),
            originals: Arc::new(originals),
            rules,
            epoch,
            around,
            queue: Arc::clone(&queue),
            conduct: Arc::new(Mutex::new(conduct.clone())),
            stop: stopped,
            reports: reporter,
        };
        let dispatcher = Dispatcher {
            work: self.work()?,
            adaptive: self.adaptive(&self.reader()?)?,
            conduct,
            queue: &queue,
            lanes: self.tournament.concurrency.get(),
            reports,
            stop,
            store: &self.store,
            stop_rule: StopRule::new(&self.tournament, &self.reader()?)?,
            notices: std::mem::replace(&mut self.notices, mpsc::unbounded_channel().1),
            sinks: &mut sinks,
            room: Room::new(self.store.folder()),
            guardian: guardian.clone(),
            signals,
            state: State::default(),
        };
        let threads = start_lanes(shared, cpus)?;
        let ending = dispatcher.run().await;
        join(threads)?;
        let finished = sinks.finish();
        // What ended the run says more than what fails in its wake.
        let ending = ending?;
        finished?;
        Ok(ending)
    }
}

/// A lane for each set of processors. If one cannot be started, those that were end.
fn start_lanes(shared: Shared, cpus: Vec<Vec<u16>>) -> io::Result<Threads> {
    let start = |(index, cpus)| lane::start(index, shared.in_lane(index, cpus));
    let threads: io::Result<Threads> = (0..).zip(cpus).map(start).collect();
    if threads.is_err() {
        // The lanes that did start have nothing to do.
        shared.queue.close();
    }
    threads
}

fn join(threads: Threads) -> Result<(), RunError> {
    for thread in threads {
        // A lane that panicked has said so on stderr already.
        thread
            .join()
            .map_err(|_| io::Error::other("a lane panicked"))??;
    }
    Ok(())
}

/// What people should know of this machine and of the engines; none of it stops the run.
fn warnings(tournament: &Tournament, ready: &[Ready]) -> Vec<String> {
    let mut warnings = prepare::remarks(tournament);
    let engines = tournament.engines.iter().zip(ready);
    warnings.extend(engines.flat_map(oddities));
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    warnings.extend(capacity::warning(tournament, processors));
    warnings
}

/// What is odd about an engine but does no harm.
fn oddities((spec, ready): (&EngineSpec, &Ready)) -> Vec<String> {
    let name = printable(&spec.name);
    let line = |warning: &String| format!("warning: engine \"{name}\": {}", printable(warning));
    ready.warnings.iter().map(line).collect()
}
