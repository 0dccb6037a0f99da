//! A lane plays one game at a time: a thread with a runtime of its own, which
//! owns its engines.
//!
//! **Invariant: nothing but engine input and output runs in a lane.** Statistics,
//! files and the store have other threads; what they cost is never charged to an
//! engine's clock.
//!
//! | file | what |
//! |---|---|
//! | this one | the thread, and its pairs one after the other |
//! | `attempt` | one attempt at a game |
//! | `retirement` | what becomes of the engines after it |

mod attempt;
mod retirement;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::{mpsc, watch};

use crate::config::Tournament;
use crate::event::{FinishedGame, GameId, PairId};
use crate::referee::{Fault, FaultKind, GameRecord, HostFaults, Listener};
use crate::run::engine::Rules;
use crate::run::epoch::Epoch;
use crate::run::game::PlannedGame;
use crate::run::originals::Originals;
use crate::run::queue::{Job, Queue};
use crate::run::signals::Stop;
use crate::run::stable::Stable;
use crate::run::surroundings::Surroundings;
use crate::run::witness::Witness;
use crate::stats::conduct::Conduct;

/// How often a game is played again in one run for a flag that fell by the host's fault. On a
/// machine that cannot hold the time control an event still comes to its end.
const REPLAYS: u32 = 3;

/// What a lane tells the dispatcher.
#[derive(Debug)]
pub enum Report {
    /// A pair was taken from the queue.
    Begun(PairId),
    /// A game is over, or void.
    Game(Box<FinishedGame>),
    /// The pair is done with, for good or ill.
    Done(PairId),
    /// The lane has ended its engines and itself.
    Ended,
}

/// What all lanes share.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The event.
    pub tournament: Arc<Tournament>,
    /// Its engines' files, as they were when the run began.
    pub originals: Arc<Originals>,
    /// What engines are told of the variant.
    pub rules: Rules,
    /// The clock of the run.
    pub epoch: Epoch,
    /// What surrounds the engines of this lane.
    pub around: Surroundings,
    /// What to play.
    pub queue: Arc<Queue>,
    /// What the engines have done, heard here before it is stored.
    pub conduct: Arc<Mutex<Conduct>>,
    /// Whether to stop.
    pub stop: watch::Receiver<Stop>,
    /// Where to report.
    pub reports: mpsc::UnboundedSender<Report>,
}

impl Shared {
    /// The same for one lane, with these processors.
    pub fn in_lane(&self, index: usize, cpus: Vec<u16>) -> Shared {
        Shared {
            around: self.around.of_lane(index, cpus),
            ..self.clone()
        }
    }
}

/// Starts a lane.
///
/// # Errors
/// The system refuses a thread; or, from the thread, a runtime.
pub fn start(index: usize, shared: Shared) -> io::Result<JoinHandle<io::Result<()>>> {
    let name = format!("lane-{index}");
    std::thread::Builder::new().name(name).spawn(move || {
        let _at_the_end = EndNotice(shared.reports.clone());
        run(shared)
    })
}

/// Tells the dispatcher that a lane has ended, also by a panic: it would be waited
/// for without end otherwise.
struct EndNotice(mpsc::UnboundedSender<Report>);

impl Drop for EndNotice {
    fn drop(&mut self) {
        // Without a dispatcher nobody waits for this.
        let _ = self.0.send(Report::Ended);
    }
}

fn run(shared: Shared) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(
        Lane {
            shared,
            stable: Stable::default(),
            witness: Witness::of_this_thread(),
            listener: Listener::default(),
        }
        .run(),
    );
    Ok(())
}

struct Lane {
    shared: Shared,
    stable: Stable,
    witness: Witness,
    /// Hears what is said in the game that runs.
    listener: Listener,
}

impl Lane {
    async fn run(mut self) {
        while let Some(job) = self.shared.queue.next().await {
            self.report(Report::Begun(job.pair));
            if !self.is_cancelled(&job) {
                self.play_pair(&job).await;
            }
            self.report(Report::Done(job.pair));
        }
        self.stable.empty().await;
    }

    /// Whether an engine of this pair was disqualified after the pair was handed out.
    fn is_cancelled(&self, job: &Job) -> bool {
        let conduct = self.conduct_so_far();
        let seats = [job.spec.first, job.spec.second];
        seats
            .iter()
            .any(|seat| conduct.is_disqualified(seat.engine))
    }

    fn conduct_so_far(&self) -> MutexGuard<'_, Conduct> {
        // Counting cannot leave it half changed.
        let conduct = self.shared.conduct.lock();
        conduct.unwrap_or_else(PoisonError::into_inner)
    }

    /// The games of a pair that are missing, one after the other.
    async fn play_pair(&mut self, job: &Job) {
        for game in [0, 1] {
            if job.missing[usize::from(game)] {
                self.play_until_it_counts(job, game).await;
            }
        }
    }

    /// One game, again as often as the event forgives what ended it: an engine's fault, or a
    /// flag that fell by the host's. Every attempt is reported, and only the last can count.
    /// The other game of the pair stands as it is.
    async fn play_until_it_counts(&mut self, job: &Job, game: u8) {
        let id = GameId {
            pair: job.pair,
            game,
        };
        let (mut forgiven, mut excused) = (job.replayed[usize::from(game)], 0);
        while *self.shared.stop.borrow() < Stop::VoidGames {
            let tournament = Arc::clone(&self.shared.tournament);
            let planned = PlannedGame::new(&tournament, id, job.spec);
            let mut finished = self.play_game(planned).await;
            let excuse = excused < REPLAYS && self.is_replayed(&finished.record);
            let forgive = tournament.faults.forgive(&mut finished.record, forgiven);
            self.conduct_so_far().hear(&finished);
            self.report(Report::Game(Box::new(finished)));
            forgiven += u32::from(forgive);
            excused += u32::from(excuse);
            if !(forgive || excuse) {
                return;
            }
        }
    }

    fn is_replayed(&self, record: &GameRecord) -> bool {
        let wanted = self.shared.tournament.adjudication.host_faults == HostFaults::Replay;
        let flag_fell = |fault: &Fault| fault.kind == FaultKind::FlagFall;
        wanted && record.outcome.is_void() && record.faults.iter().any(flag_fell)
    }

    fn report(&self, report: Report) {
        // Without a dispatcher the queue is closed as well.
        let _ = self.shared.reports.send(report);
    }
}
