//! What each engine used of the processors while its opponents thought: one sum per build, so that it is read quickly
//! from an event of any size.

use std::time::Duration;

use rusqlite::{Connection, params};

use crate::chess::Color;
use crate::event::PlayedGame;
use crate::referee::{ALLOWED, IdleTimes};

use super::error::StoreError;
use super::reader::Reader;
use crate::clock::nanoseconds;

/// What one engine used, in all games that were watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct IdleCpu {
    /// Its index in the event.
    pub(crate) engine: u16,
    /// Number of watched games; twice the number for an engine that plays itself.
    pub(crate) games: u64,
    /// The sum over all these games.
    pub(crate) times: IdleTimes,
    /// The largest share in one game, per cent of one processor; 0 if it never used more than is allowed.
    pub(crate) largest_percent: f64,
}

/// Adds a finished game, inside the caller's transaction.
pub(super) fn add(
    connection: &Connection,
    revision: u32,
    game: &PlayedGame,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO idle_cpu VALUES (?1, ?2, 1, ?3, ?4, ?5)
               ON CONFLICT (revision, engine) DO UPDATE SET
                   games = games + 1,
                   watched_ns = watched_ns + excluded.watched_ns,
                   cpu_ns = cpu_ns + excluded.cpu_ns,
                   largest_permille = max(largest_permille, excluded.largest_permille)";
    let idle = game.record.idle();
    for side in Color::ALL {
        let times = idle[side.index()];
        if times.watched.is_zero() {
            continue;
        }
        let counts = times.cpu > ALLOWED;
        let permille = if counts { 10.0 * times.percent() } else { 0.0 };
        connection.prepare_cached(sql)?.execute(params![
            revision,
            game.seat(side).engine,
            nanoseconds(times.watched).cast_signed(),
            nanoseconds(times.cpu).cast_signed(),
            permille as i64,
        ])?;
    }
    Ok(())
}

impl Reader {
    /// What engines used while their opponents thought, in the order of the event; engines that were never watched are
    /// left out.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn idle_cpu(&self) -> Result<Vec<IdleCpu>, StoreError> {
        let there = "SELECT count(*) FROM sqlite_schema WHERE name = 'idle_cpu'";
        let there = self
            .prepare(there)?
            .query_row([], |row| row.get::<_, i64>(0));
        if self.check(there)? == 0 {
            return Ok(Vec::new());
        }
        let sql = "SELECT engine, sum(games), sum(watched_ns), sum(cpu_ns), max(largest_permille)
                   FROM idle_cpu GROUP BY engine ORDER BY engine";
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let time = |column| {
                let nanoseconds = row.get::<usize, i64>(column)?;
                Ok::<_, rusqlite::Error>(Duration::from_nanos(nanoseconds.cast_unsigned()))
            };
            Ok(IdleCpu {
                engine: row.get(0)?,
                games: row.get::<_, i64>(1)?.cast_unsigned(),
                times: IdleTimes {
                    watched: time(2)?,
                    cpu: time(3)?,
                },
                largest_percent: row.get::<_, i64>(4)? as f64 / 10.0,
            })
        });
        self.check(rows.and_then(Iterator::collect))
    }
}
