//! The only place that knows what is running: hands pairs to lanes, has facts
//! stored, tells the sinks, and stops.
//!
//! **Invariant: nobody hears of a game before it is durable.** A game goes from
//! its lane to the store, and comes back from there before any sink sees it.
//!
//! | file | what |
//! |---|---|
//! | this one | what is known, whom it listens to, how it stops |
//! | `supply` | pairs for the lanes |
//! | `facts` | what the store says, and what follows from it |

mod facts;
mod supply;

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval};

use crate::event::{GameId, PairId};
use crate::run::adaptive::Adaptive;
use crate::run::error::RunError;
use crate::run::guardian::Guardian;
use crate::run::lane::Report;
use crate::run::queue::Queue;
use crate::run::room::Room;
use crate::run::signals::{Signals, Stop};
use crate::run::stop_rule::StopRule;
use crate::run::work::Work;
use crate::sink::Sinks;
use crate::stats::conduct::Conduct;
use crate::store::{Store, StoreNotice};

/// How often displays are refreshed when nothing happens.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// Everything a run consists of, once it has begun.
pub struct Dispatcher<'run> {
    /// What is left to play.
    pub work: Work,
    /// What follows it, if that depends on the results.
    pub adaptive: Option<Adaptive>,
    /// What the engines have done, and who is disqualified for it.
    pub conduct: Conduct,
    /// Where the lanes take pairs from.
    pub queue: &'run Queue,
    /// How many lanes play.
    pub lanes: usize,
    /// What the lanes say.
    pub reports: mpsc::UnboundedReceiver<Report>,
    /// Tells the lanes to stop.
    pub stop: watch::Sender<Stop>,
    /// The truth.
    pub store: &'run Store,
    /// What the store says.
    pub notices: mpsc::UnboundedReceiver<StoreNotice>,
    /// Who listens.
    pub sinks: &'run mut Sinks,
    /// Ends the run early, by statistics or by the clock.
    pub stop_rule: StopRule,
    /// Warns when the disk becomes full.
    pub room: Room,
    /// Knows the engines' groups.
    pub guardian: Guardian,
    /// What the user says.
    pub signals: Signals,
    /// Where this run stands.
    pub state: State,
}

/// What has happened in this run.
#[derive(Debug, Default)]
pub struct State {
    running: BTreeSet<PairId>,
    /// Pairs that were handed out and are not done.
    outstanding: u64,
    /// Games with the store.
    unstored: u64,
    /// No notice will come from the store any more.
    store_gone: bool,
    /// Whether no more pairs are handed out.
    closed: bool,
    /// Games that were voided, and have not been played to an end since.
    voided: BTreeSet<GameId>,
    exit_code: Option<u8>,
    failure: Option<RunError>,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Ending {
    /// 128 and the number of the signal that stopped it, if one did.
    pub signal: Option<u8>,
    /// Games that have to be played again.
    pub voided: u64,
}

impl Dispatcher<'_> {
    /// Runs until every lane has ended and every game is stored.
    ///
    /// # Errors
    /// The store or a sink failed; everything that was announced is safe.
    pub async fn run(mut self) -> Result<Ending, RunError> {
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Skip);
        self.hand_out();
        while self.lanes > 0 || (self.state.unstored > 0 && self.state.failure.is_none()) {
            tokio::select! {
                biased;
                Some(report) = self.reports.recv() => self.hear_lane(report),
                notice = self.notices.recv(), if !self.state.store_gone => match notice {
                    Some(notice) => self.hear_store(notice),
                    None => self.miss_store(),
                },
                (stop, code) = self.signals.next() => self.obey(stop, code),
                _ = heartbeat.tick() => self.beat(),
            }
        }
        match self.state.failure {
            Some(failure) => Err(failure),
            None => Ok(Ending {
                signal: self.state.exit_code,
                voided: self.state.voided.len() as u64,
            }),
        }
    }

    fn hear_lane(&mut self, report: Report) {
        match report {
            Report::Begun(pair) => {
                self.state.running.insert(pair);
                self.hand_out();
            }
            Report::Game(game) => {
                self.state.unstored += 1;
                self.store.submit(*game);
            }
            Report::Done(pair) => {
                self.state.running.remove(&pair);
                self.state.outstanding -= 1;
                self.hand_out();
            }
            Report::Ended => {
                self.lanes -= 1;
                if self.adaptive.is_some() && !self.state.closed {
                    // A lane has failed, and with it pairs that a choice would wait for.
                    self.close();
                }
            }
        }
    }

    fn beat(&mut self) {
        if let Err(error) = self.sinks.refresh(self.state.running.len()) {
            self.fail(RunError::Sink(error));
        }
        if let Some(warning) = self.room.warning() {
            self.sinks.say(&warning);
        }
        self.guardian.replace_if_gone();
        if self.stop_rule.time_is_up() {
            self.raise(Stop::FinishPairs);
        }
    }

    fn obey(&mut self, stop: Stop, code: u8) {
        // The first signal names the exit code.
        self.state.exit_code.get_or_insert(code);
        self.sinks.say(match stop {
            Stop::FinishPairs => "stopping: the running pairs are finished (once more: now)",
            Stop::Kill => "killing the engines",
            _ => "stopping: the running games are voided and will be played again",
        });
        self.raise(stop);
    }

    /// Nothing more can be stored or shown: give up, keep what is safe.
    fn fail(&mut self, error: RunError) {
        tracing::error!(%error, "the run stops");
        if self.state.failure.is_none() {
            self.state.failure = Some(error);
        }
        self.raise(Stop::VoidGames);
    }

    fn raise(&mut self, stop: Stop) {
        self.stop.send_if_modified(|level| {
            let higher = stop > *level;
            *level = stop.max(*level);
            higher
        });
        self.queue.clear();
        if !self.state.closed {
            self.close();
        }
        if stop == Stop::Kill {
            self.guardian.kill_all();
        }
    }
}
