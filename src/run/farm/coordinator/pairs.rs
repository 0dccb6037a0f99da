//! Pairs that are given out: published, and published again where the server lost them. Who holds a pair, and for how
//! long that is believed: a worker that holds one for ever, or only says so, keeps no event from its end.

use std::time::{Duration, Instant};

use crate::event::PairId;
use crate::run::farm::classes::Class;
use crate::run::farm::messages::{JobMessage, VERSION};
use crate::run::farm::names::Farm;
use crate::run::job::Job;
use crate::run::source::{Report, WorkSource};

use super::{
    AHEAD, AHEAD_OF_A_LANE, MOST_AHEAD, Outstanding, Published, RunningCoordinator, SILENT, words,
};

/// A pair that is held for this many times the longest time of a stored one is given to another worker too.
const TIMES: u32 = 4;

/// Before any is stored, nobody knows how long that is.
const UNKNOWN: Duration = Duration::from_secs(3600);

/// What workers say of a pair since it was published.
#[derive(Debug)]
pub(super) struct Hold {
    /// Who said last that it holds it.
    pub(super) worker: String,
    /// When.
    pub(super) heard: Instant,
    /// When the first did.
    since: Instant,
}

impl Outstanding {
    /// A worker holds it.
    pub(super) fn held_by(&mut self, worker: &str) {
        let heard = Instant::now();
        let since = self.hold.as_ref().map_or(heard, |hold| hold.since);
        let worker = worker.to_owned();
        self.hold = Some(Hold {
            worker,
            heard,
            since,
        });
    }

    /// Whether nobody has said for so long that it holds it.
    pub(super) fn is_silent_for(&self, time: Duration) -> bool {
        let hold = self.hold.as_ref();
        hold.is_none_or(|hold| hold.heard.elapsed() > time)
    }
}

impl RunningCoordinator {
    /// Whether another pair may be published: there are few, or few of a class that a worker can play.
    pub(super) fn has_room(&self) -> bool {
        let published = self.outstanding.len();
        let few = |(class, published): (&Class, &usize)| {
            let lanes = self.lanes_for(class);
            lanes > 0 && *published < AHEAD.max(AHEAD_OF_A_LANE * lanes)
        };
        let mut classes = self.classes.all.iter().zip(&self.of_class);
        published < AHEAD || (published < MOST_AHEAD && classes.any(few))
    }

    /// How many lanes of the workers that are there can play pairs of a class.
    fn lanes_for(&self, class: &Class) -> usize {
        let able = self
            .workers
            .values()
            .filter(|known| known.heard.elapsed() < SILENT && class.is_for(&known.lacks));
        able.map(|known| known.status.lanes).sum()
    }

    pub(super) async fn give_out(&mut self, job: Job) {
        let pair = job.pair;
        let class = self.classes.place(&job.spec);
        self.of_class[class] += 1;
        let outstanding = Outstanding {
            job,
            class,
            published: None,
            hold: None,
            begun: None,
            storing: false,
        };
        self.outstanding.insert(pair, outstanding);
        self.publish(pair, false, None);
    }

    /// Publishes a pair, after what is left of an earlier attempt was taken away if that is wanted; one worker may be
    /// left out.
    pub(super) fn publish(&mut self, pair: PairId, anew: bool, not_by: Option<String>) {
        let Some(outstanding) = self.outstanding.get_mut(&pair) else {
            return;
        };
        outstanding.published = Some(Instant::now());
        outstanding.hold = None;
        let (job, class) = (outstanding.job, outstanding.class);
        let ticket = self.tickets.of(&self.event, pair);
        self.send_job(&job, class, ticket, not_by, anew);
    }

    /// Hands a pair to the server.
    pub(super) fn send_job(
        &mut self,
        job: &Job,
        class: usize,
        ticket: String,
        not_by: Option<String>,
        anew: bool,
    ) {
        let pair = job.pair;
        let message = JobMessage {
            version: VERSION,
            event: self.event.clone(),
            job: *job,
            ticket,
            not_by,
        };
        let subject = self.subject(class, pair);
        let streams = self.streams.clone();
        self.publishing.push(Box::pin(async move {
            let publish = async {
                if anew {
                    streams.take_away(&subject).await?;
                }
                let bytes = serde_json::to_vec(&message)?;
                let sent = streams.context.publish(subject.clone(), bytes.into());
                let published = async { sent.await?.await };
                if let Err(error) = published.await {
                    // It is there from a former run, with a worker or waiting for one.
                    let there = streams.jobs.get_last_raw_message_by_subject(&subject).await;
                    there.map_err(|_none| error)?;
                }
                Ok::<(), async_nats::Error>(())
            };
            (pair, publish.await.map_err(|error| words(&*error)))
        }));
    }

    /// A pair is settled, or is not to be played any more.
    pub(super) fn take_back(&mut self, pair: PairId) {
        if let Some(known) = self.outstanding.remove(&pair) {
            self.of_class[known.class] -= 1;
        }
        self.start.source.report(Report::Done(pair));
    }

    pub(super) fn published(&mut self, (pair, published): Published) {
        let Err(error) = published else { return };
        tracing::warn!(?pair, error, "a pair was not published; once more");
        if let Some(outstanding) = self.outstanding.get_mut(&pair) {
            outstanding.published = None;
        }
    }

    /// For how long a worker may hold a pair while others are idle.
    pub(super) fn longest_hold(&self) -> Duration {
        let known = self.longest.saturating_mul(TIMES);
        let known = if known.is_zero() { UNKNOWN } else { known };
        known.max(3 * self.start.coordination.lease)
    }

    /// Who has held a pair for too long, if another worker can play it.
    pub(super) fn held_too_long_by(&self, known: &Outstanding) -> Option<String> {
        let hold = known.hold.as_ref()?;
        let too_long = !known.storing && hold.since.elapsed() > self.longest_hold();
        let other = too_long && self.is_another_there(&hold.worker, known.class);
        other.then(|| hold.worker.clone())
    }

    /// Whether nobody holds a pair that has been with the server for long, or the server does not have it.
    fn is_left(&self, known: &Outstanding) -> bool {
        let lease = self.start.coordination.lease;
        let of_late =
            |since: Instant| since.elapsed() <= 3 * lease || !known.is_silent_for(2 * lease);
        !known.storing && !known.published.is_some_and(of_late)
    }

    /// Publishes again what is left, and what is held for too long.
    pub(super) async fn publish_again(&mut self) {
        let due = self.outstanding.iter().filter_map(|(pair, known)| {
            let not_by = self.held_too_long_by(known);
            let is_due = not_by.is_some() || self.is_left(known);
            is_due.then(|| (*pair, known.class, known.published.is_some(), not_by))
        });
        let due: Vec<(PairId, usize, bool, Option<String>)> = due.collect();
        // A pair that waits for a free lane is as silent as one that the server has lost.
        let mut waits = vec![None; self.classes.all.len()];
        for (pair, class, anew, not_by) in due {
            if anew && waits[class].is_none() {
                waits[class] = Some(self.somebody_waits(class).await);
            }
            if !anew || waits[class] == Some(true) {
                if let Some(worker) = &not_by {
                    tracing::warn!(?pair, worker, "held for long: another plays it too");
                }
                self.publish(pair, anew, not_by);
            }
        }
    }

    /// Whether workers have free lanes for a class, and the server nothing for them.
    async fn somebody_waits(&self, class: usize) -> bool {
        let consumer = Farm::job_consumer(&self.event, &self.classes.all[class]);
        let info = self.streams.jobs.consumer_info(consumer).await;
        info.is_ok_and(|info| info.num_pending == 0)
    }
}
