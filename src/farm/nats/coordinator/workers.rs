//! Messages to workers and from them.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::{Coordinator, KnownWorker, WORKER_TIMEOUT};
use crate::event::UnixMillis;
use crate::farm::nats::connection::ConnectionChange;
use crate::farm::nats::messages::{CoordinatorHeartbeat, VERSION, WorkerHeartbeat, read};
use crate::farm::nats::streams::Streams;
use crate::platform::machine;
use crate::run::control::WorkerStatus;
use crate::run::source::{Report, WorkSource};
use crate::text::{printable, tell};

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
        status.host = heartbeat.host.host;
        status.processor = heartbeat.host.processor;
        status.lanes = heartbeat.host.lanes;
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

    fn forget_silent(&mut self) {
        self.workers
            .retain(|_, known| known.status.pairs > 0 || known.heard.elapsed() < FORGET_AFTER);
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

    pub(super) async fn answer_who(&self, reply: Option<async_nats::Subject>) {
        if let Some(reply) = reply {
            self.send(reply.to_string(), &self.heartbeat()).await;
        }
    }

    fn heartbeat(&self) -> CoordinatorHeartbeat {
        let judged = self.disqualified.borrow();
        CoordinatorHeartbeat {
            version: VERSION,
            event: self.event.clone(),
            epoch: self.epoch.own,
            name: self.run.tournament.name.clone(),
            host: machine::host_name(),
            out: judged.out.iter().copied().collect(),
            unexcused: judged.unexcused.iter().copied().collect(),
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
        let made = self
            .streams
            .make_job_consumer(&self.event, self.settings.lease);
        made.await?;
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
            ConnectionChange::Refused(reason) => Some(format!(
                "the NATS server at {server} does not let us in any more: {}; waiting for it",
                printable(reason)
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
        let subject = self.farm().coordinator();
        self.send(subject, &self.heartbeat()).await;
        self.publish_again().await;
        self.drop_unheld();
        self.forget_silent();
        self.tell_whether_alone();
        let workers = self.workers.values().map(|known| known.status.clone());
        let shown = self.run.status.lock();
        shown.unwrap_or_else(PoisonError::into_inner).workers = workers.collect();
        self.sync_record();
    }
}
