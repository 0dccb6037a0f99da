//! Pairs from the server: as many as there are free lanes, and no more.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::RETRY_DELAY;
use super::event_run::WorkerRun;
use crate::farm::FarmName;
use crate::farm::nats::messages::{JobMessage, read};
use crate::farm::nats::streams::acknowledge;

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
        let stream = self.connection.settings.farm.jobs_stream();
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
        if self.held.take(job.job.pair, message) {
            self.giver.queue.push(job.job);
        } else {
            // It was played: its result is on its way.
            self.free.add_permits(1);
        }
        self.connection.beat(self.event(), &self.held).await;
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
    let batch = consumer
        .batch()
        .max_messages(lanes)
        .expires(REQUEST_EXPIRES);
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
