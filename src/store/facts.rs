//! What the store says of the event itself: keys and values, accepted
//! identities, and the engines.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;

use crate::event::UnixMillis;

/// What identifies the event, as it was accepted: see [`super::compare_identity`].
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedIdentity {
    /// Counted from 1; a later one was accepted with `--accept-changes`.
    pub revision: u32,
    /// When.
    pub accepted: UnixMillis,
    /// Positions, pairs, engines, options, time, adjudication, seed.
    pub identity: Value,
}

/// An engine of the event, as it was under one revision of the identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineEntry {
    /// The index by which games name it.
    pub engine: u16,
    /// The name in the event file.
    pub name: String,
    /// What is started, for people; empty for a built-in engine.
    pub command: String,
    /// What it says of itself: `id name`.
    pub id_name: Option<String>,
    /// What it says of itself: `id author`.
    pub author: Option<String>,
    /// SHA-256 of the binary, hexadecimal.
    pub sha256: Option<String>,
    /// The options actually set, in the order they were sent.
    pub options: Vec<(String, String)>,
    /// Its limits, as the PGN tag `TimeControl` has them.
    pub time_control: String,
}

type Result<T> = rusqlite::Result<T>;

pub(crate) fn write_event(connection: &Connection, entries: &[(String, String)]) -> Result<()> {
    let sql = "INSERT INTO event (key, value) VALUES (?1, ?2)
               ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    let mut statement = connection.prepare_cached(sql)?;
    for (key, value) in entries {
        statement.execute(params![key, value])?;
    }
    Ok(())
}

pub(crate) fn read_event(connection: &Connection) -> Result<BTreeMap<String, String>> {
    let mut statement = connection.prepare("SELECT key, value FROM event")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Records an identity as the next revision, and returns its number.
pub(crate) fn write_identity(
    connection: &Connection,
    accepted: UnixMillis,
    identity: &Value,
) -> Result<u32> {
    let revision = latest_revision(connection)? + 1;
    connection.execute(
        "INSERT INTO identity (revision, accepted_ms, identity) VALUES (?1, ?2, ?3)",
        params![revision, accepted.0, identity.to_string()],
    )?;
    Ok(revision)
}

/// The latest revision; 0 if no identity was accepted yet.
pub(crate) fn latest_revision(connection: &Connection) -> Result<u32> {
    let sql = "SELECT coalesce(max(revision), 0) FROM identity";
    connection.query_row(sql, [], |row| row.get(0))
}

pub(crate) fn read_identities(connection: &Connection) -> Result<Vec<AcceptedIdentity>> {
    let sql = "SELECT revision, accepted_ms, identity FROM identity ORDER BY revision";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(AcceptedIdentity {
            revision: row.get(0)?,
            accepted: UnixMillis(row.get(1)?),
            identity: json(row, 2)?,
        })
    })?;
    rows.collect()
}

pub(crate) fn write_engines(
    connection: &Connection,
    revision: u32,
    engines: &[EngineEntry],
) -> Result<()> {
    let sql = "INSERT INTO engines
               (revision, engine, name, command, id_name, author, sha256, options, time_control)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
               ON CONFLICT (revision, engine) DO UPDATE SET
                   name = excluded.name, command = excluded.command,
                   id_name = excluded.id_name, author = excluded.author,
                   sha256 = excluded.sha256, options = excluded.options,
                   time_control = excluded.time_control";
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
    let sql = "SELECT engine, name, command, id_name, author, sha256, options, time_control
               FROM engines WHERE revision = ?1 ORDER BY engine";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([revision], |row| {
        Ok(EngineEntry {
            engine: row.get(0)?,
            name: row.get(1)?,
            command: row.get(2)?,
            id_name: row.get(3)?,
            author: row.get(4)?,
            sha256: row.get(5)?,
            options: json(row, 6)?,
            time_control: row.get(7)?,
        })
    })?;
    rows.collect()
}

/// A value of the table `event`.
pub(crate) fn read_value(connection: &Connection, key: &str) -> Result<Option<String>> {
    let sql = "SELECT value FROM event WHERE key = ?1";
    connection
        .query_row(sql, [key], |row| row.get(0))
        .optional()
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            rusqlite::types::Type::Text,
            Box::new(error),
        )
    })
}
