//! `run --rehearse`: an event with the built-in engine for each.

use super::platforms::can;
use super::robust_support::fake_engine;
use super::support::{Event, tool, words};
use arbiter960::internal::platform::Capability;

/// Engines that would end at once, and a time that nobody waits for.
fn event(name: &str, more: &str) -> Event {
    let fake = fake_engine();
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = {name:?}\ncommand = {fake:?}\nargs = [\"start=exit-first\"]\n\
             options = {{ Hash = 64 }}\nsandbox = \"best-effort\"\n"
        )
    };
    let text = format!(
        "{more}\n[time]\ncontrol = \"60+0.6\"\n{}{}",
        engine("Ann"),
        engine("Bob")
    );
    Event::new(name, &text)
}

/// The same event by the name of its rehearsal.
fn rehearsal(of: &Event, name: &str) -> std::path::PathBuf {
    of.folder()
        .join("results")
        .join(format!("{name} (rehearsal)"))
}

#[test]
fn a_rehearsal_is_an_event_of_its_own_with_the_names_plan_and_files_of_the_event() {
    let event = event(
        "match",
        "event.concurrency = 2\npositions.numbers = [0, 518]\n\
                                adjudication.max_moves = 30",
    );
    let output = event.run(&["--rehearse"]);
    assert!(output.status.success(), "{}", words(&output));
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
    let decision = [
        "decide", name, "replay", "1.2", "--reason", "a try", "--author", "me",
    ];
    tool(&decision);
    let again = event.run(&["--rehearse"]);
    assert!(again.status.success(), "{}", words(&again));
    let status = tool(&["status", name]);
    assert!(status.contains("4"), "{status}");
    // The real engines would not even start.
    assert_eq!(event.run(&[]).status.code(), Some(3));
}

#[test]
fn the_leagues_of_a_final_may_be_rehearsals_too() {
    let league =
        "positions.numbers = [518]\nadjudication.max_moves = 20\nstandings.tie_breaks = [\"lot\"]";
    let league = event("league", league);
    let output = league.run(&["--rehearse"]);
    assert!(output.status.success(), "{}", words(&output));
    let text = std::fs::read_to_string(league.file()).unwrap();
    let stage = "[[qualifier]]\nfrom = \"results/league\"\nplaces = [1, 2]\n[[engine]]";
    let text = text
        .replace("\"league\"", "\"final\"")
        .replacen("[[engine]]", stage, 1);
    std::fs::write(league.file(), text).unwrap();
    let refused = league.run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
    let output = league.run(&["--rehearse"]);
    assert!(output.status.success(), "{}", words(&output));
    assert!(rehearsal(&league, "final").join("games.pgn").is_file());
}

#[test]
fn memory_that_the_machine_does_not_have_is_noticed_before_the_first_game() {
    if !can(Capability::Memory) {
        return;
    }
    let fits_nowhere = event("big", "event.concurrency = 1024\npositions.numbers = [518]");
    let text = std::fs::read_to_string(fits_nowhere.file()).unwrap();
    let huge = text.replace("Hash = 64", "Hash = 65536");
    std::fs::write(fits_nowhere.file(), &huge).unwrap();
    let output = fits_nowhere.run(&["--rehearse"]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    assert!(
        words(&output).contains("want at least 134217728 MiB"),
        "{}",
        words(&output)
    );
    let text = "event.concurrency = 1024\npositions.numbers = [518]\ntime.depth = 1\n\
                [[engine]]\nname = \"a\"\nbuiltin = \"sparring\"\noptions = { Hash = 1024 }\n\
                [[engine]]\nname = \"b\"\nbuiltin = \"sparring\"\n";
    let played = Event::new("played", text);
    let output = played.run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    assert!(
        words(&output).contains("the largest, \"a\", has"),
        "{}",
        words(&output)
    );
    assert!(!played.results().join("games.pgn").exists());
}

#[test]
fn a_rehearsal_of_pondering_engines_ponders() {
    let event = event(
        "ponders",
        "positions.numbers = [518]\nadjudication.max_moves = 10\n\
                                  defaults.ponder = true",
    );
    let output = event.run(&["--rehearse"]);
    assert!(output.status.success(), "{}", words(&output));
    let store = rusqlite::Connection::open(rehearsal(&event, "ponders").join("event.db")).unwrap();
    let sql = "SELECT count(*) FROM moves WHERE pondered IS NOT NULL";
    let pondered: i64 = store.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(pondered > 10, "{pondered}");
}
