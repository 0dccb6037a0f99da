//! A thread outside the lanes that looks whether they still move. A lane may be held up by the system for ever: by a
//! program on a disk that does not answer, by a process that cannot be ended. Then its engines are ended, what it
//! plays is given to another lane in its place, and the run comes to its end without it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::pulse::Pulse;
use super::{LaneContext, start};
use crate::run::queue::Queue;
use crate::run::signals::Stop;
use crate::run::source::{Report, WorkSource};

/// How often it looks. Looks are counted, not time: a machine that sleeps, or a program that is stopped, sleeps with
/// all its threads.
const LOOK: Duration = Duration::from_secs(1);

/// How often a lane is replaced in one run.
const MOST_REPLACED: u32 = 3;

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
        let begun = |(index, cpus)| Supervised::begin(index, shared.in_lane(index, cpus));
        let lanes: io::Result<Vec<Supervised>> = (0..).zip(cpus).map(begun).collect();
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
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(panicked)?)
    }
}

fn supervise(mut lanes: Vec<Supervised>, over: &Receiver<()>) -> Vec<Thread> {
    while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        lanes.iter_mut().for_each(Supervised::look);
    }
    lanes.into_iter().filter_map(|lane| lane.thread).collect()
}

/// A lane that is watched.
#[derive(Debug)]
struct Supervised {
    index: usize,
    shared: LaneContext,
    pulse: Arc<Pulse>,
    /// `None` once it was given up and not replaced.
    thread: Option<Thread>,
    beats: u64,
    /// Looks in a row that have seen no beat.
    missed: u32,
    replaced: u32,
}

impl Supervised {
    fn begin(index: usize, mut shared: LaneContext) -> io::Result<Supervised> {
        shared.around.guardian = shared.around.guardian.apart();
        let source: Arc<dyn WorkSource> = Arc::clone(&shared.source);
        let pulse = Pulse::new(index, source);
        let thread = start(index, shared.clone(), Arc::clone(&pulse))?;
        Ok(Supervised {
            index,
            shared,
            pulse,
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
        let beats = self.pulse.beats();
        self.missed = if beats == self.beats {
            self.missed + 1
        } else {
            0
        };
        self.beats = beats;
        let stop = self.pulse.asked();
        if self.missed >= allowed(stop) {
            self.give_up(stop);
        }
    }

    fn give_up(&mut self, stop: Stop) {
        let replaced = stop < Stop::VoidGames && self.replaced < MOST_REPLACED;
        self.pulse.give_up(self.missed, replaced);
        self.thread = None;
        self.shared.around.guardian.kill_own();
        if !replaced {
            return;
        }
        match Supervised::begin(self.index, self.shared.clone()) {
            Ok(next) => {
                let replaced = self.replaced + 1;
                *self = Supervised { replaced, ..next };
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
