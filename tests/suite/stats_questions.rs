//! More questions of a researcher and a developer: equivalence, plans by a pilot, and a limit that an engine does not obey.

use super::robust_support::fake_engine;
use super::stats_command::{Pgn, game};
use super::support::{Event, arbiter960, tool, words};

/// 30 starts in four pairs each; the first start is White's by far.
fn thirty_starts() -> Pgn {
    let mut text = String::new();
    for pair in 0..120_usize {
        let start = pair % 30;
        for (white, black, i) in [("Alpha", "Beta", 3 * pair), ("Beta", "Alpha", 7 * pair + 2)] {
            let drawn = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1/2-1/2"][(i + i / 5) % 5];
            let result = if start == 0 { "1-0" } else { drawn };
            text += &game(white, black, &pair.to_string(), 30 * start as u32, result);
        }
    }
    Pgn::new(&text)
}

#[test]
fn equivalence_and_the_farthest_position_are_told() {
    let pgn = thirty_starts();
    let text = pgn.stats(&["--equivalence", "2000"]);
    assert!(
        text.contains("30 of 30 positions are within 2000 Elo"),
        "{text}"
    );
    assert!(text.contains("positions differ  by at most"), "{text}");
    assert!(!pgn.stats(&[]).contains("equivalent"));
    let json = pgn.stats(&["--format", "json", "--equivalence", "50"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of = |number: &str| json["first_move"]["positions"][number]["p_equivalent"].as_f64();
    let (clear, usual) = (of("0").unwrap(), of("30").unwrap());
    assert!(
        clear < usual && (0.0..=1.0).contains(&clear) && usual <= 1.0,
        "{clear} {usual}"
    );
    // White won every game of the first start: nobody knows how far it lies.
    assert!(json["first_move"]["farthest_elo"].is_null(), "{json}");
    assert_eq!(json["first_move"]["equivalence"]["margin_elo"], 50.0);
}

/// A table names the players and their conditions, and the level of its intervals.
#[test]
fn tables_stand_alone() {
    let pgn = thirty_starts();
    let csv = pgn.stats(&["--format", "csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let place = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let first = &rows[1];
    assert_eq!(first[place("engines")], "Alpha; Beta");
    assert_eq!(
        (first[place("limits")], first[place("level")]),
        ("10+0.1", "0.95")
    );
    let json: serde_json::Value = serde_json::from_str(&pgn.stats(&["--format", "json"])).unwrap();
    for column in ["elo", "svalue", "own_elo_lo", "p_equivalent"] {
        let printed: f64 = first[place(column)].parse().unwrap();
        let json = json["first_move"]["positions"]["0"][column].as_f64();
        // The reader of JSON rounds the last digit.
        assert!(
            json.is_some_and(|json| (json - printed).abs() <= 1e-12 * printed.abs()),
            "{column}"
        );
    }
    assert_eq!(json["starts"][0]["number"], 0);
    assert!(json["starts"][0].get("start").is_none());
    let pairs = pgn.stats(&["--format", "csv", "--by", "pair"]);
    assert!(
        pairs.starts_with("pair,number,back_rank,first,second,"),
        "{pairs}"
    );
    assert!(
        pairs
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("1,0,BBQNNRKR,Alpha,Beta,"),
        "{pairs}"
    );
}

#[test]
fn a_pilot_says_what_a_plan_assumes() {
    let pgn = thirty_starts();
    let pilot = pgn.file.to_str().unwrap();
    let mean = tool(&[
        "plan",
        "mean",
        "--pilot",
        pilot,
        "--positions",
        "30",
        "--elo",
        "10",
    ]);
    assert!(
        mean.contains("White's score") && mean.contains("spread"),
        "{mean}"
    );
    let value = |arguments: &[&str]| -> serde_json::Value {
        let text = tool(&[&["plan"], arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap()
    };
    let by_hand = value(&[
        "mean",
        "--draw-rate",
        "0.29",
        "--spread",
        "15",
        "--pairs",
        "4",
    ]);
    let these = by_hand[0]["halfwidth_these"].as_f64().unwrap();
    let all = by_hand[0]["halfwidth_all"].as_f64().unwrap();
    assert!((these - 6.56).abs() < 0.05 && all > these, "{by_hand}");
    let wanted = value(&["mean", "--draw-rate", "0.29", "--elo", "6.6"]);
    assert_eq!(wanted[0]["pairs"], 4.0);
    let maps = value(&[
        "maps",
        "--draw-rate",
        "0.5",
        "--spread",
        "15",
        "--pairs",
        "20",
    ]);
    assert_eq!(maps[0]["games"], 2.0 * 2.0 * 20.0 * 960.0);
    assert!(
        maps[0]["correlation_detectable"]
            .as_f64()
            .is_some_and(|rho| rho > 0.1 && rho < 1.0)
    );
    let precision = tool(&["plan", "precision", "--pilot", pilot, "--elo", "20"]);
    assert!(
        precision.contains("pairs at each of 960 positions"),
        "{precision}"
    );
    for question in [
        &["mean"][..],
        &["maps", "--draw-rate", "0.5"],
        &[
            "mean",
            "--draw-rate",
            "0.5",
            "--elo",
            "0.1",
            "--all",
            "--spread",
            "50",
        ],
        &["mean", "--draw-rate", "0.5", "--elo", "5", "--all"],
    ] {
        let output = arbiter960().arg("plan").args(question).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{question:?} {}",
            words(&output)
        );
    }
}

/// The fake engine reports one node, or depth 99, whatever it is given.
#[test]
fn a_limit_that_is_missed_ends_the_run_before_the_first_game_unless_the_file_allows_it() {
    for (limit, told) in [
        ("nodes = 400", "it reported a median of 1 node of 400"),
        ("depth = 6", "to depth 6 it reported depth 99"),
    ] {
        let config = |key: &str| {
            format!(
                "positions.numbers = [518]\ntime.{limit}\nadjudication.max_moves = 4\n\
                 [[engine]]\nname = \"Deaf\"\ncommand = {:?}\nargs = [\"ignores-limits\"]\n{key}\
                 [[engine]]\nname = \"Solo\"\nbuiltin = \"sparring\"\n",
                fake_engine()
            )
        };
        let refused = Event::new("deaf", &config("")).run(&[]);
        let said = words(&refused);
        assert_eq!(refused.status.code(), Some(3), "{said}");
        let named = "engine \"Deaf\": it does not obey its limit";
        let is_told = |said: &str| {
            let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
            line.contains(named) && line.matches(told).count() == 1
        };
        assert!(is_told(&said) && said.contains("missed_limit"), "{said}");
        assert!(!said.contains("\"Solo\": it does not"), "{said}");
        let allowed = Event::new("allowed", &config("missed_limit = \"warn\"\n")).run(&[]);
        let said = words(&allowed);
        assert_eq!(allowed.status.code(), Some(0), "{said}");
        assert!(is_told(&said), "{said}");
    }
}
