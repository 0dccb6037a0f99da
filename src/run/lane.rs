//! A lane plays one game at a time: a thread with a runtime of its own, which
//! owns its engines.
//!
//! **Invariant: nothing but engine input and output runs in a lane.** Statistics,
//! files and the store have other threads; what they cost is never charged to an
//! engine's clock.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::{mpsc, watch};

use crate::chess::Color;
use crate::config::Tournament;
use crate::event::{FinishedGame, GameId, PairId, Seat};
use crate::referee::{
    Dialogue, Exit, Fault, FaultKind, GameRecord, HostFaults, Listener, Outcome, Referee,
    VoidReason,
};
use crate::run::driver::Watch;
use crate::run::engine::{Engine, Rules, StartError};
use crate::run::epoch::Epoch;
use crate::run::game::{PlannedGame, unix_now};
use crate::run::originals::Originals;
use crate::run::process::exit_of;
use crate::run::queue::{Job, Queue};
use crate::run::signals::Stop;
use crate::run::stable::{Stable, survives};
use crate::run::surroundings::Surroundings;
use crate::run::witness::Witness;
use crate::run::{absence, driver};
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

    async fn play_game(&mut self, planned: PlannedGame) -> FinishedGame {
        let settings = planned.settings(&self.shared.tournament);
        let white = self.take(planned.seats[0]).await;
        let black = self.take(planned.seats[1]).await;
        let started = unix_now();
        let mut referee = Referee::new(settings, self.shared.epoch.now()).watched();
        let record = match (white, black) {
            (Ok(white), Ok(black)) => self.conduct(&mut referee, [white, black], &planned).await,
            (white, black) => {
                self.not_started(&mut referee, [white, black], &planned)
                    .await
            }
        };
        planned.finished(started, record)
    }

    async fn take(&mut self, seat: Seat) -> Result<Engine, StartError> {
        let Shared {
            tournament,
            originals,
            rules,
            around,
            stop,
            ..
        } = &mut self.shared;
        tokio::select! {
            biased;
            () = driver::stopped(stop) => Err(StartError::Interrupted),
            taken = self.stable.take(seat, tournament, originals, rules, around) => taken,
        }
    }

    /// Plays the game, then keeps or ends each engine as it has deserved.
    async fn conduct(
        &mut self,
        referee: &mut Referee,
        mut engines: [Engine; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        let [white, black] = &mut engines;
        let pipes = [&mut white.process, &mut black.process];
        self.witness.meet([pipes[0].id(), pipes[1].id()]);
        self.listener.forget();
        let (epoch, stop) = (self.shared.epoch, &mut self.shared.stop);
        let mut watch = Watch {
            witness: &mut self.witness,
            listener: &mut self.listener,
        };
        let mut record = driver::play(referee, pipes, epoch, stop, &mut watch).await;
        let blames_host = matches!(record.outcome, Outcome::Void(VoidReason::HostFault(_)));
        if blames_host || !record.faults.is_empty() {
            record.dialogue = Some(Box::new(self.listener.dialogue()));
        }
        if record.outcome.is_void() {
            shut_down(engines).await;
            return record;
        }
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            self.retire(engine, side, planned.seats[side.index()], &mut record)
                .await;
        }
        record
    }

    /// After a game: an engine without a fault waits for the next one.
    async fn retire(&mut self, engine: Engine, side: Color, seat: Seat, record: &mut GameRecord) {
        let spec = self.shared.tournament.engine(seat);
        let fault = record.faults.iter_mut().find(|fault| fault.side == side);
        match fault {
            Some(fault) if !survives(fault.kind, spec.restart) => {
                let dialogue = record.dialogue.get_or_insert_default();
                let evidence = self.evict(engine, fault.kind, dialogue).await;
                if fault.kind == FaultKind::Crash {
                    fault.detail = format!("{}; {evidence}", fault.detail);
                }
            }
            Some(_) => {
                let dialogue = record.dialogue.get_or_insert_default();
                dialogue.take_stderr(&engine.process.errors.tail());
                self.stable.put_back(seat, engine, spec).await;
            }
            None => self.stable.put_back(seat, engine, spec).await,
        }
    }

    /// Ends an engine after a fault and says what it left: its exit status, the
    /// end of its stderr.
    async fn evict(&self, mut engine: Engine, kind: FaultKind, dialogue: &mut Dialogue) -> String {
        if kind == FaultKind::Crash {
            // It is ending by itself: its own exit status is the evidence.
            let moment = std::time::Duration::from_millis(200);
            engine.process.ends_within(moment).await;
        }
        // One that used more than it may was ended from here.
        let by_itself = engine.process.has_ended() && engine.process.excess().is_none();
        let status = engine.process.end().await;
        let exit = engine.process.describe(status);
        let stderr = engine.process.errors.tail();
        dialogue.remains.exit = match by_itself {
            true => status.and_then(exit_of),
            false => Some(Exit::Ended),
        };
        dialogue.take_stderr(&stderr);
        if stderr.is_empty() {
            exit
        } else {
            format!("{exit}; stderr: {stderr:?}")
        }
    }

    /// An engine that does not come up any more loses. If neither does, or the
    /// system would not even run it, the host is to blame and nobody loses.
    async fn not_started(
        &mut self,
        referee: &mut Referee,
        engines: [Result<Engine, StartError>; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        let mut failures = Vec::new();
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            let seat = planned.seats[side.index()];
            match engine {
                Ok(engine) => {
                    let spec = self.shared.tournament.engine(seat);
                    self.stable.put_back(seat, engine, spec).await;
                }
                Err(error) => failures.push((side, error)),
            }
        }
        absence::judge(referee, &failures, self.shared.epoch.now());
        referee
            .finish()
            .unwrap_or_else(|| unreachable!("a fault or an interruption ends a game"))
    }

    fn report(&self, report: Report) {
        // Without a dispatcher the queue is closed as well.
        let _ = self.shared.reports.send(report);
    }
}

/// Ends both engines at the same time.
async fn shut_down(engines: [Engine; 2]) {
    let [white, black] = engines.map(|engine| engine.process.shut_down());
    tokio::join!(white, black);
}
