//! Pairs that are given out: published, and published again where the server lost them.

use std::time::Instant;

use crate::event::PairId;
use crate::run::farm::classes::Class;
use crate::run::farm::messages::{JobMessage, VERSION};
use crate::run::job::Job;
use crate::run::source::{Report, WorkSource};

use super::{
    AHEAD, AHEAD_OF_A_LANE, MOST_AHEAD, Outstanding, Published, RunningCoordinator, SILENT, words,
};

impl RunningCoordinator {
    /// Whether another pair may be published: there are few, or few of a class that a worker can play.
    pub(super) fn has_room(&self) -> bool {
        let published = self.outstanding.len();
        let few = |(class, published): (&Class, &usize)| {
            let lanes = self.lanes_for(class);
            lanes > 0 && *published < AHEAD.max(AHEAD_OF_A_LANE * lanes)
        };
        let mut classes = self.classes.all().iter().zip(&self.of_class);
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
}
