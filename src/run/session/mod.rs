//! An event from its checked file to its last game: the story of `run`.
//!
//! | file | what |
//! |---|---|
//! | `acceptance` | whether the event file is still that of the store, or what the arbiter lets it be, and what is to be written if not |
//! | `describe` | what the store records of the event and of its engines |
//! | `inspection` | the stored games against the plan, while the run plays |
//! | `filling` | games from elsewhere into a new store |
//! | `merge` | one store out of those of the shards |
//! | `rebuild` | a store out of `games.pgn`, where it is gone |
//! | `play` | lanes, other machines and dispatcher, from the first engine's start to the last lane's end |

mod acceptance;
mod describe;
mod filling;
mod inspection;
mod merge;
mod play;
mod rebuild;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acceptance::Acceptance;
use play::RemotePlay;
use tokio::sync::mpsc;

use super::dispatcher::{Instructions, NextRun, RunEnding};
use super::error::RunError;
use super::live_updates::{LiveUpdates, Searches};
use super::signals::SignalWatch;
use super::work::{Work, settled_ids};
use super::{making, prepare};
use crate::config::Tournament;
use crate::engine::guardian::Guardian;
use crate::engine::originals::Originals;
use crate::engine::uci_log::SpokenLines;
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId};
use crate::platform::{orphans, runtime};
use crate::sink::RunOutputs;
use crate::store::{Inspection, Reader, Store, StoreNotice, key_of};
use crate::text::tell;
use crate::tournament::fault_counts::FaultCounts;
use crate::tournament::{
    Builds, EventState, EventView, InterruptedGame, conduct_under, game_names, interrupted_games,
    replays,
};
use crate::uci::Ready;

pub(crate) use acceptance::could_open;
pub(crate) use merge::{Merged, merge};
pub(crate) use rebuild::{Rebuilding, rebuild};

/// An event whose store is open and locked, not yet playing.
#[derive(Debug)]
pub struct Session {
    tournament: Arc<Tournament>,
    identity: EventIdentity,
    store: Store,
    notices: mpsc::UnboundedReceiver<StoreNotice>,
    /// Of the stored games.
    inspection: Arc<Inspection>,
    /// Whether the dispatcher listens to the store.
    playing: Arc<AtomicBool>,
    acceptance: Acceptance,
    /// What the engines said of themselves when they were started, in the order of the event file; nothing before that.
    pub(crate) ready: Vec<Ready>,
    /// Their files as they were before they were started, or as the run before began with them.
    pub(crate) originals: Option<Arc<Originals>>,
    /// Where to write the dialogue with the engines, if anywhere.
    pub(crate) traffic_log: Option<Box<dyn SpokenLines>>,
    /// Where runs on this machine tell each other which processors they have taken, if anywhere.
    pub(crate) neighbours: Option<PathBuf>,
    /// Plays even where hash tables are larger than the memory, or lanes more than processors: no engine has touched its
    /// table yet.
    pub(crate) plays_regardless: bool,
    /// The processor of each lane, for as many as there are.
    pub(crate) cpus: Vec<u16>,
    /// What passes in the games that run: to be listened to from before the first one, or later.
    pub live_updates: LiveUpdates,
    /// The lines of searches; anyone who wants them must begin to follow before the first game.
    pub(crate) searches: Searches,
    /// What the operator wants.
    instructions: Instructions,
    remote: Option<RemotePlay>,
    /// The pairs that are played, if not all.
    pub(crate) only: Option<BTreeSet<PairId>>,
}

impl Session {
    /// Opens or makes the event's folder below `results`.
    ///
    /// # Errors
    /// The store cannot be used; or the event was begun differently and
    /// `accept_changes` is not set. Nothing is changed then.
    pub fn open(
        tournament: Tournament,
        identity: EventIdentity,
        results: &Path,
        accept_changes: bool,
    ) -> Result<Session, RunError> {
        let folder = folder_of(&tournament, results);
        Session::open_in(tournament, identity, &folder, accept_changes)
    }

    /// The same for an event whose own folder this is.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub(crate) fn open_in(
        tournament: Tournament,
        mut identity: EventIdentity,
        folder: &Path,
        accept_changes: bool,
    ) -> Result<Session, RunError> {
        if tournament.making.is_some() && tournament.shard.is_some() {
            return Err(RunError::StartsAreMade("a shard"));
        }
        prepare::keep_results_out_of_reach(&tournament, folder)?;
        let (sender, notices) = mpsc::unbounded_channel();
        let failed = sender.clone();
        // The receiver lives as long as the store.
        let playing = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&playing);
        let announce = Box::new(move |notice| match notice {
            // Nobody else shows anything yet.
            StoreNotice::Waiting(words) if !begun.load(Ordering::Relaxed) => tell(&words),
            notice => drop(sender.send(notice)),
        });
        let store = Store::open(folder, announce)?;
        let reader = store.reader()?;
        let tournament = making::with_stored(&Arc::new(tournament), &reader)?;
        let mut acceptance =
            acceptance::compared(&reader, &tournament, &mut identity, accept_changes)?;
        let warning = acceptance::network_warning(folder);
        acceptance.remarks.extend(warning);
        let session = Session {
            // Begun once it is known that the event is still the same.
            inspection: Arc::new(inspection::begin(folder, &tournament, failed)?),
            instructions: Instructions::read(&reader)?,
            tournament,
            identity,
            store,
            notices,
            playing,
            acceptance,
            ready: Vec::new(),
            originals: None,
            traffic_log: None,
            neighbours: None,
            plays_regardless: false,
            cpus: Vec::new(),
            live_updates: LiveUpdates::default(),
            searches: Searches::default(),
            remote: None,
            only: None,
        };
        session.update_length()?;
        Ok(session)
    }

    /// What people should know of the store, before anything is played.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.acceptance.remarks)
    }

    /// Plays as many games at once as the operator said last: by `control`, or now, by this number.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn follow_instructions(
        &mut self,
        said_now: Option<NonZeroUsize>,
    ) -> Result<(), RunError> {
        if said_now.is_some() && self.instructions.concurrency.take().is_some() {
            self.instructions.keep(&self.store)?;
        }
        if let Some(games) = said_now.or(self.instructions.concurrency) {
            Arc::make_mut(&mut self.tournament).concurrency = games;
        }
        Ok(())
    }

    /// The event.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// A reader of the event's store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reader(&self) -> Result<Reader, RunError> {
        Ok(self.store.reader()?)
    }

    /// Games that the plan has and the store has not, without those of disqualified
    /// engines.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn work(&self) -> Result<Work, RunError> {
        let reader = self.reader()?;
        let plan = inspection::whole_plan(&self.tournament, &reader)?;
        // Who has played, as seen from the event file, which the store may not have yet.
        let builds = Builds::until(&reader, self.identity.clone())?;
        let (event, replayed) = (&self.tournament, replays(&reader, &builds)?);
        let mut stored = settled_ids(&reader)?;
        if let Some(only) = &self.only {
            let others = plan.iter().filter(|(pair, _)| !only.contains(pair));
            stored.extend(others.flat_map(|(pair, _)| [0, 1].map(|game| GameId { pair, game })));
        }
        let mut work = Work::new(plan, event.shard, event.end, stored, replayed);
        // Under the rules of the event file, too.
        let rules = FaultCounts::new(event.faults.clone(), None);
        for ruling in conduct_under(&reader, rules, &builds)?.rulings() {
            work.withdraw(ruling.engine);
        }
        let interrupted = self.interrupted(&reader)?.into_iter();
        let go_on = interrupted.filter(|game| game.anew.is_none());
        work.go_on(go_on.map(|game| game.recorded.game.id));
        Ok(work)
    }

    /// The games in which an earlier run was interrupted, and what becomes of them under this event file.
    fn interrupted(&self, reader: &Reader) -> Result<Vec<InterruptedGame>, RunError> {
        let names = game_names(reader)?;
        let mut games = interrupted_games(reader)?;
        for game in &mut games {
            let left = &game.recorded.game;
            let terms = names.terms(left.id.pair);
            let limits = self.tournament.limits(terms, left.seats);
            if !self.tournament.resumes(limits.each_ref()) {
                game.anew = Some("the event file has it so");
            }
        }
        Ok(games)
    }

    /// Whether nothing is left to play, under the event file, which the store may not have yet.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn is_complete(&self) -> Result<bool, RunError> {
        let reader = self.reader()?;
        let planned = self.planned_games()?;
        if reader.revision()? == 0 {
            return Ok(planned == Some(0));
        }
        let mut state = EventState::under(&reader, self.identity.clone(), |_| ())?;
        state.plan(planned);
        Ok(state.is_over() && !self.work()?.finishes_withdrawn())
    }

    /// For an event with nothing left to play: its files are made whole. No engine is
    /// started, unless the event has changed: nothing is accepted of engines that do not start.
    ///
    /// # Errors
    /// An engine cannot take part; a file of results cannot be written.
    pub fn complete(
        mut self,
        signals: &SignalWatch,
        audience: impl FnOnce(&Session, &EventView) -> Result<RunOutputs, RunError>,
    ) -> Result<RunEnding, RunError> {
        self.check_complete()?;
        let folder = self.folder().to_path_buf();
        if self.acceptance.new_revision
            && let Some(code) = self.admit_alone(&folder, signals)?
        {
            return Ok(RunEnding::stopped(code));
        }
        let event = EventView::new(EventState::read(&self.reader()?)?);
        let mut audience = audience(&self, &event)?;
        self.inspect_whole(tell)?;
        audience.files.each(|sink| sink.finish())?;
        audience.display.each(|sink| sink.finish())?;
        audience.broadcast.each(|sink| sink.finish())?;
        self.store.close()?;
        Ok(RunEnding::default())
    }

    /// Plays what is missing. The listeners hear of every game that becomes durable.
    ///
    /// # Errors
    /// An engine cannot take part (then no game was played), the store or a file
    /// of results cannot be written, the system refuses a thread or a process.
    pub fn play(
        self,
        signals: &SignalWatch,
        audience: impl FnOnce(&Session, &EventView) -> Result<RunOutputs, RunError>,
    ) -> Result<RunEnding, RunError> {
        let same = Arc::clone(&self.tournament);
        let checked = move || Ok(Arc::clone(&same));
        self.play_until(signals, audience, Arc::new(checked))
    }

    /// The same, where another run may follow at once, if the event file that `next_run` reads can be played.
    ///
    /// # Errors
    /// As [`Session::play`].
    pub(crate) fn play_until(
        mut self,
        signals: &SignalWatch,
        audience: impl FnOnce(&Session, &EventView) -> Result<RunOutputs, RunError>,
        next_run: NextRun,
    ) -> Result<RunEnding, RunError> {
        let runtime = runtime()?;
        let key = key_of(self.folder());
        // The event is locked: no other run of it can be alive.
        let left = orphans::end_and_name(&key);
        let guardian = Guardian::of_event(key)?;
        let played = runtime.block_on(self.play_on(&guardian, left, signals, audience, next_run));
        guardian.dismiss();
        self.live_updates.close();
        // The store's own error, if any, was heard as a notice before.
        let closed = self.store.close();
        // Nothing is held any more while a slow reader is waited for.
        let (ending, listeners) = played?;
        if let Some(listeners) = listeners {
            let stopped = !matches!(&ending, Ok(ending) if ending.signal().is_none());
            listeners.finish_display(stopped);
        }
        let mut ending = ending?;
        closed?;
        ending.originals = self.originals;
        Ok(ending)
    }
}

/// Where an event's files are.
pub(crate) fn folder_of(tournament: &Tournament, results: &Path) -> PathBuf {
    results.join(tournament.folder_name())
}
