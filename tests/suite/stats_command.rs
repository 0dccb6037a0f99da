//! `stats` and `plan` as users meet them, on small events made for it.

use std::fmt::Write;
use std::path::PathBuf;

use super::support::{Event, arbiter960, tool, words};

/// One game as PGN: names, round, start, result.
pub(super) fn game(white: &str, black: &str, round: &str, number: u32, result: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Variant \"Chess960\"]\n\
         [StartNumber \"{number}\"]\n[TimeControl \"10+0.1\"]\n[Result \"{result}\"]\n\n{result}\n\n"
    )
}

/// A folder with a PGN file of this text.
pub(super) struct Pgn {
    _folder: tempfile::TempDir,
    pub file: PathBuf,
}

impl Pgn {
    pub fn new(text: &str) -> Pgn {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, text).unwrap();
        Pgn {
            _folder: folder,
            file,
        }
    }

    /// `stats --fast` of it: these games have no moves that differ.
    pub fn stats(&self, arguments: &[&str]) -> String {
        let file = self.file.to_str().unwrap();
        let text = tool(&[&["stats", file, "--fast", "--details"], arguments].concat());
        text.replace(file, "games.pgn")
    }
}

/// Results that repeat, yet not with the period of starts or colours.
fn result(i: usize) -> &'static str {
    [
        "1-0", "1/2-1/2", "1/2-1/2", "0-1", "1-0", "1/2-1/2", "1/2-1/2",
    ][i % 7]
}

/// So many pairs of two engines over six starts.
fn two_engines(pairs: u32) -> String {
    let mut text = String::new();
    for pair in 0..pairs {
        let (round, number) = (
            pair.to_string(),
            [0, 100, 518, 600, 777, 959][pair as usize % 6],
        );
        let i = 2 * pair as usize;
        text += &game("Alpha", "Beta", &round, number, result(i));
        text += &game("Beta", "Alpha", &round, number, result(3 * i + 5));
    }
    text
}

#[test]
fn two_engines_read_well() {
    insta::assert_snapshot!(Pgn::new(&two_engines(24)).stats(&[]));
}

#[test]
fn many_engines_read_well() {
    let names = ["Alpha", "Beta", "Gamma", "Delta"];
    let mut text = String::new();
    for (i, number) in [0, 518, 959].into_iter().cycle().take(18).enumerate() {
        let (a, b) = (names[i % 4], names[(i + 1 + i / 4 % 3) % 4]);
        let round = i.to_string();
        text += &game(a, b, &round, number, result(2 * i));
        text += &game(b, a, &round, number, result(5 * i + 3));
    }
    insta::assert_snapshot!(Pgn::new(&text).stats(&[]));
}

#[test]
fn every_table_reads_well() {
    let pgn = Pgn::new(&two_engines(12));
    let tables = ["position", "engine", "pair"].map(|by| pgn.stats(&["--by", by]));
    assert!(
        tables
            .iter()
            .flat_map(|table| table.lines())
            .all(|line| line.chars().count() <= 100)
    );
    insta::assert_snapshot!(tables.join("\n"));
}

/// Whatever is undefined is left out, `-` or a word: never NaN.
#[test]
fn poor_games_give_sensible_output() {
    let drawn: String = (0..6)
        .flat_map(|i| {
            [("A", "B"), ("B", "A")].map(|(w, b)| game(w, b, &i.to_string(), i, "1/2-1/2"))
        })
        .collect();
    let cases = [
        ("no result", game("A", "B", "1", 518, "*")),
        ("one game", game("A", "B", "1", 518, "1-0")),
        ("all drawn", drawn),
        (
            "one name",
            game("A", "A", "1", 518, "1-0") + &game("A", "A", "1", 518, "0-1"),
        ),
    ];
    let mut all = String::new();
    for (name, text) in cases {
        let pgn = Pgn::new(&text);
        writeln!(all, "== {name}\n{}", pgn.stats(&[])).unwrap();
        for format in ["json", "csv"] {
            for by in ["position", "engine", "pair"] {
                let output = pgn.stats(&["--format", format, "--by", by]);
                assert!(!output.contains("NaN"), "{name} {format} {by}: {output}");
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn json_has_the_names_of_the_vectors() {
    let json = Pgn::new(&two_engines(24)).stats(&["--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    for path in [
        "/match/profile/elo_lo",
        "/match/fishtest/elo_error",
        "/match/nelo/error_full",
        "/match/ratios/pairs_ratio",
        "/ratings/logistic/se_position/0",
        "/ratings/davidson/delta",
        "/first_move/mean/elo",
        "/first_move/spread/sd_elo_hi",
        "/first_move/equal_strength/elo_hi",
        "/first_move/positions/518/svalue",
        "/games/complete_pairs",
    ] {
        assert!(
            value.pointer(path).is_some_and(|found| found.is_number()),
            "{path}: {json}"
        );
    }
}

const SELF_PLAY: &str = r#"
positions.numbers = [0, 518, 959]
event.pairs = 3
time.nodes = 200
[[engine]]
name = "Solo"
builtin = "sparring"
copies = 2
"#;

#[test]
fn self_play_says_what_it_measures_and_rates_nobody() {
    let event = Event::new("solo", SELF_PLAY);
    let shown = event.run_well(&["--quiet"]);
    assert!(
        shown.contains("Whether a start position stands out is not known"),
        "{shown}"
    );
    let folder = event.results();
    let text = tool(&["stats", folder.to_str().unwrap(), "--details"]);
    assert!(
        text.contains("White's expected score when Solo plays itself"),
        "{text}"
    );
    assert!(
        text.contains("sanity check: holds 0") && !text.contains("Ratings"),
        "{text}"
    );
    let moves = tool(&[
        "stats",
        folder.to_str().unwrap(),
        "--moves",
        "--format",
        "json",
    ]);
    let value: serde_json::Value = serde_json::from_str(&moves).unwrap();
    assert!(
        value["starts"][0]["copies"]["first_divergence"].is_u64(),
        "{moves}"
    );
    let rows = event.read("positions.csv");
    assert_eq!(
        rows,
        tool(&["stats", folder.to_str().unwrap(), "--format", "csv"])
    );
    let [header, first, ..] = rows.lines().collect::<Vec<_>>()[..] else {
        panic!("{rows}")
    };
    assert!(
        header
            .starts_with("number,back_rank,games,pairs,white_wins,draws,white_losses,white_score,")
    );
    assert!(first.starts_with("0,BBQNNRKR,6,3,"), "{first}");
}

#[test]
fn games_without_moves_are_no_copies_of_each_other() {
    let games = Pgn::new(&two_engines(40));
    let text = tool(&["stats", games.file.to_str().unwrap(), "--details"]);
    assert!(text.contains(" 0 identical to others"), "{text}");
}

/// The store and the PGN of an event are the same games.
#[test]
fn the_pgn_of_an_event_gives_the_statistics_of_its_store() {
    let event = Event::new(
        "same",
        &SELF_PLAY.replace(
            "copies = 2",
            "\n[[engine]]\nname = \"Other\"\nbuiltin = \"sparring\"\noptions = { Strength = 4 }",
        ),
    );
    event.run_well(&["--quiet"]);
    let pgn = event.results().join("games.pgn");
    let [store, pgn] = [event.results(), pgn].map(|path| {
        let json = tool(&["stats", path.to_str().unwrap(), "--format", "json"]);
        serde_json::from_str::<serde_json::Value>(&json).unwrap()
    });
    // In a fixed limit without jitter copies are replays; the file does not say so.
    let replays = store["games"]["replays"].as_u64().unwrap();
    assert_eq!(pgn["games"]["coincidences"].as_u64().unwrap(), replays);
    let key = if replays == 0 {
        "/match/score"
    } else {
        "/match/engines"
    };
    assert_eq!(store.pointer(key), pgn.pointer(key));
    assert_eq!(pgn["games"]["complete_pairs"], 9);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let pgn = Pgn::new("");
    let output = arbiter960()
        .args(["stats", pgn.file.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    assert!(words(&output).contains("no game"), "{}", words(&output));
}

#[test]
fn plans_read_well() {
    let questions: [&[&str]; 6] = [
        &["precision", "--draw-rate", "0.5"],
        &[
            "precision",
            "--draw-rate",
            "0.85",
            "--elo",
            "20",
            "--games-per-hour",
            "5400",
        ],
        &[
            "precision",
            "--draw-rate",
            "0.85",
            "--reliability",
            "0.8",
            "--spread",
            "10",
        ],
        &["precision", "--draw-rate", "0.85", "--detect", "12"],
        &[
            "sprt",
            "--elo0",
            "0",
            "--elo1",
            "5",
            "--draw-rate",
            "0.6",
            "--tc",
            "10+0.1",
            "--concurrency",
            "8",
        ],
        &[
            "time",
            "--games",
            "7680",
            "--tc",
            "10+0.1",
            "--concurrency",
            "2",
        ],
    ];
    let answer = |question: &&[&str]| {
        format!(
            "plan {}\n{}",
            question.join(" "),
            tool(&[&["plan"], *question].concat())
        )
    };
    insta::assert_snapshot!(questions.iter().map(answer).collect::<Vec<_>>().join("\n"));
}

#[test]
fn impossible_plans_are_refused() {
    for question in [
        &["precision", "--draw-rate", "1.5"][..],
        &["precision", "--draw-rate", "0.5", "--reliability", "0.8"],
        &["sprt", "--elo0", "5", "--elo1", "0", "--draw-rate", "0.5"],
        &["time", "--games", "5"],
    ] {
        let output = arbiter960().arg("plan").args(question).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    }
}

/// The rating of an engine, in `stats --format json`.
fn rating(json: &serde_json::Value, method: &str, engine: &str) -> f64 {
    let ratings = &json["ratings"][method];
    let names = ratings["names"].as_array().unwrap();
    let place = names.iter().position(|name| name == engine).unwrap();
    ratings["elo"][place].as_f64().unwrap()
}

/// A cycle of encounters between four engines.
fn four_engines() -> String {
    let names = ["Alpha", "Beta", "Gamma", "Delta"];
    let mut text = String::new();
    for i in 0..36 {
        let (a, b) = (names[i % 4], names[(i + 1 + i / 4 % 3) % 4]);
        let (round, number) = (i.to_string(), [0, 518, 959][i % 3]);
        text += &game(a, b, &round, number, result(2 * i));
        text += &game(b, a, &round, number, result(5 * i + 3));
    }
    text
}

#[test]
fn anchors_hold_engines_and_move_the_others_by_the_same() {
    let pgn = Pgn::new(&four_engines());
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&pgn.stats(&[&["--format", "json"], arguments].concat())).unwrap()
    };
    let free = json(&[]);
    let one = json(&["--anchor", "Beta=2500"]);
    let shift = 2500.0 - rating(&free, "logistic", "Beta");
    for engine in ["Alpha", "Beta", "Gamma", "Delta"] {
        let [free, held] = [&free, &one].map(|json| rating(json, "logistic", engine));
        assert!(
            (held - free - shift).abs() < 1e-6,
            "{engine}: {free} {held}"
        );
    }
    let two = json(&["--anchor", "Beta=2500", "--anchor", "Delta=2400.5"]);
    assert_eq!(rating(&two, "logistic", "Beta"), 2500.0);
    assert_eq!(rating(&two, "logistic", "Delta"), 2400.5);
    assert_ne!(
        rating(&two, "logistic", "Alpha"),
        rating(&one, "logistic", "Alpha")
    );
    assert_eq!(two["ratings"]["anchors"]["Delta"], 2400.5);
    let text = pgn.stats(&["--anchor", "Beta=2500"]);
    assert!(
        text.contains("fixed") && text.contains("Beta at 2500.0"),
        "{text}"
    );
}

#[test]
fn ratings_of_other_models_are_shown() {
    let pgn = Pgn::new(&four_engines());
    let shown = |more: &[&str]| pgn.stats(&[&["--model", "davidson"], more].concat());
    let (text, csv) = (shown(&[]), shown(&["--format", "csv", "--by", "engine"]));
    let json: serde_json::Value = serde_json::from_str(&shown(&["--format", "json"])).unwrap();
    assert_eq!(json["ratings"]["model"], "davidson");
    let alpha = rating(&json, "davidson", "Alpha");
    assert!(csv.contains(&format!(",{alpha},")), "{csv}");
    assert!(text.contains(&format!("{alpha:+.1}")), "{text}");
    insta::assert_snapshot!(section(&text, "Ratings"));
}

/// From a heading to the next empty line.
fn section(text: &str, heading: &str) -> String {
    let lines = text.lines().skip_while(|line| *line != heading);
    let lines = lines.take_while(|line| !line.is_empty());
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn anchors_that_hold_nothing_are_refused() {
    let pgn = Pgn::new(&two_engines(4));
    let refuse = |arguments: &[&str], why: &str| {
        let file = pgn.file.to_str().unwrap();
        let refused = arbiter960()
            .args(["stats", file, "--fast"])
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
        assert!(words(&refused).contains(why), "{}", words(&refused));
    };
    refuse(&["--anchor", "Gamma=1"], "there are: Alpha, Beta");
    refuse(&["--anchor", "Alpha"], "ENGINE=ELO");
    refuse(&["--anchor", "Alpha=high"], "not a number");
    refuse(&["--anchor", "Alpha=1", "--model", "davidson"], "logistic");
}

fn json_of(paths: &[&str]) -> serde_json::Value {
    let text = tool(&[&["stats", "--format", "json"], paths].concat());
    serde_json::from_str(&text).unwrap()
}

/// An event, its own PGN, and a file given twice: each game counts once, and a warning names it.
#[test]
fn a_game_that_is_read_twice_counts_once() {
    let config = SELF_PLAY.replace(
        "copies = 2",
        "[[engine]]\nname = \"Other\"\nbuiltin = \"sparring\"",
    );
    let config = config.replace(
        "time.nodes = 200",
        "time = { nodes = 200, nodes_jitter = 0.1 }",
    );
    let event = Event::new("twice", &config);
    event.run_well(&["--quiet"]);
    let (folder, pgn) = (event.results(), event.results().join("games.pgn"));
    let [folder, pgn] = [&folder, &pgn].map(|path| path.to_str().unwrap());
    let store = format!("{folder}/event.db");
    let once = json_of(&[folder]);
    let ignored = ["sources", "games"];
    for paths in [
        &[folder, pgn][..],
        &[pgn, folder],
        &[folder, folder],
        &[folder, &store],
        &[pgn, pgn],
    ] {
        let both = json_of(paths);
        assert_eq!(
            both["games"]["repeated"], once["games"]["games"],
            "{paths:?}"
        );
        assert_eq!(both["games"]["games"], once["games"]["games"], "{paths:?}");
        if paths[0] == folder {
            for (key, value) in once.as_object().unwrap() {
                assert!(
                    ignored.contains(&key.as_str()) || both[key] == *value,
                    "{key} {paths:?}"
                );
            }
        }
        let text = tool(&[&["stats", "--details"], paths].concat());
        assert!(
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains("counted once"),
            "{text}"
        );
    }
    let refused = arbiter960()
        .args(["stats", "--fast", folder, pgn])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
}

/// The store's file is the event, not a PGN without games.
#[test]
fn the_file_of_a_store_is_its_event() {
    let event = Event::new("file", SELF_PLAY);
    event.run_well(&["--quiet"]);
    let folder = event.results();
    let store = folder.join("event.db");
    let [folder, store] = [folder, store].map(|path| json_of(&[path.to_str().unwrap()]));
    assert_eq!(folder["white"], store["white"]);
}

/// One name with two limits is two engines, unless the user asks otherwise.
#[test]
fn one_name_at_two_limits_is_told_apart() {
    let event = |name: &str, nodes: &str| {
        let config = SELF_PLAY
            .replace("time.nodes = 200", &format!("time.nodes = {nodes}"))
            .replace(
                "copies = 2",
                "[[engine]]\nname = \"Other\"\nbuiltin = \"sparring\"",
            );
        let event = Event::new(name, &config);
        event.run_well(&["--quiet"]);
        event
    };
    let events = [event("slow", "200"), event("fast", "50")];
    let paths = events.each_ref().map(|event| event.results());
    let paths = paths.each_ref().map(|path| path.to_str().unwrap());
    let apart = json_of(&paths);
    let engines = apart["engines"].as_array().unwrap();
    assert_eq!(engines.len(), 4, "{engines:?}");
    assert!(engines.contains(&"Solo (nodes=200)".into()), "{engines:?}");
    assert_eq!(apart["told_apart"], serde_json::json!(["Solo", "Other"]));
    let pooled = json_of(&[&paths[..], &["--pool"]].concat());
    assert_eq!(pooled["engines"], serde_json::json!(["Solo", "Other"]));
    assert_eq!(pooled["games"]["games"], apart["games"]["games"]);
}

/// Too few positions: neither a spread nor errors by position are made of them.
#[test]
fn few_positions_claim_little() {
    let pgn = Pgn::new(&two_engines(5));
    let value: serde_json::Value = serde_json::from_str(&pgn.stats(&["--format", "json"])).unwrap();
    assert!(value["first_move"]["spread"].is_null(), "{value}");
    let text = pgn.stats(&[]);
    assert!(
        text.contains("positions with two pairs or more: 0, 6 are needed"),
        "{text}"
    );
    assert!(!pgn.stats(&["--format", "json"]).contains("\"nan\""));
}

/// An event played again under another name has the same games: this is reported, and nothing is concluded from them.
#[test]
fn a_repetition_is_seen_by_its_moves() {
    let first_moves = ["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"];
    let answers = ["a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6"];
    let event = |name: &str, pairs: usize| {
        let mut text = String::new();
        for pair in 0..pairs {
            let (round, number) = (pair.to_string(), pair as u32 % 15 * 60);
            for (white, black, i) in [("Alpha", "Beta", 2 * pair), ("Beta", "Alpha", 5 * pair + 3)]
            {
                let moves = format!("1. {} {} ", first_moves[pair % 8], answers[pair / 15]);
                let bare = game(white, black, &round, number, result(i));
                let (tags, end) = bare.split_once("\n\n").unwrap();
                writeln!(text, "[Event \"{name}\"]\n{tags}\n\n{moves}{end}").unwrap();
            }
        }
        Pgn::new(&text)
    };
    let files = [event("all", 60), event("part", 45)];
    let paths = files.each_ref().map(|pgn| pgn.file.to_str().unwrap());
    let text = tool(&["compare", paths[0], paths[1]]);
    assert!(text.contains("90 games in common"), "{text}");
    let json = tool(&["compare", paths[0], paths[1], "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(value["pairs"][0]["correlation"].is_null(), "{value}");
    assert!(value["mean"].is_null(), "{value}");
}

/// Maps of two events: read, compared, written; nothing is concluded from maps that share games.
#[test]
fn maps_are_compared() {
    let event = |name: &str, shift: usize| {
        let mut text = String::new();
        for pair in 0..60_usize {
            let (round, number) = (pair.to_string(), pair as u32 % 15 * 60);
            for (white, black, i) in [("Alpha", "Beta", 2 * pair), ("Beta", "Alpha", 5 * pair + 3)]
            {
                let event = format!("[Event \"{name}\"]\n");
                text += &(event + &game(white, black, &round, number, result(i + shift)));
            }
        }
        Pgn::new(&text)
    };
    let files = [event("one", 0), event("two", 4)];
    let paths = files.each_ref().map(|pgn| pgn.file.to_str().unwrap());
    let run = |arguments: &[&str]| tool(&[&["compare"], &paths[..], arguments].concat());
    let value: serde_json::Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    for path in [
        "/maps/0/mean/elo",
        "/maps/1/spread/sd_elo_hi",
        "/pairs/0/correlation/lo",
        "/pairs/0/difference/p_parallel",
        "/mean/spread_hi",
        "/strength/pooled/mean",
    ] {
        assert!(
            value.pointer(path).is_some_and(|found| found.is_number()),
            "{path}: {value}"
        );
    }
    let text = run(&[]);
    assert!(
        text.contains("Alpha against Beta") && text.contains("parallel"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let rows = run(&["--format", "csv"]);
    assert_eq!(rows.lines().count(), 1 + 2 * 15, "{rows}");
    let same = tool(&["compare", paths[0], paths[0]]);
    assert!(
        same.contains("120 games in common") && !same.contains("All maps"),
        "{same}"
    );
}
