//! A thread outside the lanes that looks whether they still move. A lane may be held up by the system for ever: by a
//! program on a disk that does not answer, by a process that cannot be ended. Then its engines are ended, what it
//! plays is given to another lane in its place, and the run comes to its end without it.

use std::future::pending;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::interval;

use super::{LaneContext, start};
use crate::event::PairId;
use crate::platform::{lock, proc};
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, NextJob, Queue, Report, WorkSource};
use crate::text::about;

/// How often it looks. Looks are counted, not time: a machine that sleeps, or a program that is stopped, sleeps with
/// all its threads.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How often a lane is replaced in one run.
const MAX_REPLACEMENTS: u32 = 3;

/// The end of a lane's thread.
type Thread = JoinHandle<io::Result<()>>;

/// The lanes of a run, and the thread that watches them.
#[derive(Debug)]
pub(crate) struct Lanes {
    over: Sender<()>,
    supervisor: JoinHandle<Vec<Thread>>,
}

impl Lanes {
    /// Starts a lane for each set of processors, and who watches them. If one cannot be started, those that were end.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(crate) fn start(
        shared: &LaneContext,
        cpus: Vec<Vec<u16>>,
        queue: &Queue,
    ) -> io::Result<Lanes> {
        let begun = |(index, cpus)| {
            let around = shared.around.of_lane(index, cpus);
            let shared = LaneContext {
                around,
                ..shared.clone()
            };
            SupervisedLane::begin(index, shared)
        };
        let lanes: io::Result<Vec<SupervisedLane>> = (0..).zip(cpus).map(begun).collect();
        let (over, ended) = channel();
        let supervised = lanes.and_then(|lanes| {
            let builder = Builder::new().name("supervisor".to_owned());
            builder.spawn(move || supervise(lanes, &ended))
        });
        if supervised.is_err() {
            // The lanes that did start have nothing to do.
            queue.close();
        }
        Ok(Lanes {
            over,
            supervisor: supervised?,
        })
    }

    /// Waits for the end of all lanes that were not given up.
    ///
    /// # Errors
    /// From a lane: it got no runtime, or it panicked, which it has said on stderr.
    pub(crate) fn join(self) -> io::Result<()> {
        drop(self.over);
        let panicked = |_| io::Error::other("a lane panicked");
        let threads = self.supervisor.join().map_err(panicked)?;
        let mut threads = threads.into_iter();
        threads.try_for_each(|thread| thread.join().map_err(panicked)?)
    }
}

fn supervise(mut lanes: Vec<SupervisedLane>, over: &Receiver<()>) -> Vec<Thread> {
    while over.recv_timeout(CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        lanes.iter_mut().for_each(SupervisedLane::look);
    }
    lanes.into_iter().filter_map(|lane| lane.thread).collect()
}

/// A lane that is watched.
#[derive(Debug)]
struct SupervisedLane {
    index: usize,
    shared: LaneContext,
    heartbeat: Arc<LaneHeartbeat>,
    /// `None` once it was given up and not replaced.
    thread: Option<Thread>,
    beats: u64,
    /// Looks in a row that have seen no beat.
    missed: u32,
    replaced: u32,
}

impl SupervisedLane {
    fn begin(index: usize, mut shared: LaneContext) -> io::Result<SupervisedLane> {
        shared.around.guardian = shared.around.guardian.apart();
        let source: Arc<dyn WorkSource> = Arc::clone(&shared.source);
        let heartbeat = LaneHeartbeat::new(index, source);
        let thread = start(index, shared.clone(), Arc::clone(&heartbeat))?;
        Ok(SupervisedLane {
            index,
            shared,
            heartbeat,
            thread: Some(thread),
            beats: 0,
            missed: 0,
            replaced: 0,
        })
    }

    fn look(&mut self) {
        if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            return;
        }
        let beats = self.heartbeat.beats.load(Ordering::Relaxed);
        self.missed = if beats == self.beats {
            self.missed + 1
        } else {
            0
        };
        self.beats = beats;
        let stop = *self.shared.source.stop().borrow();
        if self.missed >= allowed(stop) {
            self.give_up(stop);
        }
    }

    fn give_up(&mut self, stop: Stop) {
        let replaced = stop < Stop::VoidGames && self.replaced < MAX_REPLACEMENTS;
        self.heartbeat.give_up(self.missed, replaced);
        self.thread = None;
        self.shared.around.guardian.kill_own();
        if !replaced {
            return;
        }
        match SupervisedLane::begin(self.index, self.shared.clone()) {
            Ok(next) => {
                let replaced = self.replaced + 1;
                *self = SupervisedLane { replaced, ..next };
            }
            Err(error) => {
                tracing::error!(%error, "a lane cannot be replaced");
                let lane = self.index;
                self.shared.source.report(Report::Ended { lane });
            }
        }
    }
}

/// The looks in a row that a lane may miss. Nothing that it does of itself takes a second without a pause; a machine
/// with sixty programs for each processor may.
fn allowed(stop: Stop) -> u32 {
    match stop {
        Stop::No | Stop::FinishPairs => 30,
        Stop::VoidGames => 10,
        Stop::Kill => 3,
    }
}

/// How often a lane that moves shows it.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// What a lane does between two pairs.
pub(super) const WAITS: &str = "between two pairs";

/// The state of a lane. It is the lane's source of work too: what a lane says that was given up is not heard.
#[derive(Debug)]
pub(super) struct LaneHeartbeat {
    lane: usize,
    source: Arc<dyn WorkSource>,
    beats: AtomicU64,
    thread: AtomicI32,
    state: Mutex<LaneState>,
    stop: watch::Sender<Stop>,
}

#[derive(Debug, Default)]
struct LaneState {
    /// What it does, in words.
    activity: String,
    pair: Option<PairId>,
    given_up: bool,
}

impl LaneHeartbeat {
    pub(super) fn new(lane: usize, source: Arc<dyn WorkSource>) -> Arc<LaneHeartbeat> {
        let asked = *source.stop().borrow();
        Arc::new(LaneHeartbeat {
            lane,
            source,
            beats: AtomicU64::new(0),
            thread: AtomicI32::new(0),
            state: Mutex::new(LaneState {
                activity: WAITS.to_owned(),
                ..LaneState::default()
            }),
            stop: watch::Sender::new(asked),
        })
    }

    /// Shows that the lane moves, and passes on what the source asks. Runs in the lane, together with its work.
    pub(super) async fn beat(self: Arc<LaneHeartbeat>) {
        self.thread.store(proc::this_thread(), Ordering::Relaxed);
        let mut asked = self.source.stop();
        let mut ticks = interval(HEARTBEAT_INTERVAL);
        loop {
            asked.borrow_and_update().ask(&self.stop);
            self.beats.fetch_add(1, Ordering::Relaxed);
            tokio::select! {
                _ = ticks.tick() => {}
                Ok(()) = asked.changed() => {}
                else => pending().await,
            }
        }
    }

    /// From here on the lane does this.
    pub(super) fn set_activity(&self, activity: String) {
        lock(&self.state).activity = activity;
    }

    /// The lane has not moved for this number of seconds: whatever it says later is not heard, and if it ever moves
    /// again it ends.
    pub(super) fn give_up(&self, seconds: u32, replaced: bool) {
        let mut state = lock(&self.state);
        state.given_up = true;
        Stop::Kill.ask(&self.stop);
        let call = proc::kernel_function(self.thread.load(Ordering::Relaxed));
        let call = call.map(|call| format!(" (in the kernel: {call})"));
        let words = format!(
            "lane {} stood still for {}, {}{}",
            self.lane + 1,
            about(f64::from(seconds)),
            state.activity,
            call.unwrap_or_default()
        );
        self.source.report(Report::Overdue {
            lane: self.lane,
            pair: state.pair,
            words,
            replaced,
        });
    }
}

impl WorkSource for LaneHeartbeat {
    fn next(&self) -> NextJob<'_> {
        Box::pin(async {
            let job = self.source.next().await?;
            let given_up = lock(&self.state).given_up;
            if given_up {
                // It is given out again.
                self.source.report(Report::Done(job.pair));
            }
            (!given_up).then_some(job)
        })
    }

    fn report(&self, report: Report) {
        // Held until the source has it: what is reported here is before or after the word that the lane is given up.
        let mut state = lock(&self.state);
        if state.given_up {
            return;
        }
        match &report {
            Report::Begun { pair, .. } => state.pair = Some(*pair),
            Report::Done(_) => state.pair = None,
            _ => {}
        }
        self.source.report(report);
    }

    fn stop(&self) -> watch::Receiver<Stop> {
        self.stop.subscribe()
    }

    fn disqualified(&self) -> watch::Receiver<Disqualifications> {
        self.source.disqualified()
    }
}
