//! The arbiter's book: the table `decisions`.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use serde::{Deserialize, Serialize};

use crate::event::{ArbiterAct, ArbiterDecision, Decisions, PairId, UnixMillis};

use super::checksum::{self, DECISIONS};
use super::error::{InFile, StoreError};
use super::key;
use super::lock::EventLock;
use super::open::{self, EVENT_FILE};
use super::reader::Reader;

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
            id: row.get::<_, i64>(0)?.cast_unsigned(),
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
    let count: i64 = connection
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))?;
    Ok(count.cast_unsigned())
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
        let version = self.prepare(sql)?.query_row([], |row| row.get(0));
        self.check(version).map(StoreVersion)
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

/// The right to write the files of an event that is not being played; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Stopped {
    _lock: EventLock,
}

impl Stopped {
    /// Keeps runners away from the event in this folder; `None` if one is playing it.
    ///
    /// # Errors
    /// The folder contains no event, or an error of the disk.
    pub(crate) fn keep(folder: &Path) -> Result<Option<Stopped>, StoreError> {
        if !folder.join(EVENT_FILE).exists() {
            return Err(StoreError::Missing(folder.to_path_buf()));
        }
        match EventLock::acquire(folder) {
            Ok(_lock) => Ok(Some(Stopped { _lock })),
            Err(StoreError::Locked { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
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
    let StoredAct { act, unpairs } = decide(&reader)?;
    let decision = ArbiterDecision {
        id: reader.decisions().len() + 1,
        decided: signature.decided,
        author: signature.author.clone(),
        reason: signature.reason.clone(),
        act,
        unpairs,
    };
    insert(&transaction, &decision).at(&file)?;
    transaction.commit().at(&file)?;
    Ok(decision)
}

fn insert(connection: &Connection, decision: &ArbiterDecision) -> rusqlite::Result<()> {
    let written = StoredAct {
        act: decision.act.clone(),
        unpairs: decision.unpairs.clone(),
    };
    let act = serde_json::to_string(&written)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    connection.execute(
        &DECISIONS.write("INSERT"),
        params![
            decision.id.cast_signed(),
            decision.decided.0,
            decision.author,
            decision.reason,
            act
        ],
    )?;
    Ok(())
}
