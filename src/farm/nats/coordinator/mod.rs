//! Between the dispatcher and the workers: to the dispatcher a lane that plays many pairs at once.
//!
//! A pair that the dispatcher gives out is published; a result is compared with the plan, reported, and acknowledged
//! when the dispatcher says that it is durable. What the server loses is published again, for nobody
//! speaks of it.
//!
//! | file | what |
//! |---|---|
//! | `mod` | a coordinator at work: its connection, its rounds of looking |
//! | `beginning` | streams, consumers and files are made; nobody else uses the farm: one coordinator at a time |
//! | `pairs` | pairs that are given out, and who holds them; messages to workers and from them |
//! | `results` | what workers made of them: compared with the plan, stored, acknowledged |

mod beginning;
mod pairs;
mod results;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::{Client, Subscriber};
use beginning::CoordinatorEpoch;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::connection::{ConnectionChange, send};
use super::messages::ResultMessage;
use super::streams::{MAX_WAITING_RESULTS, Streams, pass_on_results};
use crate::event::{GameId, PairId, UnixMillis};
use crate::farm::{CoordinatorSettings, FarmError, FarmName};
use crate::run::control::WorkerStatus;
use crate::run::game::Job;
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, RemoteRun, WorkSource};

pub(crate) use beginning::coordinator;

/// How often the coordinator gives a sign of life, and looks at what is published.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Number of pairs that are published for each lane of the farm.
const PAIRS_AHEAD_OF_A_LANE: usize = 4;

/// How often a result is looked at that nobody has asked for yet: its pair may be about to be given out.
const MAX_LOOKS_AT_UNASKED: i64 = 20;

/// A worker that is silent for this time counts as gone.
const WORKER_TIMEOUT: Duration = Duration::from_secs(10);

/// A pair that was given out and is not settled.
#[derive(Debug)]
struct PublishedPair {
    job: Job,
    /// When it was given out.
    given: UnixMillis,
    /// When the server had it last, if it does.
    published: Option<Instant>,
    /// When a worker last said that it holds it, since it was published.
    held: Option<Instant>,
    /// A worker was seen to play it.
    begun: bool,
    /// A result of it is on its way to the store.
    storing: bool,
}

/// What came of an attempt to publish a pair.
type PublishResult = (PairId, Result<(), String>);

/// A pair whose games were reported; whether they are stored.
type ReportedPair = (Message, ResultMessage, bool);

/// A pair that is stored, and who has played it.
type StoredPair = (PairId, String);

type Pending<T> = FuturesUnordered<Pin<Box<dyn Future<Output = T> + Send>>>;

/// A worker as the coordinator knows it.
#[derive(Debug)]
struct KnownWorker {
    status: WorkerStatus,
    heard: Instant,
}

impl KnownWorker {
    fn is_there(&self) -> bool {
        self.heard.elapsed() < WORKER_TIMEOUT
    }
}

/// What a coordinator hears besides results.
struct Subscriptions {
    heartbeats: Subscriber,
    /// Who asks which coordinator is here.
    questions: Subscriber,
    changes: mpsc::UnboundedReceiver<ConnectionChange>,
}

/// A coordinator at work.
struct Coordinator {
    settings: CoordinatorSettings,
    run: RemoteRun,
    /// What the event is called in subjects.
    event: String,
    client: Client,
    streams: Streams,
    announcement: Vec<u8>,
    epoch: CoordinatorEpoch,
    begun: Instant,
    /// It was said that no worker is there.
    said_alone: bool,
    /// The games that are stored.
    stored: HashSet<GameId>,
    published: HashMap<PairId, PublishedPair>,
    publishing: Pending<PublishResult>,
    storing: Pending<ReportedPair>,
    closing: Pending<StoredPair>,
    workers: BTreeMap<String, KnownWorker>,
    /// Who has played what, in the event's folder.
    record: File,
    stop: watch::Receiver<Stop>,
    disqualified: watch::Receiver<Disqualifications>,
    /// Since when nothing more is given out.
    ending: Option<Instant>,
}

impl Coordinator {
    fn farm(&self) -> &FarmName {
        &self.settings.farm
    }

    /// Runs until the dispatcher has no more pairs, or wants no more.
    ///
    /// # Errors
    /// Another coordinator has taken the farm over.
    async fn run(mut self, mut heard: Subscriptions) -> Result<(), FarmError> {
        let (to, mut results) = mpsc::channel(MAX_WAITING_RESULTS);
        let passing = pass_on_results(self.streams.clone(), self.event.clone(), to);
        let passing = tokio::spawn(passing);
        let mut heartbeat = interval(HEARTBEAT_INTERVAL);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let source = Arc::clone(&self.run.source);
        while !self.is_over() {
            let wants_more = self.ending.is_none() && self.has_room();
            tokio::select! {
                biased;
                Ok(()) = self.stop.changed() => self.obey().await,
                Some(reported) = self.storing.next() => self.settle(reported).await,
                Some(stored) = self.closing.next() => self.close(stored).await,
                Some(published) = self.publishing.next() => self.hear_published(published),
                Some(message) = results.recv() => self.take(message).await,
                Some(message) = heard.heartbeats.next() => self.hear_worker(&message.payload),
                Some(message) = heard.questions.next() => if let Some(reply) = message.reply {
                    send(&self.client, reply.to_string(), &self.heartbeat()).await;
                },
                Some(change) = heard.changes.recv() => self.hear_connection(&change).await,
                job = source.next(), if wants_more => match job {
                    Some(job) => self.give_out(job),
                    None => self.ending = Some(Instant::now()),
                },
                _ = heartbeat.tick() => self.beat().await,
            }
        }
        passing.abort();
        self.finish().await
    }

    async fn finish(mut self) -> Result<(), FarmError> {
        if let Some(fenced) = self.epoch.fenced.take() {
            // What the server has is the other's.
            return Err(fenced);
        }
        // Else the next run would take what is stored for played twice.
        let _late = timeout(HEARTBEAT_INTERVAL, async {
            while let Some(stored) = self.closing.next().await {
                self.close(stored).await;
            }
        })
        .await;
        if *self.stop.borrow() < Stop::VoidGames {
            self.streams.forget(&self.event).await;
        }
        let _gone = timeout(HEARTBEAT_INTERVAL, self.client.flush()).await;
        Ok(())
    }

    fn is_over(&self) -> bool {
        let now = *self.stop.borrow() >= Stop::VoidGames || self.epoch.fenced.is_some();
        now || (self.ending.is_some() && self.published.is_empty())
    }
}
