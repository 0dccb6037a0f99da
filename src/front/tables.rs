//! The tables of an event while they are being made.

use std::fmt::Display;

use crate::config::{Made, MadeTable, MatchEvent};

/// A table, its keys in order.
#[derive(Default)]
pub(super) struct Table(MadeTable);

impl Table {
    /// A key with a number, or with `true` or `false`.
    pub(super) fn plain(&mut self, key: &str, value: impl Display) {
        self.0.set(key, Made::Plain(value.to_string(), 0..0));
    }

    /// A key with a string.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.0.set(key, Made::text(value, 0..0));
    }

    /// A key with a list of strings.
    pub(super) fn list(&mut self, key: &str, words: impl IntoIterator<Item = impl AsRef<str>>) {
        let words = words.into_iter();
        let words = words.map(|word| Made::text(word.as_ref(), 0..0)).collect();
        self.0.set(key, Made::List(words, 0..0));
    }

    /// A table in this one.
    pub(super) fn table(&mut self, key: &str, table: Table) {
        self.0.set(key, Made::Table(table.0));
    }

    /// A list of tables.
    pub(super) fn tables(&mut self, key: &str, tables: impl Iterator<Item = Table>) {
        let tables = tables.map(|table| table.0).collect();
        self.0.set(key, Made::Tables(tables));
    }

    /// The event of these tables.
    pub(super) fn into_event(self) -> MatchEvent {
        MatchEvent::of("the command line", self.0)
    }
}
