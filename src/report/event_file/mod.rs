//! The language of event files for people and for editors, from the table of keys that its reader
//! has (`config::keys`).
//!
//! | file | what |
//! |---|---|
//! | this one | what a key holds, in words |
//! | `markdown` | `docs/event-file.md` |
//! | `manual` | the manual page `arbiter960-event(5)` |
//! | `schema` | the JSON Schema |

mod manual;
mod markdown;
mod schema;

use std::fmt::Write;

use crate::config::keys::{Key, KeyKind, KeyTable, TABLES};

pub(crate) use manual::event_manual;
pub use markdown::event_markdown;
pub use schema::event_schema;

/// What a key holds, in words.
fn kind_in_words(kind: &KeyKind) -> String {
    match kind {
        KeyKind::Text => "string".to_owned(),
        KeyKind::Boolean => "true or false".to_owned(),
        KeyKind::Whole(least, most) => format!("{least} to {}", short(*most)),
        KeyKind::Number(least, most) => format!("decimal, {least} to {most}"),
        KeyKind::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            words.join(", ")
        }
        KeyKind::List(element) => format!("list of: {}", kind_in_words(element)),
        KeyKind::Either(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(kind_in_words).collect();
            kinds.join("; or ")
        }
        KeyKind::Table(_) => "table".to_owned(),
        KeyKind::Tables(_) => "tables".to_owned(),
        KeyKind::Free => "table of strings, numbers, true or false".to_owned(),
    }
}

/// Writes limits that come only from the width of an integer as powers.
fn short(number: i128) -> String {
    match number {
        _ if number == i128::from(u64::MAX) => "2^64 − 1".to_owned(),
        _ if number == i128::from(u32::MAX) => "2^32 − 1".to_owned(),
        _ => number.to_string(),
    }
}

/// The first table with this key, if two tables share it: only this table describes the key.
fn told_in<'a>(table: &'a KeyTable, key: &Key) -> &'a KeyTable {
    let is_same = |other: &Key| {
        (other.name, other.meaning, other.example) == (key.name, key.meaning, key.example)
    };
    let mut tables = TABLES.into_iter().filter(|table| !table.header.is_empty());
    let first = tables.find(|table| table.keys.iter().any(is_same));
    first.unwrap_or(table)
}

/// The default of the key.
fn default_in_words(key: &Key) -> &'static str {
    match key.default {
        "" => "must be written",
        default => default,
    }
}

/// Two engines and nothing else: the smallest valid event file.
const SMALLEST: &str = "[event]
name = \"first\"

[positions]
sample = 50

[time]
control = \"10+0.1\"

[[engine]]
command = \"stockfish\"

[[engine]]
command = \"ethereal-chess\"
";

/// Adds a line.
fn line(text: &mut String, added: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{added}");
}
