//! What the arbiter decides while games are played: a decision is stored before it is announced, and
//! the event is then read from the store again.

use std::collections::BTreeSet;
use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::phase::RunPhase;
use super::{Dispatcher, EndReason, NewBeginning};
use crate::config::{EngineSpec, Tournament};
use crate::engine::guardian::Guardian;
use crate::engine::probe::probe;
use crate::event::{ArbiterAct, ArbiterDecision};
use crate::run::error::RunError;
use crate::run::prepare;
use crate::run::signals::Stop;
use crate::run::work::settled_ids;
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::{Roster, act_words};

impl Dispatcher<'_> {
    /// The arbiter's book has more decisions than before.
    pub(super) fn hear_decisions(&mut self) {
        if let Err(error) = self.apply_decisions() {
            self.fail(error);
        }
    }

    fn apply_decisions(&mut self) -> Result<(), RunError> {
        let reader = self.store.reader()?;
        let known = self.state.decisions.all().len();
        let all = reader.decisions().all();
        let Some(new) = all.get(known..).filter(|new| !new.is_empty()) else {
            return Ok(());
        };
        self.state.decisions = reader.decisions().clone();
        let roster = Roster::read(&reader)?;
        for decision in new {
            let ArbiterDecision {
                id, author, reason, ..
            } = decision;
            let act = act_words(&roster, &decision.act);
            let words = format!("decision {id} by {author}: {act} ({reason})");
            let words = printable(&words);
            tracing::info!("{words}");
            if !decision.act.is_note() {
                self.listeners.say(&words);
            }
        }
        self.begin_anew(&reader)?;
        self.listeners.decided(new);
        self.go_on_in_another_run(new);
        Ok(())
    }

    /// A game was decided before it was played, and has been played all the same: the decision
    /// counts.
    pub(super) fn count_as_decided(&mut self) {
        let reader = self.store.reader();
        let counted =
            reader.and_then(|reader| self.event.update(|event| event.read_again(&reader)));
        if let Err(error) = counted {
            self.fail(RunError::Storage(error));
        }
    }

    /// Counts and plans as if the run began now, but for the pairs that are in flight.
    fn begin_anew(&mut self, reader: &Reader) -> Result<(), RunError> {
        self.event.update(|event| event.read_again(reader))?;
        self.take_back();
        let out: BTreeSet<u16> = self.event.read(|event| {
            let rulings = event.fault_counts().rulings().into_iter();
            rulings.map(|ruling| ruling.engine).collect()
        });
        let in_flight: BTreeSet<_> = self.state.ledger.pairs().collect();
        let work = &mut self.supply.work;
        work.renew(settled_ids(reader)?, out.clone(), in_flight.clone());
        for pair in in_flight {
            self.state.ledger.play_again(pair, work.settled(pair));
        }
        self.state.forget_voids_of(|engine| out.contains(&engine));
        self.publish_disqualifications();
        Ok(())
    }

    /// Another build and a late entrant need a run that reads the event file again. Any run can play a game
    /// that has to be played after the lanes have learned that nothing follows.
    fn go_on_in_another_run(&mut self, new: &[ArbiterDecision]) {
        let takes_a_start = |decision: &ArbiterDecision| {
            matches!(
                decision.act,
                ArbiterAct::Add { .. } | ArbiterAct::Replace { .. }
            )
        };
        let is_note = |decision: &ArbiterDecision| decision.act.is_note();
        if *self.supply.giver.stop.borrow() != Stop::No || new.iter().all(is_note) {
            return;
        }
        if new.iter().any(takes_a_start) {
            self.check_new_file();
        } else if !self.state.phase.is_playing() {
            self.end(EndReason::Again(NewBeginning::SameFile));
        }
    }
}

/// Reads the event file again, with all files of engines: the event that a run would play, or why none could. It may
/// take minutes, on a thread of its own.
pub(crate) type NextRun = Arc<dyn Fn() -> Result<Arc<Tournament>, String> + Send + Sync>;

/// The event file that a decision needs.
#[derive(Debug)]
pub(super) enum NewFile {
    /// None does.
    NotNeeded,
    /// It is being checked.
    Checking {
        /// Number of decisions at the beginning of this.
        decisions: usize,
        /// When it was written last.
        written: Option<SystemTime>,
        /// Ends with what is wrong, if anything is.
        check: JoinSet<Result<(), String>>,
    },
    /// It cannot be played as it is, written last at this time.
    Refused(Option<SystemTime>),
}

impl NewFile {
    /// What is wrong with the file that is being checked, if anything is; else this never ends.
    pub(super) async fn checked(&mut self) -> Result<(), String> {
        let NewFile::Checking { check, .. } = self else {
            return pending().await;
        };
        match check.join_next().await {
            Some(Ok(checked)) => checked,
            Some(Err(error)) => Err(error.to_string()),
            None => pending().await,
        }
    }
}

impl Dispatcher<'_> {
    /// Begins to check the event file. A check that is under way is heard first.
    pub(super) fn check_new_file(&mut self) {
        if matches!(self.state.new_file, NewFile::Checking { .. }) {
            return;
        }
        let mut check = JoinSet::new();
        check.spawn(checked(
            Arc::clone(&self.next_run),
            self.entrants(),
            self.guardian.clone(),
            self.store.folder().to_owned(),
        ));
        self.state.new_file = NewFile::Checking {
            decisions: self.state.decisions.all().len(),
            written: self.file_written(),
            check,
        };
    }

    /// Checks an event file again that could not be played, if it was written since.
    pub(super) fn check_refused_file(&mut self) {
        if let NewFile::Refused(written) = self.state.new_file
            && *self.supply.giver.stop.borrow() == Stop::No
            && self.file_written() != written
        {
            self.check_new_file();
        }
    }

    /// Whether the run must not end yet, though all else is done.
    pub(super) fn waits_for_new_file(&self) -> bool {
        let is_checked = matches!(self.state.new_file, NewFile::Checking { .. });
        let fails = matches!(self.state.phase, RunPhase::Failing(_));
        is_checked && !fails && *self.supply.giver.stop.borrow() == Stop::No
    }

    /// Ends this run for one that reads the event file again, if that one can begin. Otherwise this run continues,
    /// and the file is checked again when it has changed.
    pub(super) fn hear_new_file(&mut self, checked: Result<(), String>) {
        let known = std::mem::replace(&mut self.state.new_file, NewFile::NotNeeded);
        let NewFile::Checking {
            decisions, written, ..
        } = known
        else {
            return;
        };
        if *self.supply.giver.stop.borrow() != Stop::No {
            return;
        }
        if decisions != self.state.decisions.all().len() {
            return self.check_new_file();
        }
        match checked {
            Ok(()) => {
                let words =
                    "The running pairs are finished; then the event goes on with the new engine.";
                self.listeners.say(words);
                self.raise(Stop::FinishPairs, EndReason::Again(NewBeginning::NewFile));
            }
            Err(words) => {
                self.state.new_file = NewFile::Refused(written);
                let lines: Vec<_> = words.lines().map(printable).collect();
                self.listeners.say(&format!(
                    "error: the event cannot go on with the new engine: {}\nThe event goes on as it \
                     was; put the event file right, and it is read again.",
                    lines.join("\n")
                ));
            }
        }
    }

    /// The engines that came later, or with another build.
    fn entrants(&self) -> BTreeSet<String> {
        let decisions = self.state.decisions.all().iter();
        let named = decisions.filter_map(|decision| match &decision.act {
            ArbiterAct::Add { name } => Some(name.clone()),
            ArbiterAct::Replace { engine } => {
                let spec = self.tournament.engines.get(usize::from(*engine))?;
                Some(spec.name.clone())
            }
            _ => None,
        });
        named.collect()
    }

    /// When the event file was written last.
    fn file_written(&self) -> Option<SystemTime> {
        let reader = self.store.reader().ok()?;
        let source = reader.value("source").ok()??;
        std::fs::metadata(source).ok()?.modified().ok()
    }
}

/// Reads the event file, then starts these engines of it.
async fn checked(
    next_run: NextRun,
    entrants: BTreeSet<String>,
    guardian: Guardian,
    folder: PathBuf,
) -> Result<(), String> {
    let (told, read) = oneshot::channel();
    // The file of an engine may lie on a disk that does not answer: then only this thread is left behind.
    let thread = thread::Builder::new().name("event-file".to_owned());
    let begun = thread.spawn(move || told.send(next_run()).ok());
    begun.map_err(|error| error.to_string())?;
    let tournament = read.await.map_err(|error| error.to_string())??;
    let is_tried = |spec: &EngineSpec| entrants.contains(&spec.name);
    let around = prepare::of_trial(&tournament, &folder, &guardian);
    let around = around.map_err(|error| error.to_string())?;
    let tried = probe(&tournament, &around, is_tried).await;
    let tried = tried.map(drop);
    tried.map_err(|unfit| RunError::Engines(unfit).to_string())
}
