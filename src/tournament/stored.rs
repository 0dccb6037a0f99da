//! The state of an event, from its store alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::event::identity::EventIdentity;
use crate::event::{GameId, UnixMillis};
use crate::schedule::AwaitedBids;
use crate::store::{PLANNED_ENCOUNTERS, Reader, ReplayedGame, ResultRow, SHARD, StoreResult};

use super::evidence::Builds;
use super::fault_counts::FaultCounts;
use super::roster::PendingRound;
use super::rounds::Contest;
use super::scoreboard::Ranking;
use super::{Roster, Scoreboard, SprtWatch};

/// The rules of an identity and the plan by encounter; no game counted.
///
/// # Errors
/// What SQLite says; [`StoreError::Damaged`] for a plan that cannot be read.
fn conduct_rules(reader: &Reader, identity: &EventIdentity) -> StoreResult<FaultCounts> {
    let rules = identity.faults.clone();
    let withdrawn = reader.decisions().withdrawn();
    let planned = match rules.strikes {
        None if withdrawn.is_empty() => None,
        _ => planned_encounters(reader)?,
    };
    Ok(FaultCounts::new(rules, planned).withdrawing(withdrawn))
}

/// How many games the plan has that the store knows; `None` where a stop rule or the results decide.
///
/// # Errors
/// The store cannot be read.
pub(super) fn planned_games(reader: &Reader) -> StoreResult<Option<u64>> {
    reader.json_value("planned_games")
}

/// The games of the plan by encounter, the smaller index first; `None` where a stop rule
/// decides.
fn planned_encounters(reader: &Reader) -> StoreResult<Option<BTreeMap<[u16; 2], u64>>> {
    let rows: Option<Vec<(u16, u16, u64)>> = reader.json_value(PLANNED_ENCOUNTERS)?;
    let row = |(first, second, games)| ([first, second], games);
    Ok(rows.map(|rows| rows.into_iter().map(row).collect()))
}

/// The faults so far of all engines, each in its present build. Where no engine can be disqualified only the log of
/// voided games is looked at.
///
/// # Errors
/// What SQLite says.
pub(crate) fn fault_counts(reader: &Reader) -> StoreResult<FaultCounts> {
    let identity = reader.begun()?.identity;
    let rules = conduct_rules(reader, &identity)?;
    conduct_under(reader, rules, &Builds::until(reader, identity)?)
}

/// The same under these rules and for these engines, which may be about to be accepted.
///
/// # Errors
/// What SQLite says.
pub(crate) fn conduct_under(
    reader: &Reader,
    mut fault_counts: FaultCounts,
    builds: &Builds,
) -> StoreResult<FaultCounts> {
    for game in excused_games(reader, builds)? {
        fault_counts.excused(game.seats, game.fault);
    }
    fault_counts = fault_counts.withdrawing(reader.decisions().withdrawn());
    if !fault_counts.can_rule() {
        return Ok(fault_counts);
    }
    for game in replayed_games(reader, builds)? {
        fault_counts.replayed(game.seats, game.fault);
    }
    for result in results(reader, builds) {
        let result = result?;
        fault_counts.finished(result.seats, result.fault);
    }
    Ok(fault_counts)
}

/// How often each game was voided because of a fault of an engine that is still the same build.
///
/// # Errors
/// What SQLite says.
pub(crate) fn replays(reader: &Reader, builds: &Builds) -> StoreResult<HashMap<GameId, u32>> {
    let mut replays = HashMap::new();
    for game in replayed_games(reader, builds)? {
        *replays.entry(game.id).or_default() += u32::from(game.fault.is_some());
    }
    Ok(replays)
}

/// The games that were voided because of a fault; a former build's fault is left out of them.
///
/// # Errors
/// What SQLite says.
pub(crate) fn replayed_games(reader: &Reader, builds: &Builds) -> StoreResult<Vec<ReplayedGame>> {
    Ok(of_builds(reader.replayed_games()?, builds))
}

/// The games that the host has voided; a game voided for a former build counts for no engine.
///
/// # Errors
/// What SQLite says.
pub(crate) fn excused_games(reader: &Reader, builds: &Builds) -> StoreResult<Vec<ReplayedGame>> {
    Ok(of_builds(reader.excused_games()?, builds))
}

fn of_builds(mut games: Vec<ReplayedGame>, builds: &Builds) -> Vec<ReplayedGame> {
    for game in &mut games {
        let revision = game.revision.unwrap_or_default();
        game.fault = builds.strike(revision, game.seats, game.fault);
    }
    games
}

/// The rules by which the results of a stored event are counted and ordered under this identity, and no result.
///
/// # Errors
/// The store cannot be read.
pub(super) fn empty_board(
    reader: &Reader,
    roster: &Roster,
    identity: &EventIdentity,
) -> StoreResult<Scoreboard> {
    let ranking = Ranking {
        order: identity.tie_breaks(),
        seed: identity.seed,
    };
    let rules = conduct_rules(reader, identity)?;
    let board = Scoreboard::new(&roster.participants).judged_by(rules);
    let mut board = board.ranked(ranking, Contest::read(reader, identity)?);
    board.single_games = identity.games_per_pair == 1;
    board.planned = planned_games(reader)?;
    for award in reader.awards()? {
        board.add_award(&award);
    }
    Ok(board)
}

/// The event's sequential test without a game; none of a shard, which decides nothing by itself.
///
/// # Errors
/// The store cannot be read.
pub(super) fn empty_test(
    reader: &Reader,
    identity: &EventIdentity,
) -> StoreResult<Option<SprtWatch>> {
    let is_shard = reader.value(SHARD)?.is_some();
    let whole = Some(identity).filter(|_| !is_shard);
    Ok(whole.and_then(SprtWatch::of_event))
}

/// Every finished game with the fault that counts: a fault of an engine that is still the same build.
///
/// # Errors
/// The store cannot be read.
pub(super) fn results<'a>(
    reader: &'a Reader,
    builds: &'a Builds,
) -> impl Iterator<Item = StoreResult<ResultRow>> + 'a {
    reader.results().map(|result| {
        let mut result = result?;
        let revision = builds.revision_of(result.sequence);
        result.fault = builds.strike(revision, result.seats, result.fault);
        Ok(result)
    })
}

/// The key of a wait for bids, in the table `event`: it has the pair before the game.
pub(crate) fn bids_key(bids: &AwaitedBids) -> String {
    format!("bids_awaited_after_{}", bids.after.0 + 1)
}

/// The wait for these bids as it began, for those that are missing still; `None` before that.
///
/// # Errors
/// The store cannot be read, or does not hold what this program writes there.
pub(crate) fn bids_wait(
    reader: &Reader,
    bids: &AwaitedBids,
    name: impl Fn(u16) -> String,
) -> StoreResult<Option<PendingRound>> {
    let mut wait: Option<PendingRound> = reader.json_value(&bids_key(bids))?;
    if let Some(known) = wait.as_mut().and_then(|wait| wait.bids.as_mut()) {
        known.missing = bids.missing.iter().map(|engine| name(*engine)).collect();
    }
    Ok(wait)
}

/// The waits for bids that have begun and are not over, of an event without a run.
///
/// # Errors
/// As [`bids_wait`].
pub(crate) fn pending_bids(
    reader: &Reader,
    roster: &Roster,
    board: &Scoreboard,
) -> StoreResult<Vec<PendingRound>> {
    let following = board.contest().and_then(Contest::following);
    let mut waits = Vec::new();
    for bids in following.map_or_else(Vec::new, |(_, awaited)| awaited) {
        let wait = bids_wait(reader, &bids, |engine| roster.engine_name(engine))?;
        waits.extend(wait.filter(|wait| wait.starts_ms > UnixMillis::now().0));
    }
    Ok(waits)
}

/// The engines that play no more pairs.
pub(super) fn engines_out(reader: &Reader) -> StoreResult<BTreeSet<u16>> {
    let rulings = fault_counts(reader)?.rulings().into_iter();
    Ok(rulings.map(|ruling| ruling.engine).collect())
}
