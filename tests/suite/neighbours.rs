//! Two events on one machine: each leaves word of what it has taken, and sees the other's.

use std::fs::File;
use std::path::Path;
use std::process::Output;

use super::platforms::can;
use super::support::{arbiter960, words};
use arbiter960::internal::platform::Capability;

/// A small event, with the runs' files in this folder.
fn event(folder: &Path, more: &[&str]) -> Output {
    let engines = ["--engine", "builtin=sparring", "copies=2", "--depth", "1"];
    arbiter960()
        .env("ARBITER960_LOCKS", folder.join("runs"))
        .args([&["match"], &engines[..], more].concat())
        .args(["--positions", "sample:1", "--max-moves", "2", "--no-report"])
        .args(["--results".as_ref(), folder.join("results").as_os_str()])
        .output()
        .unwrap()
}

/// Another run that is alive as long as the file is locked.
fn other(folder: &Path, threads: usize, cpus: &str) -> File {
    let runs = folder.join("runs");
    std::fs::create_dir_all(&runs).unwrap();
    let path = runs.join("run-1-0");
    let text = format!(r#"{{"event":"league","process":1,"threads":{threads},"cpus":{cpus}}}"#);
    std::fs::write(&path, text).unwrap();
    let file = File::open(path).unwrap();
    file.lock().unwrap();
    file
}

#[test]
fn an_event_that_is_alone_says_nothing_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let alone = event(folder.path(), &[]);
    assert_eq!(alone.status.code(), Some(0), "{}", words(&alone));
    assert!(
        !words(&alone).contains("on this machine too"),
        "{}",
        words(&alone)
    );
    let left: Vec<String> = std::fs::read_dir(folder.path().join("runs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["register"]);
}

#[test]
fn more_threads_than_processors_with_another_event_are_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    let there = std::thread::available_parallelism().unwrap().get();
    let league = other(folder.path(), there, "[]");
    let beside = event(folder.path(), &[]);
    assert_eq!(beside.status.code(), Some(0), "{}", words(&beside));
    let said = words(&beside);
    let needed = format!(
        "this computer is too busy: of {there} processors {} are wanted (1 other event)",
        there + 1
    );
    assert!(
        said.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(&needed),
        "{said}"
    );
    let doctor = arbiter960()
        .env("ARBITER960_LOCKS", folder.path().join("runs"))
        .args(["doctor", "--seconds", "0.1"])
        .output()
        .unwrap();
    assert!(
        words(&doctor).contains("event \"league\" (process 1) runs"),
        "{}",
        words(&doctor)
    );
    drop(league);
    let alone = event(folder.path(), &["--fresh"]);
    assert!(!words(&alone).contains("league"), "{}", words(&alone));
}

#[test]
fn an_event_without_processors_of_its_own_keeps_off_those_of_another() {
    if !can(Capability::Processors) {
        return;
    }
    let there = std::thread::available_parallelism().unwrap().get();
    if there < 2 {
        return super::support::missing("a second processor");
    }
    let folder = tempfile::tempdir().unwrap();
    let _league = other(folder.path(), 1, "[0]");
    let beside = event(folder.path(), &[]);
    assert_eq!(beside.status.code(), Some(0), "{}", words(&beside));
    let said = words(&beside);
    assert!(
        said.contains("on processor 0; this event keeps to processor"),
        "{said}"
    );
}
