//! Disks that are full, folders that cannot be written, files that are damaged: each a
//! clear message and exit code 4, nothing finished is lost, nothing is destroyed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Instant;
use std::{fs, io};

use arbiter960::internal::store::{Reader, Store, StoreNotice};

use super::robust_support::{
    BOUND, assert_files_whole, begun, fake_engine, games, reasons, round_of, six_and_nine,
    start_with_json,
};
use super::sample_games::finished;
use super::support::{Event, assert_has, assert_lacks, ends, missing, sparring};

/// An event of fifty pairs.
fn long(name: &str) -> Event {
    six_and_nine(name, 20, "positions.numbers = [\"0-49\"]")
}

/// An event of two pairs.
fn short(name: &str) -> Event {
    six_and_nine(name, 10, "positions.numbers = [0, 1]")
}

/// A file system in memory on a folder; only root may make one.
pub struct Disk(PathBuf);

impl Disk {
    pub fn mount(folder: PathBuf, size: &str) -> Option<Disk> {
        fs::create_dir_all(&folder).unwrap();
        let options = format!("size={size}");
        let mounted = mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], &folder);
        if !mounted {
            missing("this user cannot mount a small disk");
        }
        mounted.then_some(Disk(folder))
    }

    fn remount(&self, options: &str) {
        assert!(mount(&["-o", &format!("remount,{options}")], &self.0));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    let mut command = Command::new("mount");
    let output = command.args(arguments).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}

/// Runs the event again: then it has every game of this number of pairs once, and whole files.
fn assert_resumed(event: &Event, pairs: usize) {
    event.run_well(&["--quiet"]);
    event.assert_rounds(pairs);
    assert_files_whole(event);
}

/// Runs the event, which must fail for its storage, and gives its words.
fn refused(event: &Event) -> String {
    let words = event.ends(4, &["--quiet"]);
    eprintln!("refused as a store: {words}");
    words
}

#[test]
fn a_full_disk_stops_the_event_and_loses_nothing() {
    for size in ["300k", "500k", "800k"] {
        let event = long("full");
        let results = event.folder().join("results");
        let Some(disk) = Disk::mount(results, size) else {
            return;
        };
        let (mut run, lines) = start_with_json(&event);
        let reported: Vec<String> = lines.filter_map(|line| round_of(&line)).collect();
        let said = run.ends_alone(4);
        eprintln!("{size}: {} games reported; {}", reported.len(), said.trim());
        refused(&event);
        disk.remount("size=64m");
        // No game is reported in both runs.
        let again = event.run_well(&["--json"]);
        let lines = reported
            .iter()
            .map(|round| format!("\"round\":\"{round}\""));
        assert_lacks(&again, lines);
        event.assert_rounds(50);
        assert_files_whole(&event);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let event = short("read-only");
    let results = event.folder().join("results");
    let Some(disk) = Disk::mount(results, "8m") else {
        return;
    };
    disk.remount("ro");
    assert_has(&refused(&event), ["results"]);
    disk.remount("rw");
    event.run_well(&["--quiet"]);
    disk.remount("ro");
    refused(&event);
    assert_files_whole(&event);
}

#[test]
fn a_games_pgn_that_cannot_be_written_stops_the_event() {
    let event = short("pgn");
    let pgn = event.results().join("games.pgn");
    fs::create_dir_all(pgn.join("in the way")).unwrap();
    assert_has(&refused(&event), ["games.pgn"]);
    fs::remove_dir_all(&pgn).unwrap();
    assert_resumed(&event, 2);
}

#[test]
fn a_damaged_or_foreign_or_newer_store_is_left_as_it_is() {
    let event = short("damaged");
    event.run_well(&["--quiet"]);
    let store = event.results().join("event.db");
    let sound = fs::read(&store).unwrap();
    let middle = sound.len() / 2;
    let [mut newer, mut torn] = [sound.clone(), sound.clone()];
    // The file format's place of `PRAGMA user_version`.
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    torn[4096..middle].fill(0x55);
    let text = b"this is no database, but a text that somebody wrote here, longer than a header";
    for (word, bytes) in [
        ("another version", &newer[..]),
        ("damaged", &sound[..middle]),
        ("damaged", &torn),
        ("", text),
    ] {
        fs::write(&store, bytes).unwrap();
        assert_has(&refused(&event), ["event.db", word]);
        let left = fs::read(&store).unwrap();
        assert!(left == bytes, "{word}: the file was changed");
    }
    fs::write(&store, &sound).unwrap();
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
}

/// An event whose first engine is a link that the test can take away.
fn linked(name: &str, pairs: usize) -> (Event, PathBuf) {
    let text = format!(
        "event.pairs = {pairs}\npositions.numbers = [5]\nadjudication.max_moves = 6\ntime.depth = 1\n\
         [[engine]]\nname = \"Fake\"\ncommand = \"./engine\"\nrestart = true\n{}",
        sparring("Sound", "")
    );
    let event = Event::new(name, &text);
    let link = event.folder().join("engine");
    std::os::unix::fs::symlink(fake_engine(), &link).unwrap();
    (event, link)
}

#[test]
fn an_engine_deleted_between_two_runs_is_missed_before_a_game() {
    let (event, link) = linked("deleted", 3);
    event.run_well(&["--quiet"]);
    let before = event.read("games.pgn");
    fs::remove_file(&link).unwrap();
    event.ends(2, &["--quiet"]);
    assert_eq!(event.read("games.pgn"), before);
}

#[test]
fn an_engine_deleted_under_a_running_event_loses_no_game_by_that() {
    let (event, link) = linked("vanished", 3);
    let (mut run, stdout) = begun(&event);
    fs::remove_file(&link).unwrap();
    stdout.for_each(drop);
    assert_has(&run.ends(0), ["is not there any more"]);
    assert_eq!(reasons(&event), ["length-adjudication"; 6]);
    std::os::unix::fs::symlink(fake_engine(), &link).unwrap();
    assert_resumed(&event, 3);
}

/// Another program lies in the engine's place from the first game on; the event is played by the one that it began with,
/// and the next run sees the other.
#[test]
fn an_event_is_played_by_the_build_that_it_began_with() {
    let (event, link) = linked("replaced", 40);
    let original = fs::read_link(&link).unwrap();
    // It does not play chess.
    let other = event.folder().join("other");
    fs::write(&other, "#!/bin/sh\necho 'no engine'\n").unwrap();
    fs::set_permissions(&other, fs::metadata(&original).unwrap().permissions()).unwrap();
    let (mut run, stdout) = begun(&event);
    fs::rename(&other, &link).unwrap();
    stdout.for_each(drop);
    assert_has(&run.ends(0), ["is played by the one that it began with"]);
    assert_eq!(reasons(&event), ["length-adjudication"; 80]);
    event.ends(2, &["--quiet"]);
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&original, &link).unwrap();
    assert_resumed(&event, 40);
}

/// The same file gets another content while no process has it: not by `rename`, as compilers do, but as `cp` does.
#[test]
fn a_program_that_is_written_over_in_its_place_plays_on_as_it_was() {
    let (event, link) = linked("written-over", 40);
    let program = fs::read(fake_engine()).unwrap();
    assert!(program.len() > 1 << 20, "a long one");
    fs::remove_file(&link).unwrap();
    fs::copy(fake_engine(), &link).unwrap();
    let (mut run, stdout) = begun(&event);
    // Refused as long as it runs.
    let deadline = Instant::now() + BOUND;
    while let Err(error) = fs::write(&link, "#!/bin/sh\necho 'no engine'\n") {
        assert_eq!(error.kind(), io::ErrorKind::ExecutableFileBusy);
        assert!(Instant::now() < deadline, "it always runs");
        std::thread::yield_now();
    }
    stdout.for_each(drop);
    assert_has(&run.ends(0), ["is played by the one that it began with"]);
    assert_eq!(reasons(&event), ["length-adjudication"; 80]);
    fs::write(&link, program).unwrap();
    assert_resumed(&event, 40);
}

#[test]
fn a_log_of_the_store_that_is_deleted_stops_the_event_and_loses_nothing() {
    let event = long("log");
    let (mut run, stdout) = begun(&event);
    fs::remove_file(event.results().join("event.db-wal")).unwrap();
    let reported = 1 + stdout.filter_map(|line| round_of(&line)).count();
    let said = "event.db-wal was moved, deleted or cut short";
    assert_has(&run.ends(4), [said]);
    assert!(games(&event).len() >= reported);
    assert_resumed(&event, 50);
}

/// The runner's own readers may be open when it ends: the log is then not brought into the file by SQLite.
#[test]
fn games_in_a_log_without_a_name_are_saved_whoever_reads_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (sender, notices) = channel();
    let announce = Box::new(move |notice| drop(sender.send(notice)));
    let store = Store::open(folder.path(), announce).unwrap();
    for game in 0..2 {
        store.submit(finished(0, game, 518, 20));
        assert!(matches!(notices.recv(), Ok(StoreNotice::Committed(_))));
    }
    let reader = store.reader().unwrap();
    assert_eq!(reader.results().count(), 2);
    // As of a process that ends with its readers open.
    std::mem::forget(reader);
    fs::remove_file(folder.path().join("event.db-wal")).unwrap();
    store.submit(finished(1, 0, 518, 20));
    assert!(matches!(notices.recv(), Ok(StoreNotice::Failed(_))));
    assert!(store.close().is_err());
    let copy = tempfile::tempdir().unwrap();
    fs::copy(folder.path().join("event.db"), copy.path().join("event.db")).unwrap();
    let saved = Reader::open(copy.path()).unwrap();
    assert!(saved.results().map(Result::unwrap).count() >= 2);
}

#[test]
fn a_store_that_is_gone_is_not_begun_anew_over_its_games() {
    let event = short("gone");
    event.run_well(&["--quiet"]);
    let store = event.results().join("event.db");
    let (sound, pgn) = (fs::read(&store).unwrap(), event.read("games.pgn"));
    for lost in [
        |store: &Path| fs::remove_file(store),
        |store: &Path| fs::write(store, ""),
    ] {
        lost(&store).unwrap();
        assert_has(&refused(&event), ["its event.db is gone or empty"]);
        assert_eq!(event.read("games.pgn"), pgn);
    }
    fs::write(&store, sound).unwrap();
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
}

#[test]
fn a_result_that_cannot_be_printed_is_said_and_the_event_is_stored() {
    let event = short("printed");
    let full = fs::File::create("/dev/full").unwrap();
    let shown = ends(0, event.command(&["--quiet"]).stdout(full));
    assert_has(&shown, ["the event is stored"]);
    event.assert_rounds(2);
}

#[test]
fn a_store_that_loses_its_name_stops_the_event_before_a_game_is_reported() {
    let event = long("unlinked");
    let (mut run, stdout) = begun(&event);
    let aside = event.folder().join("aside");
    fs::rename(event.results(), &aside).unwrap();
    let reported = 1 + stdout.filter_map(|line| round_of(&line)).count();
    let said = run.ends_alone(4);
    // Whichever part notices it first: the store, a file next to it, a listener that catches up.
    let named = [
        "was moved, deleted or cut short",
        "cannot write",
        "holds no event",
    ];
    let is_named = named.iter().any(|words| said.contains(words));
    assert!(is_named, "{said}");
    fs::rename(&aside, event.results()).unwrap();
    assert!(games(&event).len() >= reported);
    assert_resumed(&event, 50);
}

#[test]
fn little_disk_is_warned_about_before_it_is_full() {
    for (size, warned) in [("100m", true), ("300m", false)] {
        let event = short("little");
        let results = event.folder().join("results");
        let Some(_disk) = Disk::mount(results, size) else {
            return;
        };
        let words = event.ends(0, &[]);
        let said = words.contains("MiB are left on the disk of");
        assert_eq!(said, warned, "{size}: {words}");
        let log = event.read("log/run.log");
        assert_eq!(log.contains("little disk left"), warned, "{log}");
    }
}
