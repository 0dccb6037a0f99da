//! Faults and strikes, from what is stored.

use std::collections::{BTreeMap, HashMap};

use crate::chess::Color;
use crate::event::{FinishedGame, GameId, Seat};
use crate::referee::{FaultKind, FaultRules};
use crate::stats::conduct::Conduct;

use super::error::StoreError;
use super::reader::Reader;
use super::{key, words};

type Result<T> = std::result::Result<T, StoreError>;

/// The key of the table `event` with the planned games by encounter:
/// `[[engine, engine, games], …]`, the smaller index first.
pub const PLANNED_ENCOUNTERS: &str = "planned_encounters";

/// A game that was voided because of a fault, to be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayedGame {
    /// The key.
    pub id: GameId,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// Whose fault, and which.
    pub fault: Option<(Color, FaultKind)>,
}

impl ReplayedGame {
    /// A game that has just been voided.
    pub fn of(game: &FinishedGame) -> ReplayedGame {
        let fault = game.record.faults.first();
        ReplayedGame {
            id: game.id,
            seats: game.seats,
            fault: fault.map(|fault| (fault.side, fault.kind)),
        }
    }
}

impl Reader {
    /// The rules of the identity in force and the plan by encounter; no game counted.
    ///
    /// # Errors
    /// What SQLite says; [`StoreError::Damaged`] for rules that cannot be read.
    pub fn conduct_rules(&self) -> Result<Conduct> {
        let identity = self.identity()?.map(|accepted| accepted.identity);
        let rules = identity.and_then(|identity| identity.get("faults").cloned());
        let rules = rules.map(serde_json::from_value::<FaultRules>).transpose();
        let rules = rules.map_err(|error| self.unreadable("identity", &error))?;
        let planned = self
            .value(PLANNED_ENCOUNTERS)?
            .filter(|text| !text.is_empty());
        let planned = planned.map(|text| serde_json::from_str::<Vec<(u16, u16, u64)>>(&text));
        let planned = planned.transpose();
        let planned = planned.map_err(|error| self.unreadable(PLANNED_ENCOUNTERS, &error))?;
        let planned = planned.map(|rows| {
            let row = |(first, second, games)| ([first, second], games);
            rows.into_iter().map(row).collect::<BTreeMap<_, _>>()
        });
        Ok(Conduct::new(rules.unwrap_or_default(), planned))
    }

    fn unreadable(&self, what: &str, error: &serde_json::Error) -> StoreError {
        StoreError::Damaged {
            file: self.file().to_path_buf(),
            detail: format!("{what}: {error}"),
        }
    }

    /// What all engines have done so far. Where nobody can be disqualified no game is
    /// looked at.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn conduct(&self) -> Result<Conduct> {
        let mut conduct = self.conduct_rules()?;
        if !conduct.can_disqualify() {
            return Ok(conduct);
        }
        for game in self.replayed_games()? {
            conduct.replayed(game.seats, game.fault);
        }
        for result in self.results() {
            let result = result?;
            conduct.finished(result.seats, result.fault);
        }
        Ok(conduct)
    }

    /// The games that were voided because of a fault, in the order of voiding.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn replayed_games(&self) -> Result<Vec<ReplayedGame>> {
        let sql = "SELECT pair, game, white_engine, white_copy, black_engine, black_copy,
                       faults ->> '$[0][0]', faults ->> '$[0][1]'
                   FROM voided WHERE reason = 'fault-replayed' ORDER BY attempt";
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let side: Option<String> = row.get(6)?;
            let kind: Option<String> = row.get(7)?;
            Ok(ReplayedGame {
                id: key::game_id(row, 0)?,
                seats: key::seats(row, 2)?,
                fault: side
                    .and_then(|side| words::color(&side))
                    .zip(kind.and_then(|kind| words::fault_kind(&kind))),
            })
        });
        self.check(rows.and_then(Iterator::collect))
    }

    /// How often each game was voided because of a fault.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn replays(&self) -> Result<HashMap<GameId, u32>> {
        let mut replays = HashMap::new();
        for game in self.replayed_games()? {
            *replays.entry(game.id).or_default() += 1;
        }
        Ok(replays)
    }
}
