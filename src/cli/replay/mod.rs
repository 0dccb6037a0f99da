//! `explain --replay`: the engine is asked to do the same search again.

mod compare;

pub(crate) use compare::ReplayComparison;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use crate::chess::CastlingRule;
use crate::config::{Overrides, RealFiles, Tournament, load, parse};
use crate::event::identity::{Difference, EventEngine};
use crate::referee::{MoveRecord, Request};
use crate::report::explain::{EventFiles, GameSource, Reproduction};
use crate::run::replay::Questions;
use crate::run::variant;
use crate::text::printable;
use crate::uci::chess480_variant;

/// Repeats the engine's `search` of the game. If only nodes and depth limit its searches, all its earlier searches of
/// the game come first, so that its tables have the same content as in the game.
///
/// # Errors
/// The event file cannot be read or has another engine in this place; the engine cannot
/// be started.
pub(crate) fn replay(
    files: &EventFiles,
    source: &GameSource,
    search: &Reproduction,
    event: Option<&Path>,
) -> anyhow::Result<ReplayComparison> {
    let tournament = tournament(files, event)?;
    let seat = source.game.seat(search.side);
    let stored = files.engine(source.revision, seat)?;
    let spec = tournament.engines.get(usize::from(seat.engine));
    let spec = spec.filter(|spec| stored.name == spec.name);
    let spec = spec.ok_or_else(|| {
        let name = printable(&search.engine).into_owned();
        anyhow!("the event file has no engine {name} in this place; name the right one by --event")
    })?;
    let record = &source.game.record;
    let players = files.players(source)?;
    let first = if search.fixed {
        search.index % 2
    } else {
        search.index
    };
    let indices: Vec<usize> = (first..=search.index).step_by(2).collect();
    let searches = indices.iter().map(|&index| {
        let mut request = record.request(&players, files.variant.uci_dialect(), index);
        if index == search.index {
            request.go.clone_from(&search.go);
        }
        let limit = time_limit(&request, record.moves.get(index), tournament.timeouts.stall);
        (request, limit)
    });
    let from_file = tournament.variant.castling_rule() == CastlingRule::Chess480;
    let replies = Questions {
        spec,
        rules: &variant::rules(tournament.variant, files.reader().folder())?,
        variant: from_file.then(|| chess480_variant(&record.start)).flatten(),
        timeouts: tournament.timeouts,
        searches: searches.collect(),
    }
    .ask()?;
    let mut lines = changes(stored, &tournament, seat.engine)?;
    let dialect = files.variant.uci_dialect();
    let mut replayed = compare::compare(source, search, dialect, &indices, &replies);
    lines.append(&mut replayed.lines);
    Ok(ReplayComparison { lines, ..replayed })
}

/// The stored event file, or its present version.
fn tournament(files: &EventFiles, event: Option<&Path>) -> anyhow::Result<Tournament> {
    if let Some(path) = event {
        return Ok(load(path, Overrides::default())?.0);
    }
    let value = |key| files.reader().value(key);
    let (Some(text), Some(origin)) = (value("config")?, value("source")?) else {
        bail!("the store does not say where the event file lay: name it by --event");
    };
    let parsed = parse(&text, Path::new(&origin), Overrides::default(), &RealFiles);
    Ok(parsed
        .context("the event file as it was stored; --event names another one")?
        .0)
}

/// As long as in the event: what the clock allowed, else `timeouts.stall`, but never less
/// than four times what the search took in the game.
fn time_limit(request: &Request, played: Option<&MoveRecord>, stall: Duration) -> Duration {
    let took = played.map_or(Duration::ZERO, MoveRecord::elapsed);
    request.allowed.unwrap_or(stall.max(4 * took))
}

/// How the engine differs from the one that played the game.
fn changes(
    stored: &EventEngine,
    tournament: &Tournament,
    engine: u16,
) -> anyhow::Result<Vec<String>> {
    let now = tournament.identity()?;
    let differences = stored.differences(&now.engines[usize::from(engine)]);
    let line = |difference: &Difference| format!("The engine is not what it was: {difference}.");
    Ok(differences.iter().map(line).collect())
}
