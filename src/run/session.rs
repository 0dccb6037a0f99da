//! An event from its checked file to its last game: the story of `run`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::{mpsc, watch};

use crate::config::{EngineSpec, Launch, Tournament};
use crate::event::UnixMillis;
use crate::run::adaptive::Adaptive;
use crate::run::dispatcher::{Dispatcher, Ending, State};
use crate::run::epoch::Epoch;
use crate::run::error::RunError;
use crate::run::game::unix_now;
use crate::run::guardian::Guardian;
use crate::run::lane::{self, Shared};
use crate::run::prepare;
use crate::run::probe::probe;
use crate::run::queue::Queue;
use crate::run::room::Room;
use crate::run::signals::{Signals, Stop};
use crate::run::stop_rule::StopRule;
use crate::run::surroundings::Surroundings;
use crate::run::traffic::Recording;
use crate::run::work::Work;
use crate::run::{capacity, variant};
use crate::schedule::Plan;
use crate::sink::Sinks;
use crate::store::{
    Difference, EngineEntry, OpenMode, PLANNED_ENCOUNTERS, Reader, Store, StoreNotice,
    compare_identity,
};
use crate::uci::Ready;

/// An event whose store is open and locked, not yet playing.
#[derive(Debug)]
pub struct Session {
    tournament: Arc<Tournament>,
    /// The event file's text, for the record.
    text: String,
    identity: Value,
    store: Store,
    notices: mpsc::UnboundedReceiver<StoreNotice>,
    /// Where to write down what is said, if anywhere.
    traffic_log: Option<PathBuf>,
}

impl Session {
    /// Opens or makes the event's folder below `results`.
    ///
    /// # Errors
    /// The store cannot be used; or the event was begun differently and
    /// `accept_changes` is not set. Nothing is changed then.
    pub fn open(
        tournament: Tournament,
        text: &str,
        identity: Value,
        results: &Path,
        accept_changes: bool,
    ) -> Result<Session, RunError> {
        let folder = folder_of(&tournament, results);
        let (sender, notices) = mpsc::unbounded_channel();
        // The receiver lives as long as the store.
        let announce = Box::new(move |notice| drop(sender.send(notice)));
        let store = Store::open(&folder, OpenMode::CreateOrResume, announce)?;
        let (tournament, text) = (Arc::new(tournament), text.to_owned());
        let session = Session {
            tournament,
            text,
            identity,
            store,
            notices,
            traffic_log: None,
        };
        session.settle_identity(accept_changes)?;
        Ok(session)
    }

    /// What runner and engines say to each other is written down below this folder.
    pub fn log_engines(&mut self, folder: PathBuf) {
        self.traffic_log = Some(folder);
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
        let mut plan = self.plan()?;
        if let Some(adaptive) = self.adaptive(&reader)? {
            adaptive.complete(&mut plan);
        }
        let mut work = Work::new(plan, reader.finished_ids()?);
        for ruling in reader.conduct()?.rulings() {
            work.withdraw(ruling.engine);
        }
        Ok(work.with_replays(reader.replays()?))
    }

    fn adaptive(&self, reader: &Reader) -> Result<Option<Adaptive>, RunError> {
        Adaptive::new(&self.tournament, reader)
    }

    /// Whether nothing is left to play.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn is_complete(&self) -> Result<bool, RunError> {
        let work = self.work()?;
        let adaptive = self.adaptive(&self.reader()?)?;
        let over = adaptive.is_none_or(|adaptive| adaptive.is_over(work.plan()));
        Ok(over && work.missing_games() == 0)
    }

    fn plan(&self) -> Result<Plan, RunError> {
        // The event file was checked for all that a plan needs.
        Ok(self.tournament.plan().map_err(std::io::Error::other)?)
    }

    /// Before the first game an event may still be changed at will; afterwards a
    /// change must be accepted, and is recorded.
    fn settle_identity(&self, accept_changes: bool) -> Result<(), RunError> {
        let reader = self.reader()?;
        let stored = reader.identity()?;
        let differences = match &stored {
            Some(stored) => compare_identity(&stored.identity, &self.identity),
            None => Vec::new(),
        };
        let begun = reader.counts()?.finished > 0;
        if begun && !differences.is_empty() {
            if differences.iter().any(changes_the_plan) {
                return Err(RunError::OtherPlan(differences));
            }
            if !accept_changes {
                return Err(RunError::Changed(differences));
            }
        }
        if stored.is_none() || !differences.is_empty() {
            self.store
                .accept_identity(self.identity.clone(), unix_now())?;
            self.describe_event()?;
        } else if self.tournament.adaptive.is_some() {
            // How long it may go on is not part of its identity.
            let planned = self.planned_games()?;
            self.store.set_event(&[("planned_games", &planned)])?;
        }
        Ok(())
    }

    fn describe_event(&self) -> Result<(), RunError> {
        let UnixMillis(now) = unix_now();
        let event = &self.tournament;
        let planned = self.planned_games()?;
        Ok(self.store.set_event(&[
            ("name", &event.name),
            ("site", &event.site),
            ("seed", &event.seed.to_string()),
            ("variant", event.variant.name()),
            ("positions", &event.positions_label),
            ("created", &now.to_string()),
            ("planned_games", &planned),
            ("program", env!("CARGO_PKG_VERSION")),
            ("config", &self.text),
            ("source", &event.source.display().to_string()),
            (PLANNED_ENCOUNTERS, &self.planned_encounters()?),
        ])?)
    }

    /// How many games the event has; nothing where its results decide.
    fn planned_games(&self) -> Result<String, RunError> {
        let event = &self.tournament;
        if event.sprt.is_some() {
            return Ok(String::new());
        }
        let work = self.work()?;
        let adaptive = self.adaptive(&self.reader()?)?;
        Ok(match event.adaptive.zip(adaptive) {
            Some((_, choices)) if choices.is_over(work.plan()) => work.plan().games().to_string(),
            // It may end before its last pair, when every position is settled.
            Some((settings, _)) if settings.threshold > 0.0 => String::new(),
            Some((settings, _)) => {
                (settings.max_pairs * u64::from(event.games_per_pair())).to_string()
            }
            None => work.plan().games().to_string(),
        })
    }

    /// The games of the plan by encounter, for the rules on disqualified engines; empty
    /// where there are none, and where a stop rule decides.
    fn planned_encounters(&self) -> Result<String, RunError> {
        let event = &self.tournament;
        if event.faults.strikes.is_none() || event.sprt.is_some() {
            return Ok(String::new());
        }
        let mut planned: BTreeMap<[u16; 2], u64> = BTreeMap::new();
        for (_, spec) in self.plan()?.iter() {
            let mut engines = [spec.first.engine, spec.second.engine];
            engines.sort_unstable();
            *planned.entry(engines).or_default() += u64::from(spec.games);
        }
        let rows = planned
            .iter()
            .map(|([first, second], games)| (first, second, games));
        Ok(Value::from_iter(rows.map(|row| serde_json::json!(row))).to_string())
    }

    /// What is odd about the engines but does no harm, for people.
    fn oddities(&self, ready: &[Ready]) -> Vec<String> {
        let of = |(spec, ready): (&EngineSpec, &Ready)| {
            let name = crate::report::printable(&spec.name).into_owned();
            let warnings = ready.warnings.iter();
            let text = |warning| crate::report::printable(warning).into_owned();
            let lines =
                warnings.map(|warning| format!("warning: engine \"{name}\": {}", text(warning)));
            lines.collect::<Vec<_>>()
        };
        self.tournament
            .engines
            .iter()
            .zip(ready)
            .flat_map(of)
            .collect()
    }

    fn describe_engines(&self, ready: Vec<Ready>) -> Result<(), RunError> {
        let entry = |(index, ready): (usize, Ready)| {
            let spec = &self.tournament.engines[index];
            let sha256 = &self.identity["engines"][index]["launch"]["sha256"];
            EngineEntry {
                engine: u16::try_from(index).unwrap_or(u16::MAX),
                name: spec.name.clone(),
                command: match &spec.launch {
                    Launch::Program { command, .. } => command.clone(),
                    Launch::Sparring => String::new(),
                },
                id_name: Some(ready.identity.name),
                author: Some(ready.identity.author),
                sha256: sha256.as_str().map(str::to_owned),
                time_control: spec.limits.to_string(),
                options: ready
                    .sent
                    .into_iter()
                    .map(|(n, v)| (n, v.unwrap_or_default()))
                    .collect(),
            }
        };
        let entries = ready.into_iter().enumerate().map(entry).collect();
        Ok(self.store.set_engines(entries)?)
    }

    /// For an event with nothing left to play: its files are made whole, no
    /// engine is started.
    ///
    /// # Errors
    /// A file of results cannot be written.
    pub fn complete(self, mut sinks: Sinks) -> Result<Ending, RunError> {
        sinks.finish()?;
        self.store.close()?;
        Ok(Ending::default())
    }

    /// Plays what is missing. The sinks hear of every game that becomes durable.
    ///
    /// # Errors
    /// An engine cannot take part (then no game was played), the store or a file
    /// of results cannot be written, the system refuses a thread or a process.
    pub fn play(
        mut self,
        prepare_sinks: impl FnOnce(&Session) -> Result<Sinks, RunError>,
    ) -> Result<Ending, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let guardian = Guardian::start()?;
        let ending = runtime.block_on(self.play_on(&guardian, prepare_sinks));
        guardian.dismiss();
        // The store's own error, if any, was heard as a notice before.
        let closed = self.store.close();
        let ending = ending?;
        closed?;
        Ok(ending)
    }

    async fn play_on(
        &mut self,
        guardian: &Guardian,
        prepare_sinks: impl FnOnce(&Session) -> Result<Sinks, RunError>,
    ) -> Result<Ending, RunError> {
        let mut signals = Signals::listen()?;
        let rules = variant::rules(self.tournament.variant, self.folder())?;
        let cpus = prepare::lane_cpus(&self.tournament)?;
        let epoch = Epoch::begin();
        // Ends after all that speaks has ended.
        let recording = Recording::begin(self.traffic_log.as_deref(), epoch)?;
        let around = Surroundings {
            traffic: recording.traffic(),
            ..Surroundings::new(guardian.clone())
        };
        let ready = tokio::select! {
            biased;
            (_, code) = signals.next() => return Ok(Ending { signal: Some(code), voided: 0 }),
            ready = probe(&self.tournament, &rules, &around) => ready.map_err(RunError::Engines)?,
        };
        let oddities = self.oddities(&ready);
        self.describe_engines(ready)?;
        let mut sinks = prepare_sinks(self)?;
        let remarks = prepare::remarks(&self.tournament);
        remarks
            .iter()
            .chain(&oddities)
            .for_each(|words| sinks.say(words));
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let warning = capacity::warning(&self.tournament, processors);
        warning.iter().for_each(|warning| sinks.say(warning));
        let work = self.work()?;
        let adaptive = self.adaptive(&self.reader()?)?;
        let conduct = self.reader()?.conduct()?;
        let stop_rule = StopRule::new(&self.tournament, &self.reader()?)?;
        let (stop, stopped) = watch::channel(Stop::No);
        let (reporter, reports) = mpsc::unbounded_channel();
        let queue = Arc::new(Queue::default());
        let shared = Shared {
            tournament: Arc::clone(&self.tournament),
            rules,
            epoch,
            around,
            queue: Arc::clone(&queue),
            conduct: Arc::new(Mutex::new(conduct.clone())),
            stop: stopped,
            reports: reporter,
        };
        let lanes = self.tournament.concurrency.get();
        let threads: Result<Vec<_>, _> = (0..)
            .zip(cpus)
            .map(|(index, cpus)| lane::start(index, shared.in_lane(index, cpus)))
            .collect();
        drop(shared);
        if threads.is_err() {
            // The lanes that did start have nothing to do and end.
            queue.close();
        }
        let threads = threads?;
        let dispatcher = Dispatcher {
            work,
            adaptive,
            conduct,
            queue: &queue,
            lanes,
            reports,
            stop,
            store: &self.store,
            notices: std::mem::replace(&mut self.notices, mpsc::unbounded_channel().1),
            sinks: &mut sinks,
            stop_rule,
            room: Room::new(self.folder()),
            guardian: guardian.clone(),
            signals,
            state: State::default(),
        };
        let ending = dispatcher.run().await;
        for thread in threads {
            // A lane that panicked has said so on stderr already.
            thread
                .join()
                .map_err(|_| std::io::Error::other("a lane panicked"))??;
        }
        sinks.finish()?;
        ending
    }
}

/// Whether this difference gives the pairs of the plan another meaning. Then
/// stored games cannot be told from missing ones by their number, and no consent
/// makes it right. More pairs per position only make the plan longer.
fn changes_the_plan(difference: &Difference) -> bool {
    let path = difference.path.as_str();
    let starts = |prefix: &str| path.starts_with(prefix);
    let of_engine = || {
        let member = path.split_once("].").map(|(_, member)| member);
        starts("engines[") && matches!(member, None | Some("name" | "copies"))
    };
    [
        "variant",
        "format",
        "heroes",
        "positions",
        "seed",
        "adaptive",
    ]
    .into_iter()
    .any(starts)
        || of_engine()
}

/// Where an event's files are.
pub fn folder_of(tournament: &Tournament, results: &Path) -> PathBuf {
    results.join(&tournament.name)
}
