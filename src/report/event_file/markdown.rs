//! `docs/event-file.md`.

use super::{SMALLEST, default_in_words, kind_in_words, line, told_in};
use crate::config::keys::{Key, KeyTable, TABLES};

const HEAD: &str = "# The event file

Made by `arbiter960 schema --format markdown` from the table of keys that the reader of event files has; do not
edit it. The same as a manual page: `man arbiter960-event`. For editors: `arbiter960 schema` prints a JSON
Schema, which `docs/event.schema.json` is; its path in the first line of an event file makes VS Code (Even Better TOML)
and taplo complete keys and mark errors:

```toml
#:schema ../docs/event.schema.json
```

An event file is [TOML](https://toml.io). Paths are relative to the file. Everything wrong in it is shown at once, each
with its line and what to do; `arbiter960 run EVENT.toml --dry-run` checks it and starts no engine. A key that does not
exist is an error, and so is a value of another type or out of its range; what else is refused stands with each key. Engines that need
arguments or a file: [engine-setup.md](engine-setup.md).

The smallest one:
";

/// The page of every key.
pub fn event_markdown() -> String {
    let mut text = HEAD.to_owned();
    line(&mut text, &format!("\n```toml\n{SMALLEST}```"));
    for table in TABLES.into_iter().filter(|table| !table.header.is_empty()) {
        describe(table, &mut text);
    }
    text
}

fn describe(table: &KeyTable, text: &mut String) {
    line(text, &format!("\n## {}\n\n{}", table.header, table.meaning));
    if !table.keys.is_empty() {
        line(text, "\n| key | type | unit | default |\n|---|---|---|---|");
    }
    for key in table.keys {
        let kind = kind_in_words(&key.kind);
        let row =
            [kind.as_str(), key.unit, default_in_words(key)].map(|cell| cell.replace('|', "\\|"));
        line(
            text,
            &format!(
                "| [`{}`](#{}) | {} |",
                key.name,
                anchor(told_in(table, key), key),
                row.join(" | ")
            ),
        );
    }
    for key in table.keys {
        if told_in(table, key).name == table.name {
            describe_key(table, key, text);
        }
    }
}

fn describe_key(table: &KeyTable, key: &Key, text: &mut String) {
    let anchor = anchor(table, key);
    line(
        text,
        &format!(
            "\n<a id=\"{anchor}\"></a>**`{}`**: {}",
            key.name, key.meaning
        ),
    );
    if !key.errors.is_empty() {
        line(text, &format!("Refused: {}.", key.errors.join("; ")));
    }
    if !key.example.is_empty() {
        line(text, &format!("\n```toml\n{}\n```", key.example));
    }
}

/// A place on the page: two tables have keys of one name.
fn anchor(table: &KeyTable, key: &Key) -> String {
    format!("{}-{}", table.name, key.name)
}
