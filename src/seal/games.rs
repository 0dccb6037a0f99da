//! Which games of the sealed events have been found, in stores and in PGN files; drawn ones are played again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::manifest::{Manifest, SealError, unreadable};
use super::sealed::{ClosedResults, Closing, GameHash, Sealed, named};
use crate::clock::Limits;
use crate::config::{Overrides, Tournament, load};
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId};
use crate::pgn::{self, Comments, PgnErrorKind, RawGame, check_planned, planned_id};
use crate::run::signals::SignalWatch;
use crate::run::{Session, folder_of};
use crate::sink::{RunOutputs, SinkError, write_selected_pgn};
use crate::stats::numeric::SplitMix;
use crate::store::{Inspection, PROGRAMS, Reader, SHARD, StoreError};
use crate::text::count;
use crate::tournament::planned_limits;
use crate::verify::{Options, verify};

/// The sealed plan that results are compared to, and the findings so far.
#[derive(Debug)]
pub(crate) struct SealedGames<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) events: &'a [Sealed],
    /// Where each game was found, by its event's place in the manifest, and what it is.
    pub(super) games: BTreeMap<(usize, GameId), (Arc<Path>, GameHash)>,
    /// Number of games of events that were not sealed, by event.
    unsealed: BTreeMap<String, u64>,
    /// The errors.
    pub(crate) wrong: Vec<String>,
    /// The remarks.
    pub(crate) remarks: Vec<String>,
}

/// Compares results to what was sealed, and to what was closed after the last game: folders of events, of shards too,
/// and PGN files. `partly`: games may be missing.
pub(crate) fn hold_against<'a>(
    (manifest, closing): (&'a Manifest, Option<&Closing>),
    events: &'a [Sealed],
    results: &[PathBuf],
    partly: bool,
) -> SealedGames<'a> {
    let mut found = SealedGames {
        manifest,
        events,
        games: BTreeMap::new(),
        unsealed: BTreeMap::new(),
        wrong: Vec::new(),
        remarks: Vec::new(),
    };
    for path in results {
        let taken = if path.is_dir() {
            found.take_store(path).map_err(|error| error.to_string())
        } else {
            found.take_file(path).map_err(|error| error.to_string())
        };
        if let Err(error) = taken {
            found.wrong.push(format!("{}: {error}", path.display()));
        }
    }
    found.count(partly);
    for (place, sealed) in events.iter().enumerate() {
        let games = found.games_of(place);
        let changed = closing.and_then(|closing| closing.changed(&sealed.event, games));
        found.wrong.extend(changed);
    }
    found
}

impl SealedGames<'_> {
    /// How many games have been found.
    pub(crate) fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// The games of an event that have been found, in the plan's order.
    pub(super) fn games_of(
        &self,
        event: usize,
    ) -> impl Iterator<Item = (GameId, &GameHash)> + Clone {
        let games = self.games.iter();
        let games = games.filter(move |((place, _), _)| *place == event);
        games.map(|((_, id), (_, hash))| (*id, hash))
    }

    /// Of every event, by name.
    pub(crate) fn results(&self) -> BTreeMap<String, ClosedResults> {
        let events = self.events.iter().enumerate();
        let results = |place| ClosedResults::of(self.games_of(place));
        events
            .map(|(place, sealed)| (sealed.event.name.clone(), results(place)))
            .collect()
    }

    fn event(&self, name: &str) -> Option<usize> {
        self.events
            .iter()
            .position(|sealed| sealed.event.name == name)
    }

    /// Records a game of the plan, which must not have been found before.
    fn take(&mut self, event: usize, id: GameId, path: &Arc<Path>, hash: GameHash) {
        let found = (Arc::clone(path), hash);
        if let Some((before, _)) = self.games.insert((event, id), found) {
            let name = &self.events[event].event.name;
            let (path, before, round) = (path.display(), before.display(), id.to_string());
            self.wrong.push(format!(
                "{path}: game {round} of {name} is here again: it was in {before}"
            ));
        }
    }

    fn take_store(&mut self, folder: &Path) -> Result<(), SinkError> {
        let shown = folder.display();
        let reader = Reader::open(folder)?;
        let name = reader.described()?.remove("name").unwrap_or_default();
        let Some(event) = self.event(&name) else {
            *self.unsealed.entry(name).or_default() += reader.counts()?.finished;
            return Ok(());
        };
        let sealed = &self.events[event];
        for accepted in reader.identities()? {
            let differences = sealed.event.identity.differences(&accepted.identity);
            let named = differences
                .iter()
                .map(|difference| format!("{shown}: {difference}"));
            self.wrong.extend(named);
        }
        if let decided @ 1.. = reader.decisions().len() {
            self.wrong.push(format!(
                "{shown}: {} of the arbiter; see `arbiter960 status`",
                count(decided, "decision")
            ));
        }
        self.wrong.extend(self.other_programs(&reader)?);
        let voided = reader.voided_games()?;
        if voided > 0 {
            self.remarks.push(format!(
                "{shown}: {} voided and played again",
                count(voided, "game")
            ));
        }
        let shard = reader.value(SHARD)?.and_then(|text| text.parse().ok());
        let expected = sealed.expectation(shard);
        let expected = expected.map_err(|error| reader.unreadable("plan", &error))?;
        if let Err(error) = Inspection::begin(folder, expected, |_| ())?.finish(|_| ()) {
            self.wrong.push(format!("{shown}: {error}"));
        }
        let mut games = Vec::new();
        write_selected_pgn(&reader, Comments::NONE, false, &mut games)?;
        self.take_games(folder, &games[..])
            .map_err(SinkError::Output)
    }

    /// Programs that have played an event and are not the sealed one.
    fn other_programs(&self, reader: &Reader) -> Result<Vec<String>, StoreError> {
        let shown = reader.folder().display();
        let sealed = &self.manifest.program.sha256;
        let programs = reader.value(PROGRAMS)?.unwrap_or_default();
        let other = programs
            .split_whitespace()
            .filter(|program| program != sealed);
        let mut wrong: Vec<String> = other
            .map(|program| match program {
                "workers" => format!("{shown}: workers have played, whose programs are not known"),
                _ => format!("{shown}: another build of arbiter960 has played: {program}, and {sealed} was sealed"),
            })
            .collect();
        if programs.is_empty() {
            wrong.push(format!(
                "{shown}: the store does not say which program has played"
            ));
        }
        Ok(wrong)
    }

    fn take_file(&mut self, path: &Path) -> io::Result<()> {
        let shown = path.display();
        let wrong = &mut self.wrong;
        let summary = verify(pgn::open(path)?, Options::default(), |finding| {
            if !finding.is_warning() {
                let (place, words) = (finding.place, finding.words);
                wrong.push(format!(
                    "{shown}:{}: game {}: {words}",
                    place.line, place.game
                ));
            }
        })?;
        if summary.games == 0 {
            self.wrong.push(format!("{shown}: no game"));
        }
        self.take_games(path, pgn::open(path)?)
    }

    fn take_games(&mut self, path: &Path, input: impl Read) -> io::Result<()> {
        let (shown, from) = (path.display(), Arc::from(path));
        let mut reader = pgn::PgnReader::new(input);
        while let Some(game) = reader.next_game() {
            let raw = match game {
                Ok(raw) => raw,
                Err(error) => match error.kind {
                    PgnErrorKind::Io(error) => return Err(io::Error::other(error)),
                    // It has already been reported.
                    _ => continue,
                },
            };
            let (line, number) = (raw.line(), raw.number());
            let name = raw.tag("Event").unwrap_or_default();
            let Some(event) = self.event(&name) else {
                *self.unsealed.entry(name.into_owned()).or_default() += 1;
                continue;
            };
            match self.game_of(event, &raw) {
                // What is wrong with its moves has already been reported.
                Ok(id) => self.take(event, id, &from, GameHash::of(&raw).unwrap_or_default()),
                Err(what) => self
                    .wrong
                    .push(format!("{shown}:{line}: game {number}: {what}")),
            }
        }
        Ok(())
    }

    /// The key of a game of this event, which has the tags that the plan has for it.
    fn game_of(&self, event: usize, raw: &RawGame<'_>) -> Result<GameId, String> {
        let id = planned_id(raw).ok_or("its tags Pair and Round name no game")?;
        let sealed = &self.events[event];
        let spec = sealed.planned(id);
        let spec = spec.ok_or_else(|| format!("the plan has no game {id}"))?;
        let (seats, identity) = (spec.seats(id.game), &sealed.event.identity);
        let start = sealed.tournament.openings.get(spec.opening).start;
        let limits = planned_limits(identity, spec.terms(), seats);
        check_planned(raw, &start, seats, &identity.engines, &limits)
            .map_err(|what| format!("game {id} has {what}"))?;
        if raw.tag("Ruling").is_some() {
            return Err(format!(
                "game {id} has another result than it was played with: a ruling"
            ));
        }
        Ok(id)
    }

    /// Reports the games of other events, and the missing games.
    fn count(&mut self, partly: bool) {
        let unsealed = std::mem::take(&mut self.unsealed);
        let words =
            |(name, games)| format!("{name}: not sealed, {} left out", count(games, "game"));
        let unsealed = unsealed.into_iter().map(words);
        if self.games.is_empty() {
            self.wrong.extend(unsealed);
            self.wrong.push("no game of a sealed event".to_owned());
        } else {
            self.remarks.extend(unsealed);
        }
        for (place, sealed) in self.events.iter().enumerate() {
            let name = &sealed.event.name;
            let missing = sealed
                .games()
                .filter(|id| !self.games.contains_key(&(place, *id)));
            let missing: Vec<GameId> = missing.collect();
            let there = sealed.event.games - missing.len() as u64;
            self.remarks
                .push(format!("{name}: {there} of {} games", sealed.event.games));
            if partly || missing.is_empty() {
                continue;
            }
            let (games, named) = (count(missing.len(), "game"), named(&missing));
            self.wrong.push(format!("{name}: {games} missing: {named}"));
        }
    }
}

// Drawn games of sealed events, played again: under limits in nodes or plies their moves are the same.

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
