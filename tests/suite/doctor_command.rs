//! `arbiter960 doctor`: its measurements are printed, in words and for programs.

use super::support::{arbiter960, tool, words};

#[test]
fn numbers_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let options = [
        "--json",
        "--concurrency",
        "2",
        "--seconds",
        "0.5",
        "--results",
        results,
    ];
    let text = tool(&[&["doctor"], &options[..]].concat());
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
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
    for needed in [
        "1 game × 1 thread",
        "p99.9",
        "margin_ms = ",
        "fastest time control",
    ] {
        assert!(text.contains(needed), "{needed}: {text}");
    }
    let long = text.lines().find(|line| line.chars().count() > 100);
    assert_eq!(long, None);
}

#[test]
fn more_threads_than_processors_are_warned_about() {
    let there = std::thread::available_parallelism().unwrap().get();
    let threads = (there + 1).to_string();
    let text = tool(&[
        "doctor",
        "--concurrency",
        "1",
        "--threads",
        &threads,
        "--seconds",
        "0.1",
    ]);
    let warning = format!("warning: {threads} threads think at once and the machine has {there}");
    assert!(text.contains(&warning), "{text}");
}

#[test]
fn nonsense_is_refused() {
    for options in [
        ["--seconds", "0"],
        ["--concurrency", "0"],
        ["--threads", "x"],
    ] {
        let output = arbiter960().arg("doctor").args(options).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    }
}

#[test]
fn the_speed_of_an_engine_is_measured_with_more_and_more_games() {
    let engine = [
        "--engine",
        "builtin=sparring",
        "name=Small",
        "--concurrency",
        "2",
        "--seconds",
        "1",
    ];
    let text = tool(&[&["doctor", "--json"], &engine[..]].concat());
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    let speeds = &found["speeds"];
    assert_eq!(
        (&speeds["engine"], &speeds["threads"]),
        (&"Small".into(), &1.into())
    );
    let rows = speeds["rows"].as_array().unwrap();
    let games: Vec<u64> = rows
        .iter()
        .map(|row| row["games"].as_u64().unwrap())
        .collect();
    assert_eq!(games, [1, 2]);
    for row in rows {
        let rate = &row["free"];
        let [mean, slowest] = ["mean", "slowest"].map(|name| rate[name].as_f64().unwrap());
        assert!(mean >= slowest && slowest > 0.0, "{text}");
    }
    let recommended = speeds["concurrency"].as_u64().unwrap();
    assert!((1..=2).contains(&recommended), "{text}");
    let words = tool(&[&["doctor"], &engine[..]].concat());
    for needed in [
        "Small with 1 thread",
        "cpus_per_lane = 1",
        ": concurrency = ",
    ] {
        assert!(words.contains(needed), "{needed}: {words}");
    }
}

#[test]
fn an_engine_that_cannot_be_measured_is_explained() {
    let refused = |engine: &str| {
        let options = ["doctor", "--seconds", "0.1", "--engine", engine];
        let output = arbiter960().args(options).output().unwrap();
        (output.status.code(), words(&output))
    };
    let (code, said) = refused("no-such-engine");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("arbiter960 doctor --engine no-such-engine"),
        "{said}"
    );
    assert!(
        said.contains("no program `no-such-engine` on PATH"),
        "{said}"
    );
    let (code, said) = refused("cmd=/bin/true");
    assert_eq!(code, Some(3), "{said}");
}
