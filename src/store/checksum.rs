//! A checksum in every row that can change a result or a key: data that a disk or a person has altered are not read as
//! if they were valid.
//!
//! The checksum of a row is XXH3 (64 bits, Collet 2019) over the table's name and its columns. Each column is preceded
//! by its type and its length, so that no other row has the same text. SQLite computes it with a function that every
//! connection of this program registers.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Error};
use twox_hash::xxhash3_64::Hasher;

/// The SQL function.
macro_rules! checksum {
    ($table:literal, $columns:literal) => {
        concat!("arbiter960_checksum('", $table, "', ", $columns, ")")
    };
}

/// The checksum of a row of `event`, as SQL; the following functions do the same for other tables.
pub(super) const EVENT: &str = checksum!("event", "key, value");
pub(super) const IDENTITY: &str = checksum!("identity", "revision, accepted_ms, identity");
pub(super) const ENGINES: &str = checksum!(
    "engines",
    "revision, engine, name, command, id_name, author, sha256, options, time_control"
);
pub(super) const GAMES: &str = checksum!(
    "games",
    "sequence, pair, game, revision, cycle, number,
     white_engine, white_copy, black_engine, black_copy, white_half_points, plies,
     reason, termination, fault_side, fault_kind, started_ms, ended_ms, moves_hash, play_checksum"
);
/// The checksum of a row of `play`. It is stored in `games.play_checksum`, because the narrow table can be rewritten
/// faster.
pub(super) const PLAY: &str = checksum!(
    "play",
    "sequence, fen, castling, opening, moves, faults, breaches"
);
pub(super) const VOIDED: &str = checksum!(
    "voided",
    "attempt, pair, game, revision, cycle, number,
     white_engine, white_copy, black_engine, black_copy, reason, detail, started_ms, ended_ms,
     fen, castling, opening, moves, faults, breaches"
);
pub(super) const DECISIONS: &str =
    checksum!("decisions", "decision, decided_ms, author, reason, act");
pub(super) const PGN_PARTS: &str = checksum!("pgn_parts", "games, length, hash, tags, revision");

/// The first version of the schema with checksums.
const SINCE: i64 = 3;

/// Lets this connection compute checksums.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("arbiter960_checksum", -1, flags, |context| {
        Ok(of((0..context.len()).map(|index| context.get_raw(index))))
    })
}

/// The checksum of these values; the first is the table's name.
pub(super) fn of<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
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

/// A condition in SQL that holds for a row with the right checksum, `checksum` being one of the constants above. In a
/// file of a version without checksums it always holds.
pub(super) fn intact(connection: &Connection, checksum: &str) -> rusqlite::Result<String> {
    Ok(match has_checksums(connection)? {
        true => format!("(checksum IS {checksum})"),
        false => "1".to_owned(),
    })
}

/// The same condition for a row of `play` joined with its row of `games`.
pub(super) fn intact_play(connection: &Connection) -> rusqlite::Result<String> {
    let play = PLAY.replace("sequence", "play.sequence");
    Ok(match has_checksums(connection)? {
        true => format!("(play_checksum IS {play})"),
        false => "1".to_owned(),
    })
}

/// Whether the file is of a version with checksums.
pub(super) fn has_checksums(connection: &Connection) -> rusqlite::Result<bool> {
    let version =
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))?;
    Ok(version >= SINCE)
}

/// A row that differs from what was written.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not what was written: its checksum does not fit")]
pub(super) struct Altered(pub(super) String);

/// Refuses a row whose condition, in this column, does not hold.
pub(super) fn check(
    row: &rusqlite::Row<'_>,
    column: usize,
    what: impl FnOnce() -> String,
) -> rusqlite::Result<()> {
    match row.get::<_, bool>(column)? {
        true => Ok(()),
        false => Err(altered(what())),
    }
}

/// The error for a row that differs from what was written.
pub(super) fn altered(what: String) -> Error {
    Error::FromSqlConversionFailure(0, Type::Integer, Box::new(Altered(what)))
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
