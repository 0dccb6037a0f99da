//! A store made out of `games.pgn` and the event file, where the store is gone.
//!
//! | file | what |
//! |---|---|
//! | this one | the new store is made apart, and moved to its place when it is whole |
//! | `games` | game after game of the file into it |
//!
//! **Invariant: whatever ends the work leaves the event unchanged.** The new store is made in a separate
//! folder, inspected as on resume, and gets its name last.

mod games;

use std::fs;
use std::path::{Path, PathBuf};

use games::RebuiltGames;

use super::filling::Draft;
use super::{folder_of, inspection};
use crate::config::Tournament;
use crate::event::UnixMillis;
use crate::event::identity::EventIdentity;
use crate::platform::orphans;
use crate::run::error::RunError;
use crate::run::rebuild_error::RebuildError;
use crate::run::signals::SignalWatch;
use crate::sink::PGN_FILE;
use crate::store::{EVENT_FILE, EventLock, key_of};
use crate::text::tell;
use crate::tournament::{REBUILT, Rebuilt};

/// Where the new store is made, in the event's folder.
const DRAFT: &str = "event.rebuilding";

/// What came of it.
#[derive(Debug)]
pub(crate) enum Rebuilding {
    /// The store is there again.
    Done {
        /// The event's folder.
        folder: PathBuf,
        /// What was found in `games.pgn`.
        games: RebuiltGames,
    },
    /// A signal with this exit code came first; nothing was changed.
    Stopped(u8),
}

/// Rebuilds the store of an event. With `leave_out`, games that do not fit are left out.
///
/// # Errors
/// The store is there; there is no `games.pgn`, or games in it are not the event's; an engine cannot
/// take part; a file cannot be read or written. Nothing is changed then.
pub(crate) fn rebuild(
    tournament: Tournament,
    identity: EventIdentity,
    results: &Path,
    leave_out: bool,
    signals: &SignalWatch,
) -> Result<Rebuilding, RunError> {
    let folder = folder_of(&tournament, results);
    if tournament.making.is_some() {
        return Err(RunError::StartsAreMade("`rebuild`"));
    }
    if tournament.seed_drawn {
        return Err(RebuildError::NoSeed.into());
    }
    let has = |file: &Path| fs::metadata(file).is_ok_and(|file| file.len() > 0);
    if has(&folder.join(EVENT_FILE)) {
        return Err(RebuildError::StoreIsThere(folder.join(EVENT_FILE)).into());
    }
    if !has(&folder.join(PGN_FILE)) {
        return Err(RebuildError::NoGames(folder.join(PGN_FILE)).into());
    }
    let _lock = EventLock::acquire(&folder)?;
    // No run of it can be alive, and nothing of one that was killed may be.
    orphans::end_and_name(&key_of(&folder));
    let draft = Draft::begin(folder.join(DRAFT), tournament, identity)?;
    refill(draft, folder, leave_out, signals)
}

/// Fills a new store with the games of the event in this folder, and puts it there.
fn refill(
    mut draft: Draft,
    folder: PathBuf,
    leave_out: bool,
    signals: &SignalWatch,
) -> Result<Rebuilding, RunError> {
    let remarks = draft.session.take_remarks();
    remarks.iter().for_each(|remark| tell(remark));
    if let Some(code) = draft.session.admit_alone(&folder, signals)? {
        return Ok(Rebuilding::Stopped(code));
    }
    let games = draft.take_games(&folder.join(PGN_FILE))?;
    if !games.left_out.is_empty() && !leave_out {
        return Err(RebuildError::Unfit(games.left_out).into());
    }
    inspection::inspect(draft.session.folder(), &draft.session.tournament)?;
    let rebuilt = Rebuilt {
        at_ms: UnixMillis::now().0,
        games: games.games,
        left_out: games.left_out.len() as u64,
    };
    let created = games.first.unwrap_or_else(UnixMillis::now).0.to_string();
    let facts = [("created", &created[..]), (REBUILT, &rebuilt.text())];
    draft.session.store.set_event(&facts)?;
    draft.put_in_place(&folder)?;
    Ok(Rebuilding::Done { folder, games })
}
