//! Words `KEY=VALUE` of options, with the keys of the rows in `keys`.

use std::ops::Range;

use super::keys::{self, Key, KeyKind, KeyTable};
use super::tables::{EventTable, EventValue, ValueKind};
use crate::text::nearest;

/// A word that cannot be understood, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WordError(pub(super) String);

/// The options as one line of text, to which the places of values refer.
#[derive(Debug, Clone)]
pub(super) struct LineText(pub(super) String);

impl LineText {
    /// Adds a word as one would type it, and returns the place of its last `counted` bytes.
    pub(super) fn word(&mut self, word: &str, counted: usize) -> Range<usize> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,+=@%".contains(&byte);
        let quote = if word.is_empty() || !word.bytes().all(plain) {
            "'"
        } else {
            ""
        };
        // A line break would end the line that errors show.
        let shown = word.replace(['\n', '\r'], " ").replace('\'', "’");
        self.0 += &format!(" {quote}{shown}{quote}");
        let end = self.0.len() - quote.len();
        let start = end.saturating_sub(counted.min(shown.len()));
        let boundary = (start..end).find(|&place| self.0.is_char_boundary(place));
        boundary.unwrap_or(end)..end
    }

    /// Adds `--name VALUE`, and returns the place of the value.
    pub(super) fn option(&mut self, name: &str, value: &str) -> Range<usize> {
        self.word(name, 0);
        self.word(value, value.len())
    }
}

type Names = &'static [&'static str];

/// An option whose words `KEY=VALUE` are keys of event files.
pub(super) struct WordOption {
    pub(super) option: &'static str,
    pub(super) tables: Names,
    /// A word that it takes.
    pub(super) example: &'static str,
    /// What stands before each key.
    pub(super) prefix: &'static str,
    /// The keys that it has; empty for all of the tables.
    pub(super) only: Names,
}

impl WordOption {
    pub(super) const fn new(option: &'static str, tables: Names, example: &'static str) -> Self {
        WordOption {
            option,
            tables,
            example,
            prefix: "",
            only: &[],
        }
    }

    fn rows(&self) -> impl Iterator<Item = (&'static KeyTable, &'static Key)> {
        let tables = self.tables.iter().filter_map(|name| keys::table(name));
        let keys = tables.flat_map(|table| table.keys.iter().map(move |key| (table, key)));
        keys.filter(|(_, key)| {
            let kind = &key.kind;
            let is_table = matches!(kind, KeyKind::Table(_) | KeyKind::Tables(_) | KeyKind::Free);
            !is_table && (self.only.is_empty() || self.only.contains(&key.name))
        })
    }

    /// The row of a key: by its name, or by what `match` or another runner calls it.
    pub(super) fn row(&self, name: &str) -> Option<(&'static KeyTable, &'static Key)> {
        let by_name = self.rows().find(|(_, key)| key.name == name);
        by_name.or_else(|| self.rows().find(|(_, key)| key.aliases.contains(&name)))
    }

    pub(super) fn unknown(&self, word: &str, key: &str) -> WordError {
        let names = self.rows().flat_map(|(_, key)| {
            let names = key.aliases.iter().copied().chain([key.name]);
            names.map(|name| format!("{}{name}", self.prefix))
        });
        let names: Vec<String> = names.collect();
        let meant = nearest(key, names.iter().map(String::as_str));
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        let option = self.option;
        WordError(format!("`{word}`: {option} has no key `{key}`{meant}"))
    }

    /// Reads a word and adds it to the line.
    pub(super) fn read<'w>(
        &self,
        word: &'w str,
        line: &mut LineText,
    ) -> Result<GivenKey<'w>, WordError> {
        let (key, value) = word.split_once('=').ok_or_else(|| {
            let (option, example) = (self.option, self.example);
            WordError(format!(
                "`{word}` is not KEY=VALUE, as in {option} {example}"
            ))
        })?;
        let place = line.word(word, value.len());
        let name = key.strip_prefix(self.prefix);
        let given = name.and_then(|name| self.given(name, value, place));
        given.ok_or_else(|| self.unknown(word, key))
    }

    /// The key of this name, with this value.
    pub(super) fn given<'w>(
        &self,
        name: &str,
        value: &'w str,
        place: Range<usize>,
    ) -> Option<GivenKey<'w>> {
        let (table, row) = self.row(name)?;
        Some(GivenKey {
            table,
            row,
            value,
            place,
        })
    }
}

/// A key that a word names, and its value.
pub(super) struct GivenKey<'w> {
    pub(super) table: &'static KeyTable,
    pub(super) row: &'static Key,
    pub(super) value: &'w str,
    pub(super) place: Range<usize>,
}

impl GivenKey<'_> {
    /// Puts the value into a table, converted to its key's kind.
    pub(super) fn put(self, table: &mut EventTable) {
        let GivenKey {
            row, value, place, ..
        } = self;
        let value = match row.kind {
            KeyKind::Text | KeyKind::Word(_) | KeyKind::Either([KeyKind::Text, ..]) => {
                EventValue::text(value, place)
            }
            KeyKind::Whole(..) | KeyKind::Number(..) => EventValue::number(value, place),
            KeyKind::List(KeyKind::Whole(..)) => {
                let element = |part: &str| EventValue::number(part, place.clone());
                let elements = ValueKind::List(value.split(',').map(element).collect());
                EventValue::new(elements, place)
            }
            KeyKind::List(_) => return table.push(row.name, EventValue::text(value, place)),
            _ => EventValue::scalar(value, place),
        };
        table.set(row.name, value);
    }
}

/// Takes in the word `option.NAME=VALUE`, if it is one.
pub(super) fn set_uci_option(word: &str, table: &mut EventTable, line: &mut LineText) -> bool {
    let given = word.strip_prefix("option.");
    let Some((name, value)) = given.and_then(|given| given.split_once('=')) else {
        return false;
    };
    let place = line.word(word, value.len());
    let options = table.table_mut("options", place.clone());
    options.set(name, EventValue::scalar(value, place));
    true
}

/// Arguments, split as a shell would do it: blanks, both kinds of quotes, backslashes.
pub(crate) fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                current.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = characters.next().unwrap_or('\\');
                current.get_or_insert_default().push(next);
            }
            (None, blank) if blank.is_whitespace() => arguments.extend(current.take()),
            _ => current.get_or_insert_default().push(character),
        }
    }
    arguments.extend(current);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_as_by_a_shell() {
        let split = split_arguments(r#"bench  --name "a b" 'c "d"' e\ f """#);
        assert_eq!(split, ["bench", "--name", "a b", r#"c "d""#, "e f", ""]);
        assert!(split_arguments("").is_empty());
    }
}
