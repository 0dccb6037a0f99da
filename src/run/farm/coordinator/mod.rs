//! Between the dispatcher and the workers: to the dispatcher a lane that plays many pairs at once.
//!
//! A pair that the dispatcher gives out is published; a result is examined, reported, and acknowledged
//! when the dispatcher says that it is durable. What the server loses is published again, for nobody
//! speaks of it.
//!
//! | file | what |
//! |---|---|
//! | `mod` | a coordinator at work: its connection, its rounds of looking |
//! | `beginning` | streams, consumers and files are made; nobody else uses the farm |
//! | `epoch` | one coordinator at a time |
//! | `recomputing` | moves that are computed again here |
//! | `seconds` | pairs that a second worker plays too |
//! | `pairs` | pairs that are given out, and who holds them |
//! | `settling` | what workers made of them: examined, stored, acknowledged |
//! | `quarantine` | workers that play no more, and why |
//! | `workers` | messages to workers and from them |

mod beginning;
mod epoch;
mod pairs;
mod quarantine;
mod recomputing;
mod seconds;
mod settling;
mod workers;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId};
use crate::run::control::{FarmShown, WorkerStatus};
use crate::run::farm::classes::Classes;
use crate::run::farm::connection::{Access, Change};
use crate::run::farm::messages::ResultMessage;
use crate::run::farm::names::Farm;
use crate::run::farm::results::{self, WAITING};
use crate::run::farm::streams::Streams;
use crate::run::farm::tickets::Tickets;
use crate::run::farm_error::FarmError;
use crate::run::job::Job;
use crate::run::queue::AHEAD;
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, LocalSource, WorkSource};
use crate::tournament::WorkerCounts;

use epoch::CoordinatorEpoch;
use pairs::Hold;
use recomputing::Recomputing;
use seconds::Seconds;

/// How often the coordinator gives a sign of life, and looks at what is published.
const BEAT: Duration = Duration::from_secs(1);

/// So many are published for each lane of the farm.
const AHEAD_OF_A_LANE: usize = 4;

/// So many are published at most: pairs that no worker can play now leave room for those behind them.
const MOST_AHEAD: usize = 100_000;

/// Number of refused results in a row after which a worker plays no more.
const REFUSALS: u64 = 3;

/// How often a result is looked at that nobody has asked for yet: its pair may be about to be given out.
const LOOKS: i64 = 20;

/// A worker that is silent for this time counts as gone.
const SILENT: Duration = Duration::from_secs(10);

/// How to be a coordinator.
#[derive(Debug, Clone)]
pub(crate) struct Coordination {
    /// The server.
    pub access: Access,
    /// The farm.
    pub farm: Farm,
    /// How long a worker may be silent before its pairs go to others.
    pub lease: Duration,
    /// One pair in this many is played by a second worker too; 0: none.
    pub twice: u64,
    /// Games at once on this machine, in addition to those of the workers.
    pub lanes: usize,
}

/// A coordinator that is about to begin.
#[derive(Debug)]
pub(crate) struct Coordinator {
    /// How to be one.
    pub coordination: Coordination,
    /// The dispatcher.
    pub source: Arc<LocalSource>,
    /// The event.
    pub tournament: Arc<Tournament>,
    /// What it is.
    pub identity: EventIdentity,
    /// Under which revision.
    pub revision: u32,
    /// When it was created, as the store says.
    pub created: String,
    /// The games that are stored.
    pub stored: HashSet<GameId>,
    /// What workers have played that is stored.
    pub counts: WorkerCounts,
    /// Where the farm is shown.
    pub shown: FarmShown,
    /// The event's folder, where it is written down who played what.
    pub folder: PathBuf,
}

/// A pair that was given out and is not settled.
#[derive(Debug)]
struct Outstanding {
    job: Job,
    /// The place of its class among all.
    class: usize,
    /// When the server had it last, if it does.
    published: Option<Instant>,
    hold: Option<Hold>,
    /// When a worker was first seen to play it.
    begun: Option<Instant>,
    /// A result of it is on its way to the store.
    storing: bool,
}

/// What came of an attempt to publish a pair.
type Published = (PairId, Result<(), String>);

/// A pair whose games were reported; whether they are stored.
type Settled = (Message, ResultMessage, bool);

/// A pair that is stored, and who has played it.
type Closed = (PairId, String);

type Later<T> = FuturesUnordered<Pin<Box<dyn Future<Output = T> + Send>>>;

/// A worker as the coordinator knows it.
#[derive(Debug)]
struct KnownWorker {
    status: WorkerStatus,
    heard: Instant,
    refused_in_a_row: u64,
    /// What engines need and it does not have.
    lacks: Vec<String>,
}

/// What a coordinator hears besides results.
struct Listening {
    beats: Subscriber,
    /// Who asks which coordinator is here.
    asked: Subscriber,
    changes: mpsc::UnboundedReceiver<Change>,
}

/// A coordinator at work.
struct RunningCoordinator {
    start: Coordinator,
    event: String,
    client: Client,
    streams: Streams,
    announcement: Vec<u8>,
    epoch: CoordinatorEpoch,
    tickets: Tickets,
    begun: Instant,
    /// It was said that no worker is there.
    alone: bool,
    classes: Classes,
    outstanding: HashMap<PairId, Outstanding>,
    /// How many of them each class has.
    of_class: Vec<usize>,
    publishing: Later<Published>,
    settling: Later<Settled>,
    closing: Later<Closed>,
    workers: BTreeMap<String, KnownWorker>,
    /// Workers whose results are refused, each with the reason.
    barred: BTreeMap<String, String>,
    /// Workers of whom nobody can say whether they are right, each with the reason: they play on.
    doubted: BTreeMap<String, String>,
    /// What was said of them.
    doubts: BTreeSet<String>,
    recomputing: Recomputing,
    seconds: Seconds,
    /// The longest time that a pair was played.
    longest: Duration,
    /// Pairs that were played again for nothing.
    twice: u64,
    record: File,
    stop: watch::Receiver<Stop>,
    disqualified: watch::Receiver<Disqualifications>,
    /// Since when nothing more is given out.
    ending: Option<Instant>,
}

impl RunningCoordinator {
    fn farm(&self) -> &Farm {
        &self.start.coordination.farm
    }

    /// Where a pair of this class is published.
    fn subject(&self, class: usize, pair: PairId) -> String {
        self.farm().job(&self.event, &self.classes.all[class], pair)
    }

    /// Runs until the dispatcher has no more pairs, or wants no more.
    ///
    /// # Errors
    /// Another coordinator has taken the farm over.
    async fn run(mut self, mut listening: Listening) -> Result<(), FarmError> {
        let (to, mut results) = mpsc::channel(WAITING);
        let results_of = results::pass_on(self.streams.clone(), self.event.clone(), to);
        let passing = tokio::spawn(results_of);
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let source = Arc::clone(&self.start.source);
        while !self.is_over() {
            let wants_more = self.ending.is_none() && self.has_room();
            tokio::select! {
                biased;
                Ok(()) = self.stop.changed() => self.obey().await,
                Some(settled) = self.settling.next() => self.settle(settled).await,
                Some(closed) = self.closing.next() => self.closed(closed).await,
                Some(published) = self.publishing.next() => self.published(published),
                Some(message) = results.recv() => self.take(message).await,
                Some(message) = listening.beats.next() => self.hear(&message.subject, &message.payload),
                Some(recomputed) = self.recomputing.next() => self.recomputed(recomputed),
                Some(message) = listening.asked.next() => self.tell_who(message.reply).await,
                Some(change) = listening.changes.recv() => self.changed(&change).await,
                job = source.next(), if wants_more => match job {
                    Some(job) => self.give_out(job).await,
                    None => self.ending = Some(Instant::now()),
                },
                _ = beat.tick() => self.beat().await,
            }
        }
        passing.abort();
        if let Some(fenced) = self.epoch.fenced.take() {
            // What the server has is the other's.
            return Err(fenced);
        }
        self.finish_recomputing().await;
        // Else the next run would take what is stored for played twice.
        let _late = timeout(BEAT, async {
            while let Some(closed) = self.closing.next().await {
                self.closed(closed).await;
            }
        })
        .await;
        if *self.stop.borrow() < Stop::VoidGames {
            self.streams.forget(&self.event, &self.classes).await;
        }
        let _gone = timeout(BEAT, self.client.flush()).await;
        Ok(())
    }

    fn is_over(&self) -> bool {
        let now = *self.stop.borrow() >= Stop::VoidGames || self.epoch.fenced.is_some();
        now || (self.ending.is_some() && self.outstanding.is_empty() && self.seconds.is_empty())
    }

    async fn say(&self, subject: String, message: &impl Serialize) {
        match serde_json::to_vec(message) {
            Ok(bytes) => {
                // What is lost is asked for again.
                let _lost = self.client.publish(subject, bytes.into()).await;
            }
            Err(error) => tracing::error!(%error, "a message cannot be written"),
        }
    }
}

/// Writes a line of JSON to a record of what workers do.
fn write_down(line: &impl Serialize, mut record: &File, what: &str) {
    let line = serde_json::to_string(line).map_err(io::Error::other);
    if let Err(error) = line.and_then(|line| writeln!(record, "{line}")) {
        tracing::warn!(%error, "{what} is not written down");
    }
}

/// An error with its causes.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&cause| cause.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
