//! A view on a TOML table that reports errors and continues.
//!
//! [`Section::finish`] reports every key that does not exist (`keys`). An [`Entry`] is a value with its place; its
//! methods return `None` after they have reported why. A reader may replace a `None` by any value: with one error in
//! the report nothing that was read is used.
//!
//! A section of an engine falls back on `[defaults]` for the keys that it does not have.

use super::cures;
use super::entry::{Entry, EntryPlace};
use super::keys::{self, Key};
use super::problem::{EVENT_FILE, Problem, ProblemReport};
use super::tables::{EventTable, EventValue, TableKey, ValueKind};
use crate::text::suggestion;

/// The table that engines fall back on.
pub(super) const DEFAULTS: &str = "defaults";

/// A table of the event file.
pub(super) struct Section<'a> {
    name: &'a str,
    place: EntryPlace<'a>,
    /// `None` if the file does not have the table: then it has no keys, and no key is reported as missing.
    table: Option<&'a EventTable>,
    /// The table searched for a key that this table does not have.
    defaults: Option<&'a EventTable>,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn root(document: &'a EventTable, report: &'a ProblemReport) -> Section<'a> {
        Section::new("", report.end_of_file(), document)
    }

    /// A table with its name and its place.
    pub(super) fn new(name: &'a str, place: EntryPlace<'a>, table: &'a EventTable) -> Section<'a> {
        Section {
            name,
            place,
            table: Some(table),
            defaults: None,
        }
    }

    /// The same, with the keys of another table as defaults, for keys that the event file's language has there.
    pub(super) fn with_defaults(self, defaults: Option<&Section<'a>>) -> Section<'a> {
        Section {
            defaults: defaults.and_then(|defaults| defaults.table),
            ..self
        }
    }

    /// Where the table is: its header; of the whole file, its end.
    pub(super) fn place(&self) -> EntryPlace<'a> {
        self.place.clone()
    }

    /// A key that may be there.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<Entry<'a>> {
        let own = self.table.and_then(|table| table.get(key));
        let value = own.or_else(|| self.default_of(key))?;
        Some(Entry::new(key, value, self.place.report))
    }

    fn default_of(&self, key: &str) -> Option<&'a EventValue> {
        keys::table(DEFAULTS)?.key(key)?;
        self.defaults?.get(key)
    }

    /// Whether the table itself has this key, whatever the defaults have.
    pub(super) fn has_own(&self, key: &str) -> bool {
        self.table.is_some_and(|table| table.get(key).is_some())
    }

    /// The table that the defaults have for a key.
    pub(super) fn shared_table(&self, key: &'static str) -> Option<Section<'a>> {
        let value = self.default_of(key)?;
        Entry::new(key, value, self.place.report).table()
    }

    /// A key that must be there; the example is a line that would do.
    pub(super) fn required(&mut self, key: &'static str, example: &str) -> Option<Entry<'a>> {
        let entry = self.optional(key);
        if entry.is_none() && self.table.is_some() {
            let what = match self.name {
                "" => format!("[{key}] is missing"),
                table => format!("`{key}` is missing in `{table}`"),
            };
            self.fail::<()>(Problem::missing(what).help(format!("for example: {example}")));
        }
        entry
    }

    /// A key by its row; a missing required key is reported.
    pub(super) fn entry(&mut self, key: &'static Key) -> Option<Entry<'a>> {
        if !key.default.is_empty() {
            return self.optional(key.name);
        }
        let mut lines = key.example.lines();
        let line = lines.find(|line| line.starts_with(key.name));
        self.required(key.name, line.unwrap_or(key.example))
    }

    /// A table that may be there.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Section<'a>> {
        self.optional(key)?.table()
    }

    /// A table that may be there; if missing, one without keys.
    pub(super) fn part(&mut self, key: &'static str) -> Section<'a> {
        self.table(key).unwrap_or_else(|| self.absent(key))
    }

    /// A missing table.
    pub(super) fn absent(&self, name: &'static str) -> Section<'a> {
        Section {
            name,
            place: self.place(),
            table: None,
            defaults: None,
        }
    }

    /// Every key and its value, in the order of the file: for tables whose keys the user
    /// chooses.
    pub(super) fn all(&self) -> Vec<Entry<'a>> {
        let entry = |key: &'a TableKey| Entry::new(&key.name, &key.value, self.place.report);
        self.keys().map(entry).collect()
    }

    fn keys(&self) -> impl Iterator<Item = &'a TableKey> + use<'a> {
        self.table.into_iter().flat_map(EventTable::keys)
    }

    /// The tables of a list of tables, `[[key]]`; none if there is no such list.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<Section<'a>> {
        let Some(entry) = self.optional(key) else {
            return Vec::new();
        };
        if entry.is_table() {
            let title = format!("[{key}] must be written [[{key}]]");
            entry.fail::<()>(Problem::error(title).help("there can be several of them"));
            return Vec::new();
        }
        let elements = entry.list().unwrap_or_default();
        elements.iter().filter_map(Entry::table).collect()
    }

    /// Reports a problem of the table as a whole.
    pub(super) fn fail<T>(&self, problem: Problem) -> Option<T> {
        self.place.fail(problem)
    }

    /// Reports every key that the table does not have in the language of event files.
    pub(super) fn finish(&self) {
        let keys = keys::table(self.name).map_or(&[][..], |table| table.keys);
        let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
        for TableKey { name, place, .. } in self.keys() {
            if known.contains(&name.as_str()) || self.place.report.only_counts() {
                continue;
            }
            let title = match self.name {
                "" => format!("there is no table [{name}]"),
                table => format!("`{table}` has no key `{name}`"),
            };
            let cure = cures::of_key(self.name, name);
            let cure = cure.or_else(|| suggestion(name, &known));
            let problem = Problem::error(title).label("unknown").help_if(cure);
            self.place.report.add(problem.at(EVENT_FILE, place.clone()));
        }
    }
}

impl<'a> Entry<'a> {
    /// A table.
    pub(super) fn table(&self) -> Option<Section<'a>> {
        match self.value {
            ValueKind::Table(table) => Some(Section::new(self.key, self.place.clone(), table)),
            _ => self.wrong_type("a table"),
        }
    }
}
