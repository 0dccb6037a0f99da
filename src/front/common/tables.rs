//! The tables of an event while they are being made.

use std::fmt::Display;
use std::ops::Range;

use crate::config::{Made, MadeTable, MatchEvent};

/// A table, its keys in order.
#[derive(Default)]
pub(crate) struct EventTable {
    made: MadeTable,
    keys: usize,
}

impl EventTable {
    /// A place for the next key: the reader takes keys that a user chooses, such as options, in the order of their places.
    fn place(&mut self) -> Range<usize> {
        self.keys += 1;
        self.keys..self.keys
    }

    /// A key with a number, or with `true` or `false`.
    pub(crate) fn plain(&mut self, key: &str, value: impl Display) {
        let place = self.place();
        self.made.set(key, Made::Plain(value.to_string(), place));
    }

    /// The same, if it applies.
    pub(crate) fn plain_if(&mut self, applies: bool, key: &str, value: impl Display) {
        if applies {
            self.plain(key, value);
        }
    }

    /// A key with a string.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        let place = self.place();
        self.made.set(key, Made::text(value, place));
    }

    /// The same, if it applies.
    pub(crate) fn text_if(&mut self, applies: bool, key: &str, value: &str) {
        if applies {
            self.text(key, value);
        }
    }

    /// A key with a list of strings.
    pub(crate) fn list(&mut self, key: &str, words: impl IntoIterator<Item = impl AsRef<str>>) {
        let place = self.place();
        let words = words.into_iter();
        let words = words.map(|word| Made::text(word.as_ref(), place.clone()));
        let words = words.collect();
        self.made.set(key, Made::List(words, place));
    }

    /// A table in this one.
    pub(crate) fn table(&mut self, key: &str, table: EventTable) {
        self.made.set(key, Made::Table(table.made));
    }

    /// A list of tables.
    pub(crate) fn tables(&mut self, key: &str, tables: impl Iterator<Item = EventTable>) {
        let tables = tables.map(|table| table.made).collect();
        self.made.set(key, Made::Tables(tables));
    }

    /// The event of these tables.
    pub(crate) fn into_event(self) -> MatchEvent {
        // Every place is in this text.
        let text = self.made.to_toml();
        MatchEvent::of(&text, self.made)
    }
}
