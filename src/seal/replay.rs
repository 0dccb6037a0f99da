//! Drawn games of sealed events, played again: under limits in nodes or plies their moves are the same.

use std::collections::BTreeSet;
use std::path::Path;

use super::games::{SealedGames, hold_against};
use super::manifest::{SealError, unreadable};
use super::sealed::{GameHash, named};
use crate::clock::Limits;
use crate::config::{Overrides, Tournament, load};
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId};
use crate::run::signals::SignalWatch;
use crate::run::{Session, folder_of};
use crate::sink::RunOutputs;
use crate::stats::numeric::SplitMix;
use crate::text::count;

/// Plays this many of the found games again, drawn with this seed, with the other games of their pairs, below the
/// folder `results`, and compares the moves. `seal` is the manifest's file. The exit code of a signal that has stopped it.
///
/// # Errors
/// An event file cannot be read, an engine cannot be started, the games cannot be stored.
pub(crate) fn replay(
    seal: &Path,
    found: &mut SealedGames<'_>,
    (wanted, seed): (usize, u64),
    results: &Path,
    signals: &SignalWatch,
) -> Result<Option<u8>, SealError> {
    let events = found.events;
    let mut games = games_to_draw(found);
    let mut random = SplitMix::new(seed);
    let drawn = (0..wanted.min(games.len())).map(|_| games.swap_remove(random.below(games.len())));
    let drawn: BTreeSet<(usize, PairId)> = drawn.map(|(event, id)| (event, id.pair)).collect();
    if drawn.is_empty() {
        found.wrong.push(
            "no game to play again: it takes limits in nodes or plies, and one thread".to_owned(),
        );
    }
    for (place, sealed) in events.iter().enumerate() {
        let pairs = drawn.iter().filter(|(event, _)| *event == place);
        let pairs: BTreeSet<PairId> = pairs.map(|(_, pair)| *pair).collect();
        if pairs.is_empty() {
            continue;
        }
        let file = seal
            .parent()
            .unwrap_or(Path::new(""))
            .join(&sealed.event.file);
        let (tournament, identity) = event(&file)?;
        let differences = sealed.event.identity.differences(&identity);
        if !differences.is_empty() {
            let words = differences
                .iter()
                .map(|one| format!("{}: not played again: {one}", file.display()));
            found.wrong.extend(words);
            continue;
        }
        let folder = folder_of(&tournament, results);
        let mut session = Session::open(tournament, identity, results, false).map_err(Box::new)?;
        session.only = Some(pairs);
        let played = session.play(signals, |_, _| Ok(RunOutputs::default()));
        if let Some(code) = played.map_err(Box::new)?.signal() {
            return Ok(Some(code));
        }
        let again = hold_against((found.manifest, None), events, &[folder], true);
        compare(found, place, &again);
    }
    Ok(None)
}

/// The found games whose engines do the same whenever they are asked the same.
fn games_to_draw(found: &SealedGames<'_>) -> Vec<(usize, GameId)> {
    let is_exact = |place: usize| {
        let identity = &found.events[place].event.identity;
        let by_colour = identity.limits_by_colour.iter().flatten();
        let engines = identity.engines.iter();
        let mut limits = engines
            .clone()
            .map(|engine| &engine.limits)
            .chain(by_colour);
        limits.all(Limits::is_fixed) && engines.clone().all(|engine| engine.threads() == Some(1))
    };
    let games = found.games.keys().copied();
    games.filter(|(place, _)| is_exact(*place)).collect()
}

/// The event as it would be played here and now.
fn event(file: &Path) -> Result<(Tournament, EventIdentity), SealError> {
    let (tournament, _) = load(file, Overrides::default())?;
    let identity = tournament.identity();
    let identity = identity.map_err(|error| unreadable(&error.path, error.error))?;
    Ok((tournament, identity))
}

/// Names the games of an event that have other moves when they are played again.
fn compare(found: &mut SealedGames<'_>, place: usize, again: &SealedGames<'_>) {
    let name = &found.events[place].event.name;
    let is_other = |(id, hash): &(GameId, &GameHash)| {
        let known = found.games.get(&(place, *id));
        known.is_some_and(|(_, known)| known.moves != hash.moves)
    };
    let games: Vec<GameId> = again.games_of(place).map(|(id, _)| id).collect();
    let other = again.games_of(place).filter(is_other).map(|(id, _)| id);
    let other: Vec<GameId> = other.collect();
    let (again, all) = (count(games.len(), "game"), named(&games));
    found
        .remarks
        .push(format!("{name}: {again} played again ({all})"));
    if !other.is_empty() {
        let other = named(&other);
        found.wrong.push(format!(
            "{name}: other moves or results when they are played again: {other}"
        ));
    }
}
