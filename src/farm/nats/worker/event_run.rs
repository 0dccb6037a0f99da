//! The lanes and pairs of one event: from the first pair to the last, and what the coordinator says meanwhile.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use futures_util::StreamExt;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{HEARTBEAT_INTERVAL, WorkerConnection};
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::probe::probe;
use crate::event::{PairId, PlayedGame};
use crate::farm::nats::assignment::{Assignment, announced};
use crate::farm::nats::connection::ConnectionChange;
use crate::farm::nats::held_pairs::{HeldPairs, PairState};
use crate::farm::nats::messages::{CoordinatorHeartbeat, read};
use crate::farm::{FarmError, WorkerSettings};
use crate::hash::fnv1a;
use crate::host::epoch::Epoch;
use crate::host::neighbours;
use crate::platform::orphans;
use crate::referee::{Outcome, VoidReason};
use crate::run::game::RunningGamesOfRun;
use crate::run::lane::{LaneContext, Lanes};
use crate::run::live_updates::{LiveUpdates, Searches};
use crate::run::signals::{Signals, Stop};
use crate::run::source::{LocalSource, Report, WorkGiver};
use crate::run::{RunError, capacity, places, prepare};
use crate::store::key_of;
use crate::text::{count, printable, printable_lines, tell};
use crate::tournament::PendingReplay;

/// A worker that stops gives the coordinator this time to take what it has finished.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// A finished pair that is not on the disk yet.
type UnsavedPair = (PairId, Vec<u8>);

/// What came of an attempt to write it.
pub(super) type WriteResult = (UnsavedPair, io::Result<()>);

/// Finished pairs on their way to the disk.
#[derive(Debug, Default)]
pub(super) struct PendingWrites {
    pub(super) writing: JoinSet<WriteResult>,
    /// Those that could not be written, and are tried again.
    pub(super) failed: Vec<UnsavedPair>,
    pub(super) disk_is_full: bool,
}

/// The playing of one event.
pub(super) struct WorkerRun<'c, 'w> {
    pub(super) connection: &'c mut WorkerConnection<'w>,
    pub(super) assignment: Assignment,
    guardian: Guardian,
    pub(super) giver: WorkGiver,
    threads: Lanes,
    pub(super) held: HeldPairs,
    /// One for each lane without a pair.
    pub(super) free: Arc<Semaphore>,
    /// Lanes that have not ended.
    alive: usize,
    /// Free lanes that take nothing while finished pairs cannot be written.
    pub(super) withheld: usize,
    pub(super) writes: PendingWrites,
    /// Since when no more pairs are taken, and the exit code of the signal that ended it; without one the coordinator plays
    /// another event.
    pub(super) end: Option<(Instant, Option<u8>)>,
}

impl<'c, 'w> WorkerRun<'c, 'w> {
    /// Starts every engine once, then the lanes; `None` if the event cannot be played here, which was said.
    pub(super) async fn begin(
        connection: &'c mut WorkerConnection<'w>,
        assignment: Assignment,
    ) -> Result<Option<WorkerRun<'c, 'w>>, FarmError> {
        let settings = connection.settings;
        let key = key_of(&settings.folder);
        orphans::end_and_name(&key);
        let guardian = Guardian::of_event(key)?;
        let running = RunningGamesOfRun {
            files: connection.spool.running.clone(),
            identity: fnv1a(assignment.announced.event.bytes()),
        };
        let started = start_lanes(&assignment, settings, &guardian, running).await;
        let (giver, threads) = match started {
            Ok(started) => started,
            Err(error) => {
                guardian.dismiss();
                let words = error.to_string();
                connection.has_trouble(format!("waiting: {}", printable_lines(&words)));
                return Ok(None);
            }
        };
        tell(&format!(
            "playing event \"{}\" with {} at once",
            printable(&assignment.announced.name),
            count(settings.lanes.get(), "game")
        ));
        let lanes = settings.lanes.get();
        Ok(Some(WorkerRun {
            connection,
            assignment,
            guardian,
            giver,
            threads,
            held: HeldPairs::default(),
            free: Arc::new(Semaphore::new(lanes)),
            alive: lanes,
            withheld: 0,
            writes: PendingWrites::default(),
            end: None,
        }))
    }

    pub(super) fn event(&self) -> &str {
        &self.assignment.announced.event
    }

    /// Plays until the coordinator plays another event, or a signal comes: then with its exit code.
    pub(super) async fn play(mut self, signals: &mut Signals) -> Result<Option<u8>, FarmError> {
        for pair in self.connection.spool.pairs(self.event())? {
            self.connection.spool.end(self.event(), pair);
            self.held.found(pair);
        }
        self.go_on().await?;
        let (to, jobs) = mpsc::channel(self.connection.settings.lanes.get());
        let (finish, finishing) = watch::channel(false);
        let fetching = self.fetch(to, finishing);
        let played = self.attend(signals, jobs, &fetching, finish).await;
        fetching.abort();
        if played.is_ok() {
            self.say_farewell().await;
        } else {
            Stop::VoidGames.ask(&self.giver.stop);
        }
        self.giver.queue.close();
        // A lane that panicked has said so on stderr.
        let _ended = self.threads.join();
        self.guardian.dismiss();
        played.map(|()| self.end.and_then(|(_, code)| code))
    }

    async fn attend(
        &mut self,
        signals: &mut Signals,
        mut jobs: mpsc::Receiver<Message>,
        fetching: &JoinHandle<()>,
        finish: watch::Sender<bool>,
    ) -> Result<(), FarmError> {
        let lease = Duration::from_millis(self.assignment.announced.lease_ms);
        let mut alive = interval(lease / 3);
        let mut heartbeat = interval(HEARTBEAT_INTERVAL);
        for timer in [&mut alive, &mut heartbeat] {
            timer.set_missed_tick_behavior(MissedTickBehavior::Skip);
        }
        while !self.is_over(fetching) {
            tokio::select! {
                biased;
                (stop, code) = signals.next() => self.stop(Some(code), stop, &finish),
                Some(report) = self.giver.reports.recv() => self.hear_lane(report).await,
                Some(message) = jobs.recv() => self.take(message).await,
                Some(Ok(written)) = self.writes.writing.join_next() => self.written(written).await,
                Some(message) = self.connection.receipts.next() => self.hear_receipt(&message.payload).await,
                Some(message) = self.connection.coordinator.next() => {
                    if self.hear_coordinator(&message.payload).await {
                        self.stop(None, Stop::FinishPairs, &finish);
                    }
                }
                Some(change) = self.connection.changes.recv() => {
                    self.connection.hear_connection(&change)?;
                    if change == ConnectionChange::Connected {
                        // All that is on the disk is to be sent at once.
                        for held in self.held.0.values_mut() {
                            if let PairState::Kept(sent) = &mut held.state {
                                *sent = None;
                            }
                        }
                        self.keep_alive().await;
                    }
                }
                _ = alive.tick() => self.keep_alive().await,
                _ = heartbeat.tick() => {
                    for (pair, bytes) in std::mem::take(&mut self.writes.failed) {
                        self.write(pair, bytes);
                    }
                    self.send_due().await;
                    self.connection.beat(self.event(), &self.held).await;
                }
            }
        }
        Ok(())
    }

    /// Takes no more pairs.
    fn stop(&mut self, signal: Option<u8>, stop: Stop, finish: &watch::Sender<bool>) {
        stop.ask(&self.giver.stop);
        let (_, code) = self.end.get_or_insert((Instant::now(), signal));
        *code = code.or(signal);
        self.giver.queue.close();
        let _fetching = finish.send(true);
    }

    fn is_over(&self, fetching: &JoinHandle<()>) -> bool {
        if self.alive > 0 {
            return false;
        }
        // All lanes were lost; what cannot be written would be waited for without end.
        if self.end.is_none() || *self.giver.stop.borrow() >= Stop::Kill {
            return true;
        }
        let is_late = |(since, _): (Instant, _)| since.elapsed() > FAREWELL_TIMEOUT;
        let waited = self.end.is_some_and(is_late);
        fetching.is_finished() && (self.held.0.is_empty() || (self.held.only_kept() && waited))
    }

    /// Waits for what is being written, and says what is left.
    async fn say_farewell(&mut self) {
        let _flushed = timeout(HEARTBEAT_INTERVAL, self.connection.client.flush()).await;
        let _late = timeout(HEARTBEAT_INTERVAL, async {
            while let Some(Ok(written)) = self.writes.writing.join_next().await {
                self.written(written).await;
            }
        })
        .await;
        // Finished pairs that are not on the disk.
        let lost = self.writes.failed.len() + self.writes.writing.len();
        if lost > 0 {
            tell(&format!(
                "warning: {lost} finished pairs could not be written and are lost; they will be played again"
            ));
        }
        let kept = self.held.0.len().saturating_sub(lost);
        if kept > 0 {
            tell(&format!(
                "{kept} finished pairs stay in {} until the coordinator takes them: start the worker again",
                self.connection.settings.folder.display()
            ));
        }
    }

    /// Reads what the coordinator says of itself; returns whether it plays another event, or has read its file again.
    async fn hear_coordinator(&mut self, bytes: &[u8]) -> bool {
        let Ok(heartbeat) = read::<CoordinatorHeartbeat>(bytes) else {
            return false;
        };
        if heartbeat.epoch != self.assignment.epoch {
            // Another coordinator, a later one or one from before: the server says which.
            return self.end.is_none() && self.is_announced_otherwise().await;
        }
        self.giver.tell(heartbeat.consequences);
        false
    }

    /// Whether another event than this is announced, or its file was read again. If the same event is announced
    /// again, the epoch of that announcement is taken over.
    async fn is_announced_otherwise(&mut self) -> bool {
        let farm = &self.connection.settings.farm;
        let Ok(Some(announced)) = announced(&self.connection.context, farm).await else {
            return false;
        };
        let same = announced.digest() == self.assignment.digest;
        if same {
            self.assignment.epoch = announced.epoch();
        }
        !same
    }

    async fn hear_lane(&mut self, report: Report) {
        match report {
            Report::Begun { pair, .. } => {
                if let Some(held) = self.held.0.get_mut(&pair) {
                    held.begun = true;
                }
            }
            // Whoever waits for what follows from it does not hear of it here: it follows from the
            // games of all machines, and the coordinator says it in its own time.
            Report::Game { game, stored: _ } => {
                if let Err(error) = self.connection.spool.add(self.event(), &game) {
                    tracing::error!(%error, "a game is not kept; it is replayed if its pair is interrupted");
                }
                if let Some(held) = self.held.0.get_mut(&game.id.pair)
                    && let PairState::Playing(games) = &mut held.state
                {
                    games.push(*game);
                }
            }
            Report::Waits { game, until, why } => {
                let at_ms = until.0;
                let round = game.to_string();
                tell(&PendingReplay { round, at_ms, why }.to_string());
            }
            Report::Remark { engine, words, .. } => {
                tracing::warn!(engine, words, "an engine is named");
            }
            Report::Done(pair) => {
                self.free.add_permits(1);
                self.done(pair).await;
            }
            Report::Overdue {
                pair,
                words,
                replaced,
                ..
            } => {
                tell(&format!("warning: {words}"));
                self.alive -= usize::from(!replaced);
                if let Some(pair) = pair {
                    // The lane may write on.
                    self.connection.spool.end(self.event(), pair);
                    self.free.add_permits(1);
                    self.give_back(pair).await;
                }
            }
            Report::Ended { .. } => self.alive -= 1,
        }
    }

    /// A lane is done with a pair: it is kept and sent, or given back if it was interrupted.
    async fn done(&mut self, pair: PairId) {
        let Some(held) = self.held.0.get_mut(&pair) else {
            return;
        };
        let PairState::Playing(games) = &mut held.state else {
            return;
        };
        let games = std::mem::take(games);
        let is_interrupted =
            |game: &PlayedGame| game.record.outcome == Outcome::Void(VoidReason::Interrupted);
        let stops = *self.giver.stop.borrow() >= Stop::VoidGames;
        if games.iter().any(is_interrupted) || (stops && !held.has_every_game(&games)) {
            return self.give_back(pair).await;
        }
        held.state = PairState::Finished;
        self.write_result(pair, games);
    }
}

/// Starts every engine once, then the lanes.
async fn start_lanes(
    assignment: &Assignment,
    settings: &WorkerSettings,
    guardian: &Guardian,
    running: RunningGamesOfRun,
) -> Result<(WorkGiver, Lanes), RunError> {
    let tournament = Arc::new(assignment.tournament.clone());
    prepare::check_evidence(&tournament)?;
    let places = places::choose(&tournament, neighbours::folder().as_deref())?;
    let around = prepare::surroundings(&tournament, &settings.folder, guardian)?;
    let started = probe(&tournament, &around, |_| true).await;
    let started = started.map_err(RunError::Engines)?;
    if let Some(warning) = capacity::check_here(&tournament, &started, settings.lanes)? {
        tell(&warning);
    }
    let originals = Originals::new(&tournament, &assignment.announced.identity);
    let (source, giver) = LocalSource::open();
    let shared = LaneContext {
        originals: Arc::new(originals.keeping_in(&settings.folder)),
        epoch: Epoch::begin(),
        live_updates: LiveUpdates::default(),
        searches: Searches::default(),
        running,
        around,
        source,
        tournament,
    };
    let threads = Lanes::start(&shared, places.lanes, &giver.queue)?;
    Ok((giver, threads))
}
