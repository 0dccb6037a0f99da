//! What other programs and hands do to the files of a running event.

use std::fs;
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;

use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, begun, six_and_nine};
use super::support::{Event, all_rounds, words};
use arbiter960::internal::platform::Capability;

/// An event of thirty pairs.
fn thirty_pairs(name: &str) -> Event {
    six_and_nine(name, 20, "positions.numbers = [\"0-29\"]")
}

fn assert_complete(mut run: Run, lines: impl Iterator<Item = String>, event: &Event) {
    lines.for_each(drop);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    let mut rounds = event.rounds();
    rounds.sort();
    assert_eq!(rounds, all_rounds(30));
    assert_files_whole(event);
}

#[test]
fn a_store_that_somebody_locks_is_waited_for() {
    if !can(Capability::LockHolders) {
        return;
    }
    let event = thirty_pairs("locked");
    let (run, lines) = begun(&event);
    let other = Connection::open(event.results().join("event.db")).unwrap();
    other.busy_timeout(Duration::from_secs(30)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Longer than any time-out of SQLite in the run: until the run has printed which program it waits for.
    let log = event.results().join("log").join("run.log");
    let said = format!("(process {})", std::process::id());
    run.until(|| fs::read_to_string(&log).unwrap_or_default().contains(&said));
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    assert_complete(run, lines, &event);
}

#[test]
fn a_games_pgn_that_is_deleted_or_replaced_is_written_again() {
    let event = thirty_pairs("deleted");
    let (run, lines) = begun(&event);
    fs::remove_file(event.results().join("games.pgn")).unwrap();
    assert_complete(run, lines, &event);
    let event = thirty_pairs("replaced");
    let (run, lines) = begun(&event);
    let other = event.folder().join("other");
    fs::write(&other, "a remark of somebody's\n").unwrap();
    fs::rename(&other, event.results().join("games.pgn")).unwrap();
    assert_complete(run, lines, &event);
    assert_eq!(event.read("games.pgn.old-1"), "a remark of somebody's\n");
}

#[test]
fn a_deleted_lock_lets_no_second_runner_in() {
    let event = thirty_pairs("unlocked");
    let (run, lines) = begun(&event);
    fs::remove_file(event.results().join("event.lock")).unwrap();
    let second = event.run(&["--quiet"]);
    let said = words(&second);
    assert_eq!(second.status.code(), Some(4), "{said}");
    assert!(
        said.contains("is being played by another arbiter960"),
        "{said}"
    );
    assert_complete(run, lines, &event);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_words() {
    let event = thirty_pairs("limited");
    for blocks in ["40", "160", "400"] {
        let inner = event.command(&["--quiet"]);
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -f {blocks}; exec \"$0\" \"$@\""));
        command.arg(inner.get_program()).args(inner.get_args());
        let output = command.output().unwrap();
        let said = words(&output);
        assert_eq!(output.status.code(), Some(4), "{blocks}: {said}");
        assert!(said.contains("error: "), "{blocks}: {said}");
    }
    event.run_well(&["--quiet"]);
    let mut rounds = event.rounds();
    rounds.sort();
    assert_eq!(rounds, all_rounds(30));
    assert_files_whole(&event);
}
