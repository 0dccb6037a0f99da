//! Two events on one machine: each leaves word of what it has taken, and sees the other's.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use super::platforms::can;
use super::support::{arbiter960, assert_has, assert_lacks, ends, on_one_line, words};
use arbiter960::internal::platform::Capability;

/// A small event, with the runs' files in this folder.
fn event(folder: &Path, more: &[&str]) -> String {
    let line = "match --engine builtin=sparring copies=2 --depth 1 --positions sample:1 --max-moves 2 --no-report";
    let mut command = here(folder, line);
    command.arg("--results").arg(folder.join("results"));
    ends(0, command.args(more))
}

/// A command with the runs' files in this folder.
fn here(folder: &Path, line: &str) -> Command {
    let mut command = arbiter960();
    command.env("ARBITER960_LOCKS", folder.join("runs"));
    command.args(line.split(' '));
    command
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
    assert_lacks(&alone, ["on this machine too"]);
    let left = std::fs::read_dir(folder.path().join("runs")).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name());
    assert!(left.eq(["register"]));
}

#[test]
fn more_threads_than_processors_with_another_event_are_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    let there = std::thread::available_parallelism().unwrap().get();
    let league = other(folder.path(), there, "[]");
    let said = event(folder.path(), &[]);
    let needed = format!(
        "this computer is too busy: of {there} processors {} are wanted (1 other event)",
        there + 1
    );
    assert_has(&on_one_line(&said), [needed]);
    let doctor = here(folder.path(), "doctor --seconds 0.1")
        .output()
        .unwrap();
    assert_has(&words(&doctor), ["event \"league\" (process 1) runs"]);
    drop(league);
    assert_lacks(&event(folder.path(), &["--fresh"]), ["league"]);
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
    let said = event(folder.path(), &[]);
    assert_has(&said, ["on processor 0; this event keeps to processor"]);
}
