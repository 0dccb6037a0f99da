//! An event that can be played: the command line, the place of its store, and the games that are left; and games that
//! cannot begin.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use super::common::event;
use super::common::event_engine::{is_unlimited, program};
use super::common::output::GameStarts;
use super::common::place::{self, StoreFolder};
use super::common::settings::{CommandLine, EngineSettings, Settings};
use super::cutechess::DebugLines;
use super::fastchess::log_file::LogFile;
use crate::config::{FileKind, Files, Overrides, RealFiles, Tournament, parse_match};
use crate::engine::probe::UnfitEngine;
use crate::engine::start::EngineStartError;
use crate::engine::uci_log::SpokenLines;
use crate::event::{GameId, PairId, Seat};
use crate::referee::Compatibility;
use crate::run::{RunError, Session};
use crate::store::StoreError;

/// Other runners measure whole milliseconds: a flag falls when a whole one is over.
const PART_OF_A_MILLISECOND: Duration = Duration::from_micros(999);

/// An event that can be played.
pub(super) struct Prepared {
    pub(super) line: CommandLine,
    /// The place of the store.
    pub(super) place: StoreFolder,
    /// `-config file=` asks for the stored event. Otherwise games that are stored are of a run that was killed: the lines
    /// that were printed are printed again.
    pub(super) is_asked: bool,
    /// The event.
    pub(super) tournament: Tournament,
    /// Number of pairs that were played before, from a `config.json` of fastchess.
    pub(super) before: u64,
    /// The log for warnings and for what engines send, if there is one.
    pub(super) log: LogFile,
}

impl Prepared {
    /// Keeps the store or removes it.
    pub(super) fn leave(&self, complete: bool) {
        if complete && !self.place.kept {
            place::remove(&self.place.folder)
        } else {
            self.place.set_ended(true)
        }
    }

    /// Records what runner and engines send each other, if that was asked for.
    pub(super) fn spoken_lines(&self) -> Option<Box<dyn SpokenLines>> {
        match &self.line.settings.unwritten.cutechess {
            Some(own) if own.prints_dialogue => Some(Box::new(DebugLines)),
            _ => self.log.spoken_lines(),
        }
    }
}

/// Creates the files that games are appended to: callers look for them even if no game is played.
pub(super) fn make_files(settings: &Settings) {
    for file in [&settings.pgn.file, &settings.epd.file] {
        if !file.is_empty() {
            // A file that cannot be written ends the run when it is opened for the games.
            let _made = fs::OpenOptions::new().create(true).append(true).open(file);
        }
    }
}

/// The event of a checked command line, with its store open; `None` if everything was played before.
///
/// # Errors
/// The text that is printed.
pub(super) fn translate(
    words: &[String],
    line: CommandLine,
) -> Result<Option<(Prepared, Session)>, String> {
    if let Some(asked) = as_asked(&line) {
        return Ok(Some(asked));
    }
    let Some(event) = Event::new(line)? else {
        return Ok(None);
    };
    if let Some(place) = StoreFolder::named() {
        let found = event.goes_on_in(&place, false);
        let begun = found.map_or_else(|| event.open(event.tournament.clone(), place, false), Ok);
        return begun.map(Some).map_err(|error| format!("Error: {error}"));
    }
    let mut refusal = "there is no folder that can be written to".to_owned();
    for places in StoreFolder::all(words, &event.line) {
        if event.may_go_on() {
            let killed = places.iter().take_while(|place| place.folder.exists());
            let killed = killed.filter(|place| place.was_killed());
            let mut found = killed.filter_map(|place| event.goes_on_in(place, false));
            if let Some(found) = found.next() {
                return Ok(Some(found));
            }
        }
        for place in places {
            if !place.remove() {
                continue;
            }
            match event.open(event.tournament.clone(), place, false) {
                Ok(begun) => return Ok(Some(begun)),
                Err(RunError::Storage(StoreError::Locked { .. } | StoreError::Exists { .. })) => {}
                Err(error) => {
                    refusal = error.to_string();
                    break;
                }
            }
        }
    }
    Err(format!("Error: {refusal}"))
}

/// The event of one of our own `config.json` files, with the other options of the line, if it can be played in its
/// store. If it cannot, the caller continues from its counts, as with a file of fastchess.
fn as_asked(line: &CommandLine) -> Option<(Prepared, Session)> {
    let place = StoreFolder {
        folder: line.store.as_ref()?.into(),
        kept: false,
    };
    let mut line = line.clone();
    // The other results are in the store.
    line.stats = std::mem::take(&mut line.before);
    let event = Event::new(line).ok()??;
    let found = event.goes_on_in(&place, true)?;
    place.set_ended(false);
    Some(found)
}

/// A command line and its event file.
struct Event {
    line: CommandLine,
    /// The settings without what was played before.
    remaining: Settings,
    before: u64,
    tournament: Tournament,
}

impl Event {
    /// The event of a line; `None` if everything was played before.
    fn new(line: CommandLine) -> Result<Option<Event>, String> {
        let mut remaining = line.settings.clone();
        let before = line.games_before() / remaining.games.max(1).cast_unsigned();
        // Colours go on: games of one round each are numbered alike.
        remaining.reverse ^= remaining.games == 1 && before % 2 == 1;
        let pairs = i64::try_from(before).unwrap_or(i64::MAX);
        remaining.rounds = remaining.rounds.saturating_sub(pairs);
        let start = pairs.saturating_add(remaining.opening.start.into());
        remaining.opening.start = i32::try_from(start).unwrap_or(i32::MAX);
        if remaining.rounds <= 0 {
            return Ok(None);
        }
        let tournament = checked(&mut remaining, &line.engines)?;
        Ok(Some(Event {
            line,
            remaining,
            before,
            tournament,
        }))
    }

    /// Whether the same line, typed again, means the same event. It does not if the line discards earlier games, or if
    /// they have been removed.
    fn may_go_on(&self) -> bool {
        let (line, pgn) = (&self.line, &self.line.settings.pgn);
        let is_there = pgn.file.is_empty() || Path::new(&pgn.file).exists();
        !line.discards && pgn.append_file && is_there
    }

    /// The event that is stored in a place, if it is still the same, or if changes are asked for.
    fn goes_on_in(&self, place: &StoreFolder, is_asked: bool) -> Option<(Prepared, Session)> {
        let seed = place.reader()?.identity().ok()??.identity.seed;
        let mut remaining = self.remaining.clone();
        remaining.seed = seed;
        let tournament = check(&remaining, &self.line.engines).ok()?;
        self.open(tournament, place.clone(), is_asked).ok()
    }

    /// Opens the store.
    fn open(
        &self,
        tournament: Tournament,
        place: StoreFolder,
        is_asked: bool,
    ) -> Result<(Prepared, Session), RunError> {
        let identity = tournament.identity().map_err(io::Error::other)?;
        if let Some(results) = place.folder.parent() {
            fs::create_dir_all(results)?;
        }
        let session = Session::open_in(tournament.clone(), identity, &place.folder, is_asked)?;
        let mut line = self.line.clone();
        line.settings.seed = tournament.seed;
        let prepared = Prepared {
            line,
            place,
            is_asked,
            tournament,
            before: self.before,
            log: LogFile::open(&self.line.settings.log),
        };
        Ok((prepared, session))
    }
}

/// Checks the event; the error is in the words of the other program, where it has any.
fn checked(settings: &mut Settings, engines: &[EngineSettings]) -> Result<Tournament, String> {
    let refused = match check(settings, engines) {
        Ok(tournament) => return Ok(tournament),
        Err(refused) => refused,
    };
    let is_cutechess = settings.is_cutechess();
    let tables = std::mem::take(&mut settings.tb_adjudication);
    if tables.enabled && check(settings, engines).is_ok() {
        let folders = tables.syzygy_dirs;
        if is_cutechess {
            let option = format!("Warning: Invalid value for option \"-tb\": \"{folders}\"");
            return Err(format!("Could not load Syzygy tablebases\n{option}"));
        }
        let words = "Error: Failed to load Syzygy tablebases from the following directories";
        return Err(format!("{words}: {folders}"));
    }
    settings.tb_adjudication = tables;
    if !is_cutechess {
        return Err(refused);
    }
    // cutechess-cli plays from the start position if its book has no game.
    settings.opening.file.clear();
    check(settings, engines)
}

fn check(settings: &Settings, engines: &[EngineSettings]) -> Result<Tournament, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let overrides = Overrides {
        seed: Some(settings.seed),
        compatibility: if settings.is_cutechess() {
            Compatibility::Cutechess
        } else {
            Compatibility::Fastchess
        },
        ..Overrides::default()
    };
    let origin = folder.join("event (from the command line)");
    let event = event::event(settings, engines, "fastchess");
    let parsed = parse_match(&event, &origin, overrides, &RealFiles);
    let (mut tournament, _) = parsed.map_err(|errors| errors.to_string())?;
    for (spec, engine) in tournament.engines.iter_mut().zip(engines) {
        if is_unlimited(engine) {
            spec.limits.depth = None;
        }
        spec.margin += PART_OF_A_MILLISECOND;
    }
    // An event file has no such numbers.
    let rules = &mut tournament.adjudication;
    if let Some(draw) = &mut rules.draw
        && settings.draw.move_count <= 0
    {
        draw.moves = 0;
    }
    if let Some(resign) = &mut rules.resign
        && settings.resign.move_count <= 0
    {
        resign.moves = 0;
    }
    if !settings.is_cutechess() {
        tournament.end = unreadable(&tournament).map(|(pair, _)| pair);
    }
    Ok(tournament)
}

/// The first pair that begins from a line of the book without a position, and that line: fastchess plays no other.
pub(super) fn unreadable(tournament: &Tournament) -> Option<(PairId, String)> {
    if tournament.unreadable.is_empty() {
        return None;
    }
    let plan = tournament.plan().ok()?;
    plan.iter().find_map(|(pair, spec)| {
        let line = tournament.unreadable.get(&spec.opening)?;
        Some((pair, line.clone()))
    })
}

// Games of fastchess that cannot begin: an engine does not start, or a line of the book has no position. What is printed
// then, at the beginning of the first such game.

/// An engine's name, and why it does not start.
type Unstarted = (String, String);

/// The lines about engines that were tried in vain.
pub(super) fn unstarted_engines(tournament: &Tournament, unfit: &[UnfitEngine]) -> String {
    let why = |error: &EngineStartError| match error {
        EngineStartError::Silent { .. } | EngineStartError::Ended { .. } => {
            "Engine didn't respond to uciok after startup".to_owned()
        }
        other => other.to_string(),
    };
    let unstarted = unfit.iter().map(|one| (one.name.clone(), why(&one.error)));
    unstarted_lines(tournament, &unstarted.collect::<Vec<_>>())
}

/// The lines about engines whose programs are missing; `None` if all are there.
///
/// # Errors
/// What else is wrong with the command line.
pub(super) fn missing_programs(line: &CommandLine) -> Result<Option<String>, String> {
    let why = |engine: &EngineSettings| {
        let why = match RealFiles.kind(&program(engine)) {
            FileKind::Program => return None,
            FileKind::Missing => "No such file or directory",
            FileKind::Folder | FileKind::Plain => "Permission denied",
        };
        Some((engine.name.clone(), format!("posix_spawn failed: {why}")))
    };
    let unstarted: Vec<Unstarted> = line.engines.iter().filter_map(why).collect();
    if unstarted.is_empty() {
        return Ok(None);
    }
    // The event with another program in their places, for what else is wrong and for its first games.
    let own = std::env::current_exe().unwrap_or_default();
    let mut engines = line.engines.clone();
    for engine in engines.iter_mut().filter(|engine| why(engine).is_some()) {
        engine.cmd = own.to_string_lossy().into_owned();
        engine.dir.clear();
    }
    let tournament = checked(&mut line.settings.clone(), &engines)?;
    Ok(Some(unstarted_lines(&tournament, &unstarted)))
}

fn unstarted_lines(tournament: &Tournament, unstarted: &[Unstarted]) -> String {
    let find = |seat: &Seat| {
        let name = &tournament.engine(*seat).name;
        unstarted.iter().find(|(other, _)| other == name)
    };
    let plan = tournament.plan().ok();
    // Every two have met after that.
    let pairs = (tournament.engines.len() as u64).pow(2);
    let first = plan.as_ref().and_then(|plan| {
        let mut pairs = (0..pairs).map_while(|pair| Some((PairId(pair), plan.pair(PairId(pair))?)));
        pairs.find_map(|(pair, spec)| Some((pair, spec.seats(0).iter().find_map(find)?)))
    });
    let fatal =
        |(name, why): &Unstarted| format!("Fatal; {name} engine startup failure: \"{why}\"\n");
    match first {
        Some((pair, engine)) => started(tournament, pair, 0) + &fatal(engine),
        None => unstarted.iter().map(fatal).collect(),
    }
}

/// What is printed at the beginning of the first pair whose line of the book has no position; `before` games were played before this event.
pub(super) fn unreadable_lines(
    tournament: &Tournament,
    (pair, line): &(PairId, String),
    before: u64,
) -> String {
    let escaped = line.bytes().map(|byte| match byte {
        b' '..=b'~' => char::from(byte).to_string(),
        other => format!("\\x{other:02x}"),
    });
    let escaped: String = escaped.collect();
    let reason = format!("Failed to set position from opening book, invalid FEN or EPD: {escaped}");
    let started = started(tournament, *pair, before);
    format!("{started}{reason}\nError while creating match: {reason}\n")
}

/// `Started game 3 of 6 (A vs B)`.
fn started(tournament: &Tournament, pair: PairId, before: u64) -> String {
    let id = GameId { pair, game: 0 };
    let starts = tournament.plan().ok().map(GameStarts::new);
    let line = starts.and_then(|mut starts| {
        let seats = starts.announce(id)?;
        let names = seats.map(|seat| tournament.engine(seat).name.as_str());
        Some(starts.line(id, before, names))
    });
    line.unwrap_or_default()
}
