//! Engines that do not start: what fastchess prints about them, at the beginning of the first game that needs one.

use super::common::event_engine::program;
use super::common::settings::{CommandLine, EngineSettings};
use super::common::starts::GameStarts;
use super::prepared::checked;
use crate::config::{FileKind, Files, RealFiles, Tournament};
use crate::engine::probe::UnfitEngine;
use crate::engine::start::EngineStartError;
use crate::event::{GameId, PairId};

/// An engine's name, and why it does not start.
pub(super) type Unstarted = (String, String);

/// The engines that were tried in vain.
pub(super) fn tried(unfit: &[UnfitEngine]) -> Vec<Unstarted> {
    let why = |error: &EngineStartError| match error {
        EngineStartError::Silent { .. } | EngineStartError::Ended { .. } => {
            "Engine didn't respond to uciok after startup".to_owned()
        }
        other => other.to_string(),
    };
    let all = unfit.iter();
    all.map(|one| (one.name.clone(), why(&one.error))).collect()
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
    Ok(Some(lines(&tournament, &unstarted)))
}

/// The lines about engines that do not start.
pub(super) fn lines(tournament: &Tournament, unstarted: &[Unstarted]) -> String {
    let fatal =
        |(name, why): &Unstarted| format!("Fatal; {name} engine startup failure: \"{why}\"\n");
    let Ok(plan) = tournament.plan() else {
        return unstarted.iter().map(fatal).collect();
    };
    let name = |engine: u16| tournament.engines[usize::from(engine)].name.as_str();
    let find = |engine: u16| unstarted.iter().find(|(other, _)| other == name(engine));
    // Every two have met after that.
    let pairs = (tournament.engines.len() as u64).pow(2);
    let mut starts = GameStarts::new(plan);
    for pair in (0..pairs).map(PairId) {
        let id = GameId { pair, game: 0 };
        let Some(seats) = starts.announce(id) else {
            break;
        };
        let [white, black] = seats.map(|seat| seat.engine);
        if let Some(first) = find(white).or_else(|| find(black)) {
            return starts.line(id, 0, [name(white), name(black)]) + &fatal(first);
        }
    }
    unstarted.iter().map(fatal).collect()
}
