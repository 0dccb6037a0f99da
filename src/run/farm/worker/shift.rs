//! The pairs of one event: taken, played, kept on the disk and sent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinHandle as Task;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::event::{PairId, PlayedGame};
use crate::referee::{Outcome, VoidReason};
use crate::run::farm::assignment::Assignment;
use crate::run::farm::connection::Change;
use crate::run::farm::leases::{Leases, Stage};
use crate::run::farm::messages::{
    CoordinatorBeat, JobMessage, Receipt, ResultMessage, VERSION, read,
};
use crate::run::farm::names::Farm;
use crate::run::farm_error::FarmError;
use crate::run::signals::{Signals, Stop};
use crate::run::source::{Judged, Report};
use crate::text::{printable, tell};

use super::lanes::Lanes;
use super::{BEAT, FAREWELL, Over, Station, WAIT};

/// The playing of one event.
pub(super) struct Shift<'s, 'w> {
    pub(super) station: &'s mut Station<'w>,
    pub(super) assignment: Assignment,
    pub(super) lanes: Lanes,
    pub(super) leases: Leases,
    /// One for each lane without a pair.
    pub(super) free: Arc<Semaphore>,
    /// Lanes that have not ended.
    pub(super) alive: usize,
    pub(super) barred: bool,
    /// Why no more pairs are taken.
    pub(super) over: Option<Over>,
    /// Since when.
    pub(super) since: Option<Instant>,
}

impl Shift<'_, '_> {
    fn event(&self) -> &str {
        &self.assignment.announced.event
    }

    pub(super) async fn run(
        &mut self,
        signals: &mut Signals,
        receipts: &mut Subscriber,
        coordinator: &mut Subscriber,
    ) -> Result<Over, FarmError> {
        for pair in self.station.spool.pairs(self.event())? {
            self.leases.found(pair);
        }
        let (to, mut jobs) = mpsc::channel(self.station.worker.lanes.get());
        let (finish, finishing) = watch::channel(false);
        let fetching = self.fetch(to, finishing);
        let lease = Duration::from_millis(self.assignment.announced.lease_ms);
        let mut alive = interval(lease / 3);
        let mut beat = interval(BEAT);
        for timer in [&mut alive, &mut beat] {
            timer.set_missed_tick_behavior(MissedTickBehavior::Skip);
        }
        while !self.is_over(&fetching) {
            tokio::select! {
                biased;
                (stop, code) = signals.next() => {
                    self.end(Over::Stopped(code), stop);
                    let _fetching = finish.send(true);
                }
                Some(report) = self.lanes.reports.recv() => self.hear(report).await,
                Some(message) = jobs.recv() => self.take(message).await,
                Some(message) = receipts.next() => self.receipt(&message.payload).await,
                Some(message) = coordinator.next() => {
                    if self.coordinator(&message.payload) {
                        self.end(Over::Another, Stop::FinishPairs);
                        let _fetching = finish.send(true);
                    }
                }
                Some(change) = self.station.changes.recv() => {
                    self.station.let_in(&change)?;
                    if change == Change::Connected {
                        self.leases.send_again();
                        self.leases.keep_alive().await;
                    }
                }
                _ = alive.tick() => self.leases.keep_alive().await,
                _ = beat.tick() => {
                    self.send_due().await;
                    self.station.beat(self.assignment.announced.event.as_str(), &self.leases).await;
                }
            }
        }
        fetching.abort();
        self.lanes.queue.close();
        let _flushed = timeout(BEAT, self.station.client.flush()).await;
        let kept = self.leases.pairs().len();
        if kept > 0 {
            tell(&format!(
                "{kept} finished pairs stay in {} until the coordinator takes them: start the worker again",
                self.station.worker.folder.display()
            ));
        }
        Ok(self.over.take().unwrap_or(Over::Another))
    }

    /// Takes no more pairs.
    fn end(&mut self, over: Over, stop: Stop) {
        self.lanes
            .stop
            .send_modify(|level| *level = (*level).max(stop));
        if !matches!(self.over, Some(Over::Stopped(_))) {
            self.over = Some(over);
        }
        self.since.get_or_insert_with(Instant::now);
        self.lanes.queue.close();
    }

    fn is_over(&self, fetching: &Task<()>) -> bool {
        let stops = self.over.is_some() && fetching.is_finished() && self.alive == 0;
        let waited = self.since.is_some_and(|since| since.elapsed() > FAREWELL);
        let lost = self.alive == 0 && self.over.is_none();
        lost || (stops && (self.leases.is_empty() || (self.leases.only_kept() && waited)))
    }

    /// Takes as many pairs as there are free lanes, and no more.
    fn fetch(&self, to: mpsc::Sender<Message>, finishing: watch::Receiver<bool>) -> Task<()> {
        let context = self.station.context.clone();
        let stream = self.station.worker.farm.jobs_stream();
        let consumer = Farm::consumer(self.event());
        let free = Arc::clone(&self.free);
        tokio::spawn(async move {
            while !*finishing.borrow() {
                let taken = tokio::select! {
                    taken = free.acquire() => taken,
                    () = stopped(finishing.clone()) => break,
                };
                let Ok(first) = taken else { break };
                first.forget();
                let mut lanes = 1;
                while let Ok(more) = free.try_acquire() {
                    more.forget();
                    lanes += 1;
                }
                let fetched = fetch_once(&context, &stream, &consumer, lanes, &to).await;
                let used = fetched.unwrap_or_else(|error| {
                    tracing::warn!(error, "no pairs from the server; once more");
                    0
                });
                free.add_permits(lanes - used);
                if used == 0 && !*finishing.borrow() {
                    // A server that answers at once with nothing is not asked all the time.
                    sleep(Duration::from_millis(50)).await;
                }
            }
        })
    }

    /// A pair from the server.
    async fn take(&mut self, message: Message) {
        let job: JobMessage = match read(&message.payload) {
            Ok(job) => job,
            Err(error) => {
                tracing::error!(%error, "a pair that cannot be understood");
                self.free.add_permits(1);
                return;
            }
        };
        let pair = job.pair;
        if self.over.is_some() || self.barred || job.event != self.event() {
            acknowledge(&message, AckKind::Nak(None)).await;
            self.free.add_permits(1);
            return;
        }
        match self.leases.take(pair, message) {
            true => self.lanes.queue.push(job.job(self.assignment.key)),
            // It was played: its result is on its way.
            false => self.free.add_permits(1),
        }
        self.station
            .beat(self.assignment.announced.event.as_str(), &self.leases)
            .await;
    }

    async fn hear(&mut self, report: Report) {
        match report {
            Report::Begun { pair, .. } => {
                if let Some(lease) = self.leases.get_mut(pair) {
                    lease.begun = true;
                }
            }
            // Whoever waits for what follows from it does not hear of it here: it follows from the
            // games of all machines, and the coordinator says it in its own time.
            Report::Game { game, stored: _ } => {
                if let Some(lease) = self.leases.get_mut(game.id.pair)
                    && let Stage::Playing(games) = &mut lease.stage
                {
                    games.push(*game);
                }
            }
            Report::Done(pair) => {
                self.free.add_permits(1);
                self.done(pair).await;
            }
            Report::Ended { .. } => self.alive -= 1,
        }
    }

    /// A lane is done with a pair: it is kept and sent, or given back if it was interrupted.
    async fn done(&mut self, pair: PairId) {
        let Some(lease) = self.leases.get_mut(pair) else {
            return;
        };
        let Stage::Playing(games) = &mut lease.stage else {
            return;
        };
        let games = std::mem::take(games);
        let interrupted =
            |game: &PlayedGame| game.record.outcome == Outcome::Void(VoidReason::Interrupted);
        let stops = *self.lanes.stop.borrow() >= Stop::VoidGames;
        if games.iter().any(interrupted) || (stops && !is_whole(&games, lease.message.as_ref())) {
            if let Some(lease) = self.leases.remove(pair)
                && let Some(message) = lease.message
            {
                acknowledge(&message, AckKind::Nak(None)).await;
            }
            return;
        }
        lease.stage = Stage::Kept(None);
        let result = ResultMessage {
            version: VERSION,
            event: self.event().to_owned(),
            pair,
            worker: self.station.worker.name.to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            engines: self.assignment.programs(),
            host: self.station.host.clone(),
            games,
        };
        self.keep(&result).await;
        self.send_due().await;
    }

    /// Writes a finished pair to the disk; while the disk is full nothing else is done, for nothing else
    /// could be kept either.
    async fn keep(&mut self, result: &ResultMessage) {
        let bytes = match serde_json::to_vec(result) {
            Ok(bytes) => bytes,
            Err(error) => return tracing::error!(%error, "a result cannot be written"),
        };
        while let Err(error) = self.station.spool.keep(&result.event, result.pair, &bytes) {
            let words = format!("a finished pair cannot be written: {error}; once more");
            if self.station.trouble.as_ref() != Some(&words) {
                tell(&words);
                self.station.trouble = Some(words);
            }
            self.leases.keep_alive().await;
            self.station.beat(&result.event, &self.leases).await;
            sleep(BEAT).await;
        }
        self.station.trouble = None;
    }

    /// Sends what is on the disk and was not answered.
    async fn send_due(&mut self) {
        for pair in self.leases.due() {
            let event = self.event().to_owned();
            let bytes = match self.station.spool.read(&event, pair) {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::error!(%error, ?pair, "a finished pair is not on the disk any more");
                    continue;
                }
            };
            if let Some(lease) = self.leases.get_mut(pair) {
                lease.stage = Stage::Kept(Some(Instant::now()));
            }
            let worker = self.station.worker;
            let subject = worker.farm.result(&worker.name.to_string(), &event, pair);
            // Whether the server has it is not asked: the coordinator's answer counts.
            if let Err(error) = self.station.client.publish(subject, bytes.into()).await {
                let words = format!("a finished pair cannot be sent: {error}");
                if self.station.trouble.as_ref() != Some(&words) {
                    tell(&words);
                    self.station.trouble = Some(words);
                }
            }
        }
    }

    /// What became of a result.
    async fn receipt(&mut self, bytes: &[u8]) {
        let receipt: Receipt = match read(bytes) {
            Ok(receipt) => receipt,
            Err(error) => return tracing::warn!(%error, "an answer that cannot be understood"),
        };
        if receipt.event != self.event() {
            return;
        }
        let pair = receipt.pair;
        let held = self.leases.get_mut(pair);
        if !held.is_some_and(|lease| matches!(lease.stage, Stage::Kept(_))) {
            return;
        }
        let spool = &self.station.spool;
        let put_away = match receipt.stored {
            true => spool.forget(&receipt.event, pair),
            false => {
                let words = printable(&receipt.words).into_owned();
                tell(&format!(
                    "warning: the coordinator has refused pair {}: {words}",
                    pair.0 + 1
                ));
                spool.set_aside(&receipt.event, pair)
            }
        };
        if let Err(error) = put_away {
            tracing::warn!(%error, ?pair, "a pair that was answered is still on the disk");
        }
        if let Some(lease) = self.leases.remove(pair)
            && let Some(message) = lease.message
        {
            acknowledge(&message, AckKind::Ack).await;
        }
    }

    /// What the coordinator says of itself; whether it plays another event than this.
    fn coordinator(&mut self, bytes: &[u8]) -> bool {
        let Ok(beat) = read::<CoordinatorBeat>(bytes) else {
            return false;
        };
        if beat.event != self.event() {
            return self.over.is_none();
        }
        let own = self.station.worker.name.to_string();
        self.barred = beat.barred.contains(&own);
        let judged = Arc::new(Judged {
            out: beat.out.into_iter().collect(),
            unexcused: beat.unexcused.into_iter().collect(),
        });
        self.lanes.disqualified.send_if_modified(|known| {
            let other = *known != judged;
            *known = judged;
            other
        });
        false
    }
}

/// Whether every game that was asked for was finished.
fn is_whole(games: &[PlayedGame], message: Option<&Message>) -> bool {
    let job = message.and_then(|message| read::<JobMessage>(&message.payload).ok());
    job.is_some_and(|job| {
        let finished = |game: usize| {
            games.iter().any(|played| {
                usize::from(played.id.game) == game && !played.record.outcome.is_void()
            })
        };
        (0..2).all(|game| !job.missing[game] || finished(game))
    })
}

async fn stopped(mut finishing: watch::Receiver<bool>) {
    // Without a sender the worker has ended.
    let _gone = finishing.wait_for(|finish| *finish).await;
}

async fn fetch_once(
    context: &Context,
    stream: &str,
    consumer: &str,
    lanes: usize,
    to: &mpsc::Sender<Message>,
) -> Result<usize, async_nats::Error> {
    let consumer: Consumer<pull::Config> =
        context.get_consumer_from_stream(consumer, stream).await?;
    let batch = consumer.batch().max_messages(lanes).expires(WAIT);
    let mut batch = batch.messages().await?;
    let mut taken = 0;
    while let Some(message) = batch.next().await {
        let message = match message {
            Ok(message) => message,
            // Those that came before it are taken.
            Err(error) if taken > 0 => {
                tracing::warn!(error, "fewer pairs than were wanted");
                break;
            }
            Err(error) => return Err(error),
        };
        if to.send(message).await.is_err() {
            break;
        }
        taken += 1;
    }
    Ok(taken)
}

async fn acknowledge(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        tracing::warn!(error, "a pair was not acknowledged");
    }
}
