//! Pairs that are given out: published, and published again where the server lost them.

use std::time::{Duration, Instant};

use super::{
    Coordinator, HEARTBEAT_INTERVAL, KnownWorker, PAIRS_AHEAD_OF_A_LANE, PublishResult,
    PublishedPair, WORKER_TIMEOUT,
};
use crate::event::{PairId, UnixMillis};
use crate::farm::FarmName;
use crate::farm::nats::connection::{ConnectionChange, send};
use crate::farm::nats::messages::{
    CoordinatorHeartbeat, JobMessage, VERSION, WorkerHeartbeat, read,
};
use crate::farm::nats::streams::Streams;
use crate::platform::{lock, machine};
use crate::run::control::WorkerStatus;
use crate::run::game::Job;
use crate::run::signals::Stop;
use crate::run::source::{PAIRS_AHEAD, Report, StoredConsequences, WorkSource};
use crate::text::{printable, tell};

impl PublishedPair {
    /// Whether nobody has said for so long that it holds it.
    fn is_silent_for(&self, time: Duration) -> bool {
        self.held.is_none_or(|held| held.elapsed() > time)
    }

    /// Whether nobody holds it though it has been with the server for long, or the server does not have it.
    fn is_lost(&self, lease: Duration) -> bool {
        let is_recent =
            |since: Instant| since.elapsed() <= 3 * lease || !self.is_silent_for(2 * lease);
        !self.storing && !self.published.is_some_and(is_recent)
    }
}

impl Coordinator {
    /// Whether another pair may be published.
    pub(super) fn has_room(&self) -> bool {
        let there = self.workers.values().filter(|known| known.is_there());
        let lanes: usize = there.map(|known| known.status.machine.lanes).sum();
        self.published.len() < PAIRS_AHEAD.max(PAIRS_AHEAD_OF_A_LANE * lanes)
    }

    pub(super) fn give_out(&mut self, job: Job) {
        let pair = job.pair;
        let published = PublishedPair {
            job,
            given: UnixMillis::now(),
            published: None,
            held: None,
            begun: false,
            storing: false,
        };
        self.published.insert(pair, published);
        self.publish(pair, false);
    }

    /// Publishes a pair, after what is left of an earlier attempt was taken away if that is wanted.
    pub(super) fn publish(&mut self, pair: PairId, anew: bool) {
        let Some(published) = self.published.get_mut(&pair) else {
            return;
        };
        published.published = Some(Instant::now());
        published.held = None;
        let message = JobMessage {
            version: VERSION,
            event: self.event.clone(),
            given_ms: published.given.0,
            job: published.job,
        };
        let subject = self.farm().job(&self.event, pair.0);
        let streams = self.streams.clone();
        self.publishing.push(Box::pin(async move {
            let publish = async {
                if anew {
                    streams.take_away(&subject).await?;
                }
                let bytes = serde_json::to_vec(&message)?;
                let sent = streams.context.publish(subject.clone(), bytes.into());
                let acknowledged = async { sent.await?.await };
                if let Err(error) = acknowledged.await {
                    // It is there from a former run, with a worker or waiting for one.
                    let there = streams.jobs.get_last_raw_message_by_subject(&subject).await;
                    there.map_err(|_none| error)?;
                }
                Ok::<(), async_nats::Error>(())
            };
            (pair, publish.await.map_err(|error| error.to_string()))
        }));
    }

    pub(super) fn hear_published(&mut self, (pair, result): PublishResult) {
        let Err(error) = result else { return };
        tracing::warn!(?pair, error, "a pair was not published; once more");
        if let Some(published) = self.published.get_mut(&pair) {
            published.published = None;
        }
    }

    /// A pair is settled, or is not to be played any more.
    pub(super) fn take_back(&mut self, pair: PairId) {
        self.published.remove(&pair);
        self.run.source.report(Report::Done(pair));
    }

    /// Publishes again what is lost.
    pub(super) async fn publish_again(&mut self) {
        let lease = self.settings.lease;
        let lost = self.published.iter();
        let lost = lost.filter(|(_, published)| published.is_lost(lease));
        let lost = lost.map(|(pair, published)| (*pair, published.published.is_some()));
        let lost: Vec<(PairId, bool)> = lost.collect();
        // A pair that waits for a free lane is as silent as one that the server has lost.
        let lanes_wait = lost.iter().any(|(_, anew)| *anew) && {
            // Workers have free lanes, and the server nothing for them.
            let consumer = FarmName::consumer(&self.event);
            let info = self.streams.jobs.consumer_info(consumer).await;
            info.is_ok_and(|info| info.num_pending == 0)
        };
        for (pair, anew) in lost {
            if !anew || lanes_wait {
                self.publish(pair, anew);
            }
        }
    }

    /// When the run comes to its end: pairs that no worker holds are not begun any more.
    pub(super) fn drop_unheld(&mut self) {
        let stopping = *self.stop.borrow() > Stop::No;
        let Some(since) = self.ending.filter(|_| stopping) else {
            return;
        };
        if since.elapsed() < 3 * HEARTBEAT_INTERVAL {
            return;
        }
        let is_held = |pair: &PublishedPair| pair.storing || !pair.is_silent_for(WORKER_TIMEOUT);
        let unheld = self.published.iter().filter(|(_, known)| !is_held(known));
        let unheld: Vec<PairId> = unheld.map(|(pair, _)| *pair).collect();
        for pair in unheld {
            self.take_back(pair);
        }
    }

    /// The dispatcher wants no more pairs begun.
    pub(super) async fn obey(&mut self) {
        let stop = *self.stop.borrow();
        if stop == Stop::FinishPairs && self.ending.is_none() {
            self.ending = Some(Instant::now());
            let jobs = self.farm().job(&self.event, "*");
            if let Err(error) = self.streams.jobs.purge().filter(jobs).await {
                tracing::warn!(%error, "pairs that nobody has begun are still with the server");
            }
        }
    }
}

/// A worker that has played nothing is forgotten when it is silent for this time.
const FORGET_AFTER: Duration = Duration::from_secs(60);

impl Coordinator {
    /// A worker's sign of life.
    pub(super) fn hear_worker(&mut self, bytes: &[u8]) {
        let heartbeat: WorkerHeartbeat = match read(bytes) {
            Ok(heartbeat) => heartbeat,
            Err(error) => return tracing::warn!(%error, "a worker that cannot be understood"),
        };
        if heartbeat.event == self.event {
            self.hear_of_pairs(&heartbeat);
        }
        let known = self.known_worker(&heartbeat.worker);
        known.heard = Instant::now();
        let status = &mut known.status;
        status.machine = heartbeat.host;
        status.playing = heartbeat.playing.len();
        status.heard_ms = UnixMillis::now().0;
        status.trouble = heartbeat.trouble;
    }

    fn hear_of_pairs(&mut self, heartbeat: &WorkerHeartbeat) {
        for pair in &heartbeat.held {
            if let Some(published) = self.published.get_mut(pair) {
                published.held = Some(Instant::now());
            }
        }
        for pair in &heartbeat.playing {
            if let Some(published) = self.published.get_mut(pair)
                && !published.begun
            {
                published.begun = true;
                let (pair, lane) = (*pair, self.run.lane);
                self.run.source.report(Report::Begun { pair, lane });
            }
        }
    }

    /// Says once that nobody plays, and that somebody does.
    fn tell_whether_alone(&mut self) {
        let is_there = self.workers.values().any(KnownWorker::is_there);
        let alone =
            !is_there && !self.published.is_empty() && self.begun.elapsed() > WORKER_TIMEOUT;
        if alone && !self.said_alone {
            let server = printable(&self.settings.access.server);
            tell(&format!(
                "no worker plays for this event: start `arbiter960 worker --nats {server} --lanes N` on each machine \
                 that is to play"
            ));
        } else if self.said_alone && is_there {
            tell("workers play for this event again");
        }
        self.said_alone = alone;
    }

    /// A worker, also one that has not said who it is.
    pub(super) fn known_worker(&mut self, worker: &str) -> &mut KnownWorker {
        self.workers.entry(worker.to_owned()).or_insert_with(|| {
            tracing::info!(worker, "a worker");
            KnownWorker {
                status: WorkerStatus {
                    name: worker.to_owned(),
                    ..WorkerStatus::default()
                },
                heard: Instant::now(),
            }
        })
    }

    pub(super) fn heartbeat(&self) -> CoordinatorHeartbeat {
        CoordinatorHeartbeat {
            version: VERSION,
            event: self.event.clone(),
            epoch: self.epoch.own,
            name: self.run.tournament.name.clone(),
            host: machine::host_name(),
            consequences: StoredConsequences::clone(&self.disqualified.borrow()),
        }
    }

    pub(super) async fn hear_connection(&mut self, change: &ConnectionChange) {
        tracing::warn!(?change, "the connection to the NATS server");
        self.tell_of_connection(change);
        if *change == ConnectionChange::Connected
            && let Err(error) = self.make_streams_again().await
        {
            tracing::warn!(%error, "after the connection was there again");
        }
    }

    /// A server that has lost its files no longer has any of it.
    async fn make_streams_again(&mut self) -> Result<(), crate::farm::FarmError> {
        let (access, farm) = (&self.settings.access, &self.settings.farm);
        self.streams = Streams::make(&self.client, farm, &access.server).await?;
        let (event, lease) = (&self.event, self.settings.lease);
        self.streams.make_job_consumer(event, lease).await?;
        self.hold_farm().await;
        Ok(())
    }

    /// Says on the terminal and in `status` that the server has gone, and that it is there again.
    fn tell_of_connection(&self, change: &ConnectionChange) {
        let server = printable(&self.settings.access.server);
        let waits = match change {
            ConnectionChange::Connected => None,
            ConnectionChange::Lost => Some(format!(
                "the NATS server at {server} has gone; waiting for it"
            )),
            ConnectionChange::Refused => Some(format!(
                "the NATS server at {server} does not let us in any more: authorization violation; waiting for it"
            )),
        };
        match (&waits, self.run.show_what_it_waits_for(waits.clone())) {
            (Some(words), before) if Some(words) != before.as_ref() => tell(words),
            (None, Some(_)) => tell(&format!("the NATS server at {server} is there again")),
            _ => {}
        }
    }

    pub(super) async fn beat(&mut self) {
        self.hold_farm().await;
        if self.epoch.fenced.is_some() {
            return;
        }
        let subject = self.farm().subject("coordinator");
        send(&self.client, subject, &self.heartbeat()).await;
        self.publish_again().await;
        self.drop_unheld();
        self.workers
            .retain(|_, known| known.status.pairs > 0 || known.heard.elapsed() < FORGET_AFTER);
        self.tell_whether_alone();
        let workers = self.workers.values().map(|known| known.status.clone());
        lock(&self.run.status).workers = workers.collect();
        // Who has played a pair is known after a power cut, too, but for the last second.
        if let Err(error) = self.record.sync_data() {
            tracing::warn!(%error, "the record of workers is not on the disk");
        }
    }
}
