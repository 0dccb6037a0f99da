//! A connection that only reads, also while a runner writes, and the games.
//!
//! | file | what |
//! |---|---|
//! | `rows` | rows back into games and results |
//! | `pages` | games and results a page at a time |

mod pages;
mod rows;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Params, Row};

use crate::event::{Award, Decisions, GameId, GameRuling, PairId, UnixMillis};
use crate::referee::{Dialogue, Outcome};

use super::checksum::{self, GAMES};
use super::error::{InFile, Result, StoreError, damaged};
use super::{EVENT_FILE, open};
use super::{decisions, key, lock, payload};

pub use rows::ResultRow;
pub(crate) use rows::StoredGame;
pub(super) use rows::{InspectedRow, read_for_inspection};

use pages::{LAST_PLACE, PagedRow, StoredRows};

/// Ends when it is dropped; a savepoint, because one can begin within another.
struct Moment<'a>(&'a Connection);

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        // Should it fail, closing the connection ends it.
        drop(self.0.execute_batch("RELEASE moment"));
    }
}

/// A connection that only reads.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    folder: PathBuf,
    file: PathBuf,
    /// The decisions when the reader was opened.
    decisions: Decisions,
}

impl Reader {
    /// Opens the event in this folder.
    ///
    /// # Errors
    /// [`StoreError::Missing`] without an event, `Foreign`, `OtherVersion` or `Damaged` for a file that cannot be used.
    pub fn open(folder: &Path) -> Result<Reader> {
        Reader::over(open::reader(folder)?, folder)
    }

    /// The same; everything is read from one state of the store until the reader is dropped.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub(crate) fn of_one_moment(folder: &Path) -> Result<Reader> {
        let connection = open::reader(folder)?;
        let begun = connection.execute_batch("BEGIN");
        begun.at(&folder.join(EVENT_FILE))?;
        Reader::over(connection, folder)
    }

    fn over(connection: Connection, folder: &Path) -> Result<Reader> {
        let file = folder.join(EVENT_FILE);
        let decisions = decisions::read(&connection);
        Ok(Reader {
            decisions: decisions.at(&file)?,
            connection,
            folder: folder.to_path_buf(),
            file,
        })
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The arbiter's decisions. They are applied to everything that this reader returns, unless a function's
    /// documentation says otherwise.
    pub(crate) fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// From now on the event is read as if these were the decisions.
    pub(crate) fn suppose(&mut self, decisions: Decisions) {
        self.decisions = decisions;
    }

    /// The games that count without having been played.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn awards(&self) -> Result<Vec<Award>> {
        let mut awards = Vec::new();
        for award in self.decisions.awards() {
            if self.game(award.id)?.is_none() {
                awards.push(award);
            }
        }
        Ok(awards)
    }

    /// The error about a value of the table `event` that cannot be interpreted.
    pub(crate) fn unreadable(&self, what: &str, error: &impl Display) -> StoreError {
        damaged(&self.file, format!("{what}: {error}"))
    }

    /// Until the returned value is dropped, everything is read from one state of the store. The writer's log cannot be
    /// emptied meanwhile.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn at_one_moment(&self) -> Result<impl Drop + '_> {
        self.check(self.connection.execute_batch("SAVEPOINT moment"))?;
        Ok(Moment(&self.connection))
    }

    /// The file that is read.
    pub fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// What `read` makes of every row.
    pub(super) fn rows<T, C: FromIterator<T>>(
        &self,
        sql: &str,
        bound: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<C> {
        let mut statement = self.check(self.connection.prepare_cached(sql))?;
        let rows = statement.query_map(bound, read);
        self.check(rows.and_then(Iterator::collect))
    }

    /// What `read` makes of the first row.
    pub(super) fn row<T>(
        &self,
        sql: &str,
        bound: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let statement = self.connection.prepare_cached(sql);
        self.check(statement.and_then(|mut statement| statement.query_row(bound, read)))
    }

    pub(super) fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T> {
        result.at(&self.file)
    }

    /// Refuses a place in the order of finishing that does not follow the previous one.
    pub(super) fn follows(&self, before: u64, place: u64) -> Result<()> {
        if place == before + 1 {
            Ok(())
        } else {
            Err(self.gap(before, place))
        }
    }

    /// Refuses an order of finishing that ends too early.
    pub(super) fn reaches(&self, last: u64, until: u64) -> Result<()> {
        if last >= until {
            Ok(())
        } else {
            Err(self.gap(last, until + 1))
        }
    }

    fn gap(&self, before: u64, place: u64) -> StoreError {
        let detail = format!("the games between the places {before} and {place} are missing");
        damaged(&self.file, detail)
    }

    /// Whether a runner is playing this event now.
    pub fn is_running(&self) -> bool {
        lock::is_held(&self.folder)
    }

    /// The keys of all finished games that count, in order: resume removes them from the plan.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn finished_ids(&self) -> Result<Vec<GameId>> {
        // Read before the rows, because a runner may be writing.
        let last = self.last_place()?;
        // From the table, because its index has no checksums.
        let sql = format!(
            "SELECT pair, game, {} FROM games NOT INDEXED ORDER BY sequence",
            GAMES.intact()
        );
        let ids: Vec<(GameId, u32)> = self.rows(&sql, [], |row| {
            let id = key::game_id(row, 0)?;
            let (_, playing) = key::of_pair_column(row.get(0)?);
            checksum::check(row, 2, || format!("the result of game {id}"))?;
            Ok((id, playing))
        })?;
        self.reaches(ids.len() as u64, last)?;
        let counts = |(id, playing): (GameId, u32)| match self.decisions.ruling(id, playing) {
            GameRuling::Superseded { .. } => None,
            _ => Some(id),
        };
        let mut ids: Vec<GameId> = ids.into_iter().filter_map(counts).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// Finished games that count, with all their data, in the order of finishing, read a page at a time. Every move is
    /// checked against the rules.
    pub fn games(&self) -> StoredRows<'_, StoredGame> {
        StoredRows::new(self, [0, LAST_PLACE], true)
    }

    /// Every finished game after one place in the order of finishing, with its outcome on the board; decisions of the
    /// arbiter are not applied.
    pub fn games_after(&self, place: u64) -> StoredRows<'_, StoredGame> {
        StoredRows::new(self, [place, LAST_PLACE], false)
    }

    /// Only the results, in the order of finishing.
    pub fn results(&self) -> StoredRows<'_, ResultRow> {
        self.results_between(0, LAST_PLACE)
    }

    /// The same after one place in the order of finishing, up to another: so two readers can share a large event.
    pub fn results_between(&self, after: u64, until: u64) -> StoredRows<'_, ResultRow> {
        StoredRows::new(self, [after, until], true)
    }

    /// Those that engines decided: what a sequential test and adaptive choices are made of.
    pub(crate) fn evidence(&self) -> impl Iterator<Item = Result<ResultRow>> + use<'_> {
        let counts = |result: &Result<ResultRow>| match result {
            Ok(row) => row.outcome.is_evidence(),
            Err(_) => true,
        };
        self.results().filter(counts)
    }

    /// Whether the index over the keys of the games fits the table.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if it does not.
    pub(super) fn check_index(&self) -> Result<()> {
        let verdict: String = self.row("PRAGMA integrity_check(games)", [], |row| row.get(0))?;
        match verdict.as_str() {
            "ok" => Ok(()),
            _ => Err(damaged(&self.file, verdict)),
        }
    }

    /// The last place in the order of finishing; 0 without games.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn last_place(&self) -> Result<u64> {
        // The largest number in the table, and the number of entries in its index.
        let sql = "SELECT (SELECT coalesce(max(sequence), 0) FROM games),
                          (SELECT count(*) FROM games)";
        let last: [i64; 2] = self.row(sql, [], |row| Ok([row.get(0)?, row.get(1)?]))?;
        let [last, indexed] = last.map(i64::cast_unsigned);
        self.reaches(last, indexed)?;
        self.reaches(indexed, last)?;
        Ok(last)
    }

    /// At most this number of pairs with finished games, spread over the numbers of pairs.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn pairs_spread(&self, count: u64) -> Result<BTreeSet<PairId>> {
        let sql = "SELECT (SELECT min(pair) FROM games
                           WHERE pair >= (SELECT max(pair) + 1 FROM games) * ?1 / ?2)";
        let mut pairs = BTreeSet::new();
        for nth in 0..count {
            let parameters = [nth, count].map(u64::cast_signed);
            let pair: Option<i64> = self.row(sql, parameters, |row| row.get(0))?;
            pairs.extend(pair.map(|pair| PairId(pair.cast_unsigned())));
        }
        Ok(pairs)
    }

    /// For every finished game whose start has no number: its place in the order of finishing, and a text that is equal
    /// for equal starts, namely the FEN and the moves of the book.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn unnumbered_starts(&self) -> Result<Vec<(u64, String)>> {
        let sql = "SELECT sequence, fen, opening FROM games JOIN play USING (sequence)
                   WHERE number IS NULL ORDER BY sequence";
        self.rows(sql, [], |row| {
            let (fen, opening): (String, String) = (row.get(1)?, row.get(2)?);
            let name = match opening.as_str() {
                "" | "[]" => fen,
                _ => format!("{fen} {opening}"),
            };
            Ok((key::unsigned(row, 0)?, name))
        })
    }

    /// When the last game ended; `None` without games.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn last_end(&self) -> Result<Option<UnixMillis>> {
        let last: Option<i64> =
            self.row("SELECT max(ended_ms) FROM games", [], |row| row.get(0))?;
        Ok(last.map(UnixMillis))
    }

    /// The playing that counts of a finished game.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn game(&self, id: GameId) -> Result<Option<StoredGame>> {
        let found = rows::read_game(self, id, self.decisions.playing(id))?;
        Ok(found.and_then(|game| game.under(&self.decisions)))
    }

    /// How the playing that counts of a finished game ended on the board.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn played_outcome(&self, id: GameId) -> Result<Option<Outcome>> {
        let found = rows::read_game(self, id, self.decisions.playing(id))?;
        Ok(found.map(|stored| stored.game.record.outcome))
    }

    /// The last lines before a fault, and what was left of the engine: for a finished game with `attempt` 0, otherwise
    /// for a voided one.
    ///
    /// # Errors
    /// What SQLite says; [`StoreError::Damaged`] for a text that cannot be read.
    pub fn dialogue(&self, id: GameId, attempt: u64) -> Result<Option<Dialogue>> {
        let playing = match attempt {
            0 => self.decisions.playing(id),
            _ => 0,
        };
        let dialogue = payload::read_dialogue(&self.connection, (id, playing), attempt);
        self.check(dialogue)
    }
}
