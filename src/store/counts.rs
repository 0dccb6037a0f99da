//! Number of games, and number of fallen flags by whose fault.

use std::time::Duration;

use super::error::Result;
use super::payload::{KIND, VERDICT};
use super::reader::Reader;

/// Number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreCounts {
    /// Finished games.
    pub finished: u64,
    /// Pairs with both games finished.
    pub pairs: u64,
    /// Entries in the log of voided games.
    pub voided: u64,
}

/// Number of fallen flags, by whose fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlagFalls {
    /// Caused by the engine.
    pub engine: u64,
    /// Caused by the host, but counted.
    pub host: u64,
    /// The cause cannot be shown, or was not watched.
    pub undecided: u64,
    /// Caused by the host, and the game was voided.
    pub voided: u64,
}

impl Reader {
    /// Places, in the order of finishing, of the games that were decided by a flag fall for which the host is to blame.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn host_faults(&self) -> Result<Vec<u64>> {
        let sql = format!(
            "SELECT DISTINCT games.sequence
             FROM games JOIN play USING (sequence), json_each(play.faults) AS fault
             WHERE games.fault_kind = 'flag-fall' AND {VERDICT} = 'host' ORDER BY 1"
        );
        let mut statement = self.prepare(&sql)?;
        let rows = statement.query_map([], |row| row.get::<_, i64>(0));
        let rows: rusqlite::Result<Vec<i64>> = rows.and_then(Iterator::collect);
        Ok(self
            .check(rows)?
            .into_iter()
            .map(i64::cast_unsigned)
            .collect())
    }

    /// Number of fallen flags.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn flag_falls(&self) -> Result<FlagFalls> {
        let sql = format!(
            "SELECT {VERDICT}, count(*)
             FROM games JOIN play USING (sequence), json_each(play.faults) AS fault
             WHERE games.fault_kind = 'flag-fall' AND {KIND} = 'flag-fall' GROUP BY 1
             UNION ALL SELECT 'voided', count(*) FROM voided, json_each(voided.faults) AS fault
             WHERE voided.reason = 'host-fault' AND {KIND} = 'flag-fall'"
        );
        let mut falls = FlagFalls::default();
        let mut statement = self.prepare(&sql)?;
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

    /// Recent time per game over all lanes together: the time in which the last hundred games finished, divided by
    /// their number; and when the last one ended, in milliseconds since 1970. `None` with fewer than two games.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn pace(&self) -> Result<Option<(Duration, i64)>> {
        let sql = "SELECT count(*), min(ended_ms), max(ended_ms)
            FROM (SELECT ended_ms FROM games ORDER BY sequence DESC LIMIT 100)";
        let mut statement = self.prepare(sql)?;
        let row = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        let (games, first, last): (u32, Option<i64>, Option<i64>) = self.check(row)?;
        let ends = first.zip(last).filter(|_| games > 1);
        Ok(ends.map(|(first, last)| {
            let span = Duration::from_millis(u64::try_from(last - first).unwrap_or(0));
            (span / (games - 1), last)
        }))
    }

    /// Number of games.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn counts(&self) -> Result<StoreCounts> {
        let ids = self.finished_ids()?;
        let pairs = ids.windows(2).filter(|ids| ids[0].pair == ids[1].pair);
        let mut voided = self.prepare("SELECT count(*) FROM voided")?;
        let voided = voided.query_row([], |row| row.get(0));
        Ok(StoreCounts {
            finished: ids.len() as u64,
            pairs: pairs.count() as u64,
            voided: self.check(voided.map(i64::cast_unsigned))?,
        })
    }
}
