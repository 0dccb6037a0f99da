//! Pairs from the server: as many as there are free lanes, and no more.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::event_run::{WorkerRun, WriteResult};
use super::{RETRY_DELAY, WorkerConnection};
use crate::event::{PairId, PlayedGame};
use crate::farm::FarmName;
use crate::farm::nats::held_pairs::PairState;
use crate::farm::nats::messages::{JobMessage, Receipt, ResultMessage, VERSION, read};
use crate::farm::nats::streams::acknowledge;
use crate::text::{printable, tell};

/// How long a request for pairs waits at the server.
const REQUEST_EXPIRES: Duration = Duration::from_secs(2);

/// A server that answers at once with nothing is not asked all the time.
const EMPTY_ANSWER_DELAY: Duration = Duration::from_millis(50);

impl WorkerRun<'_, '_> {
    /// Takes as many pairs as there are free lanes, and no more.
    pub(super) fn fetch(
        &self,
        to: mpsc::Sender<Message>,
        finishing: watch::Receiver<bool>,
    ) -> JoinHandle<()> {
        let context = self.connection.context.clone();
        let stream = self.connection.settings.farm.stream("jobs");
        let consumer = FarmName::consumer(self.event());
        let free = Arc::clone(&self.free);
        tokio::spawn(async move {
            let mut told = String::new();
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
                let (used, delay) = match fetched {
                    Ok(used) => (used, EMPTY_ANSWER_DELAY),
                    Err(error) => {
                        let words = error.to_string();
                        // After an event's end it is the same for hours.
                        if words != told {
                            tracing::warn!(error, "no pairs from the server; it is asked on");
                            told = words;
                        }
                        (0, RETRY_DELAY)
                    }
                };
                free.add_permits(lanes - used);
                if used == 0 {
                    // Ends early where no more pairs are wanted.
                    let _ended = timeout(delay, stopped(finishing.clone())).await;
                } else {
                    told.clear();
                }
            }
        })
    }

    /// A pair from the server.
    pub(super) async fn take(&mut self, message: Message) {
        let job: JobMessage = match read(&message.payload) {
            Ok(job) => job,
            Err(error) => {
                tracing::error!(%error, "a pair that cannot be understood");
                self.free.add_permits(1);
                return;
            }
        };
        let cannot_keep = self.writes.disk_is_full;
        if self.end.is_some() || cannot_keep || job.event != self.event() {
            acknowledge(&message, AckKind::Nak(None)).await;
            if cannot_keep {
                // Else it would take the same pair again at once, and so on.
                self.withheld += 1;
            } else {
                self.free.add_permits(1);
            }
            return;
        }
        let pair = job.job.pair;
        if self.held.0.contains_key(&pair) {
            // It was played: its result is on its way.
            self.held.take(pair, message, Vec::new());
            self.free.add_permits(1);
        } else {
            let games = self.begin_pair(&job, &message);
            let mut job = job.job;
            for game in &games {
                job.played(game.id, &game.record.outcome);
            }
            self.held.take(pair, message, games);
            self.giver.queue.push(job);
        }
        self.connection.beat(self.event(), &self.held).await;
    }

    /// The games of a pair that are over, if it was interrupted here and goes on.
    fn begin_pair(&self, job: &JobMessage, message: &Message) -> Vec<PlayedGame> {
        let tournament = &self.assignment.tournament;
        let spec = job.job.spec;
        let limits = tournament.limits(spec.terms(), spec.seats(0));
        if !tournament.resumes(limits.each_ref()) {
            return Vec::new();
        }
        let begun = self.connection.spool.begin(job, message);
        begun.unwrap_or_else(|error| {
            tracing::error!(%error, "a pair cannot be kept; it is replayed if it is interrupted");
            Vec::new()
        })
    }

    /// Goes on with the pairs that were interrupted here and are still this worker's.
    pub(super) async fn go_on(&mut self) -> io::Result<()> {
        let lease = Duration::from_millis(self.assignment.announced.lease_ms);
        let WorkerConnection { spool, context, .. } = &*self.connection;
        let messages = spool.interrupted(self.event(), lease, context)?;
        for message in messages {
            if let Ok(lane) = Arc::clone(&self.free).try_acquire_owned() {
                lane.forget();
                self.take(message).await;
            }
        }
        self.keep_alive().await;
        Ok(())
    }

    /// Tells the server that all pairs that are held are being worked on: else it would give them to others.
    pub(super) async fn keep_alive(&self) {
        for (pair, held) in &self.held.0 {
            let Some(message) = &held.message else {
                continue;
            };
            let spool = &self.connection.spool;
            spool.set_alive(self.event(), *pair, SystemTime::now());
            if let Err(error) = message.ack_with(AckKind::Progress).await {
                tracing::warn!(error, "a lease was not kept alive");
            }
        }
    }
}

async fn stopped(mut finishing: watch::Receiver<bool>) {
    // Without a sender the worker has ended.
    let _gone = finishing.wait_for(|finish| *finish).await;
}

/// Takes pairs for this number of lanes; the server waits for them.
async fn fetch_once(
    context: &Context,
    stream: &str,
    consumer: &str,
    lanes: usize,
    to: &mpsc::Sender<Message>,
) -> Result<usize, async_nats::Error> {
    let consumer: Consumer<pull::Config> =
        context.get_consumer_from_stream(consumer, stream).await?;
    let batch = consumer.batch().max_messages(lanes);
    let mut batch = batch.expires(REQUEST_EXPIRES).messages().await?;
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

impl WorkerRun<'_, '_> {
    pub(super) fn write_result(&mut self, pair: PairId, games: Vec<PlayedGame>) {
        let result = ResultMessage {
            version: VERSION,
            event: self.event().to_owned(),
            pair,
            worker: self.connection.settings.name.to_string(),
            host: self.connection.host.clone(),
            games,
        };
        match serde_json::to_vec(&result) {
            Ok(bytes) => self.write(pair, bytes),
            Err(error) => tracing::error!(%error, "a result cannot be written"),
        }
    }

    /// Begins to write a finished pair. What waits for the disk is no lane and no connection.
    pub(super) fn write(&mut self, pair: PairId, bytes: Vec<u8>) {
        let (spool, event) = (self.connection.spool.clone(), self.event().to_owned());
        self.writes.writing.spawn_blocking(move || {
            let written = spool.keep(&event, pair, &bytes);
            ((pair, bytes), written)
        });
    }

    /// A pair was written, or could not be: then it is tried again, and no pairs are taken meanwhile, for
    /// they could not be kept either.
    pub(super) async fn written(&mut self, (pair, written): WriteResult) {
        if let Err(error) = written {
            let words = format!("a finished pair cannot be written: {error}; once more");
            self.connection.has_trouble(words);
            self.writes.disk_is_full = true;
            return self.writes.failed.push(pair);
        }
        self.connection.spool.end(self.event(), pair.0);
        if let Some(held) = self.held.0.get_mut(&pair.0) {
            held.state = PairState::Kept(None);
        }
        if self.writes.disk_is_full && self.writes.failed.is_empty() {
            self.writes.disk_is_full = false;
            self.connection.trouble = None;
            self.free.add_permits(std::mem::take(&mut self.withheld));
        }
        self.send_due().await;
    }

    /// Sends what is on the disk and was not answered.
    pub(super) async fn send_due(&mut self) {
        for pair in self.held.due() {
            let event = self.event().to_owned();
            let bytes = match self.connection.spool.read(&event, pair) {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::error!(%error, ?pair, "a finished pair is not on the disk any more");
                    continue;
                }
            };
            if let Some(held) = self.held.0.get_mut(&pair) {
                held.state = PairState::Kept(Some(Instant::now()));
            }
            let settings = self.connection.settings;
            let worker = settings.name.to_string();
            let subject = settings.farm.result(&worker, &event, pair.0);
            // Whether the server has it is not asked: the coordinator's answer counts.
            if let Err(error) = self.connection.client.publish(subject, bytes.into()).await {
                let words = format!("a finished pair cannot be sent: {error}");
                self.connection.has_trouble(words);
            }
        }
    }

    /// What became of a result.
    pub(super) async fn hear_receipt(&mut self, bytes: &[u8]) {
        let receipt: Receipt = match read(bytes) {
            Ok(receipt) => receipt,
            Err(error) => return tracing::warn!(%error, "an answer that cannot be understood"),
        };
        // Of a coordinator whose farm was taken over: what it says of its store is not what counts.
        if receipt.event != self.event() || receipt.epoch != self.assignment.epoch {
            return;
        }
        let pair = receipt.pair;
        let held = self.held.0.get_mut(&pair);
        if !held.is_some_and(|held| matches!(held.state, PairState::Kept(_))) {
            return;
        }
        let spool = &self.connection.spool;
        let put_away = if receipt.stored {
            spool.forget(&receipt.event, pair)
        } else {
            tell(&format!(
                "warning: the coordinator has refused pair {}: {}",
                pair.0 + 1,
                printable(&receipt.words)
            ));
            spool.set_aside(&receipt.event, pair)
        };
        if let Err(error) = put_away {
            tracing::warn!(%error, ?pair, "a pair that was answered is still on the disk");
        }
        self.release(pair, AckKind::Ack).await;
    }

    /// Another worker may have this pair.
    pub(super) async fn give_back(&mut self, pair: PairId) {
        let spool = &self.connection.spool;
        spool.set_alive(self.event(), pair, SystemTime::UNIX_EPOCH);
        self.release(pair, AckKind::Nak(None)).await;
    }

    /// A pair is held no more; the server hears why.
    pub(super) async fn release(&mut self, pair: PairId, why: AckKind) {
        if let Some(held) = self.held.0.remove(&pair)
            && let Some(message) = held.message
        {
            acknowledge(&message, why).await;
        }
    }
}
