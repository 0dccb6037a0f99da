//! Games of fastchess that cannot begin: an engine does not start, or a line of the book has no position. What is printed then, at the
//! beginning of the first such game.

use super::common::event_engine::program;
use super::common::output::GameStarts;
use super::common::settings::{CommandLine, EngineSettings};
use super::prepared::checked;
use crate::config::{FileKind, Files, RealFiles, Tournament};
use crate::engine::probe::UnfitEngine;
use crate::engine::start::EngineStartError;
use crate::event::{GameId, PairId, Seat};

/// An engine's name, and why it does not start.
type Unstarted = (String, String);

/// The lines about engines that were tried in vain.
pub(super) fn tried(tournament: &Tournament, unfit: &[UnfitEngine]) -> String {
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
pub(super) fn missing(line: &CommandLine) -> Result<Option<String>, String> {
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
