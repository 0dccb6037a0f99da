//! A view on a TOML table that reports errors and continues.
//!
//! [`Section::finish`] reports every key that does not exist (`keys`). An [`Entry`] is a value with its place; its
//! methods return `None` after they have reported why. A reader may replace a `None` by any value: with one error in
//! the report nothing that was read is used. For keys that it does not have a section of an engine falls back on
//! `[defaults]`.

use std::fmt::Display;
use std::ops::{Deref, Range, RangeInclusive};

use super::cures;
use super::keys::{self, Key, KeyKind};
pub(super) use super::problem::EntryPlace;
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
    /// The file does not have the table, and may have it under a name that no table has.
    is_misspelt: bool,
}

impl<'a> Section<'a> {
    /// A table with its name and its place; the whole file has no name, and its end.
    pub(super) fn new(name: &'a str, place: EntryPlace<'a>, table: &'a EventTable) -> Section<'a> {
        Section {
            name,
            place,
            table: Some(table),
            defaults: None,
            is_misspelt: false,
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
        if entry.is_none() && self.table.is_some() && !self.misspells(key) {
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
            is_misspelt: self.misspells(name),
        }
    }

    /// Whether this key, which is missing, is probably meant by one that no table has here: then nothing is missing.
    pub(super) fn misspells(&self, key: &str) -> bool {
        let (known, names) = (self.known(), self.keys().map(|own| own.name.as_str()));
        // Of very many only the first are looked at.
        let mut unknown = names.filter(|name| !known.contains(name)).take(20);
        self.is_misspelt || unknown.any(|name| cures::meant(self.name, name) == Some(key))
    }

    /// The keys of the table in the language of event files.
    fn known(&self) -> Vec<&'static str> {
        let keys = keys::table(self.name).map_or(&[][..], |table| table.keys);
        keys.iter().map(|key| key.name).collect()
    }

    /// Every key and its value, in the order of the file: for tables whose keys the user chooses.
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
            entry.error(title, "there can be several of them");
            return Vec::new();
        }
        let elements = entry.list().unwrap_or_default();
        elements.iter().filter_map(Entry::table).collect()
    }

    /// Reports every key that the table does not have in the language of event files.
    pub(super) fn finish(&self) {
        let known = self.known();
        for TableKey { name, place, .. } in self.keys() {
            if known.contains(&name.as_str()) || self.place.report.only_counts() {
                continue;
            }
            let title = match self.name {
                "" => format!("there is no table [{name}]"),
                table => format!("`{table}` has no key `{name}`"),
            };
            let cure = cures::of_key(self.name, name).or_else(|| suggestion(name, &known));
            let problem = Problem::error(title).label("unknown").help_if(cure);
            self.place.report.add(problem.at(EVENT_FILE, place.clone()));
        }
    }
}

/// A value of the event file, and where it is.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    /// The key, or for an element of a list the key of the list.
    pub(super) key: &'a str,
    /// Where the value is.
    pub(super) place: EntryPlace<'a>,
    pub(super) value: &'a ValueKind,
}

/// What is wrong with a value or a table is reported at its place.
impl<'a> Deref for Entry<'a> {
    type Target = EntryPlace<'a>;

    fn deref(&self) -> &EntryPlace<'a> {
        &self.place
    }
}

impl<'a> Deref for Section<'a> {
    type Target = EntryPlace<'a>;

    fn deref(&self) -> &EntryPlace<'a> {
        &self.place
    }
}

impl<'a> Entry<'a> {
    pub(super) fn new(key: &'a str, value: &'a EventValue, report: &'a ProblemReport) -> Entry<'a> {
        let span = value.place.clone();
        Entry {
            key,
            place: EntryPlace { span, report },
            value: &value.kind,
        }
    }

    /// Reports a problem of a part of this string, from a byte of it on.
    pub(super) fn fail_from<T>(&self, byte: usize, problem: Problem) -> Option<T> {
        // One byte for the quote; with escapes or other quotes the caret may be a little off.
        let Range { start, end } = self.place.span;
        let start = (start + 1 + byte).min(end.saturating_sub(1));
        let span = start..start + 1;
        let report = self.place.report;
        EntryPlace { span, report }.fail(problem)
    }

    pub(super) fn wrong_type<T>(&self, expected: &str) -> Option<T> {
        let found = self.value.type_name();
        let title = format!("`{}` must be {expected}, and this is a {found}", self.key);
        let problem = Problem::error(title).label(format!("expected {expected}"));
        self.fail(problem.help_if(self.retyped(expected)))
    }

    /// What to write instead of a value of another type.
    fn retyped(&self, expected: &str) -> Option<String> {
        let (key, value) = (self.key, self.value.to_toml());
        let how = match (expected, self.value) {
            ("a list", _) => format!("in brackets: {key} = [{value}]"),
            ("a string", ValueKind::Whole(_) | ValueKind::Number(_) | ValueKind::Boolean(_)) => {
                format!("in quotes: {key} = \"{value}\"")
            }
            ("true or false", _) => format!("as {key} = true, or {key} = false"),
            (number, ValueKind::Text(text)) if number.ends_with("number") => {
                let is_number = text.parse::<f64>().is_ok();
                let digits = if is_number { text } else { "1" };
                format!("without quotes: {key} = {digits}")
            }
            _ => return None,
        };
        Some(format!("write it {how}"))
    }

    pub(super) fn string(&self) -> Option<&'a str> {
        self.text().or_else(|| self.wrong_type("a string"))
    }

    /// True or false.
    pub(super) fn boolean(&self) -> Option<bool> {
        match self.value {
            ValueKind::Boolean(value) => Some(*value),
            _ => self.wrong_type("true or false"),
        }
    }

    /// False, true, or one of these words; the meanings of false and true are given in this order.
    pub(super) fn boolean_or<T: Copy>(
        &self,
        words: &[(&str, T)],
        [no, yes]: [T; 2],
        wrong: &str,
    ) -> Option<T> {
        match self.value {
            ValueKind::Text(text) => match words.iter().find(|(word, _)| text == word) {
                Some((_, meaning)) => Some(*meaning),
                None => self.fail(Problem::error(wrong)),
            },
            _ => Some(if self.boolean()? { yes } else { no }),
        }
    }

    /// A whole number of a range.
    pub(super) fn integer<T>(&self, range: RangeInclusive<T>) -> Option<T>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        let ValueKind::Whole(number) = self.value else {
            return self.wrong_type("a whole number");
        };
        let number = T::try_from(*number).ok();
        let number = number.filter(|number| range.contains(number));
        number.or_else(|| self.out_of_range(range.start(), range.end()))
    }

    /// A whole number of the range of this kind.
    pub(super) fn whole<T: TryFrom<i128>>(&self, kind: &KeyKind) -> Option<T> {
        let (least, most) = match *kind {
            KeyKind::Whole(least, most) => (least, most),
            _ => (i128::MIN, i128::MAX),
        };
        let number = T::try_from(self.integer(least..=most)?).ok();
        number.or_else(|| self.out_of_range(least, most))
    }

    /// A number of a range; a whole number will do.
    pub(super) fn number(&self, range: RangeInclusive<f64>) -> Option<f64> {
        let number = match *self.value {
            ValueKind::Number(number) => number,
            ValueKind::Whole(number) => number as f64,
            _ => return self.wrong_type("a number"),
        };
        let number = Some(number).filter(|number| range.contains(number));
        number.or_else(|| self.out_of_range(range.start(), range.end()))
    }

    fn out_of_range<T, N: Display>(&self, from: N, to: N) -> Option<T> {
        let title = format!("`{}` is out of range", self.key);
        self.fail(Problem::error(title).label(format!("must be {from} to {to}")))
    }

    /// One of some words.
    pub(super) fn choice<T: Clone>(&self, words: &[(&str, T)]) -> Option<T> {
        let word = self.string()?;
        if let Some((_, meaning)) = words.iter().find(|(name, _)| *name == word) {
            return Some(meaning.clone());
        }
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let title = format!("`{}` cannot be \"{word}\"", self.key);
        let cure = cures::of_word(word, &names).or_else(|| suggestion(word, &names));
        self.fail(Problem::error(title).help_if(cure))
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> Option<Vec<Entry<'a>>> {
        let ValueKind::List(elements) = self.value else {
            return self.wrong_type("a list");
        };
        let entry = |element| Entry::new(self.key, element, self.place.report);
        Some(elements.iter().map(entry).collect())
    }

    /// A string, number or truth value as text: what a UCI option may have.
    pub(super) fn scalar(&self) -> Option<String> {
        match self.value {
            ValueKind::Text(text) => Some(text.clone()),
            ValueKind::Boolean(value) => Some(value.to_string()),
            ValueKind::Whole(_) => Some(self.integer(i64::MIN..=i64::MAX)?.to_string()),
            ValueKind::Number(_) => Some(self.number(f64::MIN..=f64::MAX)?.to_string()),
            _ => self.wrong_type("a string, a number, true or false"),
        }
    }

    /// The string, if it is one; nothing is reported.
    pub(super) fn text(&self) -> Option<&'a str> {
        match self.value {
            ValueKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn table(&self) -> Option<Section<'a>> {
        match self.value {
            ValueKind::Table(table) => Some(Section::new(self.key, self.place.clone(), table)),
            _ => self.wrong_type("a table"),
        }
    }

    /// Whether it is a string.
    pub(super) fn is_string(&self) -> bool {
        self.text().is_some()
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.value, ValueKind::Table(_))
    }
}
