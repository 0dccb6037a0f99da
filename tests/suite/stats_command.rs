//! `stats` and `plan` as users meet them, on small events made for it.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::Value;

use super::support::{
    Event, assert_has, assert_lacks, json, on_one_line, sparring, tool, tool_ends,
};

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

    /// The same for programs.
    pub fn json(&self, arguments: &[&str]) -> Value {
        json(&self.stats(&[&["--format", "json"], arguments].concat()))
    }

    /// `stats` of it is refused, for this reason.
    pub fn refuses(&self, arguments: &[&str], why: &str) {
        let file = self.file.to_str().unwrap();
        let said = tool_ends(2, &[&["stats", file, "--fast"], arguments].concat());
        assert_has(&said, [why]);
    }
}

/// Results that repeat, yet not with the period of starts or colours.
fn result(i: usize) -> &'static str {
    ["1-0", "1/2-1/2", "1/2-1/2", "0-1"][i % 7 % 4]
}

/// So many pairs of two engines over six starts.
fn two_engines(pairs: u32) -> String {
    let mut text = String::new();
    for pair in 0..pairs {
        let number = [0, 100, 518, 600, 777, 959][pair as usize % 6];
        let round = pair.to_string();
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
    insta::assert_snapshot!(Pgn::new(&four_engines(18)).stats(&[]));
}

#[test]
fn every_table_reads_well() {
    let pgn = Pgn::new(&two_engines(12));
    let tables = ["position", "engine", "pair"].map(|by| pgn.stats(&["--by", by]));
    let tables = tables.join("\n");
    assert!(tables.lines().all(|line| line.chars().count() <= 100));
    insta::assert_snapshot!(tables);
}

/// Whatever is undefined is left out, `-` or a word: never NaN.
#[test]
fn poor_games_give_sensible_output() {
    let drawn = (0..6).flat_map(|i| {
        [("A", "B"), ("B", "A")].map(|(w, b)| game(w, b, &i.to_string(), i, "1/2-1/2"))
    });
    let one_name = ["1-0", "0-1"].map(|result| game("A", "A", "1", 518, result));
    let cases = [
        ("no result", game("A", "B", "1", 518, "*")),
        ("one game", game("A", "B", "1", 518, "1-0")),
        ("all drawn", drawn.collect()),
        ("one name", one_name.concat()),
    ];
    let mut all = String::new();
    for (name, text) in cases {
        let pgn = Pgn::new(&text);
        writeln!(all, "== {name}\n{}", pgn.stats(&[])).unwrap();
        for format in ["json", "csv"] {
            for by in ["position", "engine", "pair"] {
                let output = pgn.stats(&["--format", format, "--by", by]);
                assert_lacks(&output, ["NaN"]);
            }
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn json_has_the_names_of_the_vectors() {
    let value = Pgn::new(&two_engines(24)).json(&[]);
    let paths = "/match/profile/elo_lo /match/fishtest/elo_error /match/nelo/error_full /match/ratios/pairs_ratio \
                 /ratings/logistic/se_position/0 /ratings/davidson/delta /first_move/mean/elo \
                 /first_move/spread/sd_elo_hi /first_move/equal_strength/elo_hi \
                 /first_move/positions/518/svalue /games/complete_pairs";
    assert_numbers(&value, paths);
}

/// There is a number at each of these paths.
fn assert_numbers(value: &Value, paths: &str) {
    for path in paths.split(' ') {
        let found = value.pointer(path);
        assert!(found.is_some_and(Value::is_number), "{path}: {value}");
    }
}

const SELF_PLAY: &str = "positions.numbers = [0, 518, 959]\nevent.pairs = 3\ntime.nodes = 200\n\
                         [[engine]]\nname = \"Solo\"\nbuiltin = \"sparring\"\ncopies = 2\n";

/// The same with another engine, which has these keys, in the place of the copy.
fn with_other(keys: &str) -> String {
    SELF_PLAY.replace("copies = 2\n", &sparring("Other", keys))
}

#[test]
fn self_play_says_what_it_measures_and_rates_nobody() {
    let event = Event::new("solo", SELF_PLAY);
    let shown = event.run_well(&["--quiet"]);
    assert_has(&shown, ["Whether a start position stands out is not known"]);
    let text = event.ask(&["stats", "--details"]);
    let said = [
        "White's expected score when Solo plays itself",
        "sanity check: holds 0",
    ];
    assert_has(&text, said);
    assert_lacks(&text, ["Ratings"]);
    let moves = event.asked(&["stats", "--moves", "--format", "json"]);
    let divergence = &moves["starts"][0]["copies"]["first_divergence"];
    assert!(divergence.is_u64(), "{moves}");
    let rows = event.read("positions.csv");
    assert_eq!(rows, event.ask(&["stats", "--format", "csv"]));
    let [header, first, ..] = rows.lines().collect::<Vec<_>>()[..] else {
        panic!("{rows}")
    };
    let columns = "number,back_rank,games,pairs,white_wins,draws,white_losses,white_score,";
    assert!(header.starts_with(columns), "{header}");
    assert!(first.starts_with("0,BBQNNRKR,6,3,"), "{first}");
}

#[test]
fn games_without_moves_are_no_copies_of_each_other() {
    let games = Pgn::new(&two_engines(40));
    let text = tool(&["stats", games.file.to_str().unwrap(), "--details"]);
    assert_has(&text, [" 0 identical to others"]);
}

/// The store and the PGN of an event are the same games.
#[test]
fn the_pgn_of_an_event_gives_the_statistics_of_its_store() {
    let event = Event::new("same", &with_other("options = { Strength = 4 }"));
    event.run_well(&["--quiet"]);
    let pgn = event.results().join("games.pgn");
    let [store, pgn] = [event.results(), pgn].map(|path| json_of(&[path.to_str().unwrap()]));
    // In a fixed limit without jitter copies are replays; the file does not say so.
    let replays = store["games"]["replays"].as_u64().unwrap();
    assert_eq!(pgn["games"]["coincidences"].as_u64().unwrap(), replays);
    let key = ["/match/score", "/match/engines"][usize::from(replays > 0)];
    assert_eq!(store.pointer(key), pgn.pointer(key));
    assert_eq!(pgn["games"]["complete_pairs"], 9);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let pgn = Pgn::new("");
    let said = tool_ends(2, &["stats", pgn.file.to_str().unwrap()]);
    assert_has(&said, ["no game"]);
}

#[test]
fn plans_read_well() {
    let questions = [
        "precision --draw-rate 0.5",
        "precision --draw-rate 0.85 --elo 20 --games-per-hour 5400",
        "precision --draw-rate 0.85 --reliability 0.8 --spread 10",
        "precision --draw-rate 0.85 --detect 12",
        "sprt --elo0 0 --elo1 5 --draw-rate 0.6 --tc 10+0.1 --concurrency 8",
        "time --games 7680 --tc 10+0.1 --concurrency 2",
    ];
    let answer = |question| format!("plan {question}\n{}", plan(0, question));
    insta::assert_snapshot!(questions.map(answer).join("\n"));
}

/// What `plan` answers to this; it ends with this code.
#[track_caller]
pub(super) fn plan(code: i32, question: &str) -> String {
    let line: Vec<&str> = ["plan"].into_iter().chain(question.split(' ')).collect();
    match code {
        0 => tool(&line),
        _ => tool_ends(code, &line),
    }
}

#[test]
fn impossible_plans_are_refused() {
    for question in [
        "precision --draw-rate 1.5",
        "precision --draw-rate 0.5 --reliability 0.8",
        "sprt --elo0 5 --elo1 0 --draw-rate 0.5",
        "time --games 5",
    ] {
        plan(2, question);
    }
}

/// The rating of an engine, in `stats --format json`.
fn rating(json: &Value, method: &str, engine: &str) -> f64 {
    let ratings = &json["ratings"][method];
    let names = ratings["names"].as_array().unwrap();
    let place = names.iter().position(|name| name == engine).unwrap();
    ratings["elo"][place].as_f64().unwrap()
}

/// A cycle of encounters between four engines.
fn four_engines(pairs: usize) -> String {
    let names = ["Alpha", "Beta", "Gamma", "Delta"];
    let mut text = String::new();
    for i in 0..pairs {
        let (a, b) = (names[i % 4], names[(i + 1 + i / 4 % 3) % 4]);
        let (round, number) = (i.to_string(), [0, 518, 959][i % 3]);
        text += &game(a, b, &round, number, result(2 * i));
        text += &game(b, a, &round, number, result(5 * i + 3));
    }
    text
}

#[test]
fn anchors_hold_engines_and_move_the_others_by_the_same() {
    let pgn = Pgn::new(&four_engines(36));
    let free = pgn.json(&[]);
    let one = pgn.json(&["--anchor", "Beta=2500"]);
    let shift = 2500.0 - rating(&free, "logistic", "Beta");
    for engine in ["Alpha", "Beta", "Gamma", "Delta"] {
        let [free, held] = [&free, &one].map(|json| rating(json, "logistic", engine));
        let error = held - free - shift;
        assert!(error.abs() < 1e-6, "{engine}: {free} {held}");
    }
    let two = pgn.json(&["--anchor", "Beta=2500", "--anchor", "Delta=2400.5"]);
    assert_eq!(rating(&two, "logistic", "Beta"), 2500.0);
    assert_eq!(rating(&two, "logistic", "Delta"), 2400.5);
    let [one, both] = [&one, &two].map(|json| rating(json, "logistic", "Alpha"));
    assert_ne!(both, one);
    assert_eq!(two["ratings"]["anchors"]["Delta"], 2400.5);
    let text = pgn.stats(&["--anchor", "Beta=2500"]);
    assert_has(&text, ["fixed", "Beta at 2500.0"]);
}

#[test]
fn ratings_of_other_models_are_shown() {
    let pgn = Pgn::new(&four_engines(36));
    let shown = |more: &[&str]| pgn.stats(&[&["--model", "davidson"], more].concat());
    let (text, csv) = (shown(&[]), shown(&["--format", "csv", "--by", "engine"]));
    let json = pgn.json(&["--model", "davidson"]);
    assert_eq!(json["ratings"]["model"], "davidson");
    let alpha = rating(&json, "davidson", "Alpha");
    assert_has(&csv, [format!(",{alpha},")]);
    assert_has(&text, [format!("{alpha:+.1}")]);
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
    pgn.refuses(&["--anchor", "Gamma=1"], "there are: Alpha, Beta");
    pgn.refuses(&["--anchor", "Alpha"], "ENGINE=ELO");
    pgn.refuses(&["--anchor", "Alpha=high"], "not a number");
    pgn.refuses(&["--anchor", "Alpha=1", "--model", "davidson"], "logistic");
}

fn json_of(paths: &[&str]) -> Value {
    json(&tool(&[&["stats", "--format", "json"], paths].concat()))
}

/// An event, its own PGN, and a file given twice: each game counts once, and a warning names it.
#[test]
fn a_game_that_is_read_twice_counts_once() {
    let limits = "time = { nodes = 200, nodes_jitter = 0.1 }";
    let config = with_other("").replace("time.nodes = 200", limits);
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
        for counted in ["repeated", "games"] {
            let games = &both["games"][counted];
            assert_eq!(*games, once["games"]["games"], "{paths:?}");
        }
        if paths[0] == folder {
            for (key, value) in once.as_object().unwrap() {
                let is_same = ignored.contains(&key.as_str()) || both[key] == *value;
                assert!(is_same, "{key} {paths:?}");
            }
        }
        let text = tool(&[&["stats", "--details"], paths].concat());
        assert_has(&on_one_line(&text), ["counted once"]);
    }
    tool_ends(2, &["stats", "--fast", folder, pgn]);
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
        let limit = format!("time.nodes = {nodes}");
        let config = with_other("").replace("time.nodes = 200", &limit);
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
    let value = pgn.json(&[]);
    assert!(value["first_move"]["spread"].is_null(), "{value}");
    let text = pgn.stats(&[]);
    assert_has(&text, ["positions with two pairs or more: 0, 6 are needed"]);
    assert_lacks(&value.to_string(), ["\"nan\""]);
}

/// An event played again under another name has the same games: this is reported, and nothing is concluded from them.
#[test]
fn a_repetition_is_seen_by_its_moves() {
    let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let event = |name: &str, pairs: usize| {
        let mut text = String::new();
        for pair in 0..pairs {
            let (round, number) = (pair.to_string(), pair as u32 % 15 * 60);
            for (white, black, i) in [("Alpha", "Beta", 2 * pair), ("Beta", "Alpha", 5 * pair + 3)]
            {
                let moves = format!("1. {}3 {}6 ", files[pair % 8], files[pair / 15]);
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
    assert_has(&text, ["90 games in common"]);
    let value = json(&tool(&["compare", paths[0], paths[1], "--format", "json"]));
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
    let numbers = "/maps/0/mean/elo /maps/1/spread/sd_elo_hi /pairs/0/correlation/lo \
                   /pairs/0/difference/p_parallel /mean/spread_hi /strength/pooled/mean";
    assert_numbers(&json(&run(&["--format", "json"])), numbers);
    let text = run(&[]);
    assert_has(&text, ["Alpha against Beta", "parallel"]);
    let is_narrow = text.lines().all(|line| line.chars().count() <= 100);
    assert!(is_narrow, "{text}");
    let rows = run(&["--format", "csv"]);
    assert_eq!(rows.lines().count(), 1 + 2 * 15, "{rows}");
    let same = tool(&["compare", paths[0], paths[0]]);
    assert_has(&same, ["120 games in common"]);
    assert_lacks(&same, ["All maps"]);
}
