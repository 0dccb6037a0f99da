//! The reader of event files and its documentation are made from one table of keys. Tested are the texts of a row
//! (example, default), and the types of keys that have a separate reader.

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::{StartNumber, Variant, position};
use arbiter960::internal::config::keys::{Key, KeyKind, KeyTable, TABLES};
use arbiter960::internal::platform::Capability;
use arbiter960::internal::report::event_file::{event_markdown, event_schema};
use toml::{Table, Value};

use super::config_files::Shelf;
use super::platforms::can;

/// All that the examples name.
fn shelf() -> Shelf {
    let start = |number| position(Variant::Chess960, StartNumber(number)).unwrap();
    let lines = (0..120).map(|number| start(number).fen(FenDialect::Shredder) + "\n");
    let programs = ["stockfish", "gnuchess"];
    let shelf = programs.iter().fold(Shelf::new(), |shelf, name| {
        shelf.program(&format!("/usr/games/{name}"), "\x7fELF")
    });
    shelf
        .file("/events/book.epd", &lines.collect::<String>())
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
    let name = table.name;
    let mut set = |table: &str, key: &str, value: Value| {
        let own = event[table].as_table_mut().unwrap();
        own.insert(key.to_owned(), value);
    };
    let one = |keys: Table| Value::Array(vec![keys.into()]);
    match name {
        "white" | "black" => {
            set("time", name, keys.into());
            return toml::to_string(&event).unwrap();
        }
        "knockout" | "double-elimination" | "ladder" | "swiss" => {
            set("event", "format", name.into())
        }
        "round" => set("positions", "draw", "round".into()),
        "series" => set("positions", "draw", "next".into()),
        "playoff" => set("event", "format", "knockout".into()),
        _ => (),
    }
    let (place, value) = match name {
        "event" => {
            if keys.contains_key("public_source") {
                event["positions"] = Value::Table(read("all = true"));
            }
            keys.entry("name").or_insert("x".into());
            (name, keys.into())
        }
        "engine" => {
            let alone = keys.get("copies") == Some(&Value::Integer(2));
            let engines = event["engine"].as_array_mut().unwrap();
            engines[0] = keys.into();
            engines.truncate(if alone { 1 } else { 2 });
            return toml::to_string(&event).unwrap();
        }
        "defaults" => {
            keys.remove("command");
            (name, keys.into())
        }
        "draw" | "resign" => (
            "adjudication",
            Table::from_iter([(name.to_owned(), keys.into())]).into(),
        ),
        "round" | "playoff" => (name, one(keys)),
        "stage" | "qualifier" => {
            event["positions"] = Value::Table(read("all = true"));
            (name, one(keys))
        }
        "from" => {
            let first = read("name = \"first\"\nformat = \"round-robin\"");
            let mut last = read("format = \"round-robin\"");
            last.insert("from".to_owned(), one(keys));
            ("stage", Value::Array(vec![first.into(), last.into()]))
        }
        _ => (name, keys.into()),
    };
    event.insert(place.to_owned(), value);
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
    shelf()
        .parse(text)
        .map_or_else(|errors| errors.to_string(), |_| String::new())
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
        assert!(message.contains(&named), "{}: {message}", table.header);
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
        let unwritten = tournament(&event(table, &without));
        assert_eq!(written, unwritten, "{} {}", table.header, key.name);
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
        let advice = "ARBITER960_WRITE_DOCS=1 cargo test config_keys";
        assert!(written == text, "{path} is not up to date: {advice}");
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
            let is_known = words.is_none_or(|words| words.contains(&word.as_str().into()));
            assert!(is_known, "{word}");
        }
        (None, _) | (Some("integer"), Value::Integer(_)) | (Some("boolean"), Value::Boolean(_)) => {
        }
        (Some("number"), Value::Integer(_) | Value::Float(_)) => (),
        (kind, value) => panic!("{value} is no {kind:?}"),
    }
}
