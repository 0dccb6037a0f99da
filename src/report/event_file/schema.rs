//! The JSON Schema of event files, for editors.

use serde_json::{Map, Value, json};

use super::default_in_words;
use crate::config::keys::{Key, KeyKind, KeyTable, TABLES, table};

/// The schema: draft 7, which VS Code's and taplo's TOML support read.
pub fn event_schema() -> Value {
    let definitions: Map<String, Value> = TABLES
        .into_iter()
        .filter(|table| !table.name.is_empty() && !table.keys.is_empty())
        .map(|table| (table.name.to_owned(), of_table(table)))
        .collect();
    let mut schema = table("").map(of_table).unwrap_or_default();
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("arbiter960 event file");
    schema["definitions"] = Value::Object(definitions);
    schema
}

fn of_table(table: &KeyTable) -> Value {
    let keys = table.keys.iter();
    let required: Vec<&str> = keys
        .clone()
        .filter(|key| key.default.is_empty())
        .map(|key| key.name)
        .collect();
    let properties: Map<String, Value> =
        keys.map(|key| (key.name.to_owned(), of_key(key))).collect();
    json!({
        "type": "object",
        "description": table.meaning,
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

fn of_key(key: &Key) -> Value {
    let mut text = key.meaning.to_owned();
    if !key.unit.is_empty() {
        text += &format!(" Unit: {}.", key.unit);
    }
    text += &format!(" Default: {}.", default_in_words(key));
    let mut schema = of_kind(&key.kind);
    // In this draft, all other members next to `$ref` are ignored.
    if schema.get("$ref").is_some() {
        schema = json!({ "allOf": [schema] });
    }
    schema["description"] = json!(text);
    schema
}

fn of_kind(kind: &KeyKind) -> Value {
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
        KeyKind::List(element) => json!({ "type": "array", "items": of_kind(element) }),
        KeyKind::Either(kinds) => {
            let kinds: Vec<Value> = kinds.iter().map(of_kind).collect();
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
