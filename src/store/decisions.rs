//! The arbiter's book: the table `decisions`.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use serde::{Deserialize, Serialize};

use crate::event::{ArbiterAct, ArbiterDecision, Decisions, PairId, UnixMillis};

use super::checksum::{self, DECISIONS};
use super::error::{InFile, StoreError};
use super::key::unsigned;
use super::reader::Reader;
use super::{EVENT_FILE, key, open, payload};

/// A decision as the column `act` has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredAct {
    /// What was decided.
    #[serde(flatten)]
    pub act: ArbiterAct,
    /// Pairs that are not played because of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpairs: Vec<PairId>,
}

/// All decisions of an event.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Decisions> {
    let intact = DECISIONS.intact();
    let mut statement = connection.prepare(&format!(
        "SELECT decision, decided_ms, author, reason, act, {intact} FROM decisions ORDER BY decision"
    ))?;
    let rows = statement.query_map([], |row| {
        checksum::check(row, 5, || "the arbiter's book".to_owned())?;
        let act: StoredAct = key::json(row, 4)?;
        Ok(ArbiterDecision {
            id: unsigned(row, 0)?,
            decided: UnixMillis(row.get(1)?),
            author: row.get(2)?,
            reason: row.get(3)?,
            act: act.act,
            unpairs: act.unpairs,
        })
    })?;
    let all: Vec<ArbiterDecision> = rows.collect::<rusqlite::Result<_>>()?;
    let mut numbers = (1..).zip(&all);
    if numbers.all(|(number, decision)| decision.id == number) {
        Ok(Decisions::new(all))
    } else {
        Err(checksum::altered("the arbiter's book".to_owned()))
    }
}

/// Number of decisions.
pub(super) fn count(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT coalesce(max(decision), 0) FROM decisions";
    connection
        .prepare_cached(sql)?
        .query_row([], |row| unsigned(row, 0))
}

/// Grows with everything that a decision can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoreVersion(i64);

impl Reader {
    /// The present version.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn version(&self) -> Result<StoreVersion, StoreError> {
        let sql = "SELECT (SELECT coalesce(max(sequence), 0) FROM games)
                        + (SELECT coalesce(max(attempt), 0) FROM voided)
                        + (SELECT count(*) FROM decisions)
                        + (SELECT count(*) FROM identity)
                        + (SELECT count(*) FROM event)";
        self.row(sql, [], |row| row.get(0)).map(StoreVersion)
    }
}

/// The author, time and reason of a decision.
#[derive(Debug, Clone)]
pub(crate) struct Signature {
    /// The time.
    pub decided: UnixMillis,
    pub author: String,
    pub reason: String,
}

/// Adds a decision to the book of an event, also while it is played. `decide` makes it from the current event; nobody
/// else can write meanwhile.
///
/// # Errors
/// The error of `decide`, or of the disk; nothing is written then.
pub(crate) fn record<E: From<StoreError>>(
    folder: &Path,
    signature: &Signature,
    decide: impl FnOnce(&Reader) -> Result<StoredAct, E>,
) -> Result<ArbiterDecision, E> {
    let file = folder.join(EVENT_FILE);
    let connection = open::second_writer(folder)?;
    // Rolled back if it is dropped without a commit.
    let behavior = TransactionBehavior::Immediate;
    let transaction = Transaction::new_unchecked(&connection, behavior).at(&file)?;
    let reader = Reader::open(folder)?;
    let written = decide(&reader)?;
    let id = reader.decisions().len() + 1;
    let act = serde_json::to_string(&written).map_err(payload::unwritable);
    let row = params![
        id.cast_signed(),
        signature.decided.0,
        signature.author,
        signature.reason,
        act.at(&file)?,
    ];
    let inserted = transaction.execute(&DECISIONS.write("INSERT"), row);
    inserted.and_then(|_| transaction.commit()).at(&file)?;
    Ok(ArbiterDecision {
        id,
        decided: signature.decided,
        author: signature.author.clone(),
        reason: signature.reason.clone(),
        act: written.act,
        unpairs: written.unpairs,
    })
}
