//! More questions of a researcher and a developer: equivalence, plans by a pilot, and a limit that an engine does not obey.

use super::robust_support::fake;
use super::stats_command::{Pgn, game, plan};
use super::support::{Event, assert_has, assert_lacks, json, on_one_line, sparring};

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
    let said = [
        "30 of 30 positions are within 2000 Elo",
        "positions differ  by at most",
    ];
    assert_has(&text, said);
    assert_lacks(&pgn.stats(&[]), ["equivalent"]);
    let json = pgn.json(&["--equivalence", "50"]);
    let of = |number: &str| json["first_move"]["positions"][number]["p_equivalent"].as_f64();
    let (clear, usual) = (of("0").unwrap(), of("30").unwrap());
    let are_shares = (0.0..=1.0).contains(&clear) && usual <= 1.0;
    assert!(clear < usual && are_shares, "{clear} {usual}");
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
    assert_eq!(first[place("limits")], "10+0.1");
    assert_eq!(first[place("level")], "0.95");
    let json = pgn.json(&[]);
    for column in ["elo", "svalue", "own_elo_lo", "p_equivalent"] {
        let printed: f64 = first[place(column)].parse().unwrap();
        let json = json["first_move"]["positions"]["0"][column].as_f64();
        // The reader of JSON rounds the last digit.
        let is_near = |json: f64| (json - printed).abs() <= 1e-12 * printed.abs();
        assert!(json.is_some_and(is_near), "{column}");
    }
    assert_eq!(json["starts"][0]["number"], 0);
    assert!(json["starts"][0].get("start").is_none());
    let pairs = pgn.stats(&["--format", "csv", "--by", "pair"]);
    let begin = [
        "pair,number,back_rank,first,second,",
        "1,0,BBQNNRKR,Alpha,Beta,",
    ];
    for (line, begin) in pairs.lines().zip(begin) {
        assert!(line.starts_with(begin), "{pairs}");
    }
}

#[test]
fn a_pilot_says_what_a_plan_assumes() {
    let pgn = thirty_starts();
    let pilot = pgn.file.to_str().unwrap();
    let mean = plan(0, &format!("mean --pilot {pilot} --positions 30 --elo 10"));
    assert_has(&mean, ["White's score", "spread"]);
    let value = |question: &str| json(&plan(0, &format!("{question} --json")));
    let by_hand = value("mean --draw-rate 0.29 --spread 15 --pairs 4");
    let [these, all] =
        ["these", "all"].map(|of| by_hand[0][format!("halfwidth_{of}")].as_f64().unwrap());
    assert!((these - 6.56).abs() < 0.05 && all > these, "{by_hand}");
    let wanted = value("mean --draw-rate 0.29 --elo 6.6");
    assert_eq!(wanted[0]["pairs"], 4.0);
    let maps = value("maps --draw-rate 0.5 --spread 15 --pairs 20");
    assert_eq!(maps[0]["games"], 2.0 * 2.0 * 20.0 * 960.0);
    let detectable = maps[0]["correlation_detectable"].as_f64().unwrap();
    assert!(detectable > 0.1 && detectable < 1.0, "{maps}");
    let precision = plan(0, &format!("precision --pilot {pilot} --elo 20"));
    assert_has(&precision, ["pairs at each of 960 positions"]);
    for question in [
        "mean",
        "maps --draw-rate 0.5",
        "mean --draw-rate 0.5 --elo 0.1 --all --spread 50",
        "mean --draw-rate 0.5 --elo 5 --all",
    ] {
        plan(2, question);
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
                 [[engine]]\nname = \"Deaf\"\n{}\n{key}{}",
                fake(&["ignores-limits"]),
                sparring("Solo", "")
            )
        };
        let named = "engine \"Deaf\": it does not obey its limit";
        let is_told = |said: &str| {
            let line = on_one_line(said);
            line.contains(named) && line.matches(told).count() == 1
        };
        let said = Event::new("deaf", &config("")).ends(3, &[]);
        assert!(is_told(&said) && said.contains("missed_limit"), "{said}");
        assert_lacks(&said, ["\"Solo\": it does not"]);
        let allowed = Event::new("allowed", &config("missed_limit = \"warn\"\n"));
        let said = allowed.ends(0, &[]);
        assert!(is_told(&said), "{said}");
    }
}
