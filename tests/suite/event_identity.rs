//! The identity of an event and its engines: accepted in one transaction, after every engine has been started.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use arbiter960::internal::event::UnixMillis;
use arbiter960::internal::store::{Description, Store};

use super::platforms::can;
use super::robust_support::fake_engine;
use super::sample_games::{finished, identity};
use super::support::{Event, missing, tool, words};
use arbiter960::internal::platform::Capability;

/// Two pairs of a variant that nobody would guess.
const SHUFFLE: &str = r#"
event.variant = "shuffle"
positions.numbers = [5, 7]
time.depth = 1
adjudication.max_moves = 10
faults.strikes = 3
faults.disqualified = "half"
[[engine]]
name = "Alpha"
builtin = "sparring"
options = { Strength = 3 }
[[engine]]
name = "Omega"
builtin = "sparring"
"#;

/// The event's folder as the commands take it.
fn results(event: &Event) -> String {
    event.results().display().to_string()
}

/// The event is as complete as one that was never disturbed.
fn assert_described(event: &Event) {
    let pgn = event.read("games.pgn");
    assert_eq!(pgn.matches("[Variant \"").count(), 0, "{pgn}");
    assert_eq!(pgn.matches("[Event \"cut\"]").count(), 4, "{pgn}");
    tool(&["verify", &format!("{}/games.pgn", results(event))]);
    let status = tool(&["status", &results(event)]);
    assert!(status.contains("planned    4 games"), "{status}");
}

/// The same command under a shell's limit of open files, which ends it while it opens its store.
fn with_few_files(event: &Event, most: u32) -> Output {
    let command = event.command(&["--quiet"]);
    let words = command
        .get_args()
        .map(|word| word.to_str().unwrap().to_owned());
    let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    let program = command.get_program().to_str().unwrap();
    let line = format!("ulimit -n {most}; exec '{program}' {}", words.join(" "));
    Command::new("sh").args(["-c", &line]).output().unwrap()
}

#[test]
fn a_first_run_without_descriptors_leaves_an_event_that_is_described_by_the_next() {
    for most in 8..20 {
        let event = Event::new("cut", SHUFFLE);
        with_few_files(&event, most);
        event.run_well(&["--quiet"]);
        assert_described(&event);
    }
}

#[test]
fn a_first_run_killed_at_any_opening_of_a_file_leaves_an_event_that_the_next_describes() {
    if Command::new("strace").arg("-V").output().is_err() {
        return missing("strace is not installed");
    }
    for when in (6..30).step_by(2) {
        let event = Event::new("cut", SHUFFLE);
        let command = event.command(&["--quiet"]);
        let inject = format!("inject=openat:signal=KILL:when={when}");
        let mut traced = Command::new("strace");
        traced.args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=openat",
            "-e",
            &inject,
        ]);
        traced.arg(command.get_program()).args(command.get_args());
        traced.output().unwrap();
        event.run_well(&["--quiet"]);
        assert_described(&event);
    }
}

#[test]
fn a_change_accepted_in_a_complete_event_keeps_names_and_statistics() {
    let event = Event::new("cut", SHUFFLE);
    event.run_well(&["--quiet"]);
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), format!("time.margin_ms = 5\n{text}")).unwrap();
    let shown = event.run_well(&["--quiet", "--accept-changes"]);
    assert!(
        shown.contains("Alpha") && !shown.contains("engine 0"),
        "{shown}"
    );
    assert!(event.read("standings.json").contains("Alpha"));
    let statistics = tool(&["stats", &results(&event), "--details"]);
    assert!(!statistics.contains("0 games:"), "{statistics}");
    assert_described(&event);
}

/// An engine next to the event file.
fn install(event: &Event, script: &str) -> PathBuf {
    let path = event.folder().join("engine");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

const AGAINST_A_SCRIPT: &str = r#"
positions.numbers = [518]
time.depth = 1
adjudication.max_moves = 6
[[engine]]
name = "Script"
command = "./engine"
[[engine]]
name = "Omega"
builtin = "sparring"
"#;

#[test]
fn a_program_that_does_not_start_is_not_accepted() {
    let event = Event::new("cut", AGAINST_A_SCRIPT);
    let sound = format!("exec {}", fake_engine().display());
    install(&event, &sound);
    event.run_well(&["--quiet"]);
    install(&event, "exit 3");
    let longer = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), format!("event.pairs = 2\n{longer}")).unwrap();
    let refused = event.run(&["--quiet", "--accept-changes"]);
    assert_eq!(refused.status.code(), Some(3), "{}", words(&refused));
    let status = tool(&["status", &results(&event)]);
    assert!(status.contains("planned    2 games"), "{status}");
    // The program that played continues as if nothing had happened.
    install(&event, &sound);
    fs::write(event.file(), longer).unwrap();
    event.run_well(&["--quiet"]);
    assert!(event.read("standings.json").contains("Script"));
}

#[test]
fn an_event_whose_engines_never_started_has_not_begun() {
    let event = Event::new("cut", AGAINST_A_SCRIPT);
    install(&event, "exit 3");
    let failed = event.run(&["--quiet"]);
    assert_eq!(failed.status.code(), Some(3), "{}", words(&failed));
    let mut status = super::support::arbiter960();
    let status = status.args(["status", &results(&event)]).output().unwrap();
    assert_eq!(status.status.code(), Some(2), "{}", words(&status));
    assert!(
        words(&status).contains("has not begun"),
        "{}",
        words(&status)
    );
}

/// A change is asked for as soon as there is anything in the store that it would change.
#[test]
fn an_event_with_voided_games_alone_has_begun() {
    let event = Event::new("cut", AGAINST_A_SCRIPT);
    install(
        &event,
        &format!("exec {} search=abort at=1", fake_engine().display()),
    );
    let text = fs::read_to_string(event.file()).unwrap();
    let replayed = "faults.policy = \"replay\"\nfaults.replays = 9\nfaults.strikes = 2\n";
    fs::write(event.file(), format!("{replayed}{text}")).unwrap();
    let first = event.run(&["--quiet"]);
    assert!(
        matches!(first.status.code(), Some(0 | 5)),
        "{}",
        words(&first)
    );
    // The last replay of each game counts: without it, all that is left was voided.
    let store = rusqlite::Connection::open(event.results().join("event.db")).unwrap();
    let sql = "DELETE FROM play; DELETE FROM games;";
    store.execute_batch(sql).unwrap();
    drop(store);
    let status = tool(&["status", &results(&event)]);
    assert!(status.contains("played     0 games"), "{status}");
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), text.replace("depth = 1", "depth = 2")).unwrap();
    let second = event.run(&["--quiet"]);
    assert_eq!(second.status.code(), Some(2), "{}", words(&second));
    assert!(words(&second).contains("depth=2"), "{}", words(&second));
}

/// The event file with one more line at its top.
fn with_line(event: &Event, line: &str) {
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), format!("{line}\n{text}")).unwrap();
}

/// Runs the event, which must be refused as a mistake of its caller; returns the messages.
fn refused(event: &Event, arguments: &[&str]) -> String {
    let output = event.run(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_mended_program_begins_without_strikes_and_has_results_of_its_own() {
    let event = Event::new("mended", AGAINST_A_SCRIPT);
    with_line(
        &event,
        "event.pairs = 4\nfaults.strikes = 2\nfaults.disqualified = \"annul\"",
    );
    install(
        &event,
        &format!("exec {} search=abort at=1", fake_engine().display()),
    );
    let broken = event.run_well(&["--quiet"]);
    assert!(broken.contains("disqualified"), "{broken}");
    install(&event, &format!("exec {}", fake_engine().display()));
    let said = refused(&event, &["--quiet"]);
    let (name, accept) = (said.find("event.name"), said.find("--accept-changes"));
    assert!(name.is_some() && name < accept, "{said}");
    let mended = event.run_well(&["--quiet", "--accept-changes"]);
    assert!(!mended.contains("disqualified"), "{mended}");
    // The end of the run does not pool two builds under one name.
    for words in [
        "Script (revision 1)",
        "Script (revision 2)",
        "Ratings of every build. Replaced during the event: Script.",
    ] {
        assert!(mended.contains(words), "{words}: {mended}");
    }
    assert_eq!(event.rounds().len(), 8);
    let statistics = tool(&["stats", &results(&event), "--details"]);
    for words in ["Script (revision 1)", "Script (revision 2)", "2 revisions"] {
        assert!(statistics.contains(words), "{statistics}");
    }
    assert!(!statistics.contains("Omega (revision"), "{statistics}");
}

#[test]
fn a_sequential_test_is_about_one_build() {
    let event = Event::new("test", AGAINST_A_SCRIPT);
    with_line(
        &event,
        "sprt.elo0 = -400\nsprt.elo1 = 400\nsprt.max_pairs = 1",
    );
    install(&event, &format!("exec {}", fake_engine().display()));
    event.run(&["--quiet"]);
    install(&event, &format!("exec {} # new", fake_engine().display()));
    let said = refused(&event, &["--quiet", "--accept-changes"]);
    assert!(
        said.contains("cannot be one test") && said.contains("event.name"),
        "{said}"
    );
}

/// A file that says nothing of the unit meant pairs before version 0.3.0, and now means starts.
#[test]
fn a_test_that_began_by_pairs_goes_on_by_pairs() {
    let by_pairs = "[sprt]\nelo0 = -400\nelo1 = 400\nmax_pairs = 1\nunit = \"pairs\"\n";
    let event = Event::new(
        "pairs",
        &format!(
            "{}\n{by_pairs}",
            SHUFFLE.replace("faults.disqualified = \"half\"\n", "")
        ),
    );
    event.run(&["--quiet"]);
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), text.replace("unit = \"pairs\"\n", "")).unwrap();
    event.run_well(&["--quiet"]);
    let other = text.replace("unit = \"pairs\"", "unit = \"starts\"");
    fs::write(event.file(), other).unwrap();
    assert!(refused(&event, &["--quiet"]).contains("unit"));
}

#[test]
fn a_complete_event_does_not_show_the_results_of_another_build() {
    let event = Event::new("over", AGAINST_A_SCRIPT);
    install(&event, &format!("exec {}", fake_engine().display()));
    event.run_well(&["--quiet"]);
    install(&event, &format!("exec {} # new", fake_engine().display()));
    let said = refused(&event, &["--quiet", "--accept-changes"]);
    assert!(said.contains("not one game would be played"), "{said}");
}

/// An engine that writes into a file that it is given, at every start.
#[test]
fn a_file_that_changes_when_an_engine_starts_is_left_out_and_reported() {
    for exists in [true, false] {
        let event = Event::new("volatile", AGAINST_A_SCRIPT);
        let text = fs::read_to_string(event.file()).unwrap();
        let given = "command = \"./engine\"\nargs = [\"state.bin\"]\nrestart = true";
        let text = text.replace("command = \"./engine\"", given);
        fs::write(event.file(), format!("event.pairs = 3\n{text}")).unwrap();
        install(
            &event,
            &format!("echo more >> \"$1\"\nexec {}", fake_engine().display()),
        );
        if exists {
            fs::write(event.folder().join("state.bin"), "first").unwrap();
        }
        let run = event.run(&["--quiet"]);
        assert!(run.status.success(), "{}", words(&run));
        assert_eq!(event.rounds().len(), 6);
        // Longer, so that the engines are started once more.
        with_line(&event, "# the same event");
        let text = fs::read_to_string(event.file()).unwrap();
        fs::write(event.file(), text.replace("pairs = 3", "pairs = 4")).unwrap();
        let said = refused(&event, &["--quiet"]);
        assert!(said.contains("pairs") && !said.contains("files"), "{said}");
        event.run_well(&["--quiet", "--accept-changes"]);
        assert_eq!(event.rounds().len(), 8);
    }
}

/// With several threads equal games are coincidences, however the option is written.
#[test]
fn equal_games_of_engines_with_several_threads_are_not_dropped_as_replays() {
    for (option, dropped) in [
        (None, true),
        (Some("Threads"), false),
        (Some("threads"), false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut identity = identity(&["Alpha", "Beta"]);
        for engine in &mut identity.engines {
            engine.limits = "nodes=300".parse().unwrap();
            engine
                .options
                .extend(option.map(|name| (name.to_owned(), "4".to_owned())));
        }
        let facts = [
            ("name", "Test"),
            ("site", "?"),
            ("variant", "chess960"),
            ("planned_games", ""),
            ("planned_encounters", ""),
        ];
        let store = Store::open(folder.path(), Box::new(|_| {})).unwrap();
        let description = Description {
            identity: Some((UnixMillis(0), identity)),
            facts: facts.map(|(key, value)| (key.into(), value.into())).into(),
            engines: Vec::new(),
        };
        store.describe(description).unwrap();
        for pair in 0..4 {
            store.submit(finished(pair, 0, 1, 30));
        }
        store.close().unwrap();
        let statistics = tool(&["stats", folder.path().to_str().unwrap(), "--details"]);
        assert_eq!(
            !statistics.contains(" 0 replays"),
            dropped,
            "{option:?}: {statistics}"
        );
    }
}

#[test]
fn a_store_on_a_network_file_system_is_warned_of() {
    if !can(Capability::NetworkDrives) {
        return;
    }
    if Command::new("strace").arg("-V").output().is_err() {
        return missing("strace is not installed");
    }
    let event = Event::new("cut", SHUFFLE);
    let command = event.command(&["--quiet"]);
    // The kernel's answer, with the number of NFS in its first word.
    let inject = "inject=statfs:poke_exit=@arg2=6969000000000000";
    let mut traced = Command::new("strace");
    traced.args([
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        "trace=statfs",
        "-e",
        inject,
    ]);
    traced.arg(command.get_program()).args(command.get_args());
    let output = traced.output().unwrap();
    assert!(
        words(&output).contains("network file system (NFS)"),
        "{}",
        words(&output)
    );
    assert!(!words(&event.run(&["--quiet"])).contains("network"));
}
