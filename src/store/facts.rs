//! The data of the event itself in the store: keys and values, accepted identities, and the engines.

use std::collections::BTreeMap;

use rusqlite::{Connection, TransactionBehavior, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checksum::{self, ENGINES, EVENT, IDENTITY};
use super::error::{Result, StoreError};
use super::reader::Reader;
use super::{decisions, key};
use crate::clock::GivenTime;
use crate::event::UnixMillis;
use crate::event::identity::EventIdentity;

/// The key of the table `event` with the planned games by encounter:
/// `[[engine, engine, games], …]`, the smaller index first.
pub(crate) const PLANNED_ENCOUNTERS: &str = "planned_encounters";

/// The key of the table `event` with the part of the plan that a store holds, `I/N`; only shards have it.
pub(crate) const SHARD: &str = "shard";

/// The key of the table `event` with the programs that have played it, in the order in which they began: the
/// SHA-256 of each, hexadecimal, with blanks between them.
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

/// Writes a description in one transaction; returns the revision that is then current, or `None` if the arbiter has
/// made more than these decisions.
pub(crate) fn describe(
    connection: &mut Connection,
    description: &Description,
    decisions: Option<u64>,
) -> rusqlite::Result<Option<u32>> {
    let behavior = TransactionBehavior::Immediate;
    let transaction = connection.transaction_with_behavior(behavior)?;
    if decisions.is_some() && decisions != Some(decisions::count(&transaction)?) {
        return Ok(None);
    }
    let mut revision = latest_revision(&transaction)?;
    if let Some((accepted, identity)) = &description.identity {
        revision += 1;
        let row = params![revision, accepted.0, identity.to_json()];
        transaction.execute(&IDENTITY.write("INSERT"), row)?;
    }
    write_event(&transaction, &description.facts)?;
    write_engines(&transaction, revision, &description.engines)?;
    transaction.commit()?;
    Ok(Some(revision))
}

pub(super) fn write_event(
    connection: &Connection,
    entries: &[(String, String)],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&EVENT.write("REPLACE"))?;
    for (key, value) in entries {
        statement.execute(params![key, value])?;
    }
    Ok(())
}

/// The latest revision; 0 if no identity was accepted yet.
pub(crate) fn latest_revision(connection: &Connection) -> rusqlite::Result<u32> {
    let sql = "SELECT coalesce(max(revision), 0) FROM identity";
    connection.query_row(sql, [], |row| row.get(0))
}

fn write_engines(
    connection: &Connection,
    revision: u32,
    engines: &[EngineEntry],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&ENGINES.write("REPLACE"))?;
    for engine in engines {
        statement.execute(params![
            revision,
            engine.engine,
            engine.name,
            engine.command,
            engine.id_name,
            engine.author,
            engine.sha256,
            serde_json::json!(engine.options).to_string(),
            engine.time_control,
        ])?;
    }
    Ok(())
}

impl Reader {
    /// All keys and values of the table `event`.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn event(&self) -> Result<BTreeMap<String, String>> {
        let sql = format!("SELECT key, value, {} FROM event", EVENT.intact());
        self.rows(&sql, [], |row| {
            let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
            checksum::check(row, 2, || format!("what it says of '{key}'"))?;
            Ok((key, value))
        })
    }

    /// The same of an event that must have begun.
    ///
    /// # Errors
    /// [`StoreError::NotBegun`]; what SQLite says.
    pub fn described(&self) -> Result<BTreeMap<String, String>> {
        if self.revision()? == 0 {
            return Err(StoreError::NotBegun(self.folder().to_path_buf()));
        }
        self.event()
    }

    /// One value of the table `event`.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn value(&self, key: &str) -> Result<Option<String>> {
        let sql = format!("SELECT value, {} FROM event WHERE key = ?1", EVENT.intact());
        let found: Vec<String> = self.rows(&sql, [key], |row| {
            checksum::check(row, 1, || format!("what it says of '{key}'"))?;
            row.get(0)
        })?;
        Ok(found.into_iter().next())
    }

    /// One value of the table `event` that is JSON, unless it is empty.
    ///
    /// # Errors
    /// What SQLite says; the value is not what this program writes there.
    pub(crate) fn json_value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let text = self.value(key)?.filter(|text| !text.is_empty());
        let read = text.map(|text| serde_json::from_str(&text)).transpose();
        read.map_err(|error| self.unreadable(key, &error))
    }

    /// Every accepted identity, in order.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn identities(&self) -> Result<Vec<AcceptedIdentity>> {
        let sql = format!(
            "SELECT revision, accepted_ms, identity, {} FROM identity ORDER BY revision",
            IDENTITY.intact()
        );
        self.rows(&sql, [], |row| {
            checksum::check(row, 3, || "what identifies the event".to_owned())?;
            Ok(AcceptedIdentity {
                revision: row.get(0)?,
                accepted: UnixMillis(row.get(1)?),
                identity: key::json(row, 2)?,
            })
        })
    }

    /// The current identity: the last that was accepted.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn identity(&self) -> Result<Option<AcceptedIdentity>> {
        Ok(self.identities()?.pop())
    }

    /// The same of an event that must have begun.
    ///
    /// # Errors
    /// As [`Reader::identity`]; [`StoreError::NotBegun`].
    pub(crate) fn begun(&self) -> Result<AcceptedIdentity> {
        let identity = self.identity()?;
        identity.ok_or_else(|| StoreError::NotBegun(self.folder().to_path_buf()))
    }

    /// The engines under one revision of the identity, by index.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn engines(&self, revision: u32) -> Result<Vec<EngineEntry>> {
        let sql = format!(
            "SELECT engine, name, command, id_name, author, sha256, options, time_control, {}
             FROM engines WHERE revision = ?1 ORDER BY engine",
            ENGINES.intact()
        );
        self.rows(&sql, [revision], |row| {
            checksum::check(row, 8, || "what it says of an engine".to_owned())?;
            Ok(EngineEntry {
                engine: row.get(0)?,
                name: row.get(1)?,
                command: row.get(2)?,
                id_name: row.get(3)?,
                author: row.get(4)?,
                sha256: row.get(5)?,
                options: key::json(row, 6)?,
                time_control: row.get(7)?,
            })
        })
    }

    /// The latest revision of the identity; 0 before the first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn revision(&self) -> Result<u32> {
        self.check(latest_revision(self.connection()))
    }

    /// The start of each revision with finished games: the place of its first game in the order of finishing, and the
    /// revision. Later games never have an earlier revision.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn revision_starts(&self) -> Result<Vec<(u64, u32)>> {
        if self.revision()? < 2 {
            return Ok(vec![(1, 1)]);
        }
        let sql = "SELECT min(sequence), revision FROM games GROUP BY revision ORDER BY 1";
        self.rows(sql, [], |row| Ok((key::unsigned(row, 0)?, row.get(1)?)))
    }
}

/// Prefix of the keys; the number after it counts from 1.
const KEY: &str = "opening_";

/// A start, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MadeStart {
    /// X-FEN.
    pub fen: String,
    /// Whether the players have the opposite colours of the plan.
    pub reversed: bool,
    /// White and Black of the plan's first game.
    pub players: [String; 2],
    /// Their actions, in order.
    pub turns: Vec<String>,
    /// What each of White and Black gave of its time before the games.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub time_given: [GivenTime; 2],
    /// The players whose turns were drawn at random because they did not answer, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
}

impl MadeStart {
    /// The key of the start with this number, from 0.
    pub(crate) fn key(number: u32) -> String {
        format!("{KEY}{}", u64::from(number) + 1)
    }

    /// The value for the store.
    pub(crate) fn text(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

impl Reader {
    /// The start with this number, from 0, if it was made.
    ///
    /// # Errors
    /// The store cannot be read, or contains another text than this program writes there.
    pub(crate) fn made_start(&self, number: u32) -> Result<Option<MadeStart>> {
        self.json_value(&MadeStart::key(number))
    }

    /// By pair, from 0: what each of White and Black gave of its time before the games.
    ///
    /// # Errors
    /// As [`Reader::made_start`].
    pub(crate) fn time_given(&self) -> Result<BTreeMap<u64, [GivenTime; 2]>> {
        let mut given = BTreeMap::new();
        for key in self.event()?.into_keys() {
            let number = key.strip_prefix(KEY).and_then(|number| number.parse().ok());
            let Some(number) = number.and_then(|number: u32| number.checked_sub(1)) else {
                continue;
            };
            let start = self.made_start(number)?.map(|start| start.time_given);
            let start = start.filter(|given| !crate::text::is_usual(given));
            given.extend(start.map(|start| (u64::from(number), start)));
        }
        Ok(given)
    }
}
