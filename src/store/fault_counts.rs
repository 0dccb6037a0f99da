//! Faults and strikes, from what is stored.

use crate::chess::Color;
use crate::event::{GameId, PlayedGame, Seat};
use crate::referee::FaultKind;

use super::error::Result;
use super::reader::Reader;
use super::{checksum, key, words};

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
    pub fn of(game: &PlayedGame) -> ReplayedGame {
        let fault = game.record.faults.first();
        ReplayedGame {
            id: game.id,
            seats: game.seats,
            revision: None,
            fault: fault.map(|fault| (fault.side, fault.kind)),
        }
    }
}

impl Reader {
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
                 faults ->> '$[0][0]', faults ->> '$[0][1]', revision, {intact}
             FROM voided WHERE reason = ?1 OR NOT {intact} ORDER BY attempt",
            intact = self.intact_voided()
        );
        let mut statement = self.prepare(&sql)?;
        let rows = statement.query_map([reason], |row| {
            checksum::check(row, 9, || "the log of voided games".to_owned())?;
            let side: Option<String> = row.get(6)?;
            let kind: Option<String> = row.get(7)?;
            Ok(ReplayedGame {
                id: key::game_id(row, 0)?,
                seats: key::seats(row, 2)?,
                revision: row.get(8)?,
                fault: side
                    .and_then(|side| words::color(&side))
                    .zip(kind.and_then(|kind| words::fault_kind(&kind))),
            })
        });
        self.check(rows.and_then(Iterator::collect))
    }
}
