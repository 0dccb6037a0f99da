//! A store made out of `games.pgn` and the event file, where the store is gone.
//!
//! | file | what |
//! |---|---|
//! | this one | the new store is made apart, and moved to its place when it is whole |
//! | `games` | game after game of the file into it |
//!
//! **Invariant: whatever ends the work leaves the event as it was.** The new store is made in a folder
//! of its own, inspected as on resume, and gets its name last.

mod games;

use std::fs;
use std::path::{Path, PathBuf};

use games::Taken;

use super::{Session, filling, folder_of, inspection};
use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::host::epoch::unix_now;
use crate::platform::{mark_of_event, orphans};
use crate::run::error::RunError;
use crate::run::growth;
use crate::run::rebuild_error::RebuildError;
use crate::run::signals::SignalWatch;
use crate::sink::PGN_FILE;
use crate::store::{EVENT_FILE, EventLock, Expectation, Inspection};
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
        /// How it was made.
        rebuilt: Rebuilt,
        /// Games that were left out, each with what is wrong with it.
        left_out: Vec<String>,
        /// The game at the end of the file that is not whole, as after a power cut.
        torn: Option<String>,
        /// What the arbiter has ruled on games, which are as they were played.
        rulings: Vec<String>,
    },
    /// A signal with this exit code came first; nothing was changed.
    Stopped(u8),
}

/// Makes the store of an event anew. `leave_out` goes on without games that do not fit.
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
    orphans::end_and_name(&mark_of_event(&folder)?);
    let draft = folder.join(DRAFT);
    filling::clear(&draft)?;
    let session = Session::open(tournament, identity, &draft, false)?;
    let made = session.refill(&folder, leave_out, signals);
    if matches!(&made, Ok(Rebuilding::Done { .. })) {
        filling::put_in_place(&draft, &folder)?;
    }
    filling::clear(&draft)?;
    made
}

impl Session {
    /// Fills a new store with the games of the event in this folder, and closes it.
    fn refill(
        mut self,
        folder: &Path,
        leave_out: bool,
        signals: &SignalWatch,
    ) -> Result<Rebuilding, RunError> {
        self.take_remarks().iter().for_each(|remark| tell(remark));
        if let Some(code) = self.admit_alone(folder, signals)? {
            return Ok(Rebuilding::Stopped(code));
        }
        let Taken {
            games,
            first,
            left_out,
            torn,
            rulings,
        } = self.take_games(&folder.join(PGN_FILE))?;
        if !left_out.is_empty() && !leave_out {
            return Err(RebuildError::Unfit(left_out).into());
        }
        self.inspect_anew()?;
        let rebuilt = Rebuilt {
            at_ms: unix_now().0,
            games,
            left_out: left_out.len() as u64,
        };
        let created = first.unwrap_or_else(unix_now).0.to_string();
        self.store
            .set_event(&[("created", &created), (REBUILT, &rebuilt.text())])?;
        self.store.close()?;
        Ok(Rebuilding::Done {
            folder: folder.to_path_buf(),
            rebuilt,
            left_out,
            torn,
            rulings,
        })
    }

    /// Inspects all games as on resume.
    fn inspect_anew(&self) -> Result<(), RunError> {
        let mut plan = inspection::plan(&self.tournament)?;
        if let Some(continued) = growth::continued(&self.tournament, &self.reader()?)? {
            continued.complete(&mut plan);
        }
        let expected = Expectation {
            plan,
            openings: self.tournament.openings.clone(),
            shard: self.tournament.shard,
        };
        Ok(Inspection::begin(self.folder(), expected, |_| ())?.finish(tell)?)
    }
}
