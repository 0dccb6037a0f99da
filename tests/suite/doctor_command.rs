//! `arbiter960 doctor`: its measurements are printed, in words and for programs.

use super::support::{assert_has, json, list, members, tool, tool_ends};

#[test]
fn numbers_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let options = ["doctor", "--json", "--concurrency", "2", "--seconds", "0.5"];
    let text = tool(&[&options[..], &["--results", results]].concat());
    let found = json(&text);
    assert_eq!(found["planned"]["lanes"], 2);
    for what in ["round_trip", "wake_up"] {
        let numbers = &found["latency"][what];
        let number = |name: &str| numbers[name].as_u64().unwrap();
        assert!(number("count") >= 1, "{text}");
        let sorted = ["p50_us", "p99_us", "p999_us", "max_us"].map(number);
        assert!(sorted.is_sorted() && sorted[3] > 0, "{text}");
    }
    assert!(found["advice"]["margin_ms"].as_u64().unwrap() >= 1);
    assert!(found["host"]["processors"].as_u64().unwrap() >= 1);
    assert!(found["disk"]["free"].as_u64().unwrap() > 0);
    assert!(found["sandbox"]["landlock"].is_u64());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn words_for_people_in_a_hundred_columns() {
    let text = tool(&["doctor", "--concurrency", "1", "--seconds", "0.3"]);
    let needed = [
        "1 game × 1 thread",
        "p99.9",
        "margin_ms = ",
        "fastest time control",
    ];
    assert_has(&text, needed);
    let long = text.lines().find(|line| line.chars().count() > 100);
    assert_eq!(long, None);
}

#[test]
fn more_threads_than_processors_are_warned_about() {
    let there = std::thread::available_parallelism().unwrap().get();
    let threads = (there + 1).to_string();
    let options = [
        "doctor",
        "--concurrency",
        "1",
        "--seconds",
        "0.1",
        "--threads",
    ];
    let text = tool(&[&options[..], &[&threads]].concat());
    let warning = format!("warning: {threads} threads think at once and the machine has {there}");
    assert!(text.contains(&warning), "{text}");
}

#[test]
fn nonsense_is_refused() {
    for (option, value) in [
        ("--seconds", "0"),
        ("--concurrency", "0"),
        ("--threads", "x"),
    ] {
        tool_ends(2, &["doctor", option, value]);
    }
}

#[test]
fn the_speed_of_an_engine_is_measured_with_more_and_more_games() {
    let options = "--engine builtin=sparring name=Small --concurrency 2 --seconds 1";
    let doctor = |more: &str| {
        tool(&Vec::from_iter(
            format!("doctor {options}{more}").split(' '),
        ))
    };
    let text = doctor(" --json");
    let found = json(&text);
    let speeds = &found["speeds"];
    assert_eq!(speeds["engine"], "Small");
    assert_eq!(speeds["threads"], 1);
    assert_eq!(members(&speeds["rows"], "games"), [1, 2]);
    for row in list(&speeds["rows"]) {
        let rate = &row["free"];
        let [mean, slowest] = ["mean", "slowest"].map(|name| rate[name].as_f64().unwrap());
        assert!(mean >= slowest && slowest > 0.0, "{text}");
    }
    let recommended = speeds["concurrency"].as_u64().unwrap();
    assert!((1..=2).contains(&recommended), "{text}");
    let needed = [
        "Small with 1 thread",
        "cpus_per_lane = 1",
        ": concurrency = ",
    ];
    assert_has(&doctor(""), needed);
}

#[test]
fn an_engine_that_cannot_be_measured_is_explained() {
    let refused = |code: i32, engine: &str| {
        tool_ends(code, &["doctor", "--seconds", "0.1", "--engine", engine])
    };
    let said = refused(2, "no-such-engine");
    assert_has(&said, ["arbiter960 doctor --engine no-such-engine"]);
    assert_has(&said, ["no program `no-such-engine` on PATH"]);
    refused(3, "cmd=/bin/true");
}
