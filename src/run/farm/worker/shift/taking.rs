//! Pairs from the server: as many as there are free lanes, and no more.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle as Task;
use tokio::time::timeout;

use crate::run::farm::messages::{JobMessage, read};
use crate::run::farm::names::Farm;
use crate::run::farm::streams::acknowledge;
use crate::run::farm::worker::WAIT;

use super::Shift;

/// A server that answers at once with nothing is not asked all the time.
const ASKED_AGAIN: Duration = Duration::from_millis(50);

/// With several consumers that all had nothing: they are asked again after this time.
const ALL_ASKED_AGAIN: Duration = Duration::from_millis(250);

/// A pair that others are to play is left to them for this time.
const TO_OTHERS: Duration = Duration::from_secs(1);

/// A server that gives no pair, because it is away or the event is over, is asked again after this time.
const AFTER_AN_ERROR: Duration = Duration::from_secs(2);

impl Shift<'_, '_> {
    /// Takes as many pairs as there are free lanes, and no more.
    pub(super) fn fetch(
        &self,
        to: mpsc::Sender<Message>,
        finishing: watch::Receiver<bool>,
    ) -> Task<()> {
        let context = self.station.context.clone();
        let stream = self.station.worker.farm.jobs_stream();
        let classes = self.assignment.classes.all.iter();
        let own = classes.filter(|class| class.is_for(&self.station.lacks));
        let consumers: Vec<String> = own
            .map(|class| Farm::job_consumer(self.event(), class))
            .collect();
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
                let fetched = fetch_once(&context, &stream, &consumers, lanes, &to).await;
                let (used, pause) = match fetched {
                    // The server has waited where there is one class.
                    Ok(used) if consumers.len() == 1 => (used, ASKED_AGAIN),
                    Ok(used) => (used, ALL_ASKED_AGAIN),
                    Err(error) => {
                        let words = error.to_string();
                        // After an event's end it is the same for hours.
                        if words != told {
                            tracing::warn!(error, "no pairs from the server; it is asked on");
                            told = words;
                        }
                        (0, AFTER_AN_ERROR)
                    }
                };
                free.add_permits(lanes - used);
                if used == 0 {
                    // Ends early where no more pairs are wanted.
                    let _ended = timeout(pause, stopped(finishing.clone())).await;
                } else {
                    told.clear();
                }
            }
        })
    }

    /// Whether this machine has what the engines of a pair need.
    fn can_play(&self, job: &JobMessage) -> bool {
        let classes = &self.assignment.classes;
        job.event != self.event() || classes.of_pair(&job.job.spec).is_for(&self.station.lacks)
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
        let pair = job.job.pair;
        let own = self.station.worker.name.to_string();
        let not_here = match self.can_play(&job) {
            // Of an earlier announcement; the coordinator has published it elsewhere.
            false => Some(AckKind::Term),
            true => (job.not_by == Some(own)).then_some(AckKind::Nak(Some(TO_OTHERS))),
        };
        if let Some(why) = not_here {
            acknowledge(&message, why).await;
            self.free.add_permits(1);
            return;
        }
        if self.over.is_some() || self.withholds() || job.event != self.event() {
            acknowledge(&message, AckKind::Nak(None)).await;
            match self.withholds() {
                // Else it would take the same pair again at once, and so on.
                true => self.withheld += 1,
                false => self.free.add_permits(1),
            }
            return;
        }
        match self.leases.take(pair, message) {
            true => {
                self.measure_before(pair).await;
                self.lanes.giver.queue.push(job.job);
            }
            // It was played: its result is on its way.
            false => self.free.add_permits(1),
        }
        self.station.beat(self.event(), &self.leases).await;
    }
}

async fn stopped(mut finishing: watch::Receiver<bool>) {
    // Without a sender the worker has ended.
    let _gone = finishing.wait_for(|finish| *finish).await;
}

/// Takes pairs for this number of lanes. A single consumer is waited for; several are each asked for what
/// they have, in their order.
async fn fetch_once(
    context: &Context,
    stream: &str,
    consumers: &[String],
    lanes: usize,
    to: &mpsc::Sender<Message>,
) -> Result<usize, async_nats::Error> {
    let mut taken = 0;
    for name in consumers {
        if taken == lanes {
            break;
        }
        let consumer: Consumer<pull::Config> =
            context.get_consumer_from_stream(name, stream).await?;
        let wanted = lanes - taken;
        let batch = match consumers.len() {
            1 => {
                let waiting = consumer.batch().max_messages(wanted).expires(WAIT);
                waiting.messages().await?
            }
            _ => consumer.fetch().max_messages(wanted).messages().await?,
        };
        match pass_on(batch, to).await {
            Ok(count) => taken += count,
            // Those that came from another are taken.
            Err(error) if taken > 0 => {
                tracing::warn!(error, "fewer pairs than were wanted");
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(taken)
}

async fn pass_on(
    mut batch: pull::Batch,
    to: &mpsc::Sender<Message>,
) -> Result<usize, async_nats::Error> {
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
