//! Messages to workers and from them.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::event::{PairId, UnixMillis};
use crate::platform::machine;
use crate::run::control::WorkerStatus;
use crate::run::farm::connection::Change;
use crate::run::farm::messages::{CoordinatorBeat, VERSION, WorkerBeat, read};
use crate::run::farm::names::{Farm, worker_of};
use crate::run::farm::streams::Streams;
use crate::run::signals::Stop;
use crate::run::source::{Report, WorkSource};
use crate::text::{printable, tell};

use super::{BEAT, Coordination, KnownWorker, Outstanding, RunningCoordinator, SILENT};

/// So many workers a farm has at most.
const MOST_WORKERS: usize = 4096;

/// So many lanes of a worker are believed.
const MOST_LANES: usize = 1024;

/// So many characters of what a worker says are kept and shown.
const LONGEST: usize = 200;

/// A worker that has played nothing is forgotten when it is silent for this time.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Cuts what is too long; the rest takes no memory.
fn cut(text: &mut String) {
    if text.len() > LONGEST {
        *text = text.chars().take(LONGEST).collect();
    }
}

impl RunningCoordinator {
    /// A worker's sign of life. It is believed of anyone who may publish on that subject.
    pub(super) fn hear(&mut self, subject: &str, bytes: &[u8]) {
        let beat: WorkerBeat = match read(bytes) {
            Ok(beat) => beat,
            Err(error) => return tracing::warn!(%error, "a worker that cannot be understood"),
        };
        let worker = worker_of(subject).filter(|worker| worker.parse::<Farm>().is_ok());
        if worker != Some(&beat.worker) {
            return tracing::warn!("a sign of life in another's name");
        }
        if !self.has_place_for(&beat.worker) {
            return tracing::warn!("more workers than a farm can have");
        }
        // What a barred worker holds is played by others.
        if beat.event == self.event && !self.barred.contains_key(&beat.worker) {
            self.hear_of_pairs(&beat);
        }
        let quarantined = self.barred.get(&beat.worker);
        let quarantined = quarantined.map(|why| format!("quarantined: {why}"));
        let trouble = quarantined.or_else(|| self.doubted.get(&beat.worker).cloned());
        let lacks = self.classes.needs_among(&beat.lacks);
        let known = self.known(&beat.worker);
        known.heard = Instant::now();
        known.lacks = lacks;
        let status = &mut known.status;
        status.host = beat.host.host;
        status.processor = beat.host.processor;
        status.lanes = beat.host.lanes.min(MOST_LANES);
        status.playing = beat.playing.len();
        status.heard_ms = UnixMillis::now().0;
        status.speed = beat.speed;
        status.trouble = trouble.or(beat.trouble);
        [&mut status.host, &mut status.processor]
            .into_iter()
            .chain(&mut status.trouble)
            .for_each(cut);
    }

    fn hear_of_pairs(&mut self, beat: &WorkerBeat) {
        for pair in &beat.held {
            if let Some(outstanding) = self.outstanding.get_mut(pair) {
                outstanding.held_by(&beat.worker);
            }
            self.seconds.heard(*pair);
        }
        for pair in &beat.playing {
            if let Some(outstanding) = self.outstanding.get_mut(pair)
                && outstanding.begun.is_none()
            {
                outstanding.begun = Some(Instant::now());
                let (pair, lane) = (*pair, self.start.coordination.lanes);
                self.start.source.report(Report::Begun { pair, lane });
            }
        }
    }

    /// Whether a worker of this name is known, or there may be one more.
    pub(super) fn has_place_for(&self, worker: &str) -> bool {
        let known = self.workers.contains_key(worker);
        known || (self.workers.len() < MOST_WORKERS && worker.parse::<Farm>().is_ok())
    }

    /// Forgets workers that have played nothing and are silent: so invented names cannot fill the list.
    fn forget_silent(&mut self) {
        self.workers.retain(|name, known| {
            let status = &known.status;
            let played = status.pairs > 0 || self.barred.contains_key(name);
            played || known.heard.elapsed() < FORGOTTEN
        });
    }

    /// Says once that nobody plays, and that somebody does.
    fn tell_whether_alone(&mut self) {
        let there = |known: &KnownWorker| known.heard.elapsed() < SILENT;
        let plays = |name: &String| !self.barred.contains_key(name);
        let mut workers = self.workers.iter();
        let there = workers.any(|(name, known)| there(known) && plays(name));
        let alone = !there && !self.outstanding.is_empty() && self.begun.elapsed() > SILENT;
        if alone && !self.alone {
            let server = &self.start.coordination.access.server;
            let server = printable(server);
            tell(&format!(
                "no worker plays for this event: start `arbiter960 worker --nats {server} --lanes N` on each machine \
                 that is to play"
            ));
        } else if self.alone && there {
            tell("workers play for this event again");
        }
        self.alone = alone;
    }

    /// A worker, also one that has not said who it is.
    pub(super) fn known(&mut self, worker: &str) -> &mut KnownWorker {
        self.workers.entry(worker.to_owned()).or_insert_with(|| {
            tracing::info!(worker, "a worker");
            KnownWorker {
                status: WorkerStatus {
                    name: worker.to_owned(),
                    ..WorkerStatus::default()
                },
                heard: Instant::now(),
                refused_in_a_row: 0,
                lacks: Vec::new(),
            }
        })
    }

    pub(super) async fn tell_who(&self, reply: Option<async_nats::Subject>) {
        if let Some(reply) = reply {
            self.say(reply.to_string(), &self.sign()).await;
        }
    }

    pub(super) fn sign(&self) -> CoordinatorBeat {
        let judged = self.disqualified.borrow();
        CoordinatorBeat {
            version: VERSION,
            event: self.event.clone(),
            epoch: self.epoch.own,
            name: self.start.tournament.name.clone(),
            host: machine::host_name(),
            barred: self.barred.keys().cloned().collect(),
            out: judged.out.iter().copied().collect(),
            unexcused: judged.unexcused.iter().copied().collect(),
        }
    }

    pub(super) async fn changed(&mut self, change: &Change) {
        tracing::warn!(?change, "the connection to the NATS server");
        self.tell_of_connection(change);
        if *change == Change::Connected {
            // A server that has lost its files no longer has any of it.
            let Coordination { access, farm, .. } = &self.start.coordination;
            match Streams::make(&self.client, farm, &access.server).await {
                Ok(streams) => {
                    self.streams = streams;
                    let (streams, lease) = (&self.streams, self.start.coordination.lease);
                    let made = streams.job_consumers(&self.event, &self.classes, lease);
                    if let Err(error) = made.await {
                        tracing::warn!(%error, "after the connection was there again");
                    }
                    self.hold_farm().await;
                }
                Err(error) => tracing::warn!(%error, "after the connection was there again"),
            }
        }
    }

    /// Says on the terminal and in `status` that the server has gone, and that it is there again.
    fn tell_of_connection(&self, change: &Change) {
        let server = printable(&self.start.coordination.access.server);
        let waits = match change {
            Change::Connected => None,
            Change::Lost => Some(format!(
                "the NATS server at {server} has gone; waiting for it"
            )),
            Change::Refused(reason) => Some(format!(
                "the NATS server at {server} does not let us in any more: {}; waiting for it",
                printable(reason)
            )),
        };
        match (&waits, self.start.show_what_it_waits_for(waits.clone())) {
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
        self.say(self.farm().coordinator(), &self.sign()).await;
        self.look_after_seconds();
        self.publish_again().await;
        self.drop_unheld();
        self.forget_silent();
        self.tell_whether_alone();
        self.show();
        // Who has played a pair: known after a power cut, too, but for the last second.
        if let Err(error) = self.record.sync_data() {
            tracing::warn!(%error, "the record of workers is not on the disk");
        }
    }

    /// When the run comes to its end: pairs that no worker holds are not begun any more.
    pub(super) fn drop_unheld(&mut self) {
        let stopping = *self.stop.borrow() > Stop::No;
        let Some(since) = self.ending.filter(|_| stopping) else {
            return;
        };
        if since.elapsed() < 3 * BEAT {
            return;
        }
        let is_held = |known: &Outstanding| known.storing || !known.is_silent_for(SILENT);
        let unheld = self.outstanding.iter().filter(|(_, known)| !is_held(known));
        let unheld: Vec<PairId> = unheld.map(|(pair, _)| *pair).collect();
        for pair in unheld {
            self.take_back(pair);
        }
    }

    pub(super) fn show(&self) {
        let workers = self.workers.values().map(|known| known.status.clone());
        let shown = self.start.shown.lock();
        shown.unwrap_or_else(PoisonError::into_inner).workers = workers.collect();
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
