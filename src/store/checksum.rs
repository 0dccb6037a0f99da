//! A checksum in every row that can change a result or a key: data that a disk or a person has altered are not read as
//! if they were valid.
//!
//! The checksum of a row is XXH3 (64 bits, Collet 2019) over the table's name and its columns. Each column is preceded
//! by its type and its length, so that no other row has the same text. SQLite computes it with a function that every
//! connection of this program registers.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Error, Result, Row};
use twox_hash::xxhash3_64::Hasher;

/// A table whose rows have a checksum in their last column.
pub(super) struct ChecksummedTable {
    name: &'static str,
    /// The other columns, in the order in which they are written, with blanks between them.
    columns: &'static str,
}

pub(super) const EVENT: ChecksummedTable = table("event", "key value");
pub(super) const IDENTITY: ChecksummedTable = table("identity", "revision accepted_ms identity");
pub(super) const ENGINES: ChecksummedTable = table(
    "engines",
    "revision engine name command id_name author sha256 options time_control",
);
pub(super) const GAMES: ChecksummedTable = table(
    "games",
    "sequence pair game revision cycle number white_engine white_copy black_engine black_copy \
              white_half_points plies reason termination fault_side fault_kind started_ms ended_ms moves_hash",
);
pub(super) const PLAY: ChecksummedTable = table(
    "play",
    "sequence fen castling opening moves faults breaches",
);
pub(super) const VOIDED: ChecksummedTable = table(
    "voided",
    "attempt pair game revision cycle number white_engine white_copy black_engine black_copy \
              reason detail started_ms ended_ms fen castling opening moves faults breaches",
);
pub(super) const DIALOGUES: ChecksummedTable = table("dialogues", "pair game attempt dialogue");
pub(super) const DECISIONS: ChecksummedTable =
    table("decisions", "decision decided_ms author reason act");

const fn table(name: &'static str, columns: &'static str) -> ChecksummedTable {
    ChecksummedTable { name, columns }
}

impl ChecksummedTable {
    /// A condition in SQL that holds for a row with the right checksum.
    pub(super) fn intact(&self) -> String {
        let name = self.name;
        let columns = self.columns.replace(' ', &format!(", {name}."));
        let columns = format!("{name}.{columns}");
        format!("({name}.checksum IS arbiter960_checksum('{name}', {columns}))")
    }

    /// The statement that writes a row, with a parameter for each column. The verb is `INSERT` or `REPLACE`.
    pub(super) fn write(&self, verb: &str) -> String {
        let name = self.name;
        let columns = self.columns.replace(' ', ", ");
        let count = self.columns.split(' ').count();
        let parameters: Vec<String> = (1..=count).map(|number| format!("?{number}")).collect();
        let parameters = parameters.join(", ");
        format!(
            "{verb} INTO {name} ({columns}, checksum)
             VALUES ({parameters}, arbiter960_checksum('{name}', {parameters}))"
        )
    }
}

/// Lets this connection compute checksums.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("arbiter960_checksum", -1, flags, |context| {
        let values = (0..context.len()).map(|index| context.get_raw(index));
        Ok(checksum(values))
    })
}

/// The checksum of these values; the first is the table's name.
fn checksum<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    // Space for a row of `games`: seventeen bytes per column.
    let mut text = Vec::with_capacity(512);
    for value in values {
        let (kind, content, length) = match value {
            ValueRef::Null => (0u8, 0, 0),
            ValueRef::Integer(number) => (1, number.cast_unsigned(), 0),
            ValueRef::Real(number) => (2, number.to_bits(), 0),
            ValueRef::Text(bytes) => (3, Hasher::oneshot(bytes), bytes.len()),
            ValueRef::Blob(bytes) => (4, Hasher::oneshot(bytes), bytes.len()),
        };
        text.push(kind);
        text.extend(content.to_le_bytes());
        text.extend((length as u64).to_le_bytes());
    }
    Hasher::oneshot(&text).cast_signed()
}

/// A row that is not what this program writes, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UnfitRow(String);

/// Refuses a row whose condition, in this column, does not hold.
pub(super) fn check(row: &Row<'_>, column: usize, what: impl FnOnce() -> String) -> Result<()> {
    if row.get(column)? {
        Ok(())
    } else {
        Err(altered(what()))
    }
}

/// The error for a row that differs from what was written.
pub(super) fn altered(what: String) -> Error {
    unfit(what + " is not what was written: its checksum does not fit")
}

/// The error for a row that is not what this program writes.
pub(super) fn unfit(words: String) -> Error {
    Error::FromSqlConversionFailure(0, Type::Integer, Box::new(UnfitRow(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(sql: &str) -> i64 {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        let sql = format!("SELECT arbiter960_checksum({sql})");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn checksums_stay_the_same_for_ever() {
        assert_eq!(value("'event', 'name', 'Spring 960'"), GOLDEN);
    }

    const GOLDEN: i64 = -8_768_421_747_884_385_499;

    #[test]
    fn other_types_and_other_places_are_other_rows() {
        let rows = [
            "1, NULL",
            "NULL, 1",
            "'1', NULL",
            "1.0, NULL",
            "x'31', NULL",
            "1",
            "1, NULL, NULL",
        ];
        let mut values: Vec<i64> = rows.iter().map(|row| value(row)).collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), rows.len());
    }
}
