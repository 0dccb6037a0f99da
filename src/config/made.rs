//! An event made of command-line options, without an event file: the tables that the file would have, each value with
//! its place in the command line.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The options as one line of text, to which the places of values refer.
#[derive(Debug, Clone, Default)]
pub(crate) struct OptionText {
    text: String,
}

impl OptionText {
    /// A command, with nothing after it yet.
    pub(crate) fn new(command: &str) -> OptionText {
        let text = command.to_owned();
        OptionText { text }
    }

    /// Adds a word as one would type it, and returns the place of its last `counted` bytes.
    pub(super) fn word(&mut self, word: &str, counted: usize) -> Range<usize> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,+=@%".contains(&byte);
        let quote = match word.is_empty() || !word.bytes().all(plain) {
            true => "'",
            false => "",
        };
        // A line break would end the line that errors show.
        let shown = word.replace(['\n', '\r'], " ").replace('\'', "’");
        self.text += &format!(" {quote}{shown}{quote}");
        let end = self.text.len() - quote.len();
        let start = end.saturating_sub(counted.min(shown.len()));
        let boundary = (start..end).find(|&place| self.text.is_char_boundary(place));
        boundary.unwrap_or(end)..end
    }

    /// Adds `--name VALUE`, and returns the place of the value.
    pub(super) fn option(&mut self, name: &str, value: &str) -> Range<usize> {
        self.word(name, 0);
        self.word(value, value.len())
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// A value.
#[derive(Debug, Clone)]
pub(crate) enum Made {
    /// A value as TOML writes it.
    Plain(String, Range<usize>),
    /// A list.
    List(Vec<Made>, Range<usize>),
    /// A table, its keys in order.
    Table(MadeTable),
    /// A list of tables.
    Tables(Vec<MadeTable>),
}

/// A table, its keys in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct MadeTable {
    /// The place of the option that asked for it.
    pub(super) place: Range<usize>,
    keys: Vec<(String, Made)>,
}

impl MadeTable {
    /// Sets a key to a value; a key that is there already keeps its place and gets the value.
    pub(crate) fn set(&mut self, key: &str, value: Made) {
        match self.keys.iter_mut().find(|(name, _)| name == key) {
            Some((_, known)) => *known = value,
            None => self.keys.push((key.to_owned(), value)),
        }
    }

    /// Sets a key to a string.
    pub(super) fn text(&mut self, key: &str, value: &str, place: Range<usize>) {
        self.set(key, Made::text(value, place));
    }

    /// A key's table, which is added if it is missing.
    pub(crate) fn table(&mut self, key: &str, place: Range<usize>) -> &mut MadeTable {
        let at = self.keys.iter().position(|(name, _)| name == key);
        let at = at.unwrap_or_else(|| {
            let table = MadeTable {
                place,
                keys: Vec::new(),
            };
            self.keys.push((key.to_owned(), Made::Table(table)));
            self.keys.len() - 1
        });
        let value = &mut self.keys[at].1;
        // No key is a table in one place and a value in another.
        if !matches!(value, Made::Table(_)) {
            *value = Made::Table(MadeTable::default());
        }
        let Made::Table(table) = value else {
            unreachable!("it has just been made a table");
        };
        table
    }

    /// Adds a value to a key's list.
    pub(super) fn push(&mut self, key: &str, value: &str, place: Range<usize>) {
        let element = Made::text(value, place.clone());
        match self.keys.iter_mut().find(|(name, _)| name == key) {
            Some((_, Made::List(elements, _))) => elements.push(element),
            _ => self.set(key, Made::List(vec![element], place)),
        }
    }

    /// Its keys and their values, in order.
    pub(super) fn into_keys(self) -> Vec<(String, Made)> {
        self.keys
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// As the TOML parser would have read it.
    pub(super) fn read(&self) -> DeTable<'_> {
        let mut table = DeTable::new();
        for (key, value) in &self.keys {
            let key = Spanned::new(value.place(), key.as_str().into());
            table.insert(key, value.spanned());
        }
        table
    }

    fn spanned(&self) -> Spanned<DeValue<'_>> {
        Spanned::new(self.place.clone(), DeValue::Table(self.read()))
    }

    /// The equivalent event file.
    pub(crate) fn to_toml(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.keys {
            match value {
                Made::Table(table) if !table.is_empty() => {
                    table.print(&format!("[{name}]"), &mut text)
                }
                Made::Tables(tables) => {
                    let header = format!("[[{name}]]");
                    tables
                        .iter()
                        .for_each(|table| table.print(&header, &mut text));
                }
                _ => (),
            }
        }
        text
    }

    fn print(&self, header: &str, text: &mut String) {
        if !text.is_empty() {
            text.push('\n');
        }
        *text += &format!("{header}\n");
        for (key, value) in &self.keys {
            *text += &format!("{} = {}\n", toml_key(key), value.inline());
        }
    }
}

impl Made {
    /// A string.
    pub(crate) fn text(value: &str, place: Range<usize>) -> Made {
        Made::Plain(toml::Value::from(value).to_string(), place)
    }

    /// A whole number, `true` or `false` if the text looks like one, anything else as a string: UCI options are texts
    /// in the end.
    pub(super) fn scalar(value: &str, place: Range<usize>) -> Made {
        let number = value.parse::<i64>().ok();
        let exact = number
            .filter(|number| number.to_string() == value)
            .is_some();
        match exact || matches!(value, "true" | "false") {
            true => Made::Plain(value.to_owned(), place),
            false => Made::text(value, place),
        }
    }

    /// The text typed where a number belongs; if it is not a number, the reader reports it.
    pub(super) fn number(value: &str, place: Range<usize>) -> Made {
        let value = value.trim();
        let whole = value.trim_start_matches('+').parse::<i64>();
        match (whole, value.parse::<f64>()) {
            (Ok(number), _) => Made::Plain(number.to_string(), place),
            (Err(_), Ok(number)) if number.is_finite() => Made::Plain(format!("{number:?}"), place),
            _ => Made::text(value, place),
        }
    }

    fn place(&self) -> Range<usize> {
        match self {
            Made::Plain(_, place) | Made::List(_, place) => place.clone(),
            Made::Table(table) => table.place.clone(),
            Made::Tables(tables) => tables.first().map_or(0..0, |table| table.place.clone()),
        }
    }

    fn read(&self) -> DeValue<'_> {
        match self {
            Made::Plain(toml, _) => match DeValue::parse(toml) {
                Ok(value) => value.into_inner(),
                Err(_) => DeValue::String(toml.into()),
            },
            Made::List(elements, _) => DeValue::Array(elements.iter().map(Made::spanned).collect()),
            Made::Table(table) => DeValue::Table(table.read()),
            Made::Tables(tables) => DeValue::Array(tables.iter().map(MadeTable::spanned).collect()),
        }
    }

    fn spanned(&self) -> Spanned<DeValue<'_>> {
        Spanned::new(self.place(), self.read())
    }

    fn inline(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match self {
            Made::Plain(toml, _) => toml.clone(),
            Made::List(elements, _) => {
                format!("[{}]", joined(elements.iter().map(Made::inline).collect()))
            }
            Made::Table(table) => {
                let entry = |(key, value): &(String, Made)| {
                    format!("{} = {}", toml_key(key), value.inline())
                };
                format!("{{ {} }}", joined(table.keys.iter().map(entry).collect()))
            }
            Made::Tables(_) => String::new(),
        }
    }
}

/// A key, in quotes where it needs them.
fn toml_key(key: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match !key.is_empty() && key.bytes().all(bare) {
        true => key.to_owned(),
        false => toml::Value::from(key).to_string(),
    }
}
