//! A lane as it looks from outside: whether it moves, what it does, and whether its word still counts.

use std::fmt;
use std::future::pending;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::interval;

use crate::event::PairId;
use crate::platform::proc;
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, NextJob, Report, WorkSource};
use crate::text::printable;

/// How often a lane that moves shows it.
const BEAT: Duration = Duration::from_secs(1);

/// What a lane does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Deed {
    /// It looks for a pair, or waits for one.
    #[default]
    Waits,
    /// It starts this engine.
    Starts(String),
    /// It plays a game.
    Plays,
    /// It ends engines, or puts them back: this one was the last.
    Ends(String),
}

impl fmt::Display for Deed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Waits => out.write_str("between two pairs"),
            Deed::Starts(name) => write!(out, "starting the engine \"{}\"", printable(name)),
            Deed::Plays => out.write_str("in a game"),
            Deed::Ends(name) => write!(out, "ending the engine \"{}\"", printable(name)),
        }
    }
}

/// The state of a lane. It is the lane's source of work too: what a lane says that was given up is not heard.
#[derive(Debug)]
pub(super) struct Pulse {
    lane: usize,
    source: Arc<dyn WorkSource>,
    beats: AtomicU64,
    thread: AtomicI32,
    state: Mutex<PulseState>,
    stop: watch::Sender<Stop>,
}

#[derive(Debug, Default)]
struct PulseState {
    deed: Deed,
    pair: Option<PairId>,
    given_up: bool,
}

impl Pulse {
    pub(super) fn new(lane: usize, source: Arc<dyn WorkSource>) -> Arc<Pulse> {
        let asked = *source.stop().borrow();
        Arc::new(Pulse {
            lane,
            source,
            beats: AtomicU64::new(0),
            thread: AtomicI32::new(0),
            state: Mutex::default(),
            stop: watch::Sender::new(asked),
        })
    }

    /// Shows that the lane moves, and passes on what the source asks. Runs in the lane, together with its work.
    pub(super) async fn beat(self: Arc<Pulse>) {
        self.thread.store(proc::this_thread(), Ordering::Relaxed);
        let mut asked = self.source.stop();
        let mut ticks = interval(BEAT);
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

    /// How often it has shown that it moves.
    pub(super) fn beats(&self) -> u64 {
        self.beats.load(Ordering::Relaxed)
    }

    /// From here on the lane does this.
    pub(super) fn does(&self, deed: Deed) {
        self.state().deed = deed;
    }

    /// How far a stop has gone for all lanes.
    pub(super) fn asked(&self) -> Stop {
        *self.source.stop().borrow()
    }

    /// The lane has not moved for this number of seconds: whatever it says later is not heard, and if it ever moves
    /// again it ends.
    pub(super) fn give_up(&self, seconds: u32, replaced: bool) {
        let mut state = self.state();
        state.given_up = true;
        Stop::Kill.ask(&self.stop);
        let call = proc::kernel_function(self.thread.load(Ordering::Relaxed));
        let call = call.map(|call| format!(" (in the kernel: {call})"));
        let words = format!(
            "lane {} stood still for {seconds} s, {}{}",
            self.lane + 1,
            state.deed,
            call.unwrap_or_default()
        );
        self.source.report(Report::Overdue {
            lane: self.lane,
            pair: state.pair,
            words,
            replaced,
        });
    }

    fn state(&self) -> MutexGuard<'_, PulseState> {
        // Nothing in here can leave it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkSource for Pulse {
    fn next(&self) -> NextJob<'_> {
        Box::pin(async {
            let job = self.source.next().await?;
            let given_up = self.state().given_up;
            if given_up {
                // It is given out again.
                self.source.report(Report::Done(job.pair));
            }
            (!given_up).then_some(job)
        })
    }

    fn report(&self, report: Report) {
        // Held until the source has it: what is reported here is before or after the word that the lane is given up.
        let mut state = self.state();
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
