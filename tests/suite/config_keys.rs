//! The reader of event files and its documentation are made from one table of keys. Tested are the texts of a row
//! (example, default), and the types of keys that have a separate reader.

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::{StartNumber, Variant, position};
use arbiter960::internal::config::keys::{Key, KeyKind, KeyTable, TABLES};
use arbiter960::internal::report::event_file::{event_markdown, event_schema};
use toml::{Table, Value};

use super::config_files::Shelf;
use super::platforms::can;
use arbiter960::internal::platform::Capability;

/// All that the examples name.
fn shelf() -> Shelf {
    let start = |number| position(Variant::Chess960, StartNumber(number)).unwrap();
    let lines: Vec<String> = (0..120)
        .map(|number| start(number).fen(FenDialect::Shredder) + "\n")
        .collect();
    let programs = ["stockfish", "gnuchess"];
    let shelf = programs.iter().fold(Shelf::new(), |shelf, name| {
        shelf.program(&format!("/usr/games/{name}"), "\x7fELF")
    });
    shelf
        .file("/events/book.epd", &lines.concat())
        .file(
            "/events/book.pgn",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n",
        )
        .bytes(
            "/events/book.bin",
            // The start of chess, and castling of start 3.
            super::polyglot_books::book(&[
                (0x463b_9618_1691_fc9c, "e2e4", 1),
                (0xbb55_20b8_5bed_5033, "f1g1", 1),
            ]),
        )
        .file("/events/learned/table", "")
        .file(
            "/events/results/league-a/standings.json",
            r#"{"final": true, "standings": [{"rank": 1, "name": "two"}, {"rank": 2, "name": "New"}]}"#,
        )
}

fn read(text: &str) -> Table {
    text.parse().unwrap()
}

/// An event with this table, and otherwise as little as possible.
fn event(table: &KeyTable, keys: &Table) -> String {
    let mut event = read(
        "[event]\nname = \"x\"\n[positions]\nsample = 60\n[time]\ncontrol = \"10+0.1\"\n\
         [[engine]]\ncommand = \"one\"\nname = \"New\"\n[[engine]]\ncommand = \"two\"",
    );
    let mut keys = keys.clone();
    match table.name {
        "event" => {
            if keys.contains_key("public_source") {
                event["positions"] = Value::Table(read("all = true"));
            }
            keys.entry("name").or_insert("x".into());
            event.insert("event".to_owned(), keys.into());
        }
        "engine" => {
            let alone = keys.get("copies") == Some(&Value::Integer(2));
            let engines = event["engine"].as_array_mut().unwrap();
            engines[0] = keys.into();
            engines.truncate(if alone { 1 } else { 2 });
        }
        "defaults" => {
            keys.remove("command");
            event.insert("defaults".to_owned(), keys.into());
        }
        "draw" | "resign" => {
            let mut adjudication = Table::new();
            adjudication.insert(table.name.to_owned(), keys.into());
            event.insert("adjudication".to_owned(), adjudication.into());
        }
        "knockout" | "double-elimination" | "ladder" | "swiss" => {
            let own = event["event"].as_table_mut().unwrap();
            own.insert("format".to_owned(), table.name.into());
            event.insert(table.name.to_owned(), keys.into());
        }
        "round" => {
            let positions = event["positions"].as_table_mut().unwrap();
            positions.insert("draw".to_owned(), "round".into());
            event.insert("round".to_owned(), Value::Array(vec![keys.into()]));
        }
        "series" => {
            let positions = event["positions"].as_table_mut().unwrap();
            positions.insert("draw".to_owned(), "next".into());
            event.insert("series".to_owned(), keys.into());
        }
        "stage" | "qualifier" => {
            event["positions"] = Value::Table(read("all = true"));
            event.insert(table.name.to_owned(), Value::Array(vec![keys.into()]));
        }
        "from" => {
            let first = read("name = \"first\"\nformat = \"round-robin\"");
            let mut last = read("format = \"round-robin\"");
            last.insert("from".to_owned(), Value::Array(vec![keys.into()]));
            let stages = vec![first.into(), last.into()];
            event.insert("stage".to_owned(), Value::Array(stages));
        }
        "playoff" => {
            let own = event["event"].as_table_mut().unwrap();
            own.insert("format".to_owned(), "knockout".into());
            event.insert("playoff".to_owned(), Value::Array(vec![keys.into()]));
        }
        "white" | "black" => {
            let time = event["time"].as_table_mut().unwrap();
            time.insert(table.name.to_owned(), keys.into());
        }
        name => {
            event.insert(name.to_owned(), keys.into());
        }
    }
    toml::to_string(&event).unwrap()
}

/// Every key that has an example.
fn keys() -> Vec<(&'static KeyTable, &'static Key)> {
    let tables = TABLES.into_iter().filter(|table| !table.header.is_empty());
    let keys = tables.flat_map(|table| table.keys.iter().map(move |key| (table, key)));
    keys.filter(|(_, key)| !key.example.is_empty()).collect()
}

fn with(table: &KeyTable, key: &Key, value: Value) -> String {
    let mut keys = read(key.example);
    keys.insert(key.name.to_owned(), value);
    event(table, &keys)
}

/// What is wrong with an event; nothing, if it is accepted.
fn wrong(text: &str) -> String {
    match shelf().parse(text) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn every_example_is_an_event() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    assert!(keys().len() > 80, "{}", keys().len());
    for (table, key) in keys() {
        let text = event(table, &read(key.example));
        assert_eq!(wrong(&text), "", "{} {}:\n{text}", table.header, key.name);
        assert!(read(key.example).contains_key(key.name));
    }
}

/// A value that this kind does not take.
fn of_another_type(kind: &KeyKind) -> Value {
    match kind {
        KeyKind::Boolean => Value::Float(1.5),
        KeyKind::Whole(..) => Value::Float(1.5),
        KeyKind::List(element) => Value::Array(vec![of_another_type(element)]),
        KeyKind::Either(kinds) if kinds.contains(&KeyKind::Boolean) => Value::Float(1.5),
        _ => Value::Boolean(true),
    }
}

#[test]
fn another_type_is_refused() {
    for (table, key) in keys() {
        let message = wrong(&with(table, key, of_another_type(&key.kind)));
        let named = format!("`{}` must be", key.name);
        assert!(
            message.contains(&named),
            "{} {}: {message}",
            table.header,
            key.name
        );
        if let KeyKind::List(_) = key.kind {
            let message = wrong(&with(table, key, Value::Boolean(true)));
            assert!(message.contains("must be a list"), "{message}");
        }
    }
}

#[test]
fn the_default_is_what_holds_without_the_key() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let mut tried = 0;
    for (table, key) in keys() {
        let literal: Option<Table> = format!("x = {}", key.default).parse().ok();
        let Some(value) = literal.map(|literal| literal["x"].clone()) else {
            continue;
        };
        let mut without = read(key.example);
        without.remove(key.name);
        let tournament = |text: &str| {
            let (mut tournament, _) = shelf().accept(text);
            tournament.text = String::new();
            tournament
        };
        let written = tournament(&with(table, key, value));
        assert_eq!(
            written,
            tournament(&event(table, &without)),
            "{} {}",
            table.header,
            key.name
        );
        tried += 1;
    }
    assert!(tried > 30, "{tried}");
}

/// `ARBITER960_WRITE_DOCS=1` writes the files instead.
#[test]
fn the_documents_are_those_of_this_program() {
    let schema = format!("{:#}\n", event_schema());
    for (path, text) in [
        ("docs/event-file.md", event_markdown()),
        ("docs/event.schema.json", schema),
    ] {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("ARBITER960_WRITE_DOCS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            written == text,
            "{path} is not up to date: ARBITER960_WRITE_DOCS=1 cargo test config_keys"
        );
    }
}

/// Every key of the event files that come along is one of the schema, of its type.
#[test]
fn the_schema_knows_the_event_files_that_come_along() {
    let schema = event_schema();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|end| end == "toml")) {
        let text = std::fs::read_to_string(file).unwrap();
        let named = "#:schema ../docs/event.schema.json\n";
        assert!(text.starts_with(named), "{text}");
        check(&schema, &schema, &Value::Table(read(&text)));
    }
}

/// As much of JSON Schema as ours uses.
fn check(root: &serde_json::Value, schema: &serde_json::Value, value: &Value) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/definitions/");
        return check(root, &root["definitions"][name], value);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        check(root, part, value);
    }
    match (schema["type"].as_str(), value) {
        (Some("object"), Value::Table(table)) => {
            for (key, value) in table {
                match schema["properties"].get(key) {
                    Some(schema) => check(root, schema, value),
                    None => assert_ne!(schema["additionalProperties"], false, "{key}"),
                }
            }
        }
        (Some("array"), Value::Array(elements)) => {
            for element in elements {
                check(root, &schema["items"], element);
            }
        }
        (Some("string"), Value::String(word)) => {
            let words = schema["enum"].as_array();
            assert!(
                words.is_none_or(|words| words.contains(&word.as_str().into())),
                "{word}"
            );
        }
        (None, _) | (Some("integer"), Value::Integer(_)) | (Some("boolean"), Value::Boolean(_)) => {
        }
        (Some("number"), Value::Integer(_) | Value::Float(_)) => (),
        (kind, value) => panic!("{value} is no {kind:?}"),
    }
}
