//! Where lanes get their work from, and where their facts go.
//!
//! **Invariant: a lane knows no more of the rest of the program than this.** Its pairs may
//! come from the dispatcher in the same process, from another machine or from a test: it makes
//! no difference to the lane. Rules for every implementation:
//!
//! * a pair that was given out is held by one lane until that lane says `Done`, or `Ended`;
//!   what the lane has not reported by then is given out again;
//! * [`GameId`](crate::event::GameId) is the key of a fact: a game that is reported twice counts once;
//! * an implementation that needs signs of life from a lane's holder (a lease) sends them itself:
//!   a lane is busy with its engines.

use std::collections::{BTreeSet, VecDeque};
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::{fmt, io};

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId, PlayedGame, UnixMillis};
use crate::platform::lock;
use crate::run::control::SharedRemoteStatus;
use crate::run::error::RemoteError;
use crate::run::game::Job;
use crate::run::signals::Stop;

/// At least so many pairs wait for other machines: their workers go on while the coordinator is away.
pub(crate) const PAIRS_AHEAD: usize = 64;

/// Pairs that are handed out and not begun. The dispatcher keeps it filled, a few pairs ahead of the lanes, so that no
/// lane waits for another thread between two pairs; empty and closed, it ends the lanes.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<QueueState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct QueueState {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    /// Adds a pair at the end.
    pub(crate) fn push(&self, job: Job) {
        lock(&self.state).jobs.push_back(job);
        // Not one alone: the system may hold that one up for ever.
        self.changed.notify_waiters();
    }

    /// How many pairs wait.
    pub(crate) fn len(&self) -> usize {
        lock(&self.state).jobs.len()
    }

    /// No pair follows those that wait.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_waiters();
    }

    /// Takes back the pairs that wait: they are not begun any more.
    pub(crate) fn take_back(&self) -> Vec<Job> {
        std::mem::take(&mut lock(&self.state).jobs).into()
    }

    /// Takes back the waiting pairs that this engine would play.
    pub(crate) fn withdraw(&self, engine: u16) -> Vec<Job> {
        let mut state = lock(&self.state);
        let jobs = std::mem::take(&mut state.jobs).into_iter();
        let (withdrawn, left) = jobs.partition(|job| job.spec.concerns(engine));
        state.jobs = VecDeque::from(left);
        withdrawn
    }

    /// The next pair; waits for one. `None` when no pair is left and none will follow.
    pub(crate) async fn next(&self) -> Option<Job> {
        let next = |state: &mut QueueState| match state.jobs.pop_front() {
            None if !state.closed => None,
            next => Some(next),
        };
        self.wait_for(next).await
    }

    /// Waits until no pair will follow those that wait.
    #[cfg(feature = "nats")]
    pub(crate) async fn closed(&self) {
        self.wait_for(|state| state.closed.then_some(())).await;
    }

    async fn wait_for<T>(&self, look: impl Fn(&mut QueueState) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on a notification is not missed.
            changed.as_mut().enable();
            let found = look(&mut lock(&self.state));
            if let Some(found) = found {
                return found;
            }
            changed.await;
        }
    }
}

/// What an engine can be named for although it loses no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RemarkKind {
    /// It does not obey its limit.
    LimitIgnored,
    /// It sends moves that nobody asked for.
    UnaskedMoves,
}

/// What a lane says.
#[derive(Debug)]
pub(crate) enum Report {
    /// A pair was taken.
    Begun {
        pair: PairId,
        /// The lane, from 0.
        lane: usize,
    },
    /// A game is over, or void.
    Game {
        game: Box<PlayedGame>,
        /// Told when the game is durable and [`WorkSource::disqualified`] says what follows
        /// from it; dropped if neither will be.
        stored: Option<oneshot::Sender<()>>,
    },
    /// A game that is void for this reason is not played again before this moment.
    Waits {
        game: GameId,
        until: UnixMillis,
        why: String,
    },
    /// An engine is to be named for what loses no game.
    Remark {
        engine: u16,
        /// The kind of thing that it did. Each kind is told once for each engine.
        kind: RemarkKind,
        words: String,
    },
    /// The pair is done with, for good or ill.
    Done(PairId),
    /// The lane has not moved for long, and was given up: its engines are ended, and nothing is heard of it any more.
    Overdue {
        /// The lane, from 0.
        lane: usize,
        /// The pair that it plays, if it plays one.
        pair: Option<PairId>,
        /// For how long, and what it did.
        words: String,
        /// Whether another lane begins in its place, by the same number.
        replaced: bool,
    },
    /// The lane has ended its engines and itself.
    Ended {
        /// The lane, from 0.
        lane: usize,
    },
}

/// What follows from the games that are durable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredConsequences {
    /// The engines that play no more pairs.
    pub out: BTreeSet<u16>,
    /// The engines to which nothing that the host does is excused any more.
    pub unexcused: BTreeSet<u16>,
}

/// What follows from the games that are durable, for all lanes.
pub(crate) type Disqualifications = Arc<StoredConsequences>;

/// The next pair, when there is one.
pub(crate) type NextJob<'source> = Pin<Box<dyn Future<Output = Option<Job>> + 'source>>;

/// Gives lanes their work and takes their facts.
pub(crate) trait WorkSource: Send + Sync + fmt::Debug {
    /// The next pair; waits for one. `None` when none will follow. Nothing is lost if the
    /// wait is given up.
    fn next(&self) -> NextJob<'_>;

    /// Takes what a lane has to say; returns at once.
    fn report(&self, report: Report);

    /// How far a stop has gone.
    fn stop(&self) -> watch::Receiver<Stop>;

    /// The engines that are disqualified, and excused no more, by the games that are durable.
    fn disqualified(&self) -> watch::Receiver<Disqualifications>;
}

/// Tells the source that a lane has ended, also by a panic: it would be waited for without end otherwise.
pub(crate) struct EndNotice {
    pub source: Arc<dyn WorkSource>,
    /// The lane, from 0.
    pub lane: usize,
}

impl Drop for EndNotice {
    fn drop(&mut self) {
        self.source.report(Report::Ended { lane: self.lane });
    }
}

/// The source within one process: the dispatcher's queue and its ear.
#[derive(Debug)]
pub(crate) struct LocalSource {
    /// What to play.
    pub queue: Arc<Queue>,
    /// Where to report.
    pub reports: mpsc::UnboundedSender<Report>,
    /// Whether to stop.
    pub stop: watch::Receiver<Stop>,
    /// Who is disqualified.
    pub disqualified: watch::Receiver<Disqualifications>,
}

/// The other end of a [`LocalSource`], for the part that gives out the work.
#[derive(Debug)]
pub(crate) struct WorkGiver {
    /// What is played.
    pub queue: Arc<Queue>,
    /// The reports of the lanes.
    pub reports: mpsc::UnboundedReceiver<Report>,
    /// How far a stop has gone.
    pub stop: watch::Sender<Stop>,
    /// Who is disqualified.
    pub disqualified: watch::Sender<Disqualifications>,
}

impl WorkGiver {
    /// Tells the lanes what follows from the games that are durable.
    pub(crate) fn tell(&self, consequences: StoredConsequences) {
        self.disqualified.send_if_modified(|known| {
            let other = **known != consequences;
            *known = Arc::new(consequences);
            other
        });
    }
}

impl LocalSource {
    /// A source, and its other end.
    pub(crate) fn open() -> (Arc<LocalSource>, WorkGiver) {
        let (stop, stopped) = watch::channel(Stop::No);
        let (reporter, reports) = mpsc::unbounded_channel();
        let (disqualified, disqualifications) = watch::channel(Disqualifications::default());
        let queue = Arc::new(Queue::default());
        let source = LocalSource {
            queue: Arc::clone(&queue),
            reports: reporter,
            stop: stopped,
            disqualified: disqualifications,
        };
        let giver = WorkGiver {
            queue,
            reports,
            stop,
            disqualified,
        };
        (Arc::new(source), giver)
    }
}

impl WorkSource for LocalSource {
    fn next(&self) -> NextJob<'_> {
        Box::pin(self.queue.next())
    }

    fn report(&self, report: Report) {
        // Without a dispatcher the queue is closed as well.
        let _ = self.reports.send(report);
    }

    fn stop(&self) -> watch::Receiver<Stop> {
        self.stop.clone()
    }

    fn disqualified(&self) -> watch::Receiver<Disqualifications> {
        self.disqualified.clone()
    }
}

/// A game that was reported, and whether it is durable yet.
pub(crate) fn reported(game: PlayedGame) -> (Report, oneshot::Receiver<()>) {
    let (stored, heard) = oneshot::channel();
    let game = Box::new(game);
    let stored = Some(stored);
    (Report::Game { game, stored }, heard)
}

/// Lanes on other machines: to the dispatcher one lane more, which plays many pairs at once.
pub(crate) trait RemoteLanes: Send + Sync + fmt::Debug {
    /// Starts the thread that gives them pairs, before the first game.
    ///
    /// # Errors
    /// The system refuses a thread.
    fn begin(&self, run: RemoteRun) -> io::Result<RemoteThread>;
}

/// What lanes on other machines need to know of a run.
#[derive(Debug, Clone)]
pub(crate) struct RemoteRun {
    pub source: Arc<LocalSource>,
    pub tournament: Arc<Tournament>,
    pub identity: EventIdentity,
    /// The event's folder.
    pub folder: PathBuf,
    /// The number of the lane that they are to the dispatcher.
    pub lane: usize,
    /// Where it is shown what they do.
    pub status: SharedRemoteStatus,
}

impl RemoteRun {
    /// Shows in `status` what other machines wait for; returns what was shown before.
    pub(crate) fn show_what_it_waits_for(&self, words: Option<String>) -> Option<String> {
        let mut shown = lock(&self.status);
        std::mem::replace(&mut shown.waits, words)
    }
}

/// The thread that gives pairs to lanes on other machines.
#[derive(Debug)]
pub(crate) struct RemoteThread {
    pub thread: JoinHandle<Result<(), RemoteError>>,
    /// Word that the first game may begin; none comes if the thread cannot begin, and then it has ended.
    pub ready: mpsc::Receiver<()>,
}
