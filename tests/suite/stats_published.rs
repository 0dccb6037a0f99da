//! Statistics against what others compute: a published table, and an independent script on the exported games.

use std::path::Path;

use serde_json::Value;

#[cfg(feature = "parquet")]
use super::data_document::python;
use super::stats_command::Pgn;
#[cfg(feature = "parquet")]
use super::study::part;
#[cfg(feature = "parquet")]
use super::support::Event;
#[cfg(feature = "parquet")]
use super::support::words;
use super::support::{assert_has, json, missing, tool};

/// 4,568,750 games of people on 960 starts: that starts differ is not shown, and the bound is below two Elo.
#[test]
fn the_table_of_lichess_is_read() {
    let own = env!("CARGO_MANIFEST_DIR");
    let mut places = ["..", "../.."]
        .into_iter()
        .map(|above| format!("{own}/{above}/shared/data/evals/welyab-lichess-wdl-2020.csv"));
    let Some(file) = places.find(|file| Path::new(file).is_file()) else {
        return missing("the table of Lichess, ../shared/data/evals, is not here");
    };
    let json = json(&tool(&["stats", "--table", &file, "--format", "json"]));
    let number = |place: &str| json.pointer(place).and_then(Value::as_f64).unwrap();
    let is = |place: &str, expected: f64, tolerance: f64| {
        let found = number(place);
        assert!((found - expected).abs() <= tolerance, "{place}: {found}");
    };
    assert_eq!(json["games"], 4_568_750);
    assert_eq!(json["spread"]["df"], 959);
    is("/spread/Q", 991.0, 0.5);
    is("/spread/Q_p_value", 0.23, 0.005);
    is("/mean/elo", 7.2, 0.05);
    // 1.8 as printed.
    is("/spread/sd_elo_hi", 1.8, 0.05);
    assert!(number("/spread/p_value") > 0.05 && number("/spread/sd_elo_lo") == 0.0);
    let text = tool(&["stats", "--table", &file]);
    assert_has(&text, ["+7.2 Elo", "at most 1.8 Elo", "Q = 991 on 959"]);
}

/// A table numbers players by 16 bits. More of them are an error with its reason, not games left out in silence.
#[test]
fn more_players_than_a_table_numbers_are_refused() {
    let mut text = String::new();
    for player in (0..65_538).step_by(2) {
        let other = player + 1;
        let names = format!("[White \"P{player}\"]\n[Black \"P{other}\"]");
        text += &format!("{names}\n[Result \"1-0\"]\n\n1-0\n\n");
    }
    let why = "65538 players; statistics take at most 65536";
    Pgn::new(&text).refuses(&[], why);
}

/// Built-in engines with jitter, so that no game repeats another.
#[cfg(feature = "parquet")]
fn event(name: &str, settings: &str, strengths: &[u32]) -> Event {
    let mut text =
        format!("event.concurrency = 2\ntime = {{ nodes = 60, nodes_jitter = 0.5 }}\n{settings}\n");
    for strength in strengths {
        let keys = format!("options = {{ Strength = {strength} }}");
        text += &super::support::sparring(&format!("S{strength}"), &keys);
    }
    Event::new(name, &text)
}

/// `tests/oracle/summary.py` has the lines of the summary from `games.parquet` alone.
#[cfg(feature = "parquet")]
#[test]
fn a_script_finds_the_summary_in_the_exported_games() {
    let balanced = "event.pairs = 3\npositions.sample = 8\nadjudication.max_moves = 40";
    let drawish = "event.pairs = 3\npositions.sample = 12\nadjudication.max_moves = 14";
    // So many positions that every engine's own show its error: of fewer one dispersion counts for all (`gauntlets`).
    let many = "positions.sample = 20\nadjudication.max_moves = 40";
    let unbalanced = "positions.sample = 8\nadjudication.max_moves = 40\n\
                      [adaptive]\nboundary = \"mean\"\nbatch = 3\nmax_pairs = 36";
    let script = concat!(
        include_str!("../oracle/likelihood.py"),
        include_str!("../oracle/summary.py")
    );
    let Some(mut script) = python(&["numpy", "pandas", "pyarrow", "scipy"], script) else {
        return;
    };
    let kinds = [
        ("balanced", balanced, &[3, 6][..]),
        ("unbalanced", unbalanced, &[3, 6]),
        ("drawish", drawish, &[3, 6]),
        ("many", many, &[3, 6, 9]),
    ];
    let kinds = part(kinds, 2).into_iter();
    let kinds = kinds.map(|(name, settings, strengths)| event(name, settings, strengths));
    let events: Vec<Event> = kinds.collect();
    for event in &events {
        event.run_well(&["--quiet", "--no-report"]);
        let [data, json] = ["data", "stats.json"].map(|name| event.folder().join(name));
        event.ask(&[
            "export",
            "--format",
            "parquet",
            "-o",
            data.to_str().unwrap(),
        ]);
        std::fs::write(&json, event.ask(&["stats", "--format", "json"])).unwrap();
        script.arg(data.join("games.parquet")).arg(json);
    }
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.matches("games.parquet\n").count(), events.len());
    println!("{said}");
}
