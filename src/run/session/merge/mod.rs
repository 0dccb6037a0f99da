//! One store out of those of the shards of an event.
//!
//! | file | what |
//! |---|---|
//! | `parts` | the shards: whether they are of one event; that event, also where its engines are not installed |
//! | `games` | game after game into the new store, in the order in which they ended |
//! | this one | the new store is made apart, and gets its place when it is whole |
//!
//! **Invariant: whatever ends a merge leaves all stores as they were.** Every game of every shard has been
//! replayed and held against the plan before the first is written.

mod games;
mod parts;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::{MergedGames, Writing};
use parts::ShardStore;

use super::describe::{created, each_once};
use super::filling::Draft;
use super::{Session, inspection};
use crate::config::Tournament;
use crate::run::error::RunError;
use crate::run::merge_error::MergeError;
use crate::schedule::Shard;
use crate::sink::PGN_FILE;
use crate::store::{EVENT_FILE, EventLock, PROGRAMS, Reader, StoreError};

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
        inspect(part, &tournament)?;
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
        games: taken.games(),
        repeated: taken.repeated,
        unchanged,
        missing,
    })
}

/// Every game of a shard against plan, hash and its own end, as on resume.
fn inspect(part: &ShardStore, tournament: &Tournament) -> Result<(), RunError> {
    let shard = Some(part.shard);
    let tournament = Tournament {
        shard,
        ..tournament.clone()
    };
    inspection::inspect(&part.folder, &Arc::new(tournament))
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
    let created = parts
        .iter()
        .filter_map(|part| created(&part.reader).transpose());
    if let Some(created) = created.collect::<Result<Vec<_>, _>>()?.into_iter().min() {
        facts.push(("created".to_owned(), created.0.to_string()));
    }
    let shards = parts.iter().map(|part| part.shard.to_string());
    let shards = serde_json::Value::from_iter(shards).to_string();
    facts.push((MERGED.to_owned(), shards));
    facts.push((PROGRAMS.to_owned(), programs(parts)?));
    let taken = Writing::all(&mut draft, parts, facts)?;
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
    let mut all = String::new();
    for part in parts {
        all.push_str(&part.reader.value(PROGRAMS)?.unwrap_or_default());
        all.push(' ');
    }
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
    let (mut there, mut games) = (0, 0);
    for stored in reader.games_after(0) {
        there += 1;
        games += u64::from(!taken.has(&stored?.game));
    }
    let voided = reader.voided()?;
    let unknown = voided.iter().filter(|void| !taken.has(&void.game)).count();
    games += unknown as u64;
    if games > 0 {
        let folder = out.to_path_buf();
        return Err(MergeError::OtherGames { folder, games }.into());
    }
    Ok(there == taken.games() && voided.len() as u64 == taken.voided())
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
