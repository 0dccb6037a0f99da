//! What somebody meets in the first hour: options as other programs have them, seeds, manual pages.

use std::path::Path;
use std::process::Output;

use super::support::{arbiter960, words};

/// Two strengths of the built-in engine, on drawn positions.
fn small_match(results: &Path, more: &[&str]) -> Output {
    arbiter960()
        .args([
            "match",
            "--engine",
            "builtin=sparring",
            "name=A",
            "option.Strength=1",
        ])
        .args([
            "--engine",
            "builtin=sparring",
            "name=B",
            "--each",
            "option.Hash=1",
        ])
        .args([
            "--depth",
            "1",
            "--positions",
            "sample:2",
            "--max-moves",
            "4",
        ])
        .arg("--results")
        .arg(results)
        .args(more)
        .output()
        .unwrap()
}

/// The number in front of some words.
fn drawn(output: &Output) -> Option<u64> {
    let said = words(output);
    let (_, rest) = said.split_once("no seed is given: ")?;
    rest.split(' ').next()?.parse().ok()
}

#[test]
fn a_seed_that_nobody_names_is_drawn_printed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let first = small_match(folder.path(), &[]);
    assert_eq!(first.status.code(), Some(0), "{}", words(&first));
    let seed = drawn(&first).expect("a seed that was drawn");
    let stored = rusqlite::Connection::open(folder.path().join("A vs B/event.db")).unwrap();
    let sql = "SELECT value FROM event WHERE key = 'seed'";
    let kept: String = stored.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, seed.to_string());
    let again = small_match(folder.path(), &[]);
    assert_eq!(again.status.code(), Some(0), "{}", words(&again));
    assert_eq!(drawn(&again), None, "the event has a seed");
    let afresh = small_match(folder.path(), &["--fresh"]);
    assert!(
        drawn(&afresh).is_some_and(|other| other != seed),
        "{}",
        words(&afresh)
    );
    let named = small_match(folder.path(), &["--fresh", "--seed", "7"]);
    assert_eq!((named.status.code(), drawn(&named)), (Some(0), None));
}

#[test]
fn options_with_one_dash_are_explained() {
    for (word, advice) in [
        ("-engine", "write --engine"),
        ("-sprt", "write --sprt"),
        ("-pgnout", "is an option of another program"),
    ] {
        let output = arbiter960().args(["match", word, "x"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(words(&output).contains(advice), "{}", words(&output));
    }
}

#[test]
fn the_language_of_event_files_is_printed() {
    let printed = |format: &str| {
        let output = arbiter960()
            .args(["schema", "--format", format])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let schema: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
    assert_eq!(
        schema["required"],
        serde_json::json!(["event", "positions", "engine"])
    );
    assert!(printed("markdown").starts_with("# The event file\n"));
    let folder = tempfile::tempdir().unwrap();
    let output = arbiter960()
        .args(["manual", "--output"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let page = std::fs::read_to_string(folder.path().join("arbiter960-event.5")).unwrap();
    assert!(
        page.contains("max_hours") && page == printed("manual"),
        "{page}"
    );
}
