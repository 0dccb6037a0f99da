//! A lane plays one game at a time: a thread with its own runtime, which
//! owns its engines.
//!
//! **Invariant: nothing but engine input and output runs in a lane, and the line of a move that is kept.** Statistics,
//! files and the store have other threads; what they cost is never charged to an
//! engine's clock.
//!
//! | file | what |
//! |---|---|
//! | this one | the thread, and its engines |
//! | `pairs` | its pairs one after the other, from the source and back to it |
//! | `attempt` | one attempt at a game, and what becomes of its engines |
//! | `supervisor` | the lanes, and who looks whether they move |

mod attempt;
mod pairs;
mod supervisor;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use pairs::{GamePlayer, LanePairs};
use supervisor::{LaneHeartbeat, WAITS};
use tokio::sync::watch;

use super::durable_moves::{DurableMoves, RunningGamesOfRun};
use super::game::PlannedGame;
use super::live_updates::{LaneReporter, LiveUpdates, Searches};
use super::signals::Stop;
use super::source::{EndNotice, WorkSource};
use crate::config::Tournament;
use crate::engine::originals::Originals;
use crate::engine::pool::EnginePool;
use crate::engine::start::VariantSetup;
use crate::engine::surroundings::Surroundings;
use crate::event::PlayedGame;
use crate::host::epoch::Epoch;
use crate::host::idle::IdleWatch;
use crate::host::observer::HostObserver;
use crate::platform::runtime;
use crate::referee::DialogueRecorder;

pub(crate) use supervisor::Lanes;

/// What all lanes share.
#[derive(Debug, Clone)]
pub(crate) struct LaneContext {
    /// The event.
    pub tournament: Arc<Tournament>,
    /// Its engines' files, as they were when the run began.
    pub originals: Arc<Originals>,
    /// What engines are told of the variant.
    pub rules: VariantSetup,
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
    let reporter = LaneReporter::new(shared.live_updates.clone(), shared.epoch, index);
    let durable = DurableMoves::new(shared.running.clone());
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
            observer: HostObserver::of_this_thread(),
            idle: IdleWatch::default(),
            listener: DialogueRecorder::default(),
            reporter,
            durable,
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
    observer: HostObserver,
    idle: IdleWatch,
    /// Gets the dialogue of the game that runs.
    listener: DialogueRecorder,
    /// Tells those who listen what passes in it.
    reporter: LaneReporter,
    /// Keeps its moves.
    durable: DurableMoves,
}

impl GamePlayer for Lane {
    async fn play(&mut self, game: PlannedGame) -> Option<PlayedGame> {
        let played = self.play_game(game).await;
        self.heartbeat.set_activity(WAITS.to_owned());
        played
    }

    async fn rest(&mut self) {
        self.reporter.rest();
        self.pool.empty().await;
    }
}
