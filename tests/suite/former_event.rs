//! An event that version 0.1.0 played (`tests/data/former_event`, made by its `event.toml`), and the output of that
//! version: files and tables are the same, except for what was added since, and for texts that have changed and were
//! checked (`ARBITER960_WRITE_DOCS=1` writes the texts again).

use std::fs;
use std::path::{Path, PathBuf};

use arbiter960::internal::sink::{Sink, StandingsSink};
use arbiter960::internal::store::Reader;
use arbiter960::internal::tournament::{EventState, EventView};
use serde_json::Value;
use tempfile::TempDir;

use super::support::{arbiter960, words};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/former_event")
}

/// A folder with the event in its folder `former`.
fn event() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("former");
    fs::create_dir(&own).unwrap();
    fs::copy(data().join("event.db"), own.join("event.db")).unwrap();
    folder
}

#[test]
fn commands_say_of_a_former_event_what_they_said() {
    let folder = event();
    let said: [(&[&str], &str); 9] = [
        (&["stats", "former"], "stats.txt"),
        (
            &["stats", "former", "--moves", "--format", "json"],
            "stats.json",
        ),
        (
            &["stats", "former", "--by", "position"],
            "stats_by_position.txt",
        ),
        (&["explain", "former"], "explain.txt"),
        (&["explain", "former", "3.1"], "explain_3.1.txt"),
        (
            &["explain", "former", "1.1", "--format", "json"],
            "explain_1.1.json",
        ),
        (&["export", "former", "--format", "csv"], "games.csv"),
        (&["export", "former", "--format", "pgn"], "games.pgn"),
        (&["status", "former"], "status.txt"),
    ];
    for (arguments, file) in said {
        let mut command = arbiter960();
        let output = command
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", words(&output));
        let now = String::from_utf8(output.stdout).unwrap();
        if std::env::var_os("ARBITER960_WRITE_DOCS").is_some() {
            fs::write(data().join(file), &now).unwrap();
        }
        let then = fs::read_to_string(data().join(file)).unwrap();
        assert_eq!(now, then, "{arguments:?}");
    }
}

#[test]
fn the_standings_of_a_former_event_are_the_same() {
    let folder = event();
    let own = folder.path().join("former");
    let reader = Reader::open(&own).unwrap();
    let event = EventView::new(EventState::read(&reader).unwrap());
    StandingsSink::new(&own, event).finish().unwrap();
    let read = |folder: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join("standings.json")).unwrap()).unwrap()
    };
    let mut former = read(&data());
    // What 0.2.0 called Elo is the performance.
    for row in former["standings"].as_array_mut().unwrap() {
        row["performance"] = row["elo"].take();
        row.as_object_mut().unwrap().remove("elo");
    }
    assert_has(&read(&own), &former);
}

/// Fields may have been added since.
fn assert_has(new: &Value, former: &Value) {
    match (new, former) {
        (Value::Object(new), Value::Object(former)) => {
            for (key, value) in former {
                assert_has(&new[key], value);
            }
        }
        (Value::Array(new), Value::Array(former)) => {
            assert_eq!(new.len(), former.len());
            new.iter()
                .zip(former)
                .for_each(|(new, former)| assert_has(new, former));
        }
        _ => assert_eq!(new, former),
    }
}
