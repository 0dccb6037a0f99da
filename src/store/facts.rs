//! The data of the event itself in the store: keys and values, accepted identities, and the engines.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Result, Row, TransactionBehavior, params};
use serde_json::Value;

use crate::event::UnixMillis;
use crate::event::identity::EventIdentity;

use super::checksum;

/// The key of the table `event` with the planned games by encounter:
/// `[[engine, engine, games], …]`, the smaller index first.
pub(crate) const PLANNED_ENCOUNTERS: &str = "planned_encounters";

/// The key of the table `event` with the part of the plan that a store holds, `I/N`; only shards have it.
pub(crate) const SHARD: &str = "shard";

/// The key of the table `event` with the programs that have played it, in the order in which they began: the
/// SHA-256 of each, hexadecimal, with blanks between them. Stores of version 0.2.0 do not have it.
pub(crate) const PROGRAMS: &str = "programs";

/// The keys of the table `event` that every event has once its first identity was accepted.
pub(crate) const FACTS: [&str; 11] = [
    "name",
    "site",
    "seed",
    "variant",
    "positions",
    "created",
    "planned_games",
    "program",
    "config",
    "source",
    PLANNED_ENCOUNTERS,
];

/// The keys without which the event's files and tables would be wrong.
pub(crate) const INDISPENSABLE: [&str; 5] = [
    "name",
    "site",
    "variant",
    "planned_games",
    PLANNED_ENCOUNTERS,
];

/// An accepted identity of the event: see [`EventIdentity::differences`].
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedIdentity {
    /// Counted from 1; a later one was accepted with `--accept-changes`.
    pub revision: u32,
    /// When it was accepted.
    pub accepted: UnixMillis,
    /// Positions, pairs, engines, options, time, adjudication, seed.
    pub identity: EventIdentity,
}

/// An engine of the event under one revision of the identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineEntry {
    /// The index by which games name it.
    pub engine: u16,
    /// The name in the event file.
    pub name: String,
    /// The command that starts it, for people; empty for a built-in engine.
    pub command: String,
    /// The name that it reports: `id name`.
    pub id_name: Option<String>,
    /// The author that it reports: `id author`.
    pub author: Option<String>,
    /// SHA-256 of the binary, hexadecimal.
    pub sha256: Option<String>,
    /// The options actually set, in the order they were sent.
    pub options: Vec<(String, String)>,
    /// Its limits, in the form of the PGN tag `TimeControl`.
    pub time_control: String,
}

/// A description of an event that is written to the store at once: all of it becomes durable, or nothing.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// The new identity of the event and when it was accepted: a new revision, which later games carry. `None`: the
    /// current revision stays.
    pub identity: Option<(UnixMillis, EventIdentity)>,
    /// Keys and values of the table `event`, which replace existing ones.
    pub facts: Vec<(String, String)>,
    /// The engines, under the revision that is then current.
    pub engines: Vec<EngineEntry>,
}

/// Writes a description in one transaction; returns the revision that is then current.
pub(crate) fn describe(connection: &mut Connection, description: &Description) -> Result<u32> {
    let behavior = TransactionBehavior::Immediate;
    let transaction = connection.transaction_with_behavior(behavior)?;
    let revision = match &description.identity {
        Some((accepted, identity)) => write_identity(&transaction, *accepted, identity)?,
        None => latest_revision(&transaction)?,
    };
    write_event(&transaction, &description.facts)?;
    write_engines(&transaction, revision, &description.engines)?;
    transaction.commit()?;
    Ok(revision)
}

fn write_event(connection: &Connection, entries: &[(String, String)]) -> Result<()> {
    let sql = "INSERT INTO event (key, value, checksum)
               VALUES (?1, ?2, arbiter960_checksum('event', ?1, ?2))
               ON CONFLICT (key) DO UPDATE SET
                   value = excluded.value, checksum = excluded.checksum";
    let mut statement = connection.prepare_cached(sql)?;
    for (key, value) in entries {
        statement.execute(params![key, value])?;
    }
    Ok(())
}

pub(crate) fn read_event(connection: &Connection) -> Result<BTreeMap<String, String>> {
    let intact = checksum::intact(connection, checksum::EVENT)?;
    let mut statement = connection.prepare(&format!("SELECT key, value, {intact} FROM event"))?;
    let rows = statement.query_map([], |row| {
        let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
        checksum::check(row, 2, || format!("what it says of '{key}'"))?;
        Ok((key, value))
    })?;
    rows.collect()
}

/// Records an identity as the next revision, and returns its number.
fn write_identity(
    connection: &Connection,
    accepted: UnixMillis,
    identity: &EventIdentity,
) -> Result<u32> {
    let revision = latest_revision(connection)? + 1;
    connection.execute(
        "INSERT INTO identity (revision, accepted_ms, identity, checksum)
         VALUES (?1, ?2, ?3, arbiter960_checksum('identity', ?1, ?2, ?3))",
        params![revision, accepted.0, identity.to_json()],
    )?;
    Ok(revision)
}

/// The latest revision; 0 if no identity was accepted yet.
pub(crate) fn latest_revision(connection: &Connection) -> Result<u32> {
    let sql = "SELECT coalesce(max(revision), 0) FROM identity";
    connection.query_row(sql, [], |row| row.get(0))
}

pub(crate) fn read_identities(connection: &Connection) -> Result<Vec<AcceptedIdentity>> {
    let intact = checksum::intact(connection, checksum::IDENTITY)?;
    let sql =
        format!("SELECT revision, accepted_ms, identity, {intact} FROM identity ORDER BY revision");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        checksum::check(row, 3, || "what identifies the event".to_owned())?;
        Ok(AcceptedIdentity {
            revision: row.get(0)?,
            accepted: UnixMillis(row.get(1)?),
            identity: parsed(row, 2, EventIdentity::from_json)?,
        })
    })?;
    rows.collect()
}

fn write_engines(connection: &Connection, revision: u32, engines: &[EngineEntry]) -> Result<()> {
    let sql = "INSERT INTO engines
               (revision, engine, name, command, id_name, author, sha256, options, time_control,
                checksum)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                   arbiter960_checksum('engines', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))
               ON CONFLICT (revision, engine) DO UPDATE SET
                   name = excluded.name, command = excluded.command,
                   id_name = excluded.id_name, author = excluded.author,
                   sha256 = excluded.sha256, options = excluded.options,
                   time_control = excluded.time_control, checksum = excluded.checksum";
    let mut statement = connection.prepare_cached(sql)?;
    for engine in engines {
        statement.execute(params![
            revision,
            engine.engine,
            engine.name,
            engine.command,
            engine.id_name,
            engine.author,
            engine.sha256,
            Value::from_iter(
                engine
                    .options
                    .iter()
                    .map(|(k, v)| vec![k.clone(), v.clone()])
            )
            .to_string(),
            engine.time_control,
        ])?;
    }
    Ok(())
}

/// The engines under one revision of the identity, by index.
pub(crate) fn read_engines(connection: &Connection, revision: u32) -> Result<Vec<EngineEntry>> {
    let intact = checksum::intact(connection, checksum::ENGINES)?;
    let sql = format!(
        "SELECT engine, name, command, id_name, author, sha256, options, time_control, {intact}
         FROM engines WHERE revision = ?1 ORDER BY engine"
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([revision], |row| {
        checksum::check(row, 8, || "what it says of an engine".to_owned())?;
        Ok(EngineEntry {
            engine: row.get(0)?,
            name: row.get(1)?,
            command: row.get(2)?,
            id_name: row.get(3)?,
            author: row.get(4)?,
            sha256: row.get(5)?,
            options: parsed(row, 6, |text| serde_json::from_str(text))?,
            time_control: row.get(7)?,
        })
    })?;
    rows.collect()
}

/// A value of the table `event`.
pub(crate) fn read_value(connection: &Connection, key: &str) -> Result<Option<String>> {
    let intact = checksum::intact(connection, checksum::EVENT)?;
    let sql = format!("SELECT value, {intact} FROM event WHERE key = ?1");
    let value = connection.query_row(&sql, [key], |row| {
        checksum::check(row, 1, || format!("what it says of '{key}'"))?;
        row.get(0)
    });
    value.optional()
}

/// A text of a row, read by `parse`.
pub(super) fn parsed<T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row<'_>,
    column: usize,
    parse: impl FnOnce(&str) -> std::result::Result<T, E>,
) -> Result<T> {
    let kind = rusqlite::types::Type::Text;
    let parsed = parse(row.get_ref(column)?.as_str()?);
    parsed.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error)))
}
