//! What other programs and hands do to the files of a running event.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::platforms::can;
use super::robust_support::{Run, assert_files_whole, begun, six_and_nine};
use super::support::{Event, assert_has, ends};
use arbiter960::internal::platform::Capability;

/// An event of thirty pairs.
fn thirty_pairs(name: &str) -> Event {
    six_and_nine(name, 20, "positions.numbers = [\"0-29\"]")
}

fn assert_complete(mut run: Run, lines: impl Iterator<Item = String>, event: &Event) {
    lines.for_each(drop);
    run.ends(0);
    event.assert_rounds(30);
    assert_files_whole(event);
}

#[test]
fn a_store_that_somebody_locks_is_waited_for() {
    if !can(Capability::LockHolders) {
        return;
    }
    let event = thirty_pairs("locked");
    let (run, lines) = begun(&event);
    let other = event.store();
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
    let said = event.ends(4, &["--quiet"]);
    assert_has(&said, ["is being played by another arbiter960"]);
    assert_complete(run, lines, &event);
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_words() {
    let event = thirty_pairs("limited");
    for blocks in ["40", "160", "400"] {
        let inner = event.command(&["--quiet"]);
        let mut command = Command::new("sh");
        let limited = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.arg("-c").arg(limited).arg(inner.get_program());
        assert_has(&ends(4, command.args(inner.get_args())), ["error: "]);
    }
    event.run_well(&["--quiet"]);
    event.assert_rounds(30);
    assert_files_whole(&event);
}
