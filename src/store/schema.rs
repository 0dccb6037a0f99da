//! The tables of a store, and whether a file has them.

use std::path::Path;
use std::sync::OnceLock;

use rusqlite::Connection;

use super::SCHEMA;
use super::checksum;
use super::error::{InFile, Result, damaged};

/// Marks a file of this program in `PRAGMA application_id`: "A960" in ASCII.
pub(crate) const APPLICATION_ID: i64 = 0x4139_3630;

/// Makes the tables and views of a new file.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE;
         PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {SCHEMA};
         {}
         COMMIT;",
        include_str!("schema.sql")
    ))
}

/// Refuses a file whose tables or views differ from those that this program makes: one changed letter may give a column
/// another meaning. Tables and views that users have added are ignored.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<()> {
    static EXPECTED: OnceLock<Vec<SchemaEntry>> = OnceLock::new();
    let found = definitions(connection).at(file)?;
    let expected = match EXPECTED.get() {
        Some(expected) => expected,
        None => {
            let expected = expected().at(file)?;
            EXPECTED.get_or_init(|| expected)
        }
    };
    let changed = expected.iter().find(|entry| !found.contains(entry));
    changed.map_or(Ok(()), |(name, _)| {
        Err(damaged(
            file,
            format!("the definition of '{name}' was changed"),
        ))
    })
}

/// A name in the schema, and the SQL that made it.
type SchemaEntry = (String, Option<String>);

/// The definitions in a new file.
fn expected() -> rusqlite::Result<Vec<SchemaEntry>> {
    let connection = Connection::open_in_memory()?;
    checksum::register(&connection)?;
    create(&connection)?;
    definitions(&connection)
}

fn definitions(connection: &Connection) -> rusqlite::Result<Vec<SchemaEntry>> {
    let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

pub(super) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}
