//! `docs/event-file.md`.

use super::{SMALLEST, kind_in_words, line, told_in};
use crate::config::keys::{Key, KeyKind, KeyTable, TABLES};

const HEAD: &str = "# The event file

Made by `arbiter960 schema --format markdown`; do not edit it. The same as a manual page: `man arbiter960-event`. With the path
of the JSON Schema in the first line of an event file, VS Code (Even Better TOML) and taplo complete keys and mark errors:

```toml
#:schema ../docs/event.schema.json
```

An event file is [TOML](https://toml.io). Paths are relative to the file. `arbiter960 run EVENT.toml --dry-run` checks it and
shows all errors at once. *Refused* names errors besides unknown keys and values of another type or out of their range; a range is
one of whole numbers unless it is *decimal*. A key without a default has no effect if it is missing. Engines that need arguments
or a file: [engine-setup.md](engine-setup.md).

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
    let (own, told): (Vec<&Key>, Vec<&Key>) =
        (table.keys.iter()).partition(|key| told_in(table, key).name == table.name);
    if let Some(key) = told.first() {
        let names: Vec<String> = told.iter().map(|key| format!("`{}`", key.name)).collect();
        let (header, names) = (told_in(table, key).header, names.join(", "));
        line(text, &format!("\nAs in {header}: {names}."));
    }
    for key in own {
        describe_key(key, text);
    }
}

fn describe_key(key: &Key, text: &mut String) {
    let default = match key.default {
        "" => "; required".to_owned(),
        "none" => String::new(),
        default => format!("; default: {default}"),
    };
    let kind = [kind_in_words(&key.kind).as_str(), key.unit].join(" ");
    let entry = format!(
        "\n**`{}`** ({}{default}).\n{}",
        key.name,
        kind.trim(),
        key.meaning
    );
    line(text, &entry);
    if !key.errors.is_empty() {
        line(text, &format!("*Refused*: {}.", key.errors.join("; ")));
    }
    let mut lines = key.example.lines();
    let example = lines.find(|line| line.starts_with(key.name));
    let is_plain = matches!(
        key.kind,
        KeyKind::Boolean
            | KeyKind::Whole(..)
            | KeyKind::Number(..)
            | KeyKind::Word(_)
            | KeyKind::Text
    );
    // The type alone shows how a plain value is written.
    if let Some(example) = example.filter(|_| !is_plain) {
        line(text, &format!("Example: `{example}`"));
    }
}
