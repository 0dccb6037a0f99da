//! The common part of `run` and `match`.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::listeners::{begin_log, log_folder};
use super::play_options::{copies, in_shard};
use crate::cli::listeners::listeners;
use crate::cli::play_options::Play;
use crate::cli::serve::Page;
use crate::cli::status::coming_rounds;
use crate::cli::{conclusion, exit};
use crate::config::{ConfigErrors, RefusedByEngine, Tournament, Warnings};
use crate::engine::originals::Originals;
use crate::engine::uci_log::LogFolder;
use crate::event::identity::EventIdentity;
use crate::farm;
use crate::host::neighbours;
use crate::run::signals::SignalWatch;
use crate::run::{
    EndReason, NewBeginning, RunEnding, RunError, Session, could_open, folder_of, prepare,
};
use crate::sink::LIVE_PGN_FILE;
use crate::stats::sprt::Decision;
use crate::store::{self, Reader};
use crate::text::{printable, tell};
use crate::tournament::{EventState, EventView, SprtWatch};
use crate::web::{Broadcast, LiveEvent};

/// A seed that nobody can know in advance, and that is easy to type.
pub(crate) fn drawn_seed() -> u64 {
    // The standard library's hash keys come from the system's source of randomness.
    let drawn = RandomState::new().hash_one(std::process::id());
    1 + drawn % 999_999_999
}

/// How a period of playing an event ended: it is over, or was stopped, with this exit code; or the event restarts with what
/// was read from its file, or else with its present file.
type PlayedEnd = ControlFlow<u8, Option<Box<ReadEvent>>>;

/// Reads the event file.
type Load = Arc<dyn Fn(&[RefusedByEngine]) -> anyhow::Result<(Tournament, Warnings)> + Send + Sync>;

/// What engines refuse: what was found when they were started, or else, where the event file has errors, what they say
/// now.
pub(crate) fn refused(
    tournament: &Tournament,
    has_errors: bool,
    found: &[RefusedByEngine],
) -> Vec<RefusedByEngine> {
    if has_errors {
        return prepare::refused(tournament);
    }
    found.to_vec()
}

/// An event read from its file, with its engines' files.
struct ReadEvent {
    tournament: Tournament,
    /// Of a run that has just ended and is continued: with the files that it began with, which others may have
    /// replaced since.
    begun: Option<(EventIdentity, Option<Arc<Originals>>)>,
}

/// Plays the event that `load` reads, which is read again after a decision of the arbiter that needs a changed event
/// file; the exit code.
///
/// # Errors
/// Whatever keeps the event from being played or stored.
pub(crate) fn play(
    load: impl Fn(&[RefusedByEngine]) -> anyhow::Result<(Tournament, Warnings)> + Send + Sync + 'static,
    options: &Play,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    if options.pgn_dialect.is_some() && options.pgn.is_none() && !options.live_pgn {
        anyhow::bail!("--pgn-dialect belongs to --pgn FILE or --live-pgn: name one of them, too");
    }
    options.broadcast()?;
    // Kept to the end: signals are handled until the last byte is written.
    let signals = SignalWatch::start()?;
    let page = match options.web {
        Some(address) if !options.dry_run => Some(Page::open(address, options.desk.as_deref())?),
        _ => None,
    };
    let mut run = EventRun {
        load: Arc::new(load),
        options: options.clone(),
        web: page.as_ref().map(|page| &page.event),
        signals: &signals,
    };
    let mut known: Option<Box<ReadEvent>> = None;
    loop {
        let event = match known.take() {
            Some(event) => *event,
            None => {
                let (tournament, warnings) = (run.load)(&[])?;
                warn(&warnings);
                ReadEvent {
                    tournament,
                    begun: None,
                }
            }
        };
        match run.play(event, out).map_err(|error| run.placed(error))? {
            PlayedEnd::Break(code) => return Ok(code),
            PlayedEnd::Continue(event) => {
                known = event;
                // `--fresh` has had its effect, and a pace set while the event is played replaces `--concurrency`.
                run.options.fresh = false;
                run.options.concurrency = None;
            }
        }
    }
}

/// Reads the event file again, and checks whether a run of it could begin; the error is the reason why not.
fn next(load: &Load, options: &Play, folder: &Path) -> anyhow::Result<Arc<Tournament>> {
    let (tournament, _) = load(&[])?;
    let identity = tournament.identity()?;
    let tournament = part_of(tournament, options)?;
    could_open(&Reader::open(folder)?, &tournament, identity)?;
    Ok(Arc::new(tournament))
}

/// An event that is played, once or again after a decision of the arbiter.
struct EventRun<'a> {
    load: Load,
    options: Play,
    web: Option<&'a Arc<LiveEvent>>,
    signals: &'a SignalWatch,
}

impl EventRun<'_> {
    fn play(&self, read: ReadEvent, out: &mut dyn Write) -> anyhow::Result<PlayedEnd> {
        let options = &self.options;
        tell_drawn_seed(&read.tournament, options);
        let event = read.tournament.clone();
        let tournament = part_of(read.tournament, options)?;
        if options.dry_run {
            match begun(&tournament, &event, options) {
                Some(state) => coming_rounds(&state, out)?,
                None => conclusion::plan(&tournament, options.all, out)?,
            }
            // A plan that is cut off must not pass for a whole one.
            out.flush()?;
            return Ok(PlayedEnd::Break(exit::DONE));
        }
        let folder = ready_folder(&tournament, options)?;
        let (identity, originals) = match read.begun {
            Some(begun) => begun,
            None => (event.identity()?, None),
        };
        let mut session = opened(tournament, &identity, &folder, options)?;
        session.originals = originals;
        let complete = session.is_complete()?;
        let end = Arc::<conclusion::EventEnd>::default();
        let ending = self.finish(session, complete, &folder, &end)?;
        if let EndReason::Again(again) = ending.reason {
            let same = again == NewBeginning::SameFile;
            return Ok(PlayedEnd::Continue(same.then(|| {
                Box::new(ReadEvent {
                    tournament: event,
                    begun: Some((identity, ending.originals)),
                })
            })));
        }
        if !options.json {
            let written = conclusion::write(&folder, complete, &end, out);
            let written = written.and_then(|()| Ok(out.flush()?));
            written.or_else(unprinted)?;
        }
        conclusion::tell_troubles(&ending, &event, &folder)?;
        copies(&folder, options, ending.signal().is_some())?;
        let code = match (ending.signal(), ending.voided, end.statistics.get()) {
            (Some(code), ..) => code,
            (None, 1.., _) => exit::VOIDED,
            (None, 0, _) if !options.exit_verdict => exit::DONE,
            (None, 0, Some(found)) if found.is_mirrored() => exit::SAME_MOVES,
            (None, 0, _) => verdict(&folder)?,
        };
        Ok(PlayedEnd::Break(code))
    }

    /// What engines have refused, with its place in the event file.
    fn placed(&self, error: anyhow::Error) -> anyhow::Error {
        let Some(RunError::Engines(unfit)) = error.downcast_ref() else {
            return error;
        };
        let Ok((event, _)) = (self.load)(&[]) else {
            return error;
        };
        let refused = unfit.iter().filter_map(|unfit| {
            let mut engines = event.engines.iter();
            Some(unfit.refused(engines.position(|engine| engine.name == unfit.name)?))
        });
        let refused: Vec<_> = refused.flatten().collect();
        match (self.load)(&refused).map_err(|placed| placed.downcast::<ConfigErrors>()) {
            Err(Ok(placed)) => error.context(placed),
            _ => error,
        }
    }

    /// Plays what is left of the event, for its listeners.
    fn finish(
        &self,
        session: Session,
        complete: bool,
        folder: &Path,
        end: &Arc<conclusion::EventEnd>,
    ) -> anyhow::Result<RunEnding> {
        let shown = self.options.shown(complete, self.web);
        let target = self.options.broadcast()?;
        let live = folder.join(LIVE_PGN_FILE);
        let broadcast = target.map(|target| Broadcast::start(live, target));
        // Until the run is over.
        let _broadcast = broadcast.transpose()?;
        let audience =
            |session: &Session, event: &EventView| listeners(session, event, &shown, end);
        if complete {
            return Ok(session.complete(self.signals, audience)?);
        }
        let (load, options) = (Arc::clone(&self.load), self.options.clone());
        let folder = folder.to_owned();
        let next_run = move || next(&load, &options, &folder).map_err(|error| format!("{error:#}"));
        Ok(session.play_until(self.signals, audience, Arc::new(next_run))?)
    }
}

/// An event that this run would go on with, whose results decide what is played.
fn begun(tournament: &Tournament, event: &Tournament, options: &Play) -> Option<EventState> {
    let grows = tournament.rounds()?.results_decide();
    let reader = Reader::open(&folder_of(tournament, &options.results)).ok();
    let reader = reader.filter(|_| grows && !options.fresh)?;
    could_open(&reader, tournament, event.identity().ok()?).ok()?;
    let state = EventState::read(&reader).ok()?;
    (state.board().games() > 0).then_some(state)
}

/// The event, or the part of it that `--shard` names.
fn part_of(tournament: Tournament, options: &Play) -> anyhow::Result<Tournament> {
    match options.shard {
        Some(shard) => in_shard(tournament, shard, options.judge_after_merge),
        None => Ok(tournament),
    }
}

/// The folder of an event that may begin or continue; with `--fresh` the old one is moved aside.
fn ready_folder(tournament: &Tournament, options: &Play) -> anyhow::Result<PathBuf> {
    let public = tournament.public_draw.as_ref();
    if let Some(public) = public.filter(|public| public.announced.is_none()) {
        anyhow::bail!(
            "`public_seed` in [event] is missing: it is announced by {}; until then there is \
             `arbiter960 draw`",
            printable(&public.source)
        );
    }
    let folder = folder_of(tournament, &options.results);
    if options.fresh
        && let Some(aside) = store::set_aside(&folder)?
    {
        tell(&format!("the old event was moved to {}", aside.display()));
    }
    if options.exit_verdict && tournament.sprt.is_none() {
        anyhow::bail!("--exit-verdict needs a test: [sprt] in the event file, or --sprt 0,5");
    }
    Ok(folder)
}

fn tell_drawn_seed(tournament: &Tournament, options: &Play) {
    if !tournament.seed_drawn || options.quiet {
        return;
    }
    let seed = tournament.seed;
    tell(&if options.dry_run {
        format!(
            "no seed is given, so each plan is drawn again; seed = {seed} in [event], or --seed {seed}, keeps this one"
        )
    } else {
        format!("no seed is given: {seed} was drawn and is kept with the event")
    });
}

/// The session of a tournament, with the options of the command line.
fn opened(
    tournament: Tournament,
    identity: &EventIdentity,
    folder: &Path,
    options: &Play,
) -> anyhow::Result<Session> {
    let (name, seed) = (tournament.name.clone(), tournament.seed);
    let accept = options.accept_changes;
    let mut session = Session::open(tournament, identity.clone(), &options.results, accept)?;
    begin_log(folder)?;
    tracing::info!(event = name, seed, "the event goes on, or begins");
    if options.log_engines {
        session.traffic_log = Some(Box::new(LogFolder::new(&log_folder(folder))));
    }
    session.neighbours = neighbours::folder();
    session.follow_instructions(options.concurrency)?;
    if let Some(settings) = options.farm.settings() {
        let local = options.farm.lanes.map_or(0, NonZeroUsize::get);
        session.play_with_remote_lanes(farm::coordinator(settings)?, local);
    }
    for remark in session.take_remarks() {
        tell(&remark);
    }
    Ok(session)
}

/// The exit code from the decision of a sequential test.
pub(super) fn verdict(folder: &Path) -> anyhow::Result<u8> {
    let state = EventState::read(&Reader::open(folder)?)?;
    Ok(match state.test().map(SprtWatch::verdict) {
        Some(Decision::Accepted) => exit::ACCEPTED,
        Some(Decision::Rejected) => exit::REJECTED,
        Some(Decision::Undecided) | None => exit::UNDECIDED,
    })
}

/// A result that cannot be printed, because nobody reads it or the disk is full, is not a failure of the event: the
/// exit code reports how the event ended.
fn unprinted(error: anyhow::Error) -> anyhow::Result<()> {
    let error = error.downcast::<io::Error>()?;
    if error.kind() != io::ErrorKind::BrokenPipe {
        let words = "the event is stored; its result could not be printed";
        tell(&format!("warning: {words}: {error}"));
    }
    Ok(())
}

fn warn(warnings: &Warnings) {
    match io::stderr().is_terminal() {
        _ if warnings.is_empty() => {}
        true => tell(&warnings.coloured()),
        false => tell(&warnings.to_string()),
    }
}
