//! Engines that think on their opponent's time: detected, reported, punished, stopped.

use std::time::Duration;

use arbiter960::internal::platform::Capability;

use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake, reasons};
use super::support::{Event, assert_has, assert_lacks, on_one_line, sparring};

/// One pair of the fake engine, called `Guilty`, with these words, against the built-in one, which
/// thinks for half a second a move. On a busy machine a thief gets less than it wants, so
/// little is allowed.
fn event(name: &str, words: &[&str], policy: &str) -> Event {
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 6\n\
         faults = {{ idle_cpu = \"{policy}\", idle_cpu_percent = 1 }}\n\
         [[engine]]\nname = \"Guilty\"\n{}\ntime.depth = 1\n{}",
        fake(words),
        sparring("Innocent", "time = { movetime = 0.5, margin_ms = 5000 }")
    );
    Event::new(name, &text)
}

/// Plays it; the reasons of the games, and the runner's words.
fn play(event: &Event) -> (Vec<String>, String) {
    let words = Run::start(event, &[]).ends_alone(0);
    assert_files_whole(event);
    (reasons(event), words)
}

/// The share that an engine of the event used, per cent.
fn percent(event: &Event, engine: u16) -> f64 {
    let store = event.store();
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
        assert_has(&said, ["Guilty thought on its opponents' time"]);
        assert_lacks(&said, ["Innocent thought"]);
        assert_has(&event.ask(&["stats", "--details"]), ["Guilty used"]);
        // The evidence is with the moves of the engine that had less of the machine.
        let sql = "SELECT count(*) FROM moves WHERE idle_cpu_ns > 0 AND idle_watched_ns > 0";
        assert!(event.number(sql) > 2, "{} moves", event.number(sql));
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
    assert_has(&pgn, ["[Termination \"rules infraction\"]"]);
    assert_has(&on_one_line(&pgn), ["of its opponent's time"]);
}

#[test]
fn an_engine_that_is_stopped_between_its_moves_uses_nothing_and_plays_on() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    for (name, more, words) in [
        ("frozen thread", "", "burns=thread"),
        ("frozen child", "", "burns=child"),
        ("walled", "sandbox = \"best-effort\"\n", "burns=child"),
    ] {
        let event = event(name, &[words], "freeze");
        event.rewrite(|text| text.replace("time.depth", &format!("{more}time.depth")));
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
