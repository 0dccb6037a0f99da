//! Every kind of event, while it is paused, when it is over, and after the arbiter has ruled on its games: where it
//! stands and how each game ended is said alike by the files, the commands and the page.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};

use super::event_control::control;
use super::robust_support::BOUND;
use super::study::part;
use super::support::{Event, arbiter960, pause, sparring_engines};
use super::surfaces_agree::{ask, cells_of, decide, parsed, told_alike};
use super::web_page::Served;

/// The kinds of events: their rules, and their engines.
fn kinds() -> Vec<(&'static str, String)> {
    let league = "positions.numbers = [\"0-3\"]";
    let tree = "positions.all = true";
    let copies = sparring_engines(1).replace("time.nodes", "copies = 2\ntime.nodes");
    vec![
        ("match", format!("{league}\n{}", sparring_engines(2))),
        (
            "test",
            format!(
                "positions.all = true\nsprt = {{ elo0 = 0, elo1 = 5, max_pairs = 6 }}\n{}",
                sparring_engines(2)
            ),
        ),
        ("league", format!("{league}\n{}", sparring_engines(3))),
        (
            "swiss",
            format!(
                "event.format = \"swiss\"\n{tree}\nswiss.rounds = 2\n{}",
                sparring_engines(5)
            ),
        ),
        (
            "cup",
            format!(
                "event.format = \"knockout\"\n{tree}\n{}",
                sparring_engines(4)
            ),
        ),
        (
            "double elimination",
            format!(
                "event.format = \"double-elimination\"\n{tree}\n{}",
                sparring_engines(4)
            ),
        ),
        (
            "ladder",
            format!("event.format = \"ladder\"\n{tree}\n{}", sparring_engines(3)),
        ),
        ("experiment", format!("event.pairs = 2\n{league}\n{copies}")),
    ]
}

fn event(rules: &str) -> Event {
    let head = "event.seed = 11\nevent.concurrency = 1\nadjudication.max_moves = 30\nadjudication.host_faults = \"count\"";
    Event::new("event", &format!("{head}\n{rules}"))
}

/// What `status` says; nothing before the event has begun.
fn asked(event: &Event, arguments: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("status").arg(event.results()).args(arguments);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Waits until `status` names this phase, in both forms, and the page says the same sentence.
fn reaches(event: &Event, served: &Served, phase: &str) {
    let begun = Instant::now();
    loop {
        let told = asked(event, &["--json"]);
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let status = asked(event, &[]);
        let line = status.lines().find_map(|line| line.strip_prefix("phase "));
        let page = served.get("/", "");
        let page = String::from_utf8_lossy(&page.body);
        let sentence = line.unwrap_or("The event is over.").trim();
        if told["phase"] == phase && page.contains(sentence) {
            return;
        }
        assert!(begun.elapsed() < BOUND, "never {phase}: {status}\n{page}");
        pause(50);
    }
}

/// The result of each game on every surface that has it.
fn one_result_a_game(name: &str, event: &Event) {
    let mut results: BTreeMap<String, String> = BTreeMap::new();
    let pgn = event.read("games.pgn");
    let tag = |line: &str, tag: &str| {
        let value = line
            .strip_prefix(&format!("[{tag} \""))?
            .strip_suffix("\"]")?;
        Some(value.to_owned())
    };
    let mut round = String::new();
    for line in pgn.lines() {
        if let Some(value) = tag(line, "Round") {
            round = value;
        } else if let Some(value) = tag(line, "Result") {
            results.insert(round.clone(), value);
        }
    }
    assert!(!results.is_empty());
    let exported = ask(event, &["export", "--format", "jsonl"]);
    for line in exported.lines().map(parsed) {
        let (round, result) = (
            line["round"].as_str().unwrap(),
            line["result"].as_str().unwrap(),
        );
        assert_eq!(results[round], result, "{name}, export: {round}");
    }
    assert_eq!(exported.lines().count(), results.len(), "{name}");
    let table = ask(event, &["export", "--format", "csv"]);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(results[cells[0]], cells[8], "{name}, export: {row}");
    }
    let page = Served::stored(&[event]).text("/");
    let last = page.split_once("<h4>Last games</h4>").unwrap().1;
    let rows = last.split("</tbody>").next().unwrap().split("<tr>").skip(2);
    for cells in rows.map(cells_of) {
        assert_eq!(results[&cells[0]], cells[4], "{name}, page: {cells:?}");
    }
    for (round, result) in &results {
        let told = ask(event, &["explain", round]);
        assert!(
            told.contains(&format!(" {result}, ")),
            "{name}, explain {round}: {told}"
        );
    }
}

/// The points that each engine has by its games are those of the results.
fn points_follow(name: &str, event: &Event) {
    let rows = parsed(&event.read("standings.json"))["standings"].clone();
    let mut points: BTreeMap<String, f64> = BTreeMap::new();
    let exported = ask(event, &["export", "--format", "jsonl"]);
    for line in exported.lines().map(parsed) {
        let white = match line["result"].as_str().unwrap() {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" => 0.5,
            other => panic!("{other}"),
        };
        for (side, score) in [("white", white), ("black", 1.0 - white)] {
            *points
                .entry(line[side].as_str().unwrap().to_owned())
                .or_default() += score;
        }
    }
    for row in rows.as_array().unwrap() {
        let engine = row["name"].as_str().unwrap();
        let own = points.get(engine).copied().unwrap_or(0.0);
        assert_eq!(row["total"]["points"], json!(own), "{name}: {engine} {row}");
    }
}

#[test]
fn every_kind_of_event_is_told_alike_in_every_state() {
    for (name, rules) in part(kinds(), 3) {
        let event = event(&rules);
        let served = Served::played(&event);
        while !control(&event, &["pause"]).status.success() {
            pause(20);
        }
        reaches(&event, &served, "paused");
        assert!(control(&event, &["resume"]).status.success(), "{name}");
        // The run is killed, and another one plays what is left.
        drop(served);
        event.run_well(&["--quiet"]);
        reaches(&event, &Served::stored(&[&event]), "over");
        one_result_a_game(name, &event);
        let self_play = name == "experiment";
        if !self_play {
            points_follow(name, &event);
        }
        // A ruling may open a tree again, or make a test longer.
        let rounds = event.rounds();
        let loser = if self_play { "black" } else { "white" };
        decide(&event, &["forfeit", &rounds[0], "--loser", loser]);
        event.run_well(&["--quiet"]);
        let played = ask(&event, &["explain", &rounds[1]]);
        let result = if played.contains(" 1-0, ") {
            "0-1"
        } else {
            "1-0"
        };
        decide(&event, &["result", &rounds[1], result]);
        let printed = event.run_well(&["--quiet"]);
        let standings: Value = told_alike(&event, Some(&printed));
        assert_eq!(standings["final"], json!(true), "{name}");
        one_result_a_game(name, &event);
        if !self_play {
            points_follow(name, &event);
        }
    }
}

/// A round that has its time is waited for, and every surface says until when.
#[test]
fn an_event_that_waits_says_for_which_round() {
    let rounds = "[[round]]\n[[round]]\nstarts = \"2999-01-01T10:00:00Z\"\n";
    let rules = format!(
        "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 2\n{rounds}{}",
        sparring_engines(4)
    );
    let event = event(&rules);
    let served = Served::played(&event);
    reaches(&event, &served, "waiting");
    let page = served.text("/");
    assert!(page.contains("Round 2 begins at 2999-01-01"), "{page}");
    assert!(control(&event, &["stop", "--now"]).status.success());
}
