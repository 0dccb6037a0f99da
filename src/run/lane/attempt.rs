//! One attempt at a game: its engines are taken from the pool, and play or do not come up.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::Lane;
use crate::chess::Color;
use crate::clock::Stamp;
use crate::config::EngineSpec;
use crate::engine::originals::StartBlame;
use crate::engine::pool::survives;
use crate::engine::process::exit_of;
use crate::engine::start::{Engine, EngineStartError};
use crate::event::identity::Restart;
use crate::event::{PlayedGame, Seat};
use crate::platform::signals::TERMINATED;
use crate::referee::{
    Compatibility, Dialogue, EngineExit, Exit, Fault, FaultKind, GameRecord, Outcome, Referee,
    VoidReason,
};
use crate::run::driver::{self, GameDriver};
use crate::run::game::PlannedGame;
use crate::run::source::{RemarkKind, Report};
use crate::text::printable;

/// Time to wait for a signal to this program before an engine is blamed for one: a scheduler that preempts
/// a whole job sends the same signal to the engines and to this program.
const STOP_SIGNAL_GRACE: Duration = Duration::from_secs(1);

/// How long is waited after each start that failed by the host's fault, milliseconds.
const START_RETRY_PAUSES_MS: [u64; 5] = [100, 200, 400, 800, 1600];

impl Lane {
    /// Plays the game to its end, whatever that is; `None` if it goes on in another run.
    pub(super) async fn play_game(&mut self, planned: PlannedGame) -> Option<PlayedGame> {
        let white = self.take(planned.seats[0]).await;
        let black = self.take(planned.seats[1]).await;
        self.heartbeat.set_activity("in a game".to_owned());
        let now = self.shared.epoch.now();
        let tournament = &self.shared.tournament;
        let (referee, started) = self.watch.durable.referee(&planned, tournament, now);
        let mut referee = referee.watched();
        if self.shared.searches.is_followed() {
            referee = referee.followed();
        }
        let referee = &mut referee;
        let record = match (white, black) {
            (Ok(white), Ok(black)) => self.play_through(referee, [white, black], &planned).await,
            (white, black) => self.not_started(referee, [white, black], &planned).await,
        };
        let goes_on = self.watch.durable.over(&record.outcome).await;
        (!goes_on).then(|| planned.finished(started, record))
    }

    /// An engine, which is tried again and again for a while if the host would not start it: a
    /// program that is being replaced, a table of processes that is full.
    async fn take(&mut self, seat: Seat) -> Result<Engine, EngineStartError> {
        let name = printable(&self.shared.tournament.engine(seat).name);
        self.heartbeat
            .set_activity(format!("starting the engine \"{name}\""));
        for pause in START_RETRY_PAUSES_MS.map(Duration::from_millis) {
            match self.take_once(seat).await {
                Err(error) if error.is_the_hosts() => {
                    let name = &self.shared.tournament.engine(seat).name;
                    tracing::warn!(name, %error, ?pause, "an engine was not started; once more");
                }
                taken => return taken,
            }
            let stopped = timeout(pause, driver::stopped(&mut self.stop)).await;
            if stopped.is_ok() {
                return Err(EngineStartError::Interrupted);
            }
        }
        self.take_once(seat).await
    }

    async fn take_once(&mut self, seat: Seat) -> Result<Engine, EngineStartError> {
        let shared = &self.shared;
        let (tournament, originals) = (&shared.tournament, &shared.originals);
        let taken = self.pool.take(seat, tournament, originals, &shared.around);
        tokio::select! {
            biased;
            () = driver::stopped(&mut self.stop) => Err(EngineStartError::Interrupted),
            taken = taken => taken,
        }
    }

    /// Tells all who follow a game that it begins.
    fn begin_game(&mut self, engines: &[Engine; 2], planned: &PlannedGame) {
        let deducts = self.shared.tournament.adjudication.deducts();
        let processes = |engine: &Engine| engine.process.engine_processes();
        let processes = engines.each_ref().map(processes);
        self.watch.observer.meet(processes, deducts);
        let roots = engines.each_ref().map(|engine| engine.process.root());
        self.watch.idle.meet(roots);
        self.watch.listener.forget();
        self.watch.reporter.begin(planned);
    }

    /// Plays the game, then keeps or ends each engine, by how it behaved.
    async fn play_through(
        &mut self,
        referee: &mut Referee,
        mut engines: [Engine; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        self.begin_game(&engines, planned);
        let [white, black] = &mut engines;
        let mut game = GameDriver {
            referee: &mut *referee,
            engines: [&mut white.process, &mut black.process],
            epoch: self.shared.epoch,
            stop: &mut self.stop,
            watch: &mut self.watch,
            searches: &self.shared.searches,
            game: (planned.id, planned.seats),
            endings: Default::default(),
        };
        let mut record = game.play().await;
        game.watch.reporter.over(&record.outcome);
        for side in Color::ALL {
            for (kind, words) in remarks(game.referee, &record, side) {
                self.shared.source.report(Report::Remark {
                    engine: planned.seats[side.index()].engine,
                    kind,
                    words,
                });
            }
        }
        let tournament = Arc::clone(&self.shared.tournament);
        let kept = Color::ALL.map(|side| {
            let spec = tournament.engine(planned.seats[side.index()]);
            stays(&record, side, (spec, self.shared.tournament.compatibility))
        });
        game.wind_up(kept).await;
        let blames_host = matches!(record.outcome, Outcome::Void(VoidReason::HostFault(_)));
        if blames_host || !record.faults.is_empty() {
            record.dialogue = Some(Box::new(self.watch.listener.dialogue()));
        }
        if record.outcome.is_void() {
            shut_down(engines).await;
            return record;
        }
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            let seat = planned.seats[side.index()];
            let idle = referee.is_idle(side);
            self.retire(engine, side, seat, idle, &mut record).await;
        }
        if was_told_to_end(&record) && self.stops_in_a_moment().await {
            record.outcome = Outcome::Void(VoidReason::Interrupted);
            record.faults.clear();
        }
        record
    }

    /// Whether this program gets a stop signal as well, within [`STOP_SIGNAL_GRACE`].
    async fn stops_in_a_moment(&mut self) -> bool {
        let stopped = timeout(STOP_SIGNAL_GRACE, driver::stopped(&mut self.stop)).await;
        stopped.is_ok()
    }

    /// An engine that does not come up any more loses. If neither does, or the
    /// system would not even run it, the host is to blame and nobody loses.
    async fn not_started(
        &mut self,
        referee: &mut Referee,
        engines: [Result<Engine, EngineStartError>; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        let mut failures = Vec::new();
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            let seat = planned.seats[side.index()];
            match engine {
                Ok(engine) => {
                    let spec = self.shared.tournament.engine(seat);
                    self.pool.put_back(seat, engine, spec).await;
                }
                Err(error) => {
                    let originals = &self.shared.originals;
                    let blame = originals.blame(seat.engine);
                    let gone = originals.gone_beside_its_program(seat.engine);
                    let error = error.for_lack_of(gone);
                    failures.push(UnstartedEngine { side, error, blame });
                }
            }
        }
        let has_ended = |one: &UnstartedEngine| matches!(one.error, EngineStartError::Ended { .. });
        if failures.iter().any(has_ended) && self.stops_in_a_moment().await {
            referee.interrupt(VoidReason::Interrupted);
        } else {
            judge_unstarted(referee, &failures, self.shared.epoch.now());
        }
        let record = referee.finish();
        record.unwrap_or_else(|| unreachable!("a fault or an interruption ends a game"))
    }
}

/// What an engine is named for although it loses nothing.
fn remarks(
    referee: &Referee,
    record: &GameRecord,
    side: Color,
) -> impl Iterator<Item = (RemarkKind, String)> {
    let ignored = referee.limit_ignored(side);
    let ignored = ignored.map(|ignored| (RemarkKind::LimitIgnored, ignored.to_string()));
    let unasked = record.breaches[side.index()].unasked_bestmoves > 0;
    let words = "it sent a bestmove that nobody had asked for: such moves are not played";
    let unasked = unasked.then(|| (RemarkKind::UnaskedMoves, words.to_owned()));
    ignored.into_iter().chain(unasked)
}

/// Whether an engine has ended by SIGTERM, which nobody here has sent.
fn was_told_to_end(record: &GameRecord) -> bool {
    let dialogue = record.dialogue.as_ref();
    let exit = dialogue.and_then(|dialogue| dialogue.remains.exit);
    let is_crash = |fault: &Fault| fault.kind == FaultKind::Crash;
    record.faults.iter().any(is_crash) && exit == Some(Exit::Signal(TERMINATED))
}

/// An engine that did not come up.
#[derive(Debug)]
struct UnstartedEngine {
    /// Whose it is.
    side: Color,
    /// Why.
    error: EngineStartError,
    /// Whether it has changed or deleted its own files.
    blame: StartBlame,
}

/// Ends it: an engine that does not come up loses, of two the side to move; if the system would not run one, the host is
/// to blame; a stop interrupts the game.
fn judge_unstarted(referee: &mut Referee, absent: &[UnstartedEngine], now: Stamp) {
    let is_interrupted = |one: &UnstartedEngine| matches!(one.error, EngineStartError::Interrupted);
    if absent.iter().any(is_interrupted) {
        return referee.interrupt(VoidReason::Interrupted);
    }
    let is_the_hosts = absent.iter().any(|one| one.error.is_the_hosts());
    match absent {
        [one] if is_the_hosts => refused(referee, one, now),
        _ if is_the_hosts => {
            let text = |one: &UnstartedEngine| format!("{}: {}", one.side, one.error);
            let texts = absent.iter().map(text);
            let what = texts.collect::<Vec<_>>().join("; ");
            referee.interrupt(VoidReason::HostFault(what));
        }
        _ => {
            let mut failures = [None, None];
            for one in absent {
                let detail = one.error.to_string();
                failures[one.side.index()] = Some((FaultKind::StartFailure, detail));
            }
            referee.fail(failures, now);
        }
    }
}

/// The system would not run this engine, which is to blame if it has caused that itself, and is excused a number of times
/// if it may have.
fn refused(referee: &mut Referee, one: &UnstartedEngine, now: Stamp) {
    let (side, kind, what) = (one.side, FaultKind::StartFailure, one.error.to_string());
    match one.blame {
        StartBlame::None => {
            referee.interrupt(VoidReason::HostFault(format!("{side}: {what}")));
        }
        StartBlame::Possible => referee.excuse(side, kind, what, now),
        StartBlame::Certain => {
            let detail = format!("{what}; its files had changed when it ended by itself");
            referee.fault(side, kind, detail, now);
        }
    }
}

impl Lane {
    /// After a game: an engine without a fault waits for the next one if it is idle. Else it
    /// would say in that game what it owes to this one.
    pub(super) async fn retire(
        &mut self,
        engine: Engine,
        side: Color,
        seat: Seat,
        idle: bool,
        record: &mut GameRecord,
    ) {
        let spec = self.shared.tournament.engine(seat);
        let way = self.shared.tournament.compatibility;
        self.heartbeat
            .set_activity(format!("ending the engine \"{}\"", printable(&spec.name)));
        let fault = record.faults.iter_mut().find(|fault| fault.side == side);
        match fault {
            Some(fault) if !survives(fault.kind, spec.restart, way) => {
                let remains = self.evict(engine, seat, fault.kind).await;
                if fault.kind == FaultKind::Crash && !remains.stderr.is_empty() {
                    fault.stderr = Some(remains.stderr.clone());
                }
                // If both are at fault, the dialogue is about the one that has lost.
                let first = record.faults.first();
                if first.is_some_and(|first| first.side == side) {
                    record.dialogue.get_or_insert_default().remains = remains;
                }
            }
            fault => {
                if fault.is_some() {
                    let dialogue = record.dialogue.get_or_insert_default();
                    dialogue.take_stderr(&engine.process.errors.tail());
                }
                if idle {
                    return self.pool.put_back(seat, engine, spec).await;
                }
                if spec.restart != Restart::Always {
                    tracing::warn!(
                        name = spec.name,
                        "an engine still owed an answer after its game"
                    );
                }
                engine.process.shut_down().await;
            }
        }
    }

    /// Ends an engine after a fault. Returns how it exited, and the end of its stderr.
    async fn evict(&self, mut engine: Engine, seat: Seat, kind: FaultKind) -> EngineExit {
        // One that used more than it may was ended from here.
        let by_itself = engine.process.has_ended() && engine.process.exceeded().is_none();
        // It may live on for a while without its output, and on a busy machine its end comes late.
        if kind == FaultKind::Crash && engine.process.exceeded().is_none() {
            let originals = &self.shared.originals;
            originals.ended_by_itself(seat.engine, &engine.files);
        }
        let status = engine.process.end().await;
        let mut dialogue = Dialogue::default();
        dialogue.take_stderr(&engine.process.errors.tail());
        dialogue.remains.exit = if by_itself {
            status.and_then(exit_of)
        } else {
            Some(Exit::Ended)
        };
        dialogue.remains
    }
}

/// Whether an engine is to play another game in the same process, as far as this game shows.
pub(super) fn stays(
    record: &GameRecord,
    side: Color,
    (spec, way): (&EngineSpec, Compatibility),
) -> bool {
    let fault = record.faults.iter().find(|fault| fault.side == side);
    let sound = fault.is_none_or(|fault| survives(fault.kind, spec.restart, way));
    sound && spec.restart != Restart::Always && !record.outcome.is_void()
}

/// Ends both engines at the same time.
async fn shut_down(engines: [Engine; 2]) {
    let [white, black] = engines.map(|engine| engine.process.shut_down());
    tokio::join!(white, black);
}
