//! A view on a TOML table that reports what is wrong and goes on.
//!
//! Readers ask a [`Section`] for the keys they know, and [`Section::finish`] reports all
//! others. An [`Entry`] is a value with its place; its methods return `None` after they
//! have reported why. A reader may put anything in the place of a `None`: with one
//! error in the report nothing that was read is used.
//!
//! A section of an engine falls back on `[defaults]` for the keys that it does not have.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::cures;
use super::entry::{Entry, Place};
use super::keys;
use super::problem::{EVENT_FILE, Problem, Report};
use crate::text::suggestion;

/// The table that engines fall back on.
pub(super) const DEFAULTS: &str = "defaults";

/// A table of the event file.
pub(super) struct Section<'a> {
    name: &'a str,
    place: Place<'a>,
    table: &'a DeTable<'a>,
    known: Vec<&'static str>,
    /// Where a key is looked for that is not in the table.
    defaults: Option<&'a DeTable<'a>>,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn root(document: &'a DeTable<'a>, report: &'a Report) -> Section<'a> {
        Section::new("", report.end_of_file(), document)
    }

    /// A table with its name and its place.
    pub(super) fn new(name: &'a str, place: Place<'a>, table: &'a DeTable<'a>) -> Section<'a> {
        Section {
            name,
            place,
            table,
            known: Vec::new(),
            defaults: None,
        }
    }

    /// The same, with the keys of another table where this one has none, if the event file's
    /// language has them there.
    pub(super) fn with_defaults(self, defaults: Option<&Section<'a>>) -> Section<'a> {
        Section {
            defaults: defaults.map(|defaults| defaults.table),
            ..self
        }
    }

    /// Where the table is: its header; of the whole file, its end.
    pub(super) fn place(&self) -> Place<'a> {
        self.place.clone()
    }

    /// A key that may be there.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<Entry<'a>> {
        debug_assert!(
            keys::table(self.name).is_some_and(|table| table.key(key).is_some()),
            "`{key}` of `{}` is not in the table of keys",
            self.name
        );
        self.known.push(key);
        let own = self.table.get(key);
        let value = own.or_else(|| self.default_of(key))?;
        Some(Entry::new(key, value, self.place.report))
    }

    fn default_of(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        keys::table(DEFAULTS)?.key(key)?;
        self.defaults?.get(key)
    }

    /// Whether the table itself has this key, whatever the defaults have.
    pub(super) fn has_own(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The tables of a key whose own keys the user chooses: that of the defaults, then its own.
    pub(super) fn free_tables(&mut self, key: &'static str) -> [Option<Section<'a>>; 2] {
        let entry = self.optional(key);
        let (own, shared) = match self.has_own(key) {
            true => {
                let shared = self.default_of(key);
                let shared = shared.map(|value| Entry::new(key, value, self.place.report));
                (entry, shared)
            }
            false => (None, entry),
        };
        [shared, own].map(|entry| entry?.table())
    }

    /// A key that must be there; the example is a line that would do.
    pub(super) fn required(&mut self, key: &'static str, example: &str) -> Option<Entry<'a>> {
        let entry = self.optional(key);
        if entry.is_none() {
            let what = match self.name {
                "" => format!("[{key}] is missing"),
                table => format!("`{key}` is missing in `{table}`"),
            };
            self.fail::<()>(Problem::missing(what).help(format!("for example: {example}")));
        }
        entry
    }

    /// A table that may be there.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Section<'a>> {
        self.optional(key)?.table()
    }

    /// Every key and its value, in the order of the file: for tables whose keys the user
    /// chooses.
    pub(super) fn all(&mut self) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry<'a>> = self
            .table
            .iter()
            .map(|(key, value)| Entry::new(key.get_ref(), value, self.place.report))
            .collect();
        entries.sort_by_key(|entry| entry.place.span.start);
        entries
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

    /// Reports every key that nobody asked for.
    pub(super) fn finish(self) {
        debug_assert!(
            keys::table(self.name)
                .is_some_and(|table| table.keys.iter().all(|key| self.known.contains(&key.name))),
            "the table of keys has one that the reader of `{}` does not know",
            self.name
        );
        self.report_unknown();
    }

    /// Reports what is not a key of `[defaults]`, whose keys the engines ask for.
    pub(super) fn finish_defaults(mut self) {
        let keys = keys::table(DEFAULTS).map_or(&[][..], |table| table.keys);
        self.known = keys.iter().map(|key| key.name).collect();
        self.report_unknown();
    }

    fn report_unknown(self) {
        for key in self.table.keys() {
            if self.known.contains(&key.get_ref().as_ref()) {
                continue;
            }
            if self.place.report.only_counts() {
                continue;
            }
            let title = match self.name {
                "" => format!("there is no table [{}]", key.get_ref()),
                table => format!("`{table}` has no key `{}`", key.get_ref()),
            };
            let cure = cures::of_key(self.name, key.get_ref());
            let cure = cure.or_else(|| suggestion(key.get_ref(), &self.known));
            let problem = Problem::error(title).label("unknown").help_if(cure);
            self.place.report.add(problem.at(EVENT_FILE, key.span()));
        }
    }
}
