//! From the first engine's start to the last lane's end.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;

use tokio::sync::mpsc;

use super::{Session, inspection};
use crate::config::Tournament;
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::surroundings::Surroundings;
use crate::engine::uci_log::Recording;
use crate::event::Decisions;
use crate::host::disk_space::FreeSpace;
use crate::host::epoch::Epoch;
use crate::run::control::{ControlSocket, PendingRequest, SharedRemoteStatus};
use crate::run::dispatcher::{Dispatcher, DispatcherState, NextRun, PairSupply, RunEnding};
use crate::run::error::{RemoteError, RunError};
use crate::run::game::RunningGamesOfRun;
use crate::run::lane::{LaneContext, Lanes};
use crate::run::listeners::Listeners;
use crate::run::places::{self, CpuMap};
use crate::run::signals::SignalWatch;
use crate::run::source::{LocalSource, PAIRS_AHEAD, RemoteLanes, RemoteRun, RemoteThread};
use crate::run::{capacity, making, prepare};
use crate::sink::RunOutputs;
use crate::store::{RecordedGame, RunningGameFiles, StoreError};
use crate::text::printable;
use crate::tournament::{EventPhase, EventState, EventView, Roster, interruption_lines};
use crate::uci::Ready;

/// How a run ended, and what is still to be shown of it.
type FinishedRun = (Result<RunEnding, RunError>, Option<Listeners>);

/// What lanes and dispatcher need when the first game may begin.
struct RunSetup<'r> {
    guardian: &'r Guardian,
    signals: &'r SignalWatch,
    next_run: NextRun,
    around: Surroundings,
    epoch: Epoch,
    places: CpuMap,
    running: RunningGamesOfRun,
    /// Those with which the event was read.
    decisions: Decisions,
}

impl Session {
    /// Starts every engine once, then plays what is missing. `left` was ended before.
    pub(super) async fn play_on(
        &mut self,
        guardian: &Guardian,
        left: Vec<String>,
        signals: &SignalWatch,
        audience: impl FnOnce(&Session, &EventView) -> Result<RunOutputs, RunError>,
        next_run: NextRun,
    ) -> Result<FinishedRun, RunError> {
        self.check_lanes()?;
        let mut places = self.places()?;
        let epoch = Epoch::begin();
        // Ends after all that speaks has ended.
        let recording = Recording::begin(self.traffic_log.take(), epoch)?;
        let around = Surroundings {
            uci_log: recording.uci_log.clone(),
            ..prepare::surroundings(&self.tournament, self.folder(), guardian)?
        };
        let mut attended = signals.attend();
        let signature = self.signature()?;
        let admitted = self.admit(&mut attended, &around, signature);
        let ready = match admitted.await? {
            ControlFlow::Continue(ready) => ready,
            ControlFlow::Break(code) => return Ok((Ok(RunEnding::stopped(code)), None)),
        };
        drop(attended);
        self.tournament = making::make(&self.tournament, &around, &self.store).await?;
        let mut warnings = warnings(&self.tournament, &ready);
        self.ready = ready;
        warnings.extend(self.take_remarks());
        warnings.extend(prepare::left_over(&left));
        warnings.append(&mut places.remarks);
        let reader = self.reader()?;
        let event = EventView::new(EventState::read(&reader)?);
        event.update(|event| event.acts(Some(EventPhase::Playing)));
        let mut listeners =
            Listeners::start(audience(self, &event)?, self.folder(), &self.live_updates)?;
        warnings.iter().for_each(|words| listeners.say(words));
        let setup = RunSetup {
            guardian,
            signals,
            next_run,
            around,
            epoch,
            places,
            running: self.running_games(&listeners)?,
            decisions: reader.decisions().clone(),
        };
        drop(reader);
        let ending = self.play_games(setup, event, &mut listeners).await;
        let ending = self.finished(ending, &mut listeners);
        Ok((ending, Some(listeners)))
    }

    /// What lanes here, and those of other machines, cannot do.
    fn check_lanes(&self) -> Result<(), RunError> {
        let (local, others) = self.lanes();
        if self.tournament.making.is_some() && others > 0 {
            return Err(RunError::StartsAreMade("a farm"));
        }
        if local > 0 {
            prepare::check_evidence(&self.tournament)?;
        }
        Ok(())
    }

    /// Lanes and dispatcher, until the last lane has ended.
    async fn play_games(
        &mut self,
        setup: RunSetup<'_>,
        event: EventView,
        listeners: &mut Listeners,
    ) -> Result<RunEnding, RunError> {
        let (local, others) = self.lanes();
        let (source, giver) = LocalSource::open();
        let shared = self.shared(&setup, Arc::clone(&source));
        let (socket, control) = self.listening(listeners);
        let status = SharedRemoteStatus::default();
        let remote = self.begin_remote_lanes(&source, Arc::clone(&status))?;
        let longest = self.tournament.sprt.as_ref().and_then(|test| test.max_time);
        let mut dispatcher = Dispatcher {
            tournament: Arc::clone(&self.tournament),
            event,
            supply: PairSupply {
                work: self.work()?,
                continued: inspection::continued(&self.tournament, &self.reader()?)?,
                giver,
                lanes: local + others,
                ahead: others * PAIRS_AHEAD,
            },
            store: &self.store,
            notices: &mut self.notices,
            listeners,
            control,
            signals: setup.signals.attend(),
            room: FreeSpace::new(self.store.folder()),
            neighbours: setup.places.neighbours,
            guardian: setup.guardian.clone(),
            remote: status,
            ends: longest.and_then(|longest| Instant::now().checked_add(longest)),
            next_run: setup.next_run,
            state: DispatcherState::new(local + others, setup.decisions, self.instructions),
        };
        let cpus = setup.places.lanes.into_iter().take(local).collect();
        let threads = Lanes::start(&shared, cpus, &dispatcher.supply.giver.queue)?;
        let remote = match begun(remote, &mut dispatcher).await {
            Ok(remote) => remote,
            Err(error) => {
                drop(dispatcher);
                threads.join()?;
                return Err(error);
            }
        };
        self.playing.store(true, Ordering::Relaxed);
        let ending = dispatcher.run().await;
        if let Some(socket) = socket {
            socket.close().await;
        }
        let joined = threads.join().map_err(RunError::System);
        let joined = joined.and_then(|()| remote.map_or(Ok(()), ended));
        // What ended the run says more than what fails in its wake.
        ending.and_then(|ending| joined.map(|()| ending))
    }

    /// Where the moves of running games are kept. Those that an earlier run has left behind are told; what does not go
    /// on is forgotten.
    fn running_games(&self, listeners: &Listeners) -> Result<RunningGamesOfRun, RunError> {
        let reader = self.reader()?;
        let files = RunningGameFiles::of_event(self.folder());
        let roster = Roster::read(&reader)?;
        let games = self.interrupted(&reader)?;
        let goes_on = |left: &RecordedGame| {
            let mut games = games.iter().filter(|game| game.anew.is_none());
            games.any(|game| game.recorded == *left)
        };
        let left = files.all().into_iter().filter(|left| !goes_on(left));
        left.for_each(|left| files.remove(left.game.id));
        let words = interruption_lines(&roster, &games);
        words.iter().for_each(|words| listeners.say(words));
        let identity = reader.identity_hash()?;
        Ok(RunningGamesOfRun { files, identity })
    }

    /// Where `control` reaches the run. Without a socket it plays all the same.
    fn listening(
        &self,
        listeners: &Listeners,
    ) -> (
        Option<ControlSocket>,
        mpsc::UnboundedReceiver<PendingRequest>,
    ) {
        let (asking, control) = mpsc::unbounded_channel();
        let socket = ControlSocket::open(self.folder(), asking).map_err(|error| {
            let words = "warning: `arbiter960 control` cannot reach this run";
            listeners.say(&format!("{words}: {error}"));
        });
        (socket.ok(), control)
    }

    /// What all lanes use.
    fn shared(&mut self, setup: &RunSetup<'_>, source: Arc<LocalSource>) -> LaneContext {
        let originals = self.originals.get_or_insert_with(|| {
            let new = Originals::new(&self.tournament, &self.identity);
            Arc::new(new.keeping_in(self.store.folder()))
        });
        LaneContext {
            tournament: Arc::clone(&self.tournament),
            originals: Arc::clone(originals),
            epoch: setup.epoch,
            live_updates: self.live_updates.clone(),
            searches: self.searches.clone(),
            running: setup.running.clone(),
            around: setup.around.clone(),
            source,
        }
    }

    /// The rest of the inspection and of the files, after the last game.
    fn finished(
        &self,
        mut ending: Result<RunEnding, RunError>,
        listeners: &mut Listeners,
    ) -> Result<RunEnding, RunError> {
        if matches!(&ending, Ok(ending) if ending.signal().is_none())
            && let Err(error) = self.inspect_whole(|words| listeners.say(words))
        {
            // A run that was told to stop leaves the rest of it to the next.
            ending = Err(error.into());
        }
        let is_damaged = matches!(
            &ending,
            Err(RunError::Storage(
                StoreError::Contradicted { .. } | StoreError::Damaged { .. }
            ))
        );
        let finished = if is_damaged {
            // Files made of such a store would be wrong.
            Ok(())
        } else {
            listeners.finish_files()
        };
        ending.and_then(|ending| Ok(finished.map(|()| ending)?))
    }

    /// Where the lanes run.
    fn places(&mut self) -> Result<CpuMap, RunError> {
        let folder = self.neighbours.clone();
        let chosen = match places::choose(&self.tournament, folder.as_deref()) {
            Err(RunError::TooFewCpus(_)) if self.plays_regardless => {
                Arc::make_mut(&mut self.tournament).cpus_per_lane = None;
                places::choose(&self.tournament, folder.as_deref())
            }
            chosen => chosen,
        };
        let mut places = chosen?;
        places.name(&self.cpus)?;
        Ok(places)
    }
}

/// What people should know of this machine and of the engines; none of it stops the run.
fn warnings(tournament: &Tournament, ready: &[Ready]) -> Vec<String> {
    let mut warnings = prepare::remarks(tournament);
    for (spec, ready) in tournament.engines.iter().zip(ready) {
        // What is odd about it but does no harm.
        let name = printable(&spec.name);
        let line = |warning: &String| format!("warning: engine \"{name}\": {}", printable(warning));
        warnings.extend(ready.warnings.iter().map(line));
    }
    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    warnings.extend(capacity::warning(tournament, processors));
    warnings
}

/// Lanes on other machines, and how many lanes this machine has beside them.
#[derive(Debug)]
pub(super) struct RemotePlay {
    lanes: Arc<dyn RemoteLanes>,
    local: usize,
}

/// How the thread has ended.
pub(super) fn ended(thread: JoinHandle<Result<(), RemoteError>>) -> Result<(), RunError> {
    // One that panicked has said so on stderr already.
    let ended = thread.join();
    let ended = ended.map_err(|_| io::Error::other("the thread for other machines panicked"))?;
    ended.map_err(RunError::Remote)
}

impl Session {
    /// Other machines play for this one, which has so many games at once itself.
    pub(crate) fn play_with_remote_lanes(&mut self, lanes: Arc<dyn RemoteLanes>, local: usize) {
        let concurrency = NonZeroUsize::new(local).unwrap_or(NonZeroUsize::MIN);
        Arc::make_mut(&mut self.tournament).concurrency = concurrency;
        self.remote = Some(RemotePlay { lanes, local });
    }

    /// Number of lanes on this machine, and number of lanes that represent other machines.
    pub(super) fn lanes(&self) -> (usize, usize) {
        match &self.remote {
            Some(remote) => (remote.local, 1),
            None => (self.tournament.concurrency.get(), 0),
        }
    }

    /// Begins to connect with the other machines, if any play for this one.
    pub(super) fn begin_remote_lanes(
        &self,
        source: &Arc<LocalSource>,
        status: SharedRemoteStatus,
    ) -> Result<Option<RemoteThread>, RunError> {
        let begin = |remote: &RemotePlay| {
            let run = RemoteRun {
                source: Arc::clone(source),
                tournament: Arc::clone(&self.tournament),
                identity: self.identity.clone(),
                folder: self.folder().to_owned(),
                lane: remote.local,
                status,
            };
            remote.lanes.begin(run)
        };
        Ok(self.remote.as_ref().map(begin).transpose()?)
    }
}

/// Waits until the first game may begin, or a signal ends the run before. After an error the lanes here have nothing to do.
pub(super) async fn begun(
    remote: Option<RemoteThread>,
    dispatcher: &mut Dispatcher<'_>,
) -> Result<Option<JoinHandle<Result<(), RemoteError>>>, RunError> {
    let Some(RemoteThread { thread, mut ready }) = remote else {
        return Ok(None);
    };
    tokio::select! {
        ready = ready.recv() => if ready.is_none() {
            ended(thread).inspect_err(|_| dispatcher.supply.giver.queue.close())?;
            return Ok(None);
        },
        (stop, code) = dispatcher.signals.next() => dispatcher.obey(stop, code),
    }
    Ok(Some(thread))
}
