//! One store out of those of the shards of an event.
//!
//! | file | what |
//! |---|---|
//! | `parts` | the shards: whether they are of one event; that event, also where its engines are not installed |
//! | this one | game after game into a new store, in the order in which they ended; it gets its place when it is whole |
//!
//! **Invariant: whatever ends a merge leaves all stores as they were.** Every game of every shard has been
//! replayed and held against the plan before the first is written.

mod parts;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parts::ShardStore;

use super::describe::{created, each_once};
use super::filling::Draft;
use super::{Session, inspection};
use crate::chess::{FenDialect, Move};
use crate::config::Tournament;
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::hash::moves_hash;
use crate::run::error::RunError;
use crate::schedule::Shard;
use crate::sink::PGN_FILE;
use crate::store::{Description, EVENT_FILE, EventLock, PROGRAMS, Reader, StoreError, StoredGame};
use crate::text::count;

/// Where the new store is made, in the folder of the event.
const DRAFT: &str = "event.merging";

/// The key of the table `event` with what a merged store was made of.
const MERGED: &str = "merged";

/// What came of it.
#[derive(Debug)]
pub(crate) struct Merged {
    /// The event, to be looked at.
    pub(crate) session: Session,
    /// Shards that were named; one that was named twice is counted twice.
    pub(crate) shards: usize,
    /// Into how many the plan is divided.
    pub(crate) division: u64,
    /// Games in the store now.
    pub(crate) games: u64,
    /// Games that were found more than once, and counted once.
    pub(crate) repeated: u64,
    /// Whether the store was all that already.
    pub(crate) unchanged: bool,
    /// What is missing: the shard, its games, and whether it was named.
    pub(crate) missing: Vec<(Shard, u64, bool)>,
}

/// Makes the event in `out` of the stores in these folders. `event` is the event file, if it is not to be
/// the one that the shards have.
///
/// # Errors
/// They are not shards of one event, a game is not what it should be, or `out` has other games. Nothing
/// is changed then.
pub(crate) fn merge(
    out: &Path,
    folders: &[PathBuf],
    event: Option<&Path>,
) -> Result<Merged, RunError> {
    let parts = parts::open(folders)?;
    let tournament = parts[0].tournament(event)?;
    for part in &parts {
        // Every game against plan, hash and its own end, as on resume.
        let shard = Some(part.shard);
        let tournament = Tournament {
            shard,
            ..tournament.clone()
        };
        inspection::inspect(&part.folder, &Arc::new(tournament))?;
    }
    fs::create_dir_all(out).map_err(|error| StoreError::from_io(out, &error))?;
    let lock = EventLock::acquire(out)?;
    let (taken, unchanged) = fill(out, &tournament, &parts)?;
    drop(lock);
    let missing = missing(&tournament, &parts, &taken)?;
    let identity = parts[0].identity().clone();
    Ok(Merged {
        session: Session::open_in(tournament, identity, out, false)?,
        shards: parts.len(),
        division: parts[0].shard.count(),
        games: taken.finished.len() as u64,
        repeated: taken.repeated,
        unchanged,
        missing,
    })
}

/// Fills a new store, which takes its place in `out` if that has not all of its games already; what was
/// taken, and whether it has.
fn fill(
    out: &Path,
    tournament: &Tournament,
    parts: &[ShardStore],
) -> Result<(MergedGames, bool), RunError> {
    let identity = parts[0].identity().clone();
    let mut draft = Draft::begin(out.join(DRAFT), tournament.clone(), identity)?;
    let mut facts = draft.session.facts()?;
    let created = |part: &ShardStore| created(&part.reader).transpose();
    let created = parts.iter().filter_map(created);
    if let Some(created) = created.collect::<Result<Vec<_>, _>>()?.into_iter().min() {
        facts.push(("created".to_owned(), created.0.to_string()));
    }
    let shards = parts.iter().map(|part| part.shard.to_string());
    let shards = serde_json::Value::from_iter(shards).to_string();
    facts.push((MERGED.to_owned(), shards));
    facts.push((PROGRAMS.to_owned(), programs(parts)?));
    let taken = take_all(&mut draft, parts, facts)?;
    let unchanged = is_contained(out, &taken)?;
    if !unchanged {
        // It follows from the store, and is written again.
        let pgn = out.join(PGN_FILE);
        if pgn.exists() {
            fs::remove_file(&pgn).map_err(|error| StoreError::from_io(&pgn, &error))?;
        }
        draft.put_in_place(out)?;
    }
    Ok((taken, unchanged))
}

/// The programs that have played any of the shards.
fn programs(parts: &[ShardStore]) -> Result<String, RunError> {
    let all = parts.iter().map(|part| part.reader.value(PROGRAMS));
    let all: Vec<Option<String>> = all.collect::<Result<_, _>>()?;
    let all = all.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(each_once(&all.split_whitespace().collect::<Vec<_>>()))
}

/// Whether the store that is in `out` has exactly these games; what else it has would be lost.
fn is_contained(out: &Path, taken: &MergedGames) -> Result<bool, RunError> {
    let file = out.join(EVENT_FILE);
    if !fs::metadata(&file).is_ok_and(|file| file.len() > 0) {
        if fs::metadata(out.join(PGN_FILE)).is_ok_and(|pgn| pgn.len() > 0) {
            return Err(StoreError::Lost(out.to_path_buf()).into());
        }
        return Ok(false);
    }
    let reader = Reader::open(out)?;
    if reader.value(MERGED)?.is_none() || !reader.decisions().is_empty() {
        return Err(StoreError::Exists(out.to_path_buf()).into());
    }
    let (mut there, mut games) = (0, 0u64);
    for stored in reader.games_after(0) {
        there += 1;
        games += u64::from(!taken.has(&stored?.game));
    }
    let voided = reader.voided()?;
    let unknown = voided.iter().filter(|void| !taken.has(&void.game)).count();
    games += unknown as u64;
    if games > 0 {
        return Err(RunError::Refused(format!(
            "{} has {} that none of these shards has: name the shards that have them, too, or \
             merge into another folder",
            out.display(),
            count(games, "game")
        )));
    }
    let whole = [taken.finished.len(), taken.playings.len()];
    Ok([there, there + voided.len()] == whole)
}

/// Which games of the plan are in none of the shards.
fn missing(
    tournament: &Tournament,
    parts: &[ShardStore],
    taken: &MergedGames,
) -> Result<Vec<(Shard, u64, bool)>, RunError> {
    let plan = inspection::plan(tournament)?;
    let games_per_pair = u64::from(tournament.games_per_pair());
    let missing = parts[0].shard.all().map(|shard| {
        let planned = shard.pairs_of(plan.len()) * games_per_pair;
        let named = parts.iter().any(|part| part.shard == shard);
        (shard, planned - taken.games_of(shard), named)
    });
    Ok(missing.filter(|(_, games, _)| *games > 0).collect())
}

/// One playing of a game, void or not: two that begin and end at the same moments with the same moves are the same.
type Playing = (GameId, bool, [UnixMillis; 2], u64);

fn playing(game: &PlayedGame) -> Playing {
    let start = game.record.start.fen(FenDialect::XFen);
    let moves = game.record.all_moves().map(Move::bits);
    let (is_void, times) = (game.record.outcome.is_void(), [game.started, game.ended]);
    (game.id, is_void, times, moves_hash(&start, moves))
}

/// What has been taken from the shards.
#[derive(Debug, Default)]
struct MergedGames {
    /// Each finished game, with the part that it is of.
    finished: HashMap<GameId, usize>,
    /// Of finished and of voided games.
    playings: HashSet<Playing>,
    /// Games that were found more than once.
    repeated: u64,
}

impl MergedGames {
    /// Finished games of this shard.
    fn games_of(&self, shard: Shard) -> u64 {
        let games = self.finished.keys().filter(|id| shard.holds(id.pair));
        games.count() as u64
    }

    /// Whether this very playing of a game is among them.
    fn has(&self, game: &PlayedGame) -> bool {
        self.playings.contains(&playing(game))
    }

    /// Adds a game of a part: whether it is new, or else whose it is if it is another playing.
    fn add(&mut self, part: usize, game: &PlayedGame) -> Result<bool, usize> {
        let is_new = self.playings.insert(playing(game));
        if game.record.outcome.is_void() {
            return Ok(is_new);
        }
        if !is_new {
            self.repeated += 1;
            return Ok(false);
        }
        let other = self.finished.insert(game.id, part);
        other.map_or(Ok(true), Err)
    }
}

/// The games of one part, finished or voided, in order.
type GameStream<'p> = Peekable<Box<dyn Iterator<Item = Result<StoredGame, StoreError>> + 'p>>;

/// Takes all games of all parts into the new store; `facts` are what is to be said of the event.
fn take_all(
    draft: &mut Draft,
    parts: &[ShardStore],
    facts: Vec<(String, String)>,
) -> Result<MergedGames, RunError> {
    let mut streams: Vec<GameStream<'_>> = Vec::new();
    for part in parts {
        let finished = part.reader.games_after(0);
        let voided = part.reader.voided()?.into_iter().map(Ok);
        streams.push((Box::new(finished) as Box<dyn Iterator<Item = _>>).peekable());
        streams.push((Box::new(voided) as Box<dyn Iterator<Item = _>>).peekable());
    }
    let mut taken = MergedGames::default();
    let mut described = Revisions {
        part: &parts[0],
        facts,
        reached: 0,
    };
    while let Some((part, stored)) = next_of(&mut streams) {
        let (stored, part_of) = (stored?, &parts[part]);
        let (mut game, record) = (stored.game, stored.sequence);
        match taken.add(part, &game) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(other) => {
                let [first, second] = [other, part].map(|part| parts[part].folder.display());
                return Err(RunError::Refused(format!(
                    "game {} is in {first} and in {second}, and was played twice: leave out one of the two",
                    game.id
                )));
            }
        }
        described.reach(draft, stored.revision)?;
        let is_void = game.record.outcome.is_void();
        if is_void || !game.record.faults.is_empty() {
            let attempt = if is_void { record } else { 0 };
            let dialogue = part_of.reader.dialogue(game.id, attempt)?;
            game.record.dialogue = dialogue.map(Box::new);
        }
        draft.take(game)?;
    }
    described.reach(draft, u32::MAX)?;
    draft.settle()?;
    Ok(taken)
}

/// The part and the game that comes first of those that come next: by revision, then by their ends.
fn next_of(streams: &mut [GameStream<'_>]) -> Option<(usize, Result<StoredGame, StoreError>)> {
    let order = |(stream, games): (usize, &mut GameStream<'_>)| {
        let next = games.peek()?.as_ref().ok();
        let order = next.map(|stored| (stored.revision, stored.game.ended, stored.game.id));
        Some((order, stream))
    };
    // An error comes before all games.
    let (_, stream) = streams.iter_mut().enumerate().filter_map(order).min()?;
    Some((stream / 2, streams[stream].next()?))
}

/// The revisions of the event, which the new store gets before the first game of each.
struct Revisions<'p> {
    part: &'p ShardStore,
    facts: Vec<(String, String)>,
    reached: u32,
}

impl Revisions<'_> {
    /// What follows was played under this revision of the event.
    fn reach(&mut self, draft: &mut Draft, revision: u32) -> Result<(), RunError> {
        while self.reached < revision
            && let Some(accepted) = self.part.identities.get(self.reached as usize)
        {
            draft.settle()?;
            self.reached += 1;
            draft.session.store.describe(Description {
                identity: Some((accepted.accepted, accepted.identity.clone())),
                facts: std::mem::take(&mut self.facts),
                engines: self.part.reader.engines(self.reached)?,
            })?;
        }
        Ok(())
    }
}
