//! The language of event files for people and for editors, from the table of keys that its reader
//! has (`config::keys`): `docs/event-file.md`, the manual page `arbiter960-event(5)` with the same text, and the JSON Schema.

use std::io::{self, Write};

use roff::{Roff, bold, italic, roman};
use serde_json::{Map, Value, json};

use crate::config::keys::{Key, KeyKind, KeyTable, TABLES, table};

/// What a key holds, in words.
fn kind_in_words(kind: &KeyKind) -> String {
    match kind {
        KeyKind::Text => "string".to_owned(),
        KeyKind::Boolean => "true or false".to_owned(),
        KeyKind::Whole(least, most) => format!("{least} to {}", short(*most)),
        KeyKind::Number(least, most) => format!("decimal, {least} to {most}"),
        KeyKind::Word(words) => format!("\"{}\"", words.join("\", \"")),
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

const HEAD: &str = "# The event file

Made by `arbiter960 schema --format markdown`; do not edit it. Also `man arbiter960-event`. With the path of the JSON Schema in its
first line, VS Code (Even Better TOML) and taplo complete keys and mark errors:

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
    let described = TABLES.into_iter().filter(|table| !table.header.is_empty());
    let described: String = described.map(describe).collect();
    format!("{HEAD}\n```toml\n{SMALLEST}```\n{described}")
}

fn describe(table: &KeyTable) -> String {
    let (own, told): (Vec<&Key>, Vec<&Key>) =
        (table.keys.iter()).partition(|key| told_in(table, key).name == table.name);
    let as_in = told.first().map(|key| {
        let names: Vec<String> = told.iter().map(|key| format!("`{}`", key.name)).collect();
        let (header, names) = (told_in(table, key).header, names.join(", "));
        format!("\nAs in {header}: {names}.\n")
    });
    let keys: String = own.into_iter().map(describe_key).collect();
    let (header, meaning, as_in) = (table.header, table.meaning, as_in.unwrap_or_default());
    format!("\n## {header}\n\n{meaning}\n{as_in}{keys}")
}

fn describe_key(key: &Key) -> String {
    let default = match key.default {
        "" => "; required".to_owned(),
        "none" => String::new(),
        default => format!("; default: {default}"),
    };
    let kind = [kind_in_words(&key.kind).as_str(), key.unit].join(" ");
    let Key { name, meaning, .. } = key;
    let mut text = format!("\n**`{name}`** ({}{default}).\n{meaning}\n", kind.trim());
    if !key.errors.is_empty() {
        text += &format!("*Refused*: {}.\n", key.errors.join("; "));
    }
    let mut lines = key.example.lines();
    let example = lines.find(|line| line.starts_with(key.name));
    use KeyKind::{Boolean, Number, Text, Whole, Word};
    let is_plain = matches!(key.kind, Boolean | Whole(..) | Number(..) | Word(_) | Text);
    // The type alone shows how a plain value is written.
    let example = example.filter(|_| !is_plain);
    text + &example.map_or(String::new(), |example| format!("Example: `{example}`\n"))
}

/// Writes the page.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn event_manual(version: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Roff::new();
    let source = format!("arbiter960 {version}");
    let head = ["arbiter960-event", "5", "", &source, "File formats"];
    page.control("TH", head);
    page.control("SH", ["NAME"]);
    let name = "arbiter960-event - the file that describes a chess engine event";
    page.text([roman(name)]);
    page.control("SH", ["DESCRIPTION"]);
    let mut is_example = false;
    let text = event_markdown();
    // Its title and the words on how it is made are of no use here.
    let is_head = |line: &&str| !line.starts_with("An event file is");
    for line in text.lines().skip_while(is_head) {
        if line.starts_with("```") {
            is_example = !is_example;
            page.control(if is_example { "nf" } else { "fi" }, []);
        } else if is_example {
            page.text([roman(line)]);
        } else if let Some(title) = line.strip_prefix("## ") {
            page.control("SH", [title]);
        } else if let Some(key) = line.strip_prefix("**`") {
            let (name, kind) = key.split_once("`** ").unwrap_or((key, ""));
            page.control("TP", []);
            page.text([bold(name), italic(format!("  {kind}"))]);
        } else if !line.is_empty() {
            // Without the marks of Markdown.
            page.text([roman(line.replace(['`', '*'], ""))]);
        }
    }
    page.control("SH", ["SEE ALSO"]);
    let [program, run] = ["arbiter960", "arbiter960-run"].map(bold);
    page.text([program, roman("(1), "), run, roman("(1)")]);
    page.to_writer(out)
}

/// The schema: draft 7, which VS Code's and taplo's TOML support read.
pub fn event_schema() -> Value {
    let tables = TABLES.into_iter();
    let named = tables.filter(|table| !table.name.is_empty() && !table.keys.is_empty());
    let definitions = named.map(|table| (table.name.to_owned(), table_schema(table)));
    let mut schema = table("").map(table_schema).unwrap_or_default();
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("arbiter960 event file");
    schema["definitions"] = Value::Object(definitions.collect());
    schema
}

fn table_schema(table: &KeyTable) -> Value {
    let required = table.keys.iter().filter(|key| key.default.is_empty());
    let keys = table.keys.iter();
    let properties = keys.map(|key| (key.name.to_owned(), key_schema(key)));
    json!({
        "type": "object",
        "description": table.meaning,
        "additionalProperties": false,
        "required": required.map(|key| key.name).collect::<Vec<_>>(),
        "properties": properties.collect::<Map<_, _>>(),
    })
}

fn key_schema(key: &Key) -> Value {
    let mut text = key.meaning.to_owned();
    if !key.unit.is_empty() {
        text += &format!(" Unit: {}.", key.unit);
    }
    let default = Some(key.default).filter(|default| !default.is_empty());
    text += &format!(" Default: {}.", default.unwrap_or("must be written"));
    let mut schema = kind_schema(&key.kind);
    // In this draft, all other members next to `$ref` are ignored.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    schema["description"] = json!(text);
    schema
}

fn kind_schema(kind: &KeyKind) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/definitions/{name}") });
    match kind {
        KeyKind::Text => json!({ "type": "string" }),
        KeyKind::Boolean => json!({ "type": "boolean" }),
        KeyKind::Whole(least, most) => {
            // Beyond this, numbers in JSON are not exact in every program.
            let most = i64::try_from(*most).unwrap_or(i64::MAX);
            json!({ "type": "integer", "minimum": *least as i64, "maximum": most })
        }
        KeyKind::Number(least, most) => {
            json!({ "type": "number", "minimum": least, "maximum": most })
        }
        KeyKind::Word(words) => json!({ "type": "string", "enum": words }),
        KeyKind::List(element) => json!({ "type": "array", "items": kind_schema(element) }),
        KeyKind::Either(kinds) => {
            let kinds: Vec<Value> = kinds.iter().map(kind_schema).collect();
            json!({ "anyOf": kinds })
        }
        KeyKind::Table(name) => reference(name),
        KeyKind::Tables(name) => {
            json!({ "type": "array", "items": reference(name), "minItems": 1 })
        }
        KeyKind::Free => json!({
            "type": "object",
            "additionalProperties": { "type": ["string", "number", "boolean"] },
        }),
    }
}
