//! Everything back from the store, also while a runner writes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{CachedStatement, Connection};

use crate::event::{GameId, PairId};
use crate::referee::Dialogue;

use super::dialogues;
use super::error::StoreError;
use super::facts::{self, AcceptedIdentity, EngineEntry};
use super::lock;
use super::open::{self, EVENT_FILE};
use super::rows::{self, Games, Results, StoredGame, VoidedGame};
use super::tallies::{self, Tally};

/// How many games there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Finished games.
    pub finished: u64,
    /// Pairs of which both games are finished.
    pub pairs: u64,
    /// Entries in the log of voided games.
    pub voided: u64,
}

/// How many flags fell, and by whose fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlagFalls {
    /// The engine's.
    pub engine: u64,
    /// The host's, and counted all the same.
    pub host: u64,
    /// Nobody's that can be shown, or nobody watched.
    pub undecided: u64,
    /// The host's, and the game was voided.
    pub voided: u64,
}

/// A connection that only reads.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    folder: PathBuf,
    file: PathBuf,
}

type Result<T> = std::result::Result<T, StoreError>;

impl Reader {
    /// Opens the event in this folder.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none, `Foreign`, `Newer` or `Damaged`
    /// for a file that cannot be used.
    pub fn open(folder: &Path) -> Result<Reader> {
        Ok(Reader {
            connection: open::reader(folder)?,
            folder: folder.to_path_buf(),
            file: folder.join(EVENT_FILE),
        })
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that is read.
    pub fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn prepare(&self, sql: &str) -> Result<CachedStatement<'_>> {
        self.check(self.connection.prepare_cached(sql))
    }

    pub(super) fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T> {
        result.map_err(|error| StoreError::from_sqlite(&self.file, &error))
    }

    /// Whether a runner is playing this event now.
    pub fn is_running(&self) -> bool {
        lock::is_held(&self.folder)
    }

    /// All keys and values of the table `event`.
    ///
    /// # Errors
    /// What SQLite says; so below.
    pub fn event(&self) -> Result<BTreeMap<String, String>> {
        self.check(facts::read_event(&self.connection))
    }

    /// One value of the table `event`.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn value(&self, key: &str) -> Result<Option<String>> {
        self.check(facts::read_value(&self.connection, key))
    }

    /// Every accepted identity, the first first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn identities(&self) -> Result<Vec<AcceptedIdentity>> {
        self.check(facts::read_identities(&self.connection))
    }

    /// The identity in force: the last that was accepted.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn identity(&self) -> Result<Option<AcceptedIdentity>> {
        Ok(self.identities()?.pop())
    }

    /// The engines under one revision of the identity, by index.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn engines(&self, revision: u32) -> Result<Vec<EngineEntry>> {
        self.check(facts::read_engines(&self.connection, revision))
    }

    /// The latest revision of the identity; 0 before the first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn revision(&self) -> Result<u32> {
        self.check(facts::latest_revision(&self.connection))
    }

    /// The keys of all finished games, in order: what resume takes off the plan.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn finished_ids(&self) -> Result<Vec<GameId>> {
        let mut statement = self.prepare("SELECT pair, game FROM games ORDER BY pair, game")?;
        let rows = statement.query_map([], |row| {
            Ok(GameId {
                pair: PairId(row.get::<_, i64>(0)?.cast_unsigned()),
                game: row.get(1)?,
            })
        });
        self.check(rows.and_then(Iterator::collect))
    }

    /// Finished games with everything, in the order of finishing, read a page
    /// at a time. Every move is checked against the rules.
    pub fn games(&self) -> Games<'_> {
        Games::new(self)
    }

    /// Results alone, in the order of finishing.
    pub fn results(&self) -> Results<'_> {
        Results::new(self)
    }

    /// The last place in the order of finishing that a game has; 0 without games.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn last_place(&self) -> Result<u64> {
        let sql = "SELECT coalesce(max(sequence), 0) FROM games";
        let last = self.connection.query_row(sql, [], |row| row.get(0));
        self.check(last.map(i64::cast_unsigned))
    }

    /// What statistics need of every game after one place in the order of finishing, up
    /// to another, in that order: two readers share a large event.
    ///
    /// # Errors
    /// What SQLite says; some games have been taken then.
    pub fn tallies(&self, after: u64, until: u64, take: impl FnMut(Tally)) -> Result<()> {
        tallies::for_each(self, [after, until], take)
    }

    /// For every finished game whose start has no number its place in the order
    /// of finishing, and a text that is equal for equal starts: the FEN and the
    /// moves of the book.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn unnumbered_starts(&self) -> Result<Vec<(u64, String)>> {
        let sql = "SELECT sequence, fen, opening FROM games JOIN play USING (sequence)
                   WHERE number IS NULL ORDER BY sequence";
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let (fen, opening): (String, String) = (row.get(1)?, row.get(2)?);
            let name = match opening.as_str() {
                "" | "[]" => fen,
                _ => format!("{fen} {opening}"),
            };
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), name))
        });
        self.check(rows.and_then(Iterator::collect))
    }

    /// One finished game.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn game(&self, id: GameId) -> Result<Option<StoredGame>> {
        rows::read_game(self, id)
    }

    /// The last lines before a fault, and what was left of the engine: of a finished
    /// game with `attempt` 0, else of a voided one.
    ///
    /// # Errors
    /// What SQLite says; [`StoreError::Damaged`] for a text that cannot be read.
    pub fn dialogue(&self, id: GameId, attempt: u64) -> Result<Option<Dialogue>> {
        let read = self.check(dialogues::read(&self.connection, id, attempt))?;
        read.transpose().map_err(|what| StoreError::Damaged {
            file: self.file.clone(),
            detail: format!("dialogue of game {id}: {what}"),
        })
    }

    /// The log of voided games, in order.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn voided(&self) -> Result<Vec<VoidedGame>> {
        rows::read_voided(self)
    }

    /// How many flags fell.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn flag_falls(&self) -> Result<FlagFalls> {
        let sql = "SELECT fault.value ->> '$[5].verdict', count(*)
            FROM games JOIN play USING (sequence), json_each(play.faults) AS fault
            WHERE games.fault_kind = 'flag-fall' AND fault.value ->> 1 = 'flag-fall'
            GROUP BY 1
            UNION ALL SELECT 'voided', count(*) FROM voided, json_each(voided.faults) AS fault
            WHERE voided.reason = 'host-fault' AND fault.value ->> 1 = 'flag-fall'";
        let mut falls = FlagFalls::default();
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        let rows: rusqlite::Result<Vec<(Option<String>, i64)>> = rows.and_then(Iterator::collect);
        for (verdict, count) in self.check(rows)? {
            *match verdict.as_deref() {
                Some("engine") => &mut falls.engine,
                Some("host") => &mut falls.host,
                Some("voided") => &mut falls.voided,
                _ => &mut falls.undecided,
            } += count.cast_unsigned();
        }
        Ok(falls)
    }

    /// How many games there are.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn counts(&self) -> Result<Counts> {
        let sql = "SELECT (SELECT count(*) FROM games),
            (SELECT count(*) FROM (SELECT 1 FROM games GROUP BY pair HAVING count(*) = 2)),
            (SELECT count(*) FROM voided)";
        let count =
            |row: &rusqlite::Row<'_>, column| row.get::<usize, i64>(column).map(i64::cast_unsigned);
        let counts = self.connection.query_row(sql, [], |row| {
            Ok(Counts {
                finished: count(row, 0)?,
                pairs: count(row, 1)?,
                voided: count(row, 2)?,
            })
        });
        self.check(counts)
    }
}
