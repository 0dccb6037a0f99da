//! A view on a TOML table that reports what is wrong and goes on.
//!
//! Readers ask a [`Section`] for the keys they know, and [`Section::finish`] reports all
//! others. An [`Entry`] is a value with its place; its methods return `None` after they
//! have reported why. A reader may put anything in the place of a `None`: with one
//! error in the report nothing that was read is used.

use toml::de::DeTable;

use super::entry::{Entry, Place};
use super::problem::{EVENT_FILE, Problem, Report};
use crate::text::suggestion;

/// A table of the event file.
pub(super) struct Section<'a> {
    name: &'a str,
    place: Place<'a>,
    table: &'a DeTable<'a>,
    known: Vec<&'static str>,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn root(document: &'a DeTable<'a>, report: &'a Report) -> Section<'a> {
        Section::new("", report.end_of_file(), document)
    }

    /// A table with its name and its place.
    pub(super) fn new(name: &'a str, place: Place<'a>, table: &'a DeTable<'a>) -> Section<'a> {
        let known = Vec::new();
        Section {
            name,
            place,
            table,
            known,
        }
    }

    /// Where the table is: its header; of the whole file, its end.
    pub(super) fn place(&self) -> Place<'a> {
        self.place.clone()
    }

    /// A key that may be there.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<Entry<'a>> {
        self.known.push(key);
        let (_, value) = self.table.get_key_value(key)?;
        Some(Entry::new(key, value, self.place.report))
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

    /// A key of the event file's language whose feature does not exist yet.
    pub(super) fn later(&mut self, key: &'static str) {
        if let Some(entry) = self.optional(key) {
            let title = format!("`{key}` is not available yet");
            entry.fail::<()>(Problem::error(title).help("take this line out"));
        }
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
        for key in self.table.keys() {
            if self.known.contains(&key.get_ref().as_ref()) {
                continue;
            }
            let title = match self.name {
                "" => format!("there is no table [{}]", key.get_ref()),
                table => format!("`{table}` has no key `{}`", key.get_ref()),
            };
            let problem = Problem::error(title)
                .label("unknown")
                .help_if(suggestion(key.get_ref(), &self.known));
            self.place.report.add(problem.at(EVENT_FILE, key.span()));
        }
    }
}
