//! The present event files, compared to the record; and the record of all results.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::{Tournament, hex, parse_as_recorded};
use crate::event::GameId;
use crate::pgn::{PgnError, PgnGame, RawGame};
use crate::schedule::{PairSpec, Plan, PlanError, Shard};
use crate::store::Expectation;
use crate::text::count;

use super::manifest::{
    Manifest, SealError, SealedEvent, VERSION, file_sha256, now, planned, read_json, seen_from,
    unreadable, wrong,
};

/// One sealed event with its plan.
#[derive(Debug)]
pub(crate) struct Sealed {
    /// The record.
    pub(crate) event: SealedEvent,
    /// Its pairs.
    pub(super) plan: Plan,
    /// The event from its present file.
    pub(super) tournament: Tournament,
}

impl Sealed {
    /// What this game's pair plays, if the plan has the game.
    pub(super) fn planned(&self, id: GameId) -> Option<PairSpec> {
        let known = Some(id.pair).filter(|pair| pair.0 < self.plan.len());
        let spec = known.and_then(|pair| self.plan.pair(pair))?;
        (id.game < spec.games).then_some(spec)
    }

    /// What stored games must match, with the shard's part if it is a shard.
    pub(super) fn expectation(&self, shard: Option<Shard>) -> Result<Expectation, PlanError> {
        Ok(Expectation {
            plan: self.tournament.plan()?,
            openings: Arc::clone(&self.tournament.openings),
            shard,
        })
    }

    /// All games of the plan.
    pub(super) fn games(&self) -> impl Iterator<Item = GameId> + '_ {
        self.plan
            .iter()
            .flat_map(|(pair, spec)| (0..spec.games).map(move |game| GameId { pair, game }))
    }
}

/// The sealed events of a manifest; `say` receives what has changed since then.
///
/// # Errors
/// An event file or its book is gone, or cannot be read as an event any more.
pub(crate) fn open(
    path: &Path,
    manifest: &Manifest,
    mut say: impl FnMut(String),
) -> Result<Vec<Sealed>, SealError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let events = manifest.events.iter();
    events
        .map(|event| open_event(folder, event, &mut say))
        .collect()
}

fn open_event(
    folder: &Path,
    event: &SealedEvent,
    say: &mut impl FnMut(String),
) -> Result<Sealed, SealError> {
    let file = folder.join(&event.file);
    let shown = file.display();
    let found = file_sha256(&file)?;
    if found != event.sha256 {
        say(format!(
            "{shown}: the file has changed: its SHA-256 is {found}, and {} was sealed",
            event.sha256
        ));
    }
    let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, error))?;
    let tournament = parse_as_recorded(&text, &file, None, &event.identity)?;
    let identity = tournament.identity_like(&event.identity);
    if tournament.name != event.name {
        say(format!(
            "{shown}: the event is called {}, and {} was sealed",
            tournament.name, event.name
        ));
    }
    for difference in event.identity.differences(&identity) {
        say(format!("{shown}: {difference}"));
    }
    if event.identity.commitment(&event.name) != event.commitment {
        say(format!(
            "{}: the commitment is not that of what was sealed",
            event.name
        ));
    }
    let (plan, plan_sha256) = planned(&tournament, &identity)?;
    if (plan.len(), plan.games()) != (event.pairs, event.games) {
        say(format!(
            "{shown}: the plan has {} and {}, and {} and {} were sealed",
            count(plan.len(), "pair"),
            count(plan.games(), "game"),
            event.pairs,
            event.games
        ));
    }
    if plan_sha256 != event.plan_sha256 {
        say(format!(
            "{shown}: the plan is another: its SHA-256 is {plan_sha256}, and {} was sealed",
            event.plan_sha256
        ));
    }
    Ok(Sealed {
        event: event.clone(),
        plan,
        tournament,
    })
}

// The record that is written after the last game: a hash of every game, and of all of an event.

/// The word by which the record is known.
const WORD: &str = "arbiter960 closing seal";
/// Digits of a game's hash by which it is told from another.
const DIGITS: usize = 16;

/// Maximum number of games of one kind that are named; the others are counted.
const NAMED: usize = 10;

/// What a game is known by, beside its moves. When and where it was played is not among it: copies may lack that.
const TAGS: &str = "Event Round Pair White Black Result Termination Variant FEN TimeControl WhiteTimeControl \
    BlackTimeControl WhiteCopy BlackCopy WhiteVersion BlackVersion WhiteOptions BlackOptions";

/// A game as two hashes, hexadecimal; empty for a game that breaks the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GameHash {
    /// Of its tags and moves.
    pub(super) whole: String,
    /// Of its moves and result: what it shares with itself played again.
    pub(super) moves: String,
}

impl GameHash {
    /// Of a text: a line `NAME VALUE` for each of the tags that it has, then its moves, each in UCI's notation with
    /// castling as the king taking its rook.
    pub(super) fn of(raw: &RawGame<'_>) -> Result<GameHash, PgnError> {
        let game = PgnGame::read(raw)?;
        let played = game.moves.iter().map(|record| record.chess_move);
        let moves = game.book.into_iter().chain(played);
        let moves: String = moves.map(|played| format!("{played}\n")).collect();
        let tag = |name: &str| Some(format!("{name} {}\n", raw.tag(name)?));
        let tags: String = TAGS.split(' ').filter_map(tag).collect();
        let result = raw.tag("Result").unwrap_or_default();
        Ok(GameHash {
            whole: sha256_of(&format!("{tags}{moves}")),
            moves: sha256_of(&format!("{result}\n{moves}")),
        })
    }
}

fn sha256_of(text: &str) -> String {
    hex(Sha256::new_with_prefix(text))
}

/// The results of sealed events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Closing {
    #[serde(rename = "arbiter960 closing seal")]
    version: u32,
    /// When, as ISO 8601 in UTC.
    closed: String,
    /// The manifest, seen from the folder of this file, and its SHA-256.
    seal: PathBuf,
    seal_sha256: String,
    /// By event.
    results: BTreeMap<String, ClosedResults>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClosedResults {
    /// The SHA-256 of a line `GAME HASH` for every game.
    sha256: String,
    /// The first digits of every game's hash, in the plan's order, one after the other.
    games: String,
}

/// What was sealed before the first game, and what was closed after the last, if the file is of that kind.
///
/// # Errors
/// One of the two cannot be read.
pub(crate) fn read(path: &Path) -> Result<(PathBuf, Manifest, Option<Closing>), SealError> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
    if !text.contains(WORD) {
        return Ok((path.to_owned(), Manifest::read(path)?, None));
    }
    let closing: Closing = read_json(path, &text, WORD)?;
    let sealed = path.parent().unwrap_or(Path::new("")).join(&closing.seal);
    if file_sha256(&sealed)? != closing.seal_sha256 {
        let words =
            "it is not the seal under which the results were closed: its SHA-256 is another";
        return Err(wrong(&sealed, words));
    }
    Ok((sealed.clone(), Manifest::read(&sealed)?, Some(closing)))
}

impl Closing {
    /// Of results that were found to be whole and right, for a file in `folder`.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub(crate) fn new(
        seal: &Path,
        folder: &Path,
        results: BTreeMap<String, ClosedResults>,
    ) -> Result<Closing, SealError> {
        Ok(Closing {
            version: VERSION,
            closed: now(),
            seal: seen_from(folder, seal).map_err(|error| unreadable(seal, error))?,
            seal_sha256: file_sha256(seal)?,
            results,
        })
    }

    /// What is not as it was closed in these games of an event.
    pub(super) fn changed<'g>(
        &self,
        event: &SealedEvent,
        games: impl Iterator<Item = (GameId, &'g GameHash)> + Clone,
    ) -> Option<String> {
        let name = &event.name;
        let Some(closed) = self.results.get(name) else {
            return Some(format!("{name}: it was not closed"));
        };
        let a_pair = event.games.checked_div(event.pairs).unwrap_or(0);
        let is_other = |(id, hash): &(GameId, &GameHash)| {
            let place = (id.pair.0 * a_pair + u64::from(id.game)) as usize * DIGITS;
            closed.games.get(place..place + DIGITS) != Some(first_digits(hash))
        };
        let other: Vec<GameId> = games.clone().filter(is_other).map(|(id, _)| id).collect();
        if !other.is_empty() {
            let named = named(&other);
            return Some(format!(
                "{name}: not as it was closed: moves, result or tags of the games {named}"
            ));
        }
        let is_whole = games.clone().count() as u64 == event.games;
        let is_other = is_whole && ClosedResults::of(games) != *closed;
        is_other.then(|| format!("{name}: its results are not those that were closed"))
    }
}

impl ClosedResults {
    pub(super) fn of<'g>(
        games: impl Iterator<Item = (GameId, &'g GameHash)> + Clone,
    ) -> ClosedResults {
        let lines = games
            .clone()
            .map(|(id, hash)| format!("{id} {}\n", hash.whole));
        ClosedResults {
            sha256: sha256_of(&lines.collect::<String>()),
            games: games.map(|(_, hash)| first_digits(hash)).collect(),
        }
    }
}

fn first_digits(hash: &GameHash) -> &str {
    hash.whole.get(..DIGITS).unwrap_or("")
}

/// The first of these games by name, and how many more there are.
pub(super) fn named(games: &[GameId]) -> String {
    let shown = games.iter().take(NAMED).map(ToString::to_string);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match games.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
