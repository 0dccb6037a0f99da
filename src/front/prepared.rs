//! An event that can be played: the command line, the place of its store, and what is left of it.

use std::path::Path;

use super::cutechess::DebugLines;
use super::event;
use super::log_file::LogFile;
use super::place::Place;
use super::settings::{BookFormat, CommandLine, Level, Order};
use super::text::version;
use crate::config::{Disk, Overrides, Tournament, parse};
use crate::engine::uci_log::SpokenLines;
use crate::store::Reader;

/// An event that can be played.
pub(super) struct Prepared {
    /// All that the command line says.
    pub(super) line: CommandLine,
    /// Where the store lies.
    pub(super) place: Place,
    /// The event.
    pub(super) tournament: Tournament,
    /// Pairs that were played before, of a `config.json` of fastchess.
    pub(super) before: u64,
    /// Where warnings and what engines say are written, if anywhere.
    pub(super) log: LogFile,
}

impl Prepared {
    /// Whether a book is dealt in random order.
    pub(super) fn plays_random_order(&self) -> bool {
        let opening = &self.line.settings.opening;
        let has_book = !opening.file.is_empty() && opening.format != BookFormat::None;
        has_book && opening.order == Order::Random
    }

    /// Opens the file of `-log`, if one is named.
    pub(super) fn begin_log(&mut self) {
        let settings = &self.line.settings;
        self.log = LogFile::open(&settings.log);
        self.log.note(Level::Info, &version());
        let seed = format!("Setting seed to: {}", settings.seed);
        self.log.note(Level::Info, &seed);
        self.log.note(Level::Info, "Starting tournament...");
    }

    /// Who writes down what runner and engines say to each other, if that was asked for.
    pub(super) fn spoken_lines(&self) -> Option<Box<dyn SpokenLines>> {
        match &self.line.settings.unwritten.cutechess {
            Some(own) if own.prints_dialogue => Some(Box::<DebugLines>::default()),
            _ => self.log.spoken_lines(),
        }
    }
}

/// The event of a command line that was checked; `None` if all of it was played before.
///
/// # Errors
/// The text that is printed.
pub(super) fn translate(
    words: &[String],
    mut line: CommandLine,
) -> Result<Option<Prepared>, String> {
    let store = line
        .store
        .as_ref()
        .map(Path::new)
        .filter(|store| store.exists());
    let store = store.and_then(|store| Place::named(store, false));
    let is_ours = store.is_some();
    let place = store.unwrap_or_else(|| Place::of(words, &line.settings, &line.engines));
    if is_ours {
        // The store has the others.
        line.stats = std::mem::take(&mut line.before);
    }
    let mut remaining = line.settings.clone();
    let games: i64 = line.stats.values().map(|stats| stats.games()).sum();
    let before = games.max(0) / remaining.games.max(1);
    remaining.rounds -= before;
    let start = i64::from(remaining.opening.start) + before;
    remaining.opening.start = i32::try_from(start).unwrap_or(i32::MAX);
    if remaining.rounds <= 0 {
        return Ok(None);
    }
    if let Some(seed) = recorded_seed(&place) {
        (remaining.seed, line.settings.seed) = (seed, seed);
    }
    let file = event::file(&remaining, &line.engines, &place.name);
    let tournament = check(&file, remaining.seed)?;
    let before = before.cast_unsigned();
    Ok(Some(Prepared {
        line,
        place,
        tournament,
        before,
        log: LogFile::default(),
    }))
}

fn check(file: &str, seed: u64) -> Result<Tournament, String> {
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let overrides = Overrides {
        seed: Some(seed),
        ..Overrides::default()
    };
    let origin = folder.join("event (from the command line)");
    let parsed = parse(file, &origin, overrides, &Disk);
    let (tournament, _) = parsed.map_err(|errors| errors.to_string())?;
    Ok(tournament)
}

/// The seed of an event that has begun.
fn recorded_seed(place: &Place) -> Option<u64> {
    let reader = Reader::open(&place.folder()).ok()?;
    Some(reader.identity().ok()??.identity.seed)
}
