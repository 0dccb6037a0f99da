//! The event, its engines and their revisions, from the store.

use std::collections::BTreeMap;

use super::{Reader, Result};
use crate::store::error::StoreError;
use crate::store::facts::{self, AcceptedIdentity, EngineEntry, FACTS, INDISPENSABLE};

impl Reader {
    /// All keys and values of the table `event`.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn event(&self) -> Result<BTreeMap<String, String>> {
        self.check(facts::read_event(&self.connection))
    }

    /// The required keys of the table `event` that are missing although the event has an identity: its first run ended
    /// while an earlier version of this program wrote them.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn missing_facts(&self) -> Result<Vec<&'static str>> {
        let known = self.event()?;
        let begun = self.revision()? > 0;
        let missing = FACTS
            .into_iter()
            .filter(|key| begun && !known.contains_key(*key));
        Ok(missing.collect())
    }

    /// The table `event`; every key that results depend on exists.
    ///
    /// # Errors
    /// [`StoreError::NotBegun`] or [`StoreError::Undescribed`]; what SQLite says.
    pub fn described(&self) -> Result<BTreeMap<String, String>> {
        let folder = self.folder.clone();
        if self.revision()? == 0 {
            return Err(StoreError::NotBegun(folder));
        }
        let mut missing = self.missing_facts()?;
        missing.retain(|key| INDISPENSABLE.contains(key));
        match missing.is_empty() {
            true => self.event(),
            false => Err(StoreError::Undescribed {
                folder,
                missing: missing.join(", "),
            }),
        }
    }

    /// One value of the table `event`.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn value(&self, key: &str) -> Result<Option<String>> {
        self.check(facts::read_value(&self.connection, key))
    }

    /// Every accepted identity, in order.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn identities(&self) -> Result<Vec<AcceptedIdentity>> {
        self.check(facts::read_identities(&self.connection))
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
        identity.ok_or_else(|| StoreError::NotBegun(self.folder.clone()))
    }

    /// The engines under one revision of the identity, by index.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn engines(&self, revision: u32) -> Result<Vec<EngineEntry>> {
        self.check(facts::read_engines(&self.connection, revision))
    }

    /// The latest revision of the identity; 0 before the first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn revision(&self) -> Result<u32> {
        self.check(facts::latest_revision(&self.connection))
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
        let mut statement = self.prepare(sql)?;
        let row =
            |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?));
        let rows = statement.query_map([], row);
        self.check(rows.and_then(Iterator::collect))
    }
}
