//! A late entrant and another build of an engine need a run that reads the event file again. Whether the file can be
//! played, and whether the engine can be started, is found out beside the games: nothing here waits for it.

use std::collections::BTreeSet;
use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::config::{EngineSpec, Tournament};
use crate::engine::guardian::Guardian;
use crate::engine::probe::probe;
use crate::engine::surroundings::Surroundings;
use crate::event::ArbiterAct;
use crate::run::error::RunError;
use crate::run::signals::Stop;
use crate::run::variant;
use crate::text::printable;

use super::phase::RunPhase;
use super::{Dispatcher, EndReason, NewBeginning};

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
            self.machine.guardian.clone(),
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
                self.listeners.say(
                    "The running pairs are finished; then the event goes on with the new engine.",
                );
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
    let rules = variant::rules(tournament.variant, &folder).map_err(|error| error.to_string())?;
    let around = Surroundings::new(guardian);
    let tried = probe(&tournament, &rules, &around, is_tried).await;
    tried
        .map(drop)
        .map_err(|unfit| RunError::Engines(unfit).to_string())
}
