//! Pairs that are given out: published, and published again where the server lost them.

use std::time::{Duration, Instant};

use super::{
    Coordinator, HEARTBEAT_INTERVAL, PAIRS_AHEAD_OF_A_LANE, PublishResult, PublishedPair,
    WORKER_TIMEOUT,
};
use crate::event::PairId;
use crate::farm::FarmName;
use crate::farm::nats::messages::{JobMessage, VERSION};
use crate::run::game::Job;
use crate::run::signals::Stop;
use crate::run::source::{PAIRS_AHEAD, Report, WorkSource};

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
        let lanes: usize = there.map(|known| known.status.lanes).sum();
        self.published.len() < PAIRS_AHEAD.max(PAIRS_AHEAD_OF_A_LANE * lanes)
    }

    pub(super) fn give_out(&mut self, job: Job) {
        let pair = job.pair;
        let published = PublishedPair {
            job,
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
            job: published.job,
        };
        let subject = self.farm().job(&self.event, pair);
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
        let lost: Vec<(PairId, bool)> = lost
            .map(|(pair, published)| (*pair, published.published.is_some()))
            .collect();
        // A pair that waits for a free lane is as silent as one that the server has lost.
        let lanes_wait = lost.iter().any(|(_, anew)| *anew) && self.somebody_waits().await;
        for (pair, anew) in lost {
            if !anew || lanes_wait {
                self.publish(pair, anew);
            }
        }
    }

    /// Whether workers have free lanes, and the server nothing for them.
    async fn somebody_waits(&self) -> bool {
        let consumer = FarmName::consumer(&self.event);
        let info = self.streams.jobs.consumer_info(consumer).await;
        info.is_ok_and(|info| info.num_pending == 0)
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
            let jobs = self.farm().jobs(&self.event);
            if let Err(error) = self.streams.jobs.purge().filter(jobs).await {
                tracing::warn!(%error, "pairs that nobody has begun are still with the server");
            }
        }
    }
}
