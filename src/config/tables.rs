//! The tables of an event, each value with its place: read from an event file, or made of a command line.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys;

/// A value, and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct EventValue {
    pub(super) kind: ValueKind,
    pub(super) place: Range<usize>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum ValueKind {
    Text(String),
    Whole(i128),
    Number(f64),
    Boolean(bool),
    /// A date or a time; no key has one.
    Moment(String),
    List(Vec<EventValue>),
    Table(EventTable),
}

/// A table, its keys in the order in which they are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventTable {
    /// The name by which `keys` knows it, if it is made and not read.
    name: &'static str,
    keys: Vec<TableKey>,
}

/// A key of a table, and where its name is.
#[derive(Debug, Clone)]
pub(super) struct TableKey {
    pub(super) name: String,
    pub(super) place: Range<usize>,
    pub(super) value: EventValue,
}

impl ValueKind {
    /// For the message that another type was expected.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            ValueKind::Text(_) => "string",
            ValueKind::Whole(_) => "whole number",
            ValueKind::Number(_) => "number",
            ValueKind::Boolean(_) => "boolean",
            ValueKind::Moment(_) => "datetime",
            ValueKind::List(_) => "list",
            ValueKind::Table(_) => "table",
        }
    }

    /// As TOML writes it on one line.
    pub(super) fn to_toml(&self) -> String {
        match self {
            ValueKind::Text(text) => toml::Value::from(text.as_str()).to_string(),
            ValueKind::Whole(number) => number.to_string(),
            ValueKind::Number(number) => format!("{number:?}"),
            ValueKind::Boolean(value) => value.to_string(),
            ValueKind::Moment(moment) => moment.clone(),
            ValueKind::List(elements) => {
                let elements = elements.iter().map(|element| element.kind.to_toml());
                format!("[{}]", elements.collect::<Vec<_>>().join(", "))
            }
            ValueKind::Table(table) => format!("{{ {} }}", table.lines().join(", ")),
        }
    }
}

impl EventValue {
    pub(super) fn new(kind: ValueKind, place: Range<usize>) -> EventValue {
        EventValue { kind, place }
    }

    pub(super) fn text(value: &str, place: Range<usize>) -> EventValue {
        EventValue::new(ValueKind::Text(value.to_owned()), place)
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text typed where a number belongs; if it is not a number, the reader reports it.
    pub(super) fn number(value: &str, place: Range<usize>) -> EventValue {
        let value = value.trim();
        let kind = match (value.parse::<i64>(), value.parse::<f64>()) {
            (Ok(number), _) => ValueKind::Whole(number.into()),
            (Err(_), Ok(number)) if number.is_finite() => ValueKind::Number(number),
            _ => ValueKind::Text(value.to_owned()),
        };
        EventValue::new(kind, place)
    }

    /// A whole number, `true` or `false` if the text looks like one, anything else as a string: UCI options are texts
    /// in the end.
    pub(super) fn scalar(value: &str, place: Range<usize>) -> EventValue {
        let number = value.parse::<i64>().ok();
        let kind = match (value, number) {
            ("true" | "false", _) => ValueKind::Boolean(value == "true"),
            (_, Some(number)) if number.to_string() == value => ValueKind::Whole(number.into()),
            _ => ValueKind::Text(value.to_owned()),
        };
        EventValue::new(kind, place)
    }

    /// A value as TOML writes it.
    pub(super) fn literal(toml: &str) -> Option<EventValue> {
        let value = DeValue::parse(toml).ok()?;
        Some(EventValue::read(&value))
    }

    fn read(value: &Spanned<DeValue<'_>>) -> EventValue {
        let kind = match value.get_ref() {
            DeValue::String(text) => ValueKind::Text(text.to_string()),
            DeValue::Integer(digits) => {
                let number = i128::from_str_radix(digits.as_str(), digits.radix());
                // A longer number is out of every range, too.
                ValueKind::Whole(number.unwrap_or(i128::MAX))
            }
            DeValue::Float(digits) => {
                ValueKind::Number(digits.as_str().parse().unwrap_or(f64::NAN))
            }
            DeValue::Boolean(value) => ValueKind::Boolean(*value),
            DeValue::Datetime(moment) => ValueKind::Moment(moment.to_string()),
            DeValue::Array(elements) => {
                ValueKind::List(elements.iter().map(EventValue::read).collect())
            }
            DeValue::Table(table) => ValueKind::Table(EventTable::read(table)),
        };
        EventValue::new(kind, value.span())
    }
}

impl EventTable {
    /// A table that is made key by key. Its name is that of its rows in `keys`: their ranges bound its numbers.
    pub(crate) fn named(name: &'static str) -> EventTable {
        EventTable {
            name,
            keys: Vec::new(),
        }
    }

    /// The table of an event file.
    pub(super) fn read(table: &DeTable<'_>) -> EventTable {
        let keys = table.iter().map(|(name, value)| TableKey {
            name: name.get_ref().to_string(),
            place: name.span(),
            value: EventValue::read(value),
        });
        let mut keys: Vec<TableKey> = keys.collect();
        keys.sort_by_key(|key| key.place.start);
        EventTable { name: "", keys }
    }

    /// Its keys and their values, in order.
    pub(super) fn keys(&self) -> &[TableKey] {
        &self.keys
    }

    pub(super) fn get(&self, name: &str) -> Option<&EventValue> {
        let key = self.keys.iter().find(|key| key.name == name)?;
        Some(&key.value)
    }

    /// Sets a key to a value; a key that is there already keeps its place in the order.
    pub(super) fn set(&mut self, name: &str, value: EventValue) {
        match self.keys.iter_mut().find(|key| key.name == name) {
            Some(known) => known.value = value,
            None => self.keys.push(TableKey {
                name: name.to_owned(),
                place: value.place.clone(),
                value,
            }),
        }
    }

    /// A key's table, which is added if it is missing; what stands there and is no table is replaced.
    pub(super) fn table_mut(&mut self, name: &str, place: Range<usize>) -> &mut EventTable {
        let is_table = |value: &EventValue| matches!(value.kind, ValueKind::Table(_));
        if !self.get(name).is_some_and(is_table) {
            let table = ValueKind::Table(EventTable::default());
            self.set(name, EventValue::new(table, place));
        }
        let mut keys = self.keys.iter_mut();
        let value = keys.find(|key| key.name == name).map(|key| &mut key.value);
        match value.map(|value| &mut value.kind) {
            Some(ValueKind::Table(table)) => table,
            _ => unreachable!("it has just been made a table"),
        }
    }

    /// Adds a value to a key's list.
    pub(super) fn push(&mut self, name: &str, value: EventValue) {
        let mut keys = self.keys.iter_mut();
        let known = keys.find(|key| key.name == name);
        match known.map(|key| &mut key.value.kind) {
            Some(ValueKind::List(elements)) => elements.push(value),
            _ => {
                let place = value.place.clone();
                self.set(name, EventValue::new(ValueKind::List(vec![value]), place));
            }
        }
    }

    fn set_kind(&mut self, key: &str, kind: ValueKind) {
        self.set(key, EventValue::new(kind, 0..0));
    }

    /// A key with a string.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.set_kind(key, ValueKind::Text(value.to_owned()));
    }

    /// The same, if it applies.
    pub(crate) fn text_if(&mut self, applies: bool, key: &str, value: &str) {
        if applies {
            self.text(key, value);
        }
    }

    /// A key with true or false.
    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.set_kind(key, ValueKind::Boolean(value));
    }

    /// A key with a whole number, moved into the range of its row.
    pub(crate) fn whole(&mut self, key: &str, number: impl Into<i128>) {
        let range = keys::range(self.name, key);
        let number = number.into();
        let number = number.clamp(*range.start() as i128, *range.end() as i128);
        self.set_kind(key, ValueKind::Whole(number));
    }

    /// The same, if it applies.
    pub(crate) fn whole_if(&mut self, applies: bool, key: &str, number: impl Into<i128>) {
        if applies {
            self.whole(key, number);
        }
    }

    /// A key with a number, moved into the range of its row.
    pub(crate) fn number(&mut self, key: &str, number: f64) {
        let range = keys::range(self.name, key);
        let number = number.clamp(*range.start(), *range.end());
        let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
        let whole = ValueKind::Whole(number as i128);
        let kind = Some(whole).filter(|_| is_whole);
        self.set_kind(key, kind.unwrap_or(ValueKind::Number(number)));
    }

    /// A key with a list of strings.
    pub(crate) fn list(&mut self, key: &str, words: impl IntoIterator<Item = impl AsRef<str>>) {
        let words = words.into_iter();
        let words = words.map(|word| EventValue::text(word.as_ref(), 0..0));
        self.set_kind(key, ValueKind::List(words.collect()));
    }

    /// A table in this one.
    pub(crate) fn table(&mut self, key: &str, table: EventTable) {
        self.set_kind(key, ValueKind::Table(table));
    }

    /// A list of tables.
    pub(crate) fn tables(&mut self, key: &str, tables: impl Iterator<Item = EventTable>) {
        let tables = tables.map(|table| EventValue::new(ValueKind::Table(table), 0..0));
        self.set_kind(key, ValueKind::List(tables.collect()));
    }

    /// The equivalent event file.
    pub(crate) fn to_toml(&self) -> String {
        let mut parts = Vec::new();
        for TableKey { name, value, .. } in &self.keys {
            match &value.kind {
                ValueKind::Table(table) if !table.keys.is_empty() => {
                    parts.push(table.part(&format!("[{name}]")));
                }
                ValueKind::List(tables) => {
                    let header = format!("[[{name}]]");
                    parts.extend(tables.iter().filter_map(|value| match &value.kind {
                        ValueKind::Table(table) => Some(table.part(&header)),
                        _ => None,
                    }));
                }
                _ => (),
            }
        }
        parts.join("\n")
    }

    fn part(&self, header: &str) -> String {
        let lines = self.lines().into_iter().map(|line| line + "\n");
        let header = std::iter::once(format!("{header}\n"));
        header.chain(lines).collect()
    }

    fn lines(&self) -> Vec<String> {
        let line =
            |key: &TableKey| format!("{} = {}", toml_key(&key.name), key.value.kind.to_toml());
        self.keys.iter().map(line).collect()
    }
}

/// A key, in quotes where it needs them.
fn toml_key(key: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !key.is_empty() && key.bytes().all(bare) {
        key.to_owned()
    } else {
        toml::Value::from(key).to_string()
    }
}
