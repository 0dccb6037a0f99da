//! Adaptive events: the same pairs whatever happened on the way, and labelled everywhere.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use arbiter960::internal::store::Reader;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::robust_support::fake_engine;
use super::support::{Event, assert_has, json, on_one_line, words};

const PAIRS: usize = 40;

fn text(boundary: &str, max_pairs: usize) -> String {
    format!(
        r#"
event.concurrency = 2
positions.numbers = ["0-6", 518]
time.nodes = 60
adjudication.max_moves = 40
[adaptive]
boundary = {boundary}
batch = 3
max_pairs = {max_pairs}
[[engine]]
name = "Solo"
builtin = "sparring"
options = {{ Strength = 8 }}
copies = 2
"#
    )
}

/// The start of every pair, from the store.
fn allotted(event: &Event) -> BTreeMap<u64, u32> {
    let reader = Reader::open(&event.results()).unwrap();
    let mut starts = BTreeMap::new();
    for result in reader.results() {
        let result = result.unwrap();
        let start = result.number.expect("a start number").0;
        let other = starts.insert(result.id.pair.0, start);
        assert!(other.is_none_or(|other| other == start));
    }
    starts
}

fn visits(starts: &BTreeMap<u64, u32>) -> BTreeMap<u32, usize> {
    let mut visits = BTreeMap::new();
    for start in starts.values() {
        *visits.entry(*start).or_default() += 1;
    }
    visits
}

fn played(name: &str, boundary: &str) -> BTreeMap<u64, u32> {
    let event = Event::new(name, &text(boundary, PAIRS));
    event.run_well(&["--quiet", "--concurrency", "1"]);
    allotted(&event)
}

/// Starts the event, interrupts it after some games, once or twice.
fn interrupt(event: &Event, lines: usize, signals: usize) {
    let mut command = event.command(&["--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..lines {
        stdout.next();
    }
    for _ in 0..signals {
        // It may have finished meanwhile.
        let _ = kill_process(Pid::from_child(&child), Signal::INT);
    }
    stdout.for_each(drop);
    child.wait().unwrap();
}

/// Every row of a table says that results decided where pairs went.
fn says_adaptive(csv: &str) {
    let mut rows = csv.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let place = header.iter().position(|column| *column == "allocation");
    let place = place.unwrap();
    assert!(rows.all(|row| row[place] == "adaptive"), "{csv}");
}

#[test]
fn neither_concurrency_nor_interruptions_change_where_pairs_go() {
    let expected = played("alone", "\"mean\"");
    assert_eq!(expected.len(), PAIRS);
    let concurrent = Event::new("together", &text("\"mean\"", PAIRS));
    concurrent.run_well(&["--quiet", "--concurrency", "4"]);
    assert_eq!(allotted(&concurrent), expected);
    // Begun with a smaller budget that ends within a batch, then stopped again and again:
    // after a pair, and in the middle of games, which are voided.
    let resumed = Event::new("resumed", &text("\"mean\"", 21));
    resumed.run_well(&["--quiet"]);
    assert_eq!(allotted(&resumed).len(), 21);
    resumed.rewrite(|text| text.replace("max_pairs = 21", &format!("max_pairs = {PAIRS}")));
    for (lines, signals) in [(4, 1), (7, 2), (9, 1), (3, 2)] {
        interrupt(&resumed, lines, signals);
    }
    resumed.run_well(&["--quiet"]);
    assert_eq!(allotted(&resumed), expected);
    let again = resumed.run_well(&[]);
    assert!(again.contains("complete"), "{again}");
}

#[test]
fn every_position_gets_two_pairs_and_the_others_go_where_the_doubt_is() {
    let starts = played("spread", "\"mean\"");
    let first: BTreeMap<u32, usize> = visits(&starts.clone().into_iter().take(16).collect());
    assert_eq!(first.into_values().collect::<Vec<_>>(), [2; 8]);
    let visits: Vec<usize> = visits(&starts).into_values().collect();
    assert!(visits.iter().max() > visits.iter().min(), "{visits:?}");
    // The reference takes part in every comparison: √7 times the pairs of another.
    let with_reference = self::visits(&played("reference", "518"));
    let most = with_reference.values().max();
    assert_eq!(with_reference.get(&518), most, "{with_reference:?}");
    assert_eq!(played("best", "\"top\"\ntop = 3").len(), PAIRS);
}

#[test]
fn an_event_ends_when_no_position_is_in_doubt() {
    let settled = text("\"mean\"\nthreshold = 0.4999", 100_000);
    let event = Event::new("settled", &settled);
    event.run_well(&["--quiet"]);
    let games = 2 * allotted(&event).len() as u64;
    assert!(games < 1000, "{games}");
    let again = event.run_well(&[]);
    assert!(again.contains("complete"), "{again}");
    let status = event.asked(&["status", "--json"]);
    assert_eq!(status["planned_games"], games);
    assert_eq!(status["missing_games"], 0);
}

#[test]
fn an_event_whose_engine_is_disqualified_is_over() {
    let crashing = format!(
        "command = {:?}\nargs = [\"search=exit\", \"at=1\"]",
        fake_engine()
    );
    let solo = "builtin = \"sparring\"\noptions = { Strength = 8 }";
    let text = text("\"mean\"", PAIRS).replace(solo, &crashing) + "[faults]\nstrikes = 1\n";
    assert!(text.contains(&crashing));
    let event = Event::new("out", &text);
    event.run_well(&["--quiet"]);
    let games = allotted(&event).len();
    assert!(games < PAIRS, "{games}");
    let said = words(&event.about(&["control", "pause"]).output().unwrap());
    assert!(said.contains("it is complete"), "{said}");
    event.run_well(&["--quiet"]);
    assert_eq!(allotted(&event).len(), games);
}

#[test]
fn every_output_is_labelled() {
    const LABEL: &str = "pairs went where it was in doubt whether it is above the mean of all";
    let event = Event::new("labelled", &text("\"mean\"", 20));
    // Lines are broken at blanks.
    let is_labelled = |text: &str| assert_has(&on_one_line(text), [LABEL]);
    let is_labelled_value = |value: &Value| is_labelled(value["adaptive"].as_str().unwrap());
    let plan = event.run_well(&["--dry-run", "--all"]);
    is_labelled(&plan);
    assert_has(&on_one_line(&plan), ["at most 20 pairs"]);
    let pairs = plan.lines().filter(|line| line.starts_with("pair "));
    assert_eq!(pairs.count(), 16);
    for line in event.run_well(&["--json"]).lines().map(json) {
        match line["type"].as_str() {
            Some("start") => is_labelled_value(&line),
            Some("progress") => assert_eq!(line["adaptive"], true),
            Some("end") => is_labelled_value(&line["standings"]),
            _ => (),
        }
    }
    is_labelled(&event.ask(&["stats"]));
    is_labelled(&event.ask(&["stats", "--by", "position"]));
    is_labelled(&event.run_well(&[]));
    is_labelled_value(&event.asked(&["stats", "--format", "json"]));
    for by in ["position", "engine", "pair"] {
        says_adaptive(&event.ask(&["stats", "--format", "csv", "--by", by]));
    }
    says_adaptive(&event.read("positions.csv"));
    is_labelled_value(&event.parsed("standings.json"));
    is_labelled(&event.ask(&["status"]));
    // An event that is not adaptive says nothing.
    let rules = "[adaptive]\nboundary = \"mean\"\nbatch = 3\nmax_pairs = 20\n";
    let even = Event::new("even", &text("\"mean\"", 20).replace(rules, ""));
    even.run_well(&["--quiet"]);
    assert!(even.asked(&["stats", "--format", "json"])["adaptive"].is_null());
}

#[test]
fn another_rule_is_another_plan_and_a_damaged_choice_is_refused() {
    let event = Event::new("ruled", &text("\"mean\"", 20));
    event.run_well(&["--quiet"]);
    event.rewrite(|text| text.replace("batch = 3", "batch = 4"));
    event.ends(2, &["--quiet", "--accept-changes"]);
    let longer = [
        ("batch = 4", "batch = 3"),
        ("max_pairs = 20", "max_pairs = 30"),
    ];
    for (old, new) in longer {
        event.rewrite(|text| text.replace(old, new));
    }
    let damage = "UPDATE event SET value = '[99]' WHERE key = 'adaptive_batch_1'";
    assert_eq!(event.store().execute(damage, []), Ok(1));
    let refused = event.run(&["--quiet"]);
    assert!(!refused.status.success());
    assert_has(
        &words(&refused),
        ["'adaptive_batch_1' is not what was written"],
    );
}
