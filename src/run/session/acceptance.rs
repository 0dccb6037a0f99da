//! Whether the event file is still that of the store, and what is to be written if not.
//!
//! **Invariant: an identity becomes that of the event together with all that the store says of
//! it**, in one transaction, after every engine has been started. Whatever ends a run before
//! that leaves the store unchanged.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use crate::config::{EngineSpec, Launch, NamedFile, Tournament, named_files};
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::probe::{Probed, UnfitEngine, probe};
use crate::engine::start::EngineStartError;
use crate::engine::surroundings::Surroundings;
use crate::event::identity::{EventIdentity, FileIdentity};
use crate::event::{ArbiterAct, UnixMillis};
use crate::platform::runtime;
use crate::run::error::{RunError, changes, named, other_plan, other_shard};
use crate::run::signals::{SignalWatch, Signals};
use crate::run::{capacity, prepare};
use crate::store::{
    Description, PLANNED_ENCOUNTERS, Reader, SHARD, StoreError, key_of, network_file_system,
};
use crate::text::printable;
use crate::tournament::{interrupted_games, open_replacements};
use crate::uci::Ready;

/// What is to be written once the engines have been started.
#[derive(Debug, Default)]
pub(super) struct Acceptance {
    /// The event file is not that of the revision in force, or no revision is in force: it must be accepted before any
    /// result is shown.
    pub(super) new_revision: bool,
    /// Engines that are other builds than those that have played.
    replaced: Vec<String>,
    /// What people should know of the store and of the event's files.
    pub(super) remarks: Vec<String>,
}

impl Session {
    /// Brings the length of an event that is still that of the event file up to date: it is not part of its identity.
    pub(super) fn update_length(&self) -> Result<(), RunError> {
        if self.acceptance.new_revision {
            return Ok(());
        }
        let stored = self.reader()?.described()?;
        let mut facts = self.facts()?;
        facts.retain(|(key, value)| {
            let is_length = ["planned_games", PLANNED_ENCOUNTERS].contains(&key.as_str());
            is_length && stored.get(key) != Some(value)
        });
        if !facts.is_empty() {
            self.store.describe(Description {
                facts,
                ..Description::default()
            })?;
        }
        Ok(())
    }

    /// An event with nothing left to play cannot be about another build.
    ///
    /// # Errors
    /// [`RunError::Refused`] if an engine is another build.
    pub(super) fn check_complete(&mut self) -> Result<(), RunError> {
        match std::mem::take(&mut self.acceptance.replaced) {
            replaced if replaced.is_empty() => Ok(()),
            replaced => Err(RunError::Refused(format!(
                "this event is complete, and {} not what played it: not one game would be played with the \
                 change. Give the event another name (event.name), or start again from nothing with --fresh",
                named(&replaced)
            ))),
        }
    }

    /// Leaves out of the identity what changed, or appeared, when the engines were started: such
    /// files change by nature.
    ///
    /// # Errors
    /// [`RunError::ProgramChanged`]: then it is not known what would play.
    fn leave_out_what_changed(&mut self, before: &mut Originals) -> Result<(), RunError> {
        let mut volatile: Vec<String> = Vec::new();
        for (engine, spec) in (0..).zip(&self.tournament.engines) {
            let changed = before.all_replaced(engine).chain(before.gone(engine));
            let changed: Vec<PathBuf> = changed.map(Path::to_owned).collect();
            for path in changed {
                if matches!(&spec.launch, Launch::Program { path: program, .. } if *program == path)
                {
                    return Err(RunError::ProgramChanged(spec.name.clone()));
                }
                before.forget(&path);
                let files = self.tournament.files.iter().zip(&mut self.identity.files);
                for (_, file) in files.filter(|(file, _)| file.path == path) {
                    file.sha256 = None;
                    volatile.push(file.name.clone());
                }
            }
            let known = &self.tournament.files;
            let is_new = |file: &NamedFile| !known.iter().any(|known| known.path == file.path);
            for file in named_files(spec).into_iter().filter(is_new) {
                volatile.push(file.name.clone());
                let (name, sha256) = (file.name, None);
                self.identity.files.push(FileIdentity { name, sha256 });
            }
        }
        if let Some(words) = left_out(&volatile) {
            self.acceptance.new_revision = true;
            self.acceptance.remarks.push(words);
        }
        Ok(())
    }

    /// Starts every engine once; then, and only then, the store learns of them, and of the
    /// event if it has changed; and, if this run is to play, the fact `signature`. Each engine's answers, in the order of
    /// the event file, or the exit code of a signal that came first: then nothing was written.
    ///
    /// # Errors
    /// An engine cannot take part; the store cannot be written. Nothing is accepted then.
    pub(super) async fn admit(
        &mut self,
        signals: &mut Signals,
        around: &Surroundings,
        signature: Option<(String, String)>,
    ) -> Result<ControlFlow<u8, Vec<Ready>>, RunError> {
        let handed_over = self.originals.take();
        let is_new = handed_over.is_none();
        let mut before = handed_over.unwrap_or_else(|| {
            let new = Originals::new(&self.tournament, &self.identity);
            Arc::new(new.keeping_in(self.folder()))
        });
        let ready = tokio::select! {
            biased;
            (_, code) = signals.next() => return Ok(ControlFlow::Break(code)),
            ready = self.tried(&before, around) => ready.map_err(RunError::Engines)?,
        };
        if !self.plays_regardless {
            let lanes = NonZeroUsize::new(around.lanes).unwrap_or(NonZeroUsize::MIN);
            let warning = capacity::check_here(&self.tournament, &ready, lanes)?;
            self.acceptance.remarks.extend(warning);
        }
        let ready: Vec<Ready> = ready.into_iter().map(|probed| probed.ready).collect();
        // A run that continues another plays with what that one began with: nothing is left out any more.
        if is_new && let Some(before) = Arc::get_mut(&mut before) {
            self.leave_out_what_changed(before)?;
        }
        self.originals = Some(before);
        let new = self.acceptance.new_revision;
        let mut facts = if new { self.facts()? } else { Vec::new() };
        facts.extend(signature);
        let description = Description {
            identity: new.then(|| (UnixMillis::now(), self.identity.clone())),
            facts,
            engines: self.engine_entries(&ready),
        };
        self.store.describe(description)?;
        self.acceptance.new_revision = false;
        Ok(ControlFlow::Continue(ready))
    }

    /// Starts every engine. One that takes away a file of its own at its trial must be able to
    /// start without it.
    async fn tried(
        &self,
        before: &Originals,
        around: &Surroundings,
    ) -> Result<Vec<Probed>, Vec<UnfitEngine>> {
        let begun = before.begun_with(&self.tournament);
        let tournament = begun.map_err(|(name, path)| {
            let error = EngineStartError::replaced(&path);
            vec![UnfitEngine { name, error }]
        })?;
        let probed = probe(&tournament, around, |_| true).await?;
        let engines = (0..).zip(&self.tournament.engines);
        let lacking =
            engines.filter_map(|(engine, spec)| Some((spec, before.gone(engine).next()?)));
        let lacking: Vec<_> = lacking.collect();
        if lacking.is_empty() {
            return Ok(probed);
        }
        let lacks =
            |spec: &EngineSpec| lacking.iter().any(|(lacking, _)| lacking.name == spec.name);
        let again = probe(&tournament, around, lacks).await;
        again.map(|_| probed).map_err(|unfit| {
            let told = unfit.into_iter().map(|UnfitEngine { name, error: _ }| {
                let gone = lacking.iter().find(|(spec, _)| spec.name == name);
                let path = gone.map_or_else(PathBuf::new, |(_, path)| (*path).to_owned());
                let error = EngineStartError::gone(&path);
                UnfitEngine { name, error }
            });
            told.collect()
        })
    }

    /// The same for an event that is not played now, whose files for engines are in this folder; the
    /// exit code of a signal, if one came.
    pub(super) fn admit_alone(
        &mut self,
        folder: &Path,
        signals: &SignalWatch,
    ) -> Result<Option<u8>, RunError> {
        let runtime = runtime()?;
        let guardian = Guardian::of_event(key_of(folder))?;
        let admission = runtime.block_on(async {
            let mut signals = signals.attend();
            let around = prepare::of_trial(&self.tournament, folder, &guardian)?;
            self.admit(&mut signals, &around, None).await
        });
        guardian.dismiss();
        Ok(admission?.break_value())
    }
}

fn left_out(files: &[impl AsRef<str>]) -> Option<String> {
    let names: Vec<_> = files.iter().map(|name| printable(name.as_ref())).collect();
    let names = Some(names.join(", ")).filter(|_| !files.is_empty())?;
    Some(format!(
        "note: not part of the engines' identity, because they change by nature: {names}"
    ))
}

/// A network file system does not keep what SQLite relies on.
pub(super) fn network_warning(folder: &Path) -> Option<String> {
    let kind = network_file_system(folder)?;
    Some(format!(
        "warning: {} is on a network file system ({kind}): locks and the write-ahead log of \
         SQLite are only safe on a disk of this machine, and a second machine could write to \
         the same event; name a local folder by --results",
        folder.display()
    ))
}

/// Whether a session of this event could be opened: what [`Session::open`] would say. Nothing is
/// written.
///
/// # Errors
/// The store cannot be read, or the event was begun differently.
pub(crate) fn could_open(
    reader: &Reader,
    tournament: &Tournament,
    mut identity: EventIdentity,
) -> Result<(), RunError> {
    compared(reader, tournament, &mut identity, false).map(drop)
}

/// Before the first game, also a voided one, an event may still be changed at will;
/// afterwards a change must be accepted, and is recorded.
pub(super) fn compared(
    reader: &Reader,
    tournament: &Tournament,
    identity: &mut EventIdentity,
    accept_changes: bool,
) -> Result<Acceptance, RunError> {
    let Some(stored) = reader.identity()? else {
        let volatile: Vec<&str> = identity.volatile_files().into_iter().collect();
        return Ok(Acceptance {
            new_revision: true,
            remarks: Vec::from_iter(left_out(&volatile)),
            ..Acceptance::default()
        });
    };
    let part = reader.value(SHARD)?;
    let asked = tournament.shard.map(|shard| shard.to_string());
    if part != asked {
        return Err(other_shard(part.as_deref(), asked.as_deref()));
    }
    identity.leave_out_volatile_files_of(&stored.identity);
    let differences = stored.identity.differences(identity);
    let counts = reader.counts()?;
    let has_games = counts.finished + counts.voided > 0;
    let begun = has_games || !interrupted_games(reader)?.is_empty();
    let mut replaced = Vec::new();
    if begun && !differences.is_empty() {
        let decided = DecidedIdentity::read(reader, &stored.identity, identity)?;
        if !decided.identity.same_plan(identity) {
            return Err(other_plan(&differences));
        }
        let entrants = stored.identity.engines.len();
        replaced = identity.replaced_since(&stored.identity);
        replaced.retain(|name| {
            let mut old = stored.identity.engines[..entrants].iter();
            old.any(|engine| engine.name == *name)
        });
        if identity.sprt.is_some() && !replaced.is_empty() {
            return Err(RunError::Refused(format!(
                "{} not what this test has been about, and results of two builds cannot be one test: give the \
                 event another name (event.name), or start again from nothing with --fresh",
                named(&replaced)
            )));
        }
        if !tournament.replacements && !replaced.is_empty() {
            return Err(RunError::Refused(format!(
                "{} not what this event was begun with, and replacements = false in [event] forbids another \
                 build: put the old one back",
                named(&replaced)
            )));
        }
        if !accept_changes && !decided.explains(identity) {
            return Err(RunError::Refused(changes(&differences, &replaced)));
        }
    }
    Ok(Acceptance {
        new_revision: !differences.is_empty(),
        replaced,
        remarks: Vec::new(),
    })
}

// What the arbiter lets another event file change: late entrants, and other builds of engines.

/// The identity of the store as the arbiter's decisions let it become.
#[derive(Debug)]
struct DecidedIdentity {
    /// With the late entrants.
    identity: EventIdentity,
    /// Engines that may be another build.
    replaced: BTreeSet<u16>,
}

impl DecidedIdentity {
    /// What the arbiter lets this identity become, on the way to the one of the event file.
    ///
    /// # Errors
    /// The store cannot be read.
    fn read(
        reader: &Reader,
        stored: &EventIdentity,
        now: &EventIdentity,
    ) -> Result<DecidedIdentity, StoreError> {
        let mut identity = stored.clone();
        let decisions = reader.decisions().in_force();
        let entrants = decisions.filter_map(|decision| match &decision.act {
            ArbiterAct::Add { name } => Some(name.as_str()),
            _ => None,
        });
        let entrants: Vec<&str> = entrants.collect();
        for (place, engine) in (0..).zip(&now.engines).skip(stored.engines.len()) {
            if entrants.contains(&engine.name.as_str()) {
                identity.engines.push(engine.clone());
                if let Some(swiss) = &mut identity.swiss {
                    swiss.seeds.push(place);
                }
            }
        }
        let replaced = open_replacements(reader)?.into_iter();
        Ok(DecidedIdentity {
            identity,
            replaced: replaced.map(|(engine, _)| engine).collect(),
        })
    }

    /// Whether the event file differs in nothing but what was decided.
    fn explains(&self, now: &EventIdentity) -> bool {
        let engines = 0..u16::try_from(self.identity.engines.len()).unwrap_or(u16::MAX);
        let mut known = engines.filter(|engine| !self.replaced.contains(engine));
        let entrant = |engine: u16| !self.identity.same_engine(engine, &self.identity, engine);
        let same = |engine: u16| now.same_engine(engine, &self.identity, engine) || entrant(engine);
        known.all(same) && self.without_builds(&self.identity) == self.without_builds(now)
    }

    /// Everything but what the engines are made of, and those that may be others.
    fn without_builds(&self, identity: &EventIdentity) -> EventIdentity {
        let mut bare = identity.clone();
        bare.files.clear();
        for (place, engine) in (0..).zip(&mut bare.engines) {
            engine.files.clear();
            if self.replaced.contains(&place)
                && let Some(stored) = self.identity.engines.get(usize::from(place))
            {
                *engine = stored.clone();
                engine.files.clear();
            }
        }
        bare
    }
}
