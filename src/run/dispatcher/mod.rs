//! The only place that knows what is running: hands pairs to lanes, has facts
//! stored, tells the listeners, and stops.
//!
//! **Invariant: a game is announced only when it is durable.** A game goes from its lane to the
//! store. Only when the store returns it is it counted, and shown to listeners.
//!
//! | file | what |
//! |---|---|
//! | this one | what is known, whom it listens to, how it stops |
//! | `phase` | the phase of a run, and why it ended |
//! | `supply` | pairs for the lanes |
//! | `ledger` | the pairs that were given out and are not settled |
//! | `facts` | what the store says, and what follows from it: whether the host still lets games be finished, and lanes move |
//! | `control` | the commands that a run takes while it plays, and those that are kept |
//! | `decisions` | what the arbiter decides while games are played, and the event file that it may need |

mod control;
mod decisions;
mod facts;
mod ledger;
mod phase;
mod supply;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use decisions::NewFile;
use facts::HostFaultCount;
use ledger::Ledger;
use phase::RunPhase;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};

use super::continuation::Continued;
use super::control::{PendingRequest, SharedRemoteStatus};
use super::error::RunError;
use super::listeners::Listeners;
use super::places::Neighbours;
use super::signals::{Signals, Stop};
use super::source::{RemarkKind, Report, StoredConsequences, WorkGiver};
use super::work::Work;
use crate::config::Tournament;
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::event::{Decisions, GameId, Seat};
use crate::host::disk_space::FreeSpace;
use crate::store::{Store, StoreNotice};
use crate::text::printable;
use crate::tournament::{EventPhase, EventState, EventView};

pub(crate) use control::Instructions;
pub(crate) use decisions::NextRun;
pub(crate) use phase::{EndReason, NewBeginning};

/// How often displays are refreshed when nothing happens.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// Everything a run consists of, once it has begun.
pub(crate) struct Dispatcher<'run> {
    pub tournament: Arc<Tournament>,
    /// What has happened in the event, and what follows from it.
    pub event: EventView,
    pub supply: PairSupply,
    /// The truth.
    pub store: &'run Store,
    pub notices: &'run mut mpsc::UnboundedReceiver<StoreNotice>,
    pub listeners: &'run mut Listeners,
    /// What the operator asks of the run.
    pub control: mpsc::UnboundedReceiver<PendingRequest>,
    pub signals: Signals,
    /// Warns when the disk becomes full.
    pub room: FreeSpace,
    /// Warns when another event begins on this machine.
    pub neighbours: Neighbours,
    /// Knows the engines' groups.
    pub guardian: Guardian,
    /// What other machines do for this run.
    pub remote: SharedRemoteStatus,
    /// When the time of the event is over, if it has one.
    pub ends: Option<Instant>,
    /// Checks the event file when a decision needs another.
    pub next_run: NextRun,
    pub state: DispatcherState,
}

/// The pairs that are left, and the lanes that take them.
pub(crate) struct PairSupply {
    pub work: Work,
    /// What follows the planned pairs, if that depends on the results.
    pub continued: Option<Continued>,
    /// What the lanes hear and say.
    pub giver: WorkGiver,
    /// How many lanes play.
    pub lanes: usize,
    /// Minimum number of pairs that wait in the queue, for lanes that are on other machines.
    pub ahead: usize,
}

/// What has happened in this run.
#[derive(Debug)]
pub(crate) struct DispatcherState {
    /// Pairs that were given out and are not settled.
    ledger: Ledger,
    /// What was said of lanes that were given up.
    overdue: Vec<String>,
    /// Games with the store.
    unstored: u64,
    /// Lanes that wait until a game is durable.
    waiting: HashMap<GameId, oneshot::Sender<()>>,
    /// Engines that were named for what loses no game, and for what.
    named: BTreeSet<(u16, RemarkKind)>,
    /// No notice will come from the store any more.
    store_gone: bool,
    /// Games that were voided, and have not been played to an end since.
    voided: BTreeMap<GameId, [Seat; 2]>,
    host_faults: HostFaultCount,
    /// The arbiter's decisions, as far as they have been read.
    decisions: Decisions,
    /// The event file that a decision needs.
    new_file: NewFile,
    /// How many lanes there were at the beginning.
    lanes: usize,
    /// What the operator wants.
    instructions: Instructions,
    phase: RunPhase,
}

impl DispatcherState {
    /// Nothing has happened yet; `lanes` is the number of lanes, `decisions` what the
    /// arbiter has decided so far.
    pub(crate) fn new(
        lanes: usize,
        decisions: Decisions,
        instructions: Instructions,
    ) -> DispatcherState {
        DispatcherState {
            ledger: Ledger::default(),
            overdue: Vec::new(),
            unstored: 0,
            waiting: HashMap::new(),
            named: BTreeSet::new(),
            store_gone: false,
            voided: BTreeMap::new(),
            host_faults: HostFaultCount::new(lanes),
            decisions,
            new_file: NewFile::NotNeeded,
            lanes,
            instructions,
            phase: RunPhase::Playing { waits: None },
        }
    }

    /// How many pairs may be played at once.
    fn most_pairs(&self) -> usize {
        self.instructions.most_pairs(self.lanes)
    }

    /// Nobody will play the games of these engines again.
    fn forget_voids_of(&mut self, is_out: impl Fn(u16) -> bool) {
        let concerns = |seats: &[Seat; 2]| seats.iter().any(|seat| is_out(seat.engine));
        self.voided.retain(|_, seats| !concerns(seats));
    }

    /// Whether games stay void that are not about to be played again.
    fn has_holes(&self) -> bool {
        let mut voided = self.voided.keys();
        !voided.all(|game| self.ledger.is_open(game.pair))
    }
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct RunEnding {
    /// Why.
    pub reason: EndReason,
    /// Games that have to be played again.
    pub voided: u64,
    /// The engines' files that it began with: a run that continues with the same event file plays with them.
    pub(crate) originals: Option<Arc<Originals>>,
}

impl RunEnding {
    /// Stopped by a signal with this exit code before anything was played.
    pub fn stopped(code: u8) -> RunEnding {
        RunEnding {
            reason: EndReason::Signal(code),
            ..RunEnding::default()
        }
    }

    /// 128 and the number of the signal that stopped it, if one did.
    pub fn signal(&self) -> Option<u8> {
        match self.reason {
            EndReason::Signal(code) => Some(code),
            _ => None,
        }
    }
}

impl Dispatcher<'_> {
    /// Runs until every lane has ended and every game is stored.
    ///
    /// # Errors
    /// The store or a file of results failed; everything that was announced is safe.
    pub(crate) async fn run(mut self) -> Result<RunEnding, RunError> {
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Skip);
        self.publish_disqualifications();
        self.repeat_instructions();
        if self.event.read(EventState::is_decided) {
            self.end(EndReason::NothingLeft);
        }
        self.hand_out();
        while self.supply.lanes > 0
            || (self.state.unstored > 0 && !matches!(self.state.phase, RunPhase::Failing(_)))
            || self.waits_for_new_file()
        {
            tokio::select! {
                biased;
                Some(report) = self.supply.giver.reports.recv() => self.hear_lane(report),
                notice = self.notices.recv(), if !self.state.store_gone => match notice {
                    Some(notice) => self.hear_store(notice),
                    None => self.miss_store(),
                },
                Some(asked) = self.control.recv() => self.answer(asked),
                (stop, code) = self.signals.next() => self.obey(stop, code),
                checked = self.state.new_file.checked() => self.hear_new_file(checked),
                error = self.listeners.failure() => self.fail(RunError::Sink(error)),
                _ = heartbeat.tick() => self.beat(),
            }
        }
        // What runs when a test is decided may be void, and nothing is missing then.
        let voided = if self.event.read(EventState::is_decided) {
            0
        } else {
            self.state.voided.len() as u64
        };
        let reason = self.state.phase.into_reason()?;
        // Another run that goes on with the event is no stop of it.
        if !matches!(reason, EndReason::Again(_)) {
            self.event.update(|event| event.acts(None));
        }
        Ok(RunEnding {
            reason,
            voided,
            originals: None,
        })
    }

    fn hear_lane(&mut self, report: Report) {
        match report {
            Report::Begun { pair, lane } => {
                self.state.ledger.begun(pair, lane);
                self.listeners.begun(pair, lane);
            }
            Report::Game { game, stored } => {
                self.state.unstored += 1;
                self.state.ledger.submitted(&game);
                if let Some(lane) = stored.filter(|_| !self.state.store_gone) {
                    self.state.waiting.insert(game.id, lane);
                }
                self.store.submit(*game);
            }
            Report::Waits { game, until, why } => self.hear_wait(game, until, why),
            Report::Remark {
                engine,
                kind,
                words,
            } => self.name_once(engine, kind, &words),
            Report::Done(pair) => {
                self.state.ledger.done(pair);
                self.settle(pair);
            }
            Report::Overdue {
                lane,
                pair,
                words,
                replaced,
            } => {
                tracing::error!(?pair, "{words}");
                self.give_up(lane, words, replaced);
            }
            Report::Ended { lane } => {
                self.supply.lanes -= 1;
                for pair in self.state.ledger.lane_ended(lane) {
                    tracing::error!(lane, ?pair, "a lane has ended in the middle of a pair");
                    self.settle(pair);
                }
            }
        }
        self.hand_out();
    }

    /// Names an engine, for the first thing of this kind that it does.
    fn name_once(&mut self, engine: u16, kind: RemarkKind, words: &str) {
        let spec = self.tournament.engines.get(usize::from(engine));
        if let Some(spec) = spec.filter(|_| self.state.named.insert((engine, kind))) {
            let name = printable(&spec.name);
            tracing::warn!(%name, words, "an engine is named");
            self.listeners
                .say(&format!("warning: engine \"{name}\": {words}"));
        }
    }

    /// Tells the lanes who plays no more pairs.
    fn publish_disqualifications(&self) {
        let event = &self.event;
        self.supply.giver.tell(StoredConsequences {
            out: self.supply.work.withdrawn().clone(),
            unexcused: event.read(|event| event.fault_counts().unexcused().collect()),
        });
    }

    fn beat(&mut self) {
        let running = self.state.ledger.running();
        let activity = match self.state.phase.waits() {
            _ if self.state.instructions.paused => EventPhase::Paused,
            Some(round) => EventPhase::Waiting(round.clone()),
            None => EventPhase::Playing,
        };
        self.event.update(|event| {
            event.runs(running);
            event.waits(self.state.ledger.waiting());
            event.acts(Some(activity));
        });
        self.listeners.refresh();
        self.store.look_for_decisions();
        self.check_refused_file();
        let warnings = [self.room.warning(), self.neighbours.warning()];
        for warning in warnings.iter().flatten() {
            self.listeners.say(warning);
        }
        self.guardian.replace_if_gone();
        if self.state.phase.waits().is_some() {
            self.hand_out();
        }
        if self.ends.is_some_and(|ends| Instant::now() >= ends) {
            self.raise(Stop::FinishPairs, EndReason::NothingLeft);
        }
    }

    /// Ends the run as a signal asks for it.
    pub(crate) fn obey(&mut self, stop: Stop, code: u8) {
        self.listeners.say(match stop {
            Stop::FinishPairs => "Finishing the pairs in progress; Ctrl-C again stops now.",
            Stop::Kill => "Ending the engines now.",
            _ => "Stopping now; the next run goes on with the games in progress, or plays short ones again.",
        });
        if stop >= Stop::VoidGames {
            // Whoever asks for an end now waits for no slow engine, and for no program that has locked the store.
            self.guardian.hurry();
            self.store.give_up();
        }
        self.raise(stop, EndReason::Signal(code));
    }

    /// Nothing more can be stored or shown: give up, keep what is safe.
    fn fail(&mut self, error: RunError) {
        tracing::error!(%error, "the run stops");
        self.state.phase.fail(error);
        self.raise(Stop::VoidGames, EndReason::NothingLeft);
    }

    /// Ends the run at once, or as soon as this allows.
    fn raise(&mut self, stop: Stop, reason: EndReason) {
        stop.ask(&self.supply.giver.stop);
        self.take_back();
        self.end(reason);
        if stop == Stop::Kill {
            self.guardian.kill_all();
        }
    }
}
