//! An event that can be played: the command line, the place of its store, and the games that are left.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use super::common::event;
use super::common::event_engine::is_unlimited;
use super::common::place::{self, StoreFolder};
use super::common::settings::{BookFormat, CommandLine, EngineSettings, Order, Settings};
use super::cutechess::DebugLines;
use super::fastchess::log_file::LogFile;
use crate::config::{Overrides, RealFiles, Tournament, parse_match};
use crate::engine::uci_log::SpokenLines;
use crate::event::PairId;
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
    /// Whether games are already stored, and why they are continued.
    pub(super) goes_on: GoesOn,
    /// The event.
    pub(super) tournament: Tournament,
    /// Number of pairs that were played before, from a `config.json` of fastchess.
    pub(super) before: u64,
    /// The log for warnings and for what engines send, if there is one.
    pub(super) log: LogFile,
}

/// Whether a stored event is continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GoesOn {
    /// It is a new event.
    No,
    /// Its last run was killed: the lines that were printed are printed again.
    AfterKill,
    /// `-config file=` asks for it.
    AsAsked,
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

/// Whether the openings of a book come in random order.
pub(super) fn plays_random_order(settings: &Settings) -> bool {
    let opening = &settings.opening;
    let has_book = !opening.file.is_empty() && opening.format != BookFormat::None;
    has_book && opening.order == Order::Random
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
        let found = event.goes_on_in(&place, GoesOn::AfterKill);
        let begun = found.map_or_else(|| event.begin_in(place), Ok);
        return begun.map(Some).map_err(|error| format!("Error: {error}"));
    }
    let mut refusal = "there is no folder that can be written to".to_owned();
    for places in StoreFolder::all(words, &event.line) {
        if event.may_go_on() {
            let killed = places.iter().take_while(|place| place.folder.exists());
            let killed = killed.filter(|place| place.was_killed());
            let mut found = killed.filter_map(|place| event.goes_on_in(place, GoesOn::AfterKill));
            if let Some(found) = found.next() {
                return Ok(Some(found));
            }
        }
        for place in places {
            if !place.remove() {
                continue;
            }
            match event.begin_in(place) {
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
    let found = event.goes_on_in(&place, GoesOn::AsAsked)?;
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
    fn goes_on_in(&self, place: &StoreFolder, goes_on: GoesOn) -> Option<(Prepared, Session)> {
        let seed = place.reader()?.identity().ok()??.identity.seed;
        let mut remaining = self.remaining.clone();
        remaining.seed = seed;
        let tournament = check(&remaining, &self.line.engines).ok()?;
        self.open(tournament, place.clone(), goes_on).ok()
    }

    /// A new event.
    fn begin_in(&self, place: StoreFolder) -> Result<(Prepared, Session), RunError> {
        self.open(self.tournament.clone(), place, GoesOn::No)
    }

    /// Opens the store.
    fn open(
        &self,
        tournament: Tournament,
        place: StoreFolder,
        goes_on: GoesOn,
    ) -> Result<(Prepared, Session), RunError> {
        let identity = tournament.identity().map_err(io::Error::other)?;
        if let Some(results) = place.folder.parent() {
            fs::create_dir_all(results)?;
        }
        let accepts = goes_on == GoesOn::AsAsked;
        let session = Session::open_in(tournament.clone(), identity, &place.folder, accepts)?;
        let mut line = self.line.clone();
        line.settings.seed = tournament.seed;
        let prepared = Prepared {
            line,
            place,
            goes_on,
            tournament,
            before: self.before,
            log: LogFile::open(&self.line.settings.log),
        };
        Ok((prepared, session))
    }
}

/// Checks the event; the error is in the words of the other program, where it has any.
pub(super) fn checked(
    settings: &mut Settings,
    engines: &[EngineSettings],
) -> Result<Tournament, String> {
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
