//! `run --rehearse`: an event with the built-in engine for each.

use super::platforms::can;
use super::robust_support::fake;
use super::support::{Event, assert_has, sparring, tool};
use arbiter960::internal::platform::Capability;

/// Engines that would end at once, and a time that nobody waits for.
fn event(name: &str, more: &str) -> Event {
    let fake = fake(&["start=exit-first"]);
    let more_keys = "options = { Hash = 64 }\nsandbox = \"best-effort\"";
    let engine = |name: &str| format!("[[engine]]\nname = {name:?}\n{fake}\n{more_keys}\n");
    let engines = ["Ann", "Bob"].map(engine).concat();
    Event::new(
        name,
        &format!("{more}\n[time]\ncontrol = \"60+0.6\"\n{engines}"),
    )
}

/// The same event by the name of its rehearsal.
fn rehearsal(of: &Event, name: &str) -> std::path::PathBuf {
    of.results().with_file_name(format!("{name} (rehearsal)"))
}

#[test]
fn a_rehearsal_is_an_event_of_its_own_with_the_names_plan_and_files_of_the_event() {
    let rules = "event.concurrency = 2\npositions.numbers = [0, 518]\nadjudication.max_moves = 30";
    let event = event("match", rules);
    event.run_well(&["--rehearse"]);
    assert!(!event.results().exists(), "the event itself has not begun");
    let folder = rehearsal(&event, "match");
    for file in ["event.db", "standings.json", "report.html", "positions.csv"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    let pgn = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    let count = |text: &str| pgn.matches(text).count();
    assert_eq!(count("[Event \"match (rehearsal)\"]"), 4, "{pgn}");
    assert_eq!((count("[White \"Ann\"]"), count("[White \"Bob\"]")), (2, 2));
    assert_eq!(
        count("[WhiteTimeControl \"0.6+0.006\"]") + count("[TimeControl \"0.6+0.006\"]"),
        4,
        "{pgn}"
    );
    tool(&["verify", folder.join("games.pgn").to_str().unwrap()]);
    // Decisions can be tried, and it continues as an event does.
    let name = folder.to_str().unwrap();
    let why = ["--reason", "a try", "--author", "me"];
    tool(&[&["decide", name, "replay", "1.2"], &why[..]].concat());
    event.run_well(&["--rehearse"]);
    assert_has(&tool(&["status", name]), ["4"]);
    // The real engines would not even start.
    event.ends(3, &[]);
}

#[test]
fn the_leagues_of_a_final_may_be_rehearsals_too() {
    let league =
        "positions.numbers = [518]\nadjudication.max_moves = 20\nstandings.tie_breaks = [\"lot\"]";
    let league = event("league", league);
    league.run_well(&["--rehearse"]);
    let stage = "[[qualifier]]\nfrom = \"results/league\"\nplaces = [1, 2]\n[[engine]]";
    league.rewrite(|text| text.replace("\"league\"", "\"final\""));
    league.rewrite(|text| text.replacen("[[engine]]", stage, 1));
    league.ends(2, &[]);
    league.run_well(&["--rehearse"]);
    assert!(rehearsal(&league, "final").join("games.pgn").is_file());
}

#[test]
fn memory_that_the_machine_does_not_have_is_noticed_before_the_first_game() {
    if !can(Capability::Memory) {
        return;
    }
    let fits_nowhere = event("big", "event.concurrency = 1024\npositions.numbers = [518]");
    fits_nowhere.rewrite(|text| text.replace("Hash = 64", "Hash = 65536"));
    let said = fits_nowhere.ends(2, &["--rehearse"]);
    assert_has(&said, ["want at least 134217728 MiB"]);
    let rules = "event.concurrency = 1024\npositions.numbers = [518]\ntime.depth = 1\n";
    let engines = sparring("a", "options = { Hash = 1024 }") + &sparring("b", "");
    let played = Event::new("played", &(rules.to_owned() + &engines));
    assert_has(&played.ends(2, &[]), ["the largest, \"a\", has"]);
    assert!(!played.results().join("games.pgn").exists());
}

#[test]
fn a_rehearsal_of_pondering_engines_ponders() {
    let rules = "positions.numbers = [518]\nadjudication.max_moves = 10\ndefaults.ponder = true";
    let event = event("ponders", rules);
    event.run_well(&["--rehearse"]);
    let store = rusqlite::Connection::open(rehearsal(&event, "ponders").join("event.db")).unwrap();
    let sql = "SELECT count(*) FROM moves WHERE pondered IS NOT NULL";
    let pondered: i64 = store.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(pondered > 10, "{pondered}");
}
