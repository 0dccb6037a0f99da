//! The identity of an event and its engines: accepted in one transaction, after every engine has been started.

use std::fs;
use std::process::{Command, Output};

use arbiter960::internal::event::UnixMillis;
use arbiter960::internal::platform::Capability;
use arbiter960::internal::store::{Description, Store};

use super::platforms::can;
use super::robust_support::fake_engine;
use super::sample_games::{finished, identity};
use super::support::{Event, assert_has, assert_lacks, missing, script, tool, words};

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

/// The event is as complete as one that was never disturbed.
fn assert_described(event: &Event) {
    let pgn = event.read("games.pgn");
    assert_eq!(pgn.matches("[Variant \"").count(), 0, "{pgn}");
    assert_eq!(pgn.matches("[Event \"cut\"]").count(), 4, "{pgn}");
    event.verified();
    assert_has(&event.ask(&["status"]), ["planned    4 games"]);
}

/// The same command under a shell's limit of open files, which ends it while it opens its store.
fn with_few_files(event: &Event, most: u32) -> Output {
    let command = event.command(&["--quiet"]);
    let words = command
        .get_args()
        .map(|word| format!("'{}'", word.to_str().unwrap()));
    let words = Vec::from_iter(words);
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
    for when in (6..30).step_by(2) {
        let event = Event::new("cut", SHUFFLE);
        let inject = format!("openat:signal=KILL:when={when}");
        let Some(mut traced) = traced(&event, "openat", &inject) else {
            return;
        };
        traced.output().unwrap();
        event.run_well(&["--quiet"]);
        assert_described(&event);
    }
}

/// The event's command under strace, which changes a system call; `None` where that is not installed.
fn traced(event: &Event, call: &str, inject: &str) -> Option<Command> {
    if Command::new("strace").arg("-V").output().is_err() {
        missing("strace is not installed");
        return None;
    }
    let command = event.command(&["--quiet"]);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
    traced.args([&format!("trace={call}"), "-e", &format!("inject={inject}")]);
    traced.arg(command.get_program()).args(command.get_args());
    Some(traced)
}

#[test]
fn a_change_accepted_in_a_complete_event_keeps_names_and_statistics() {
    let event = Event::new("cut", SHUFFLE);
    event.run_well(&["--quiet"]);
    with_line(&event, "time.margin_ms = 5");
    let shown = event.run_well(&["--quiet", "--accept-changes"]);
    assert_has(&shown, ["Alpha"]);
    assert_lacks(&shown, ["engine 0"]);
    assert!(event.read("standings.json").contains("Alpha"));
    let statistics = event.ask(&["stats", "--details"]);
    assert!(!statistics.contains("0 games:"), "{statistics}");
    assert_described(&event);
}

/// An engine next to the event file.
fn install(event: &Event, text: &str) {
    script(&event.folder().join("engine"), text);
}

/// The same: the fake engine with these words.
fn install_fake(event: &Event, words: &str) {
    install(event, &format!("exec {} {words}", fake_engine().display()));
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
    install_fake(&event, "");
    event.run_well(&["--quiet"]);
    install(&event, "exit 3");
    let text = fs::read_to_string(event.file()).unwrap();
    with_line(&event, "event.pairs = 2");
    event.ends(3, &["--quiet", "--accept-changes"]);
    assert_has(&event.ask(&["status"]), ["planned    2 games"]);
    // The program that played continues as if nothing had happened.
    install_fake(&event, "");
    fs::write(event.file(), text).unwrap();
    event.run_well(&["--quiet"]);
    assert!(event.read("standings.json").contains("Script"));
}

#[test]
fn an_event_whose_engines_never_started_has_not_begun() {
    let event = Event::new("cut", AGAINST_A_SCRIPT);
    install(&event, "exit 3");
    event.ends(3, &["--quiet"]);
    let status = event.ask_ends(2, &["status"]);
    assert_has(&status, ["has not begun"]);
}

/// A change is asked for as soon as there is anything in the store that it would change.
#[test]
fn an_event_with_voided_games_alone_has_begun() {
    let event = Event::new("cut", AGAINST_A_SCRIPT);
    install_fake(&event, "search=abort at=1");
    let replayed = "faults.policy = \"replay\"\nfaults.replays = 9\nfaults.strikes = 2";
    with_line(&event, replayed);
    let first = event.run(&["--quiet"]);
    let is_played = matches!(first.status.code(), Some(0 | 5));
    assert!(is_played, "{}", words(&first));
    // The last replay of each game counts: without it, all that is left was voided.
    let sql = "DELETE FROM play; DELETE FROM games;";
    event.store().execute_batch(sql).unwrap();
    assert_has(&event.ask(&["status"]), ["played     0 games"]);
    event.rewrite(|text| text.replace("depth = 1", "depth = 2"));
    assert_has(&event.ends(2, &["--quiet"]), ["depth=2"]);
}

/// The event file with one more line at its top.
fn with_line(event: &Event, line: &str) {
    event.rewrite(|text| format!("{line}\n{text}"));
}

#[test]
fn a_mended_program_begins_without_strikes_and_has_results_of_its_own() {
    let event = Event::new("mended", AGAINST_A_SCRIPT);
    let rules = "event.pairs = 4\nfaults.strikes = 2\nfaults.disqualified = \"annul\"";
    with_line(&event, rules);
    install_fake(&event, "search=abort at=1");
    let broken = event.run_well(&["--quiet"]);
    assert!(broken.contains("disqualified"), "{broken}");
    install_fake(&event, "");
    let said = event.ends(2, &["--quiet"]);
    let (name, accept) = (said.find("event.name"), said.find("--accept-changes"));
    assert!(name.is_some() && name < accept, "{said}");
    let mended = event.run_well(&["--quiet", "--accept-changes"]);
    assert!(!mended.contains("disqualified"), "{mended}");
    // The end of the run does not pool two builds under one name.
    let builds = ["Script (revision 1)", "Script (revision 2)"];
    assert_has(&mended, builds);
    assert_has(
        &mended,
        ["Ratings of every build. Replaced during the event: Script."],
    );
    assert_eq!(event.rounds().len(), 8);
    let statistics = event.ask(&["stats", "--details"]);
    assert_has(&statistics, builds);
    assert_has(&statistics, ["2 revisions"]);
    assert!(!statistics.contains("Omega (revision"), "{statistics}");
}

#[test]
fn a_sequential_test_is_about_one_build() {
    let event = Event::new("test", AGAINST_A_SCRIPT);
    let test = "sprt.elo0 = -400\nsprt.elo1 = 400\nsprt.max_pairs = 1";
    with_line(&event, test);
    install_fake(&event, "");
    event.run(&["--quiet"]);
    install_fake(&event, "# new");
    let said = event.ends(2, &["--quiet", "--accept-changes"]);
    assert_has(&said, ["cannot be one test", "event.name"]);
}

/// A file that says nothing of the unit meant pairs before version 0.3.0, and now means starts.
#[test]
fn a_test_that_began_by_pairs_goes_on_by_pairs() {
    let by_pairs = "[sprt]\nelo0 = -400\nelo1 = 400\nmax_pairs = 1\nunit = \"pairs\"\n";
    let rules = SHUFFLE.replace("faults.disqualified = \"half\"\n", "");
    let event = Event::new("pairs", &(rules + by_pairs));
    event.run(&["--quiet"]);
    event.rewrite(|text| text.replace("unit = \"pairs\"\n", ""));
    event.run_well(&["--quiet"]);
    event.rewrite(|text| text + "unit = \"starts\"\n");
    assert!(event.ends(2, &["--quiet"]).contains("unit"));
}

#[test]
fn a_complete_event_does_not_show_the_results_of_another_build() {
    let event = Event::new("over", AGAINST_A_SCRIPT);
    install_fake(&event, "");
    event.run_well(&["--quiet"]);
    install_fake(&event, "# new");
    let said = event.ends(2, &["--quiet", "--accept-changes"]);
    assert!(said.contains("not one game would be played"), "{said}");
}

/// An engine that writes into a file that it is given, at every start.
#[test]
fn a_file_that_changes_when_an_engine_starts_is_left_out_and_reported() {
    for exists in [true, false] {
        let event = Event::new("volatile", AGAINST_A_SCRIPT);
        let given = "command = \"./engine\"\nargs = [\"state.bin\"]\nrestart = true";
        event.rewrite(|text| text.replace("command = \"./engine\"", given));
        with_line(&event, "event.pairs = 3");
        install(
            &event,
            &format!("echo more >> \"$1\"\nexec {}", fake_engine().display()),
        );
        if exists {
            fs::write(event.folder().join("state.bin"), "first").unwrap();
        }
        event.run_well(&["--quiet"]);
        assert_eq!(event.rounds().len(), 6);
        // Longer, so that the engines are started once more.
        with_line(&event, "# the same event");
        event.rewrite(|text| text.replace("pairs = 3", "pairs = 4"));
        let said = event.ends(2, &["--quiet"]);
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
            let threads = option.map(|name| (name.to_owned(), "4".to_owned()));
            engine.options.extend(threads);
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
        let has_dropped = !statistics.contains(" 0 replays");
        assert_eq!(has_dropped, dropped, "{option:?}: {statistics}");
    }
}

#[test]
fn a_store_on_a_network_file_system_is_warned_of() {
    if !can(Capability::NetworkDrives) {
        return;
    }
    let event = Event::new("cut", SHUFFLE);
    // The kernel's answer, with the number of NFS in its first word.
    let inject = "statfs:poke_exit=@arg2=6969000000000000";
    let Some(mut traced) = traced(&event, "statfs", inject) else {
        return;
    };
    let said = words(&traced.output().unwrap());
    assert_has(&said, ["network file system (NFS)"]);
    assert!(!words(&event.run(&["--quiet"])).contains("network"));
}
