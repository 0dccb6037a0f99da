//! Engines that think on their opponent's time: detected, reported, punished, stopped.

use std::time::Duration;

use rusqlite::Connection;

use arbiter960::internal::platform::Capability;

use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::support::{Event, tool};

/// One pair of the fake engine, called `Guilty`, with these words, against the built-in one, which
/// thinks for half a second a move. On a busy machine a thief gets less than it wants, so
/// little is allowed.
fn event(name: &str, words: &[&str], policy: &str) -> Event {
    let (fake, words) = (fake_engine(), serde_json::to_string(words).unwrap());
    Event::new(
        name,
        &format!(
            "positions.numbers = [518]\nadjudication.max_moves = 6\n\
             faults = {{ idle_cpu = \"{policy}\", idle_cpu_percent = 1 }}\n\
             [[engine]]\nname = \"Guilty\"\ncommand = {fake:?}\nargs = {words}\ntime.depth = 1\n\
             [[engine]]\nname = \"Innocent\"\nbuiltin = \"sparring\"\n\
             time = {{ movetime = 0.5, margin_ms = 5000 }}\n"
        ),
    )
}

/// Plays it; the reasons of the games, and the runner's words.
fn play(event: &Event) -> (Vec<String>, String) {
    let mut run = Run::start(event, &[]);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    assert_files_whole(event);
    let reasons = games(event).into_iter().map(|game| game.reason);
    (reasons.collect(), run.words())
}

/// The share that an engine of the event used, per cent.
fn percent(event: &Event, engine: u16) -> f64 {
    let store = Connection::open(event.results().join("event.db")).unwrap();
    let sql = "SELECT 100.0 * sum(cpu_ns) / sum(watched_ns) FROM idle_cpu WHERE engine = ?1";
    store.query_row(sql, [engine], |row| row.get(0)).unwrap()
}

/// Whether both games were played to an end. One that moves at random may be mated soon.
fn are_played(reasons: &[String]) -> bool {
    let is_end = |reason: &String| reason == "length-adjudication" || reason == "checkmate";
    reasons.len() == 2 && reasons.iter().all(is_end)
}

#[test]
fn an_engine_that_works_while_its_opponent_thinks_is_named() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    for (name, words) in [("thread", "burns=thread"), ("child", "burns=child")] {
        let event = event(name, &[words], "warn");
        let (reasons, said) = play(&event);
        assert!(are_played(&reasons), "{reasons:?}");
        assert!(percent(&event, 0) > 1.0, "{} %", percent(&event, 0));
        assert!(
            said.contains("Guilty thought on its opponents' time"),
            "{said}"
        );
        assert!(!said.contains("Innocent thought"), "{said}");
        let stats = tool(&["stats", event.results().to_str().unwrap(), "--details"]);
        assert!(stats.contains("Guilty used"), "{stats}");
        // The evidence is with the moves of the engine that had less of the machine.
        let store = Connection::open(event.results().join("event.db")).unwrap();
        let sql = "SELECT count(*) FROM moves WHERE idle_cpu_ns > 0 AND idle_watched_ns > 0";
        let seen: i64 = store.query_row(sql, [], |row| row.get(0)).unwrap();
        assert!(seen > 2, "{seen} moves");
    }
}

#[test]
fn an_engine_that_waits_is_not_named() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    let event = event("waits", &[], "fault");
    let (reasons, said) = play(&event);
    assert!(are_played(&reasons), "{reasons:?}");
    assert!(percent(&event, 0) < 1.0, "{} %", percent(&event, 0));
    assert!(!said.contains("on its opponents' time"), "{said}");
}

#[test]
fn thinking_on_the_opponents_time_loses_where_the_event_says_so() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    let event = event("fault", &["burns=thread"], "fault");
    let (reasons, _) = play(&event);
    assert_eq!(reasons, ["idle-cpu"; 2]);
    let pgn = event.read("games.pgn");
    assert!(pgn.contains("[Termination \"rules infraction\"]"), "{pgn}");
    assert!(
        pgn.replace('\n', " ").contains("of its opponent's time"),
        "{pgn}"
    );
}

#[test]
fn an_engine_that_is_stopped_between_its_moves_uses_nothing_and_plays_on() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    for (name, more, words) in [
        ("frozen thread", "", "burns=thread"),
        ("frozen child", "", "burns=child"),
        (
            "frozen in a sandbox",
            "sandbox = \"best-effort\"\n",
            "burns=child",
        ),
    ] {
        let event = event(name, &[words], "freeze");
        let text = std::fs::read_to_string(event.file()).unwrap();
        let text = text.replace("time.depth", &format!("{more}time.depth"));
        std::fs::write(event.file(), text).unwrap();
        let (reasons, said) = play(&event);
        assert!(are_played(&reasons), "{name}: {reasons:?}");
        assert!(percent(&event, 0) < 2.0, "{name}: {} %", percent(&event, 0));
        assert!(!said.contains("on its opponents' time"), "{name}: {said}");
    }
}

#[test]
fn an_engine_that_is_stopped_is_ended_as_any_other() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    let event = event("ended", &["burns=thread", "ignore-eof"], "freeze");
    let run = Run::start(&event, &[]);
    run.wait_for("burns=thread", BOUND);
    run.wait_for_work("burns=thread", Duration::from_millis(1), BOUND);
    let runner = rustix::process::Pid::from_child(&run.child);
    rustix::process::kill_process(runner, rustix::process::Signal::KILL).unwrap();
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
}
