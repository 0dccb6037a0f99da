//! A lane plays one game at a time: a thread with its own runtime, which
//! owns its engines.
//!
//! **Invariant: nothing but engine input and output runs in a lane, and the line of a move that is kept.** Statistics,
//! files and the store have other threads; what they cost is never charged to an
//! engine's clock.
//!
//! | file | what |
//! |---|---|
//! | this one | the thread, its engines, and its pairs one after the other, from the source and back to it |
//! | `attempt` | one attempt at a game, and what becomes of its engines |
//! | `supervisor` | the lanes, and who looks whether they move |

mod attempt;
mod supervisor;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use supervisor::{LaneHeartbeat, WAITS};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::driver::{self, GameObservers};
use super::game::{DurableMoves, Job, PlannedGame, RunningGamesOfRun};
use super::live_updates::{LaneReporter, LiveUpdates, Searches};
use super::signals::Stop;
use super::source::{Disqualifications, EndNotice, Report, WorkSource, reported};
use crate::config::Tournament;
use crate::engine::originals::Originals;
use crate::engine::pool::EnginePool;
use crate::engine::surroundings::Surroundings;
use crate::event::{PlayedGame, Seat, UnixMillis};
use crate::host::epoch::Epoch;
use crate::host::idle::IdleWatch;
use crate::host::observer::HostObserver;
use crate::platform::runtime;
use crate::referee::{DialogueRecorder, Fault, FaultKind, GameRecord, HostFaults};

pub(crate) use supervisor::Lanes;

/// What all lanes share.
#[derive(Debug, Clone)]
pub(crate) struct LaneContext {
    /// The event.
    pub tournament: Arc<Tournament>,
    /// Its engines' files, as they were when the run began.
    pub originals: Arc<Originals>,
    /// The clock of the run.
    pub epoch: Epoch,
    /// Where live updates go.
    pub live_updates: LiveUpdates,
    /// Where searches go that have ended.
    pub searches: Searches,
    /// Where the moves of running games are kept that go on after an interruption.
    pub running: RunningGamesOfRun,
    /// What surrounds the engines of this lane.
    pub around: Surroundings,
    /// Where work comes from, and where facts go.
    pub source: Arc<dyn WorkSource>,
}

/// Starts a lane, which is seen from outside by its heartbeat.
///
/// # Errors
/// The system refuses a thread; or, from the thread, a runtime.
fn start(
    index: usize,
    shared: LaneContext,
    heartbeat: Arc<LaneHeartbeat>,
) -> io::Result<JoinHandle<io::Result<()>>> {
    let shared = LaneContext {
        source: Arc::clone(&heartbeat) as Arc<dyn WorkSource>,
        ..shared
    };
    let name = format!("lane-{index}");
    std::thread::Builder::new().name(name).spawn(move || {
        let _at_the_end = EndNotice {
            source: Arc::clone(&shared.source),
            lane: index,
        };
        run(index, shared, heartbeat)
    })
}

fn run(index: usize, shared: LaneContext, heartbeat: Arc<LaneHeartbeat>) -> io::Result<()> {
    let runtime = runtime()?;
    runtime.spawn(Arc::clone(&heartbeat).beat());
    let watch = GameObservers {
        observer: HostObserver::of_this_thread(),
        idle: IdleWatch::default(),
        listener: DialogueRecorder::default(),
        reporter: LaneReporter::new(shared.live_updates.clone(), shared.epoch, index),
        durable: DurableMoves::new(shared.running.clone()),
    };
    let pairs = LanePairs {
        lane: index,
        tournament: Arc::clone(&shared.tournament),
        source: Arc::clone(&shared.source),
        stop: shared.source.stop(),
        disqualified: shared.source.disqualified(),
        player: Lane {
            stop: shared.source.stop(),
            shared,
            heartbeat,
            pool: EnginePool::default(),
            watch,
        },
        has_played: false,
        unstored: VecDeque::new(),
    };
    runtime.block_on(pairs.run());
    // A file that is still being read is not waited for.
    runtime.shutdown_background();
    Ok(())
}

/// The engines of a lane, and who watches them.
struct Lane {
    shared: LaneContext,
    /// Whether to stop, as the source says.
    stop: watch::Receiver<Stop>,
    /// Reports what it does to those who watch it from outside.
    heartbeat: Arc<LaneHeartbeat>,
    pool: EnginePool,
    watch: GameObservers,
}

impl GamePlayer for Lane {
    async fn play(&mut self, game: PlannedGame) -> Option<PlayedGame> {
        let played = self.play_game(game).await;
        self.heartbeat.set_activity(WAITS.to_owned());
        played
    }

    async fn rest(&mut self) {
        self.watch.reporter.rest();
        self.pool.empty().await;
    }
}

// The pairs of a lane, one after the other.

/// How long is waited, in seconds, before a game is played again for a flag that fell by the host's
/// fault: what keeps a machine busy at night is over after a while. On one that cannot hold the time
/// control an event still comes to its end. Where the plan grows by results, all wait for this game: it is played
/// again, with the longest wait, until the run gives up the host.
const REPLAY_WAITS_SECONDS: [u64; 5] = [1, 5, 25, 120, 300];

/// So many games of a lane, those of two pairs, may be finished and not durable: before it begins
/// another it waits. A slow disk holds the lanes back, so that what follows from games, such as the
/// end of a test, comes no later than that.
const MAX_UNSTORED_GAMES: usize = 4;

/// A lane that has nothing to play for this time ends its engines: they hold memory, and some
/// work while they should wait.
const ENGINE_IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Plays games; the lane with its engines, or a fake.
trait GamePlayer {
    /// Plays a game to its end, whatever that is; `None` if it goes on in another run.
    async fn play(&mut self, game: PlannedGame) -> Option<PlayedGame>;

    /// There is nothing to play for now, or any more.
    async fn rest(&mut self);
}

/// A lane as its source sees it.
struct LanePairs<P> {
    lane: usize,
    tournament: Arc<Tournament>,
    source: Arc<dyn WorkSource>,
    stop: watch::Receiver<Stop>,
    disqualified: watch::Receiver<Disqualifications>,
    player: P,
    /// Whether a game was played here, behind which the event may have a pause.
    has_played: bool,
    /// Told when the games of this lane are durable, the oldest first.
    unstored: VecDeque<oneshot::Receiver<()>>,
}

impl<P: GamePlayer> LanePairs<P> {
    /// Plays all that the source gives.
    async fn run(mut self) {
        while let Some(job) = self.next_job().await {
            let (pair, lane) = (job.pair, self.lane);
            self.source.report(Report::Begun { pair, lane });
            if !self.is_cancelled(&job) {
                self.play_pair(&job).await;
            }
            self.source.report(Report::Done(pair));
        }
        self.player.rest().await;
    }

    /// The next pair. Engines that wait for it too long are ended.
    async fn next_job(&mut self) -> Option<Job> {
        let source = Arc::clone(&self.source);
        let mut next = source.next();
        if let Ok(job) = timeout(ENGINE_IDLE_TIMEOUT, &mut next).await {
            return job;
        }
        self.player.rest().await;
        next.await
    }

    /// Whether an engine of this pair is disqualified, by games that are stored, and no game of it goes on.
    fn is_cancelled(&self, job: &Job) -> bool {
        let disqualified = self.disqualified.borrow();
        let mut out = disqualified.out.iter();
        !job.goes_on && out.any(|engine| job.spec.concerns(*engine))
    }

    /// Whether this engine is disqualified, by games that are stored.
    fn is_out(&self, engine: Option<u16>) -> bool {
        engine.is_some_and(|engine| self.disqualified.borrow().out.contains(&engine))
    }

    /// The games of a pair that are missing, one after the other.
    async fn play_pair(&mut self, job: &Job) {
        for game in [0, 1] {
            if job.missing[usize::from(game)] && !self.play_until_it_counts(job, game).await {
                return;
            }
        }
    }

    /// One game, again as often as the event forgives what ended it: an engine's fault, or a
    /// flag that fell by the host's. Every attempt is reported, and only the last can count.
    /// The other game of the pair keeps its result. Nothing is forgiven to an engine that is
    /// disqualified. Returns whether the pair continues: it ends if a player is disqualified before the
    /// game counts.
    async fn play_until_it_counts(&mut self, job: &Job, game: u8) -> bool {
        let id = job.game(game);
        let (mut forgiven, mut excused) = (job.replayed[usize::from(game)], 0);
        loop {
            // As long as the event has it between two games.
            let pause = self.tournament.pause.filter(|_| self.has_played);
            self.wait(pause).await;
            if *self.stop.borrow() >= Stop::VoidGames {
                return false;
            }
            let mut planned = PlannedGame::new(&self.tournament, id, job.spec);
            let is_excused =
                |seat: Seat| !self.disqualified.borrow().unexcused.contains(&seat.engine);
            planned.settings.excused = planned.seats.map(is_excused);
            let Some(mut finished) = self.player.play(planned).await else {
                return false;
            };
            self.has_played = true;
            let at_fault = finished.record.faults.first();
            let at_fault = at_fault.map(|fault| finished.seat(fault.side).engine);
            let again = !self.is_out(at_fault);
            let wait = self.replay_wait(excused);
            let wait = wait.filter(|_| again && self.is_replayed(&finished.record));
            let wait = wait.filter(|_| *self.stop.borrow() == Stop::No);
            let faults = &self.tournament.faults;
            let forgive = again && faults.forgive(&mut finished.record, forgiven);
            let why = finished.record.outcome.to_string();
            self.report(finished).await;
            forgiven += u32::from(forgive);
            excused += usize::from(wait.is_some());
            if !forgive && wait.is_none() {
                return true;
            }
            if self.is_out(at_fault) {
                return false;
            }
            if let Some(wait) = wait {
                let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
                let until = UnixMillis(UnixMillis::now().0.saturating_add(wait));
                self.source.report(Report::Waits {
                    game: id,
                    until,
                    why,
                });
            }
            let mut stop = self.stop.clone();
            tokio::select! {
                () = self.wait(wait) => {}
                // A run that is to end does not wait.
                Ok(_) = stop.wait_for(|stop| *stop != Stop::No) => {}
            }
        }
    }

    /// Waits for this time, or until games are void.
    async fn wait(&mut self, pause: Option<Duration>) {
        if let Some(pause) = pause {
            let _stopped = timeout(pause, driver::stopped(&mut self.stop)).await;
        }
    }

    /// Reports a game. One with a fault may disqualify, one that is void for an engine's sake may be
    /// the last that is excused: what follows from it is waited for, and that is known when it is stored.
    /// The store may be behind by no more than two pairs; no clock runs while it is waited for.
    async fn report(&mut self, game: PlayedGame) {
        let source = &self.source;
        let record = &game.record;
        let faults = &self.tournament.faults;
        let counts = faults.strikes.is_some() || record.outcome.is_void();
        let counts = counts || faults.stop_after(record);
        let most = if counts && !record.faults.is_empty() {
            0
        } else {
            MAX_UNSTORED_GAMES - 1
        };
        let (report, stored) = reported(game);
        source.report(report);
        self.unstored.push_back(stored);
        while self.unstored.len() > most
            && let Some(stored) = self.unstored.pop_front()
        {
            tokio::select! {
                biased;
                // An error: the store has failed, and the run ends.
                _ = stored => {}
                () = driver::stopped(&mut self.stop) => return,
            }
        }
    }

    /// The wait after this number of replays, if another may follow.
    fn replay_wait(&self, excused: usize) -> Option<Duration> {
        let grows = || self.tournament.adaptive.is_some() || self.tournament.rounds().is_some();
        let longest = || REPLAY_WAITS_SECONDS.last().filter(|_| grows());
        let wait = REPLAY_WAITS_SECONDS.get(excused).or_else(longest);
        wait.copied().map(Duration::from_secs)
    }

    fn is_replayed(&self, record: &GameRecord) -> bool {
        let rule = self.tournament.adjudication.host_faults;
        let wanted = matches!(rule, HostFaults::Replay | HostFaults::Deduct);
        let flag_fell = |fault: &Fault| fault.kind == FaultKind::FlagFall;
        wanted && record.outcome.is_void() && record.faults.iter().any(flag_fell)
    }
}

#[cfg(test)]
mod tests;
