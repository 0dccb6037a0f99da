//! Number of games and of fallen flags, games that were voided for faults, and processor time out of turn.

use std::time::Duration;

use rusqlite::{Connection, params};

use super::checksum::{self, VOIDED};
use super::error::Result;
use super::key::{self, unsigned};
use super::reader::Reader;
use crate::chess::Color;
use crate::clock::nanoseconds;
use crate::event::{GameId, PlayedGame, Seat};
use crate::referee::{ALLOWED, FaultKind, IdleTimes};
use crate::text::count;

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

impl FlagFalls {
    /// Who is to blame for those that count, if there are any.
    pub(crate) fn words(&self) -> Option<String> {
        let [engine, host, undecided] = [self.engine, self.host, self.undecided];
        let falls = engine + host + undecided;
        let games = count(falls, "game");
        (falls > 0).then(|| format!(
            "Loss on time: {games}: {engine} by the engine's fault, {host} by this machine's, {undecided} undecided."
        ))
    }
}

/// A game that was voided because of a fault, to be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayedGame {
    /// The key.
    pub id: GameId,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// The revision of the identity under which it was played; `None` for a game of this run.
    pub revision: Option<u32>,
    /// The fault: whose, and its kind.
    pub fault: Option<(Color, FaultKind)>,
}

impl ReplayedGame {
    /// A game that has just been voided.
    pub fn just_voided(game: &PlayedGame) -> ReplayedGame {
        let fault = game.record.faults.first();
        ReplayedGame {
            id: game.id,
            seats: game.seats,
            revision: None,
            fault: fault.map(|fault| (fault.side, fault.kind)),
        }
    }
}

/// Adds a finished game, inside the caller's transaction.
pub(super) fn add_idle_times(
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
    /// Places, in the order of finishing, of the games that were decided by a flag fall for which the host is to blame.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn host_faults(&self) -> Result<Vec<u64>> {
        let sql = "SELECT DISTINCT games.sequence
             FROM games JOIN play USING (sequence), json_each(play.faults) AS fault
             WHERE games.fault_kind = 'flag-fall' AND fault.value ->> '$.evidence.verdict' = 'host' ORDER BY 1";
        self.rows(sql, [], |row| unsigned(row, 0))
    }

    /// Number of fallen flags.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn flag_falls(&self) -> Result<FlagFalls> {
        let sql = "SELECT fault.value ->> '$.evidence.verdict', count(*)
             FROM games JOIN play USING (sequence), json_each(play.faults) AS fault
             WHERE games.fault_kind = 'flag-fall' AND fault.value ->> 'kind' = 'flag-fall' GROUP BY 1
             UNION ALL SELECT 'voided', count(*) FROM voided, json_each(voided.faults) AS fault
             WHERE voided.reason = 'host-fault' AND fault.value ->> 'kind' = 'flag-fall'";
        let mut falls = FlagFalls::default();
        let counts: Vec<(Option<String>, u64)> =
            self.rows(sql, [], |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
        for (verdict, count) in counts {
            *match verdict.as_deref() {
                Some("engine") => &mut falls.engine,
                Some("host") => &mut falls.host,
                Some("voided") => &mut falls.voided,
                _ => &mut falls.undecided,
            } += count;
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
        let (games, first, last): (u32, Option<i64>, Option<i64>) =
            self.row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let ends = first.zip(last).filter(|_| games > 1);
        Ok(ends.map(|(first, last)| {
            let span = Duration::from_millis(u64::try_from(last - first).unwrap_or(0));
            (span / (games - 1), last)
        }))
    }

    /// Number of entries in the log of voided games.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn voided_games(&self) -> Result<u64> {
        self.row("SELECT count(*) FROM voided", [], |row| unsigned(row, 0))
    }

    /// Number of games.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn counts(&self) -> Result<StoreCounts> {
        let ids = self.finished_ids()?;
        let pairs = ids.windows(2).filter(|ids| ids[0].pair == ids[1].pair);
        Ok(StoreCounts {
            finished: ids.len() as u64,
            pairs: pairs.count() as u64,
            voided: self.voided_games()?,
        })
    }

    /// The games that were voided because of a fault, in the order of voiding.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn replayed_games(&self) -> Result<Vec<ReplayedGame>> {
        self.voided_for_faults("fault-replayed")
    }

    /// The games that were voided because of the host, in the order of voiding; the fault names the side that was
    /// affected.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn excused_games(&self) -> Result<Vec<ReplayedGame>> {
        self.voided_for_faults("host-fault")
    }

    fn voided_for_faults(&self, reason: &str) -> Result<Vec<ReplayedGame>> {
        // Checked before anything is filtered out: a changed reason would hide a row.
        let sql = format!(
            "SELECT pair, game, white_engine, white_copy, black_engine, black_copy,
                 faults ->> '$[0].side', faults ->> '$[0].kind', revision, {intact}
             FROM voided WHERE reason = ?1 OR NOT {intact} ORDER BY attempt",
            intact = VOIDED.intact()
        );
        self.rows(&sql, [reason], |row| {
            checksum::check(row, 9, || "the log of voided games".to_owned())?;
            Ok(ReplayedGame {
                id: key::game_id(row, 0)?,
                seats: key::seats(row, 2)?,
                revision: row.get(8)?,
                fault: key::fault(row, 6)?,
            })
        })
    }

    /// What engines used while their opponents thought, in the order of the event; engines that were never watched are
    /// left out. Of each its index in the event, the number of watched games (twice the number for an engine that plays
    /// itself), the sum over all of them, and the largest share in one of them: per cent of one processor, 0 if it never
    /// used more than is allowed.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn idle_cpu(&self) -> Result<Vec<(u16, u64, IdleTimes, f64)>> {
        let sql = "SELECT engine, sum(games), sum(watched_ns), sum(cpu_ns), max(largest_permille)
                   FROM idle_cpu GROUP BY engine ORDER BY engine";
        self.rows(sql, [], |row| {
            let time = |column| unsigned(row, column).map(Duration::from_nanos);
            let (watched, cpu) = (time(2)?, time(3)?);
            let largest = unsigned(row, 4)? as f64 / 10.0;
            Ok((
                row.get(0)?,
                unsigned(row, 1)?,
                IdleTimes { watched, cpu },
                largest,
            ))
        })
    }
}
