//! Pairs that are given out: published, and published again where the server lost them.

use std::time::Instant;

use crate::event::PairId;
use crate::run::farm::messages::JobMessage;
use crate::run::farm::streams::Streams;
use crate::run::job::Job;

use super::{Outstanding, Published, Work, words};

impl Work {
    pub(super) async fn give_out(&mut self, job: Job) {
        let pair = job.pair;
        let outstanding = Outstanding {
            job,
            published: None,
            heard: None,
            begun: false,
            storing: false,
        };
        self.outstanding.insert(pair, outstanding);
        self.publish(pair, false);
    }

    /// Publishes a pair, after what is left of an earlier attempt was taken away if that is wanted.
    pub(super) fn publish(&mut self, pair: PairId, anew: bool) {
        let Some(outstanding) = self.outstanding.get_mut(&pair) else {
            return;
        };
        outstanding.published = Some(Instant::now());
        let message = JobMessage::new(&self.event, &outstanding.job);
        let subject = self.start.coordination.farm.job(&self.event, pair);
        let (context, jobs) = (self.context.clone(), self.streams.jobs.clone());
        self.publishing.push(Box::pin(async move {
            let publish = async {
                if anew {
                    Streams::take_away(&jobs, &subject).await?;
                }
                let bytes = serde_json::to_vec(&message)?;
                context.publish(subject, bytes.into()).await?.await?;
                Ok::<(), async_nats::Error>(())
            };
            (pair, publish.await.map_err(|error| words(&*error)))
        }));
    }

    pub(super) fn published(&mut self, (pair, published): Published) {
        let Err(error) = published else { return };
        // It is there from a former run, with a worker or waiting for one.
        if error.contains("maximum messages per subject") {
            return;
        }
        tracing::warn!(?pair, error, "a pair was not published; once more");
        if let Some(outstanding) = self.outstanding.get_mut(&pair) {
            outstanding.published = None;
        }
    }
}
