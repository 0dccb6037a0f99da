//! Every kind of event, while it is paused, when it is over, and after the arbiter has ruled on its games: where it
//! stands and how each game ended is said alike by the files, the commands and the page.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::event_control::control;
use super::study::part;
use super::support::{Event, arbiter960, sparring_engines, wait_until};
use super::surfaces_agree::{ask, cells_of, decide, parsed, play_until, told_alike};
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

fn event(rules: &str, lanes: usize) -> Event {
    let head = "event.seed = 11\nadjudication.max_moves = 30\nadjudication.host_faults = \"count\"";
    Event::new(
        "event",
        &format!("{head}\nevent.concurrency = {lanes}\n{rules}"),
    )
}

/// What `status` says; nothing before the event has begun.
fn asked(event: &Event, arguments: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("status").arg(event.results()).args(arguments);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Waits until `status` names this phase, in both forms, and the page says the same sentence.
fn reaches(event: &Event, served: &Served, phase: &str) {
    let is_told = || {
        let told = asked(event, &["--json"]);
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let status = asked(event, &[]);
        let line = status.lines().find_map(|line| line.strip_prefix("phase "));
        let page = served.get("/", "");
        let page = String::from_utf8_lossy(&page.body);
        let sentence = line.unwrap_or("The event is over.").trim();
        told["phase"] == phase && page.contains(sentence)
    };
    wait_until(is_told, || format!("never {phase}: {}", asked(event, &[])));
}

/// The games of `games.pgn` by their names, each from its first tag on.
fn games_of(pgn: &str) -> BTreeMap<String, &str> {
    let mut games = BTreeMap::new();
    let starts = pgn.match_indices("[Event ").map(|(at, _)| at);
    let starts: Vec<usize> = starts.chain([pgn.len()]).collect();
    for part in starts.windows(2) {
        let game = &pgn[part[0]..part[1]];
        games.insert(tag(game, "Round"), game);
    }
    games
}

fn tag(game: &str, name: &str) -> String {
    let value = game.split_once(&format!("[{name} \"")).unwrap().1;
    value.split('"').next().unwrap().to_owned()
}

/// The cells of the rows of the table that follows these words on a page.
fn rows_after(page: &str, words: &str) -> Vec<Vec<String>> {
    let table = page.split_once(words).unwrap().1;
    let body = table.split_once("<tbody>").unwrap().1;
    let rows = body.split("</tbody>").next().unwrap().split("<tr").skip(1);
    rows.map(cells_of).collect()
}

/// The result of each game, and the name of its end, on every surface that has them.
fn one_end_a_game(name: &str, event: &Event) {
    let pgn = event.read("games.pgn");
    let games = games_of(&pgn).into_iter();
    let results = games.map(|(round, game)| (round, tag(game, "Result")));
    let results: BTreeMap<String, String> = results.collect();
    let mut ends: BTreeMap<String, String> = BTreeMap::new();
    let exported = ask(event, &["export", "--format", "jsonl"]);
    for line in exported.lines().map(parsed) {
        let word = |key: &str| line[key].as_str().unwrap();
        let round = word("round");
        assert_eq!(results[round], word("result"), "{name}, export: {round}");
        ends.insert(round.to_owned(), word("reason").replace('-', " "));
    }
    assert_eq!(ends.len(), results.len(), "{name}");
    let table = ask(event, &["export", "--format", "csv"]);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(results[cells[0]], cells[8], "{name}, export: {row}");
        assert_eq!(ends[cells[0]], cells[10].replace('-', " "), "{name}: {row}");
    }
    let served = Served::stored(&[event]);
    for line in served.text("/events.ndjson").lines().map(parsed) {
        if let Some(round) = line["round"].as_str().filter(|_| line["type"] == "game") {
            assert_eq!(results[round], line["result"], "{name}, served: {line}");
        }
    }
    let report = fs::read_to_string(event.results().join("report.html")).unwrap();
    let mut listed = rows_after(&report, "<table class=\"games\"");
    assert_eq!(listed.len(), results.len(), "{name}, report");
    listed.extend(rows_after(&served.text("/"), "<h4>Last games</h4>"));
    for cells in listed {
        assert_eq!(results[&cells[0]], cells[4], "{name}, page: {cells:?}");
        assert!(cells[5].ends_with(&ends[&cells[0]]), "{name}: {cells:?}");
    }
    // Only events in rounds have one.
    let schedule = fs::read_to_string(event.results().join("schedule.json"));
    let schedule = schedule.map_or(Value::Null, |text| parsed(&text));
    for round in schedule["rounds"].as_array().into_iter().flatten() {
        for board in round["boards"].as_array().unwrap() {
            let points = board["pairs"].as_array().unwrap().iter();
            let points = points.flat_map(|pair| pair["white_points"].as_array().unwrap());
            for (nth, points) in (1..).zip(points) {
                let game = format!("{}.{}.{nth}", round["round"], board["board"]);
                let result = results.get(&game).map(|result| json!(white_points(result)));
                assert_eq!(result.unwrap_or_default(), *points, "{name}: {game}");
            }
        }
    }
    for (round, result) in &results {
        let told = ask(event, &["explain", round]);
        let end = told.lines().find(|line| line.starts_with(round.as_str()));
        let end = end.unwrap_or_else(|| panic!("{name}, explain {round}: {told}"));
        assert!(end.contains(&format!(" {result}, ")), "{name}: {told}");
        assert!(end.ends_with(&ends[round]), "{name}: {told}");
    }
}

fn white_points(result: &str) -> f64 {
    match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        other => panic!("{other}"),
    }
}

/// The points that each engine has by its games are those of the results.
fn points_follow(name: &str, event: &Event) {
    let rows = parsed(&event.read("standings.json"))["standings"].clone();
    let mut points: BTreeMap<String, f64> = BTreeMap::new();
    let exported = ask(event, &["export", "--format", "jsonl"]);
    for line in exported.lines().map(parsed) {
        let white = white_points(line["result"].as_str().unwrap());
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
        let event = event(&rules, 1);
        // However slow this test is: no pair follows the first one before it is paused.
        let lasting = fs::read_to_string(event.file()).unwrap();
        let held = format!("event.pause = 3600\n{lasting}");
        fs::write(event.file(), held).unwrap();
        let served = Served::played(&event);
        let is_paused = || control(&event, &["pause"]).status.success();
        wait_until(is_paused, || asked(&event, &[]));
        reaches(&event, &served, "paused");
        assert!(control(&event, &["resume"]).status.success(), "{name}");
        // The run is killed, and another one plays what is left.
        drop(served);
        fs::write(event.file(), lasting).unwrap();
        event.run_well(&["--quiet"]);
        reaches(&event, &Served::stored(&[&event]), "over");
        one_end_a_game(name, &event);
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
        one_end_a_game(name, &event);
        if !self_play {
            points_follow(name, &event);
        }
    }
}

/// What was written about an event, without what is measured: moments, and times that moves took.
fn written(event: &Event) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for file in fs::read_dir(event.results()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name == "log" || name.starts_with("event.") {
            continue;
        }
        let text = event.read(&name);
        let text = match name.as_str() {
            "games.pgn" => games_of(&text).into_values().map(without_times).collect(),
            "report.html" => without_measured(&text),
            _ => text,
        };
        let folder = event.results().display().to_string();
        files.insert(name, text.replace(&folder, "RESULTS"));
    }
    files
}

/// A game without its moments, and without the comments that have times, on one line.
fn without_times(game: &str) -> String {
    let is_moment = |line: &&str| {
        let tags = ["Date", "UTC", "GameStart", "GameEnd", "EventDate"];
        !tags.iter().any(|tag| line.starts_with(&format!("[{tag}")))
    };
    let game: Vec<&str> = game.lines().filter(is_moment).collect();
    let words = game.join(" ");
    let mut words = words.split("[%emt ");
    let first = words.next().unwrap().to_owned();
    let rest = words.map(|part| part.split_once(']').unwrap().1);
    let all: String = std::iter::once(first.as_str()).chain(rest).collect();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A report without its times by move, its clocks and latencies, and the packed moves, which have times.
fn without_measured(report: &str) -> String {
    let mut report = report.to_owned();
    for (begin, end) in [
        ("data-table=\"moves\"", "</script>"),
        ("<h4>Clocks and latency</h4>", "<h"),
        ("<script type=\"application/octet-stream\"", "</script>"),
    ] {
        let mut parts = report.split(begin);
        let first = parts.next().unwrap().to_owned();
        let rest = parts.map(|part| &part[part.find(end).unwrap()..]);
        report = std::iter::once(first.as_str()).chain(rest).collect();
    }
    report
}

/// The same games give the same files, whether they were played one after the other or at once by a run that was stopped
/// on the way. A test takes its pairs in the order in which they end: of it alone two runs play one after the other.
#[test]
fn the_same_games_are_told_alike() {
    for (name, rules) in part(kinds(), 3) {
        let lanes = if name == "test" { 1 } else { 3 };
        let [whole, stopped] = [1, lanes].map(|lanes| event(&rules, lanes));
        whole.run_well(&["--quiet"]);
        play_until(&stopped, 3);
        stopped.run_well(&["--quiet"]);
        let [whole, stopped] = [written(&whole), written(&stopped)];
        assert!(whole.len() > 4, "{name}: {:?}", whole.keys());
        assert!(whole.keys().eq(stopped.keys()), "{name}");
        for (file, text) in &whole {
            // A report has few lines, and long ones.
            let mut both = text.split('>').zip(stopped[file].split('>'));
            let differ = both.find(|(one, other)| one != other);
            assert_eq!(differ, None, "{name}: {file}");
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
    let event = event(&rules, 1);
    let served = Served::played(&event);
    reaches(&event, &served, "waiting");
    let said = "Round 2 begins at 2999-01-01 10:00:00 UTC";
    for text in [served.text("/"), asked(&event, &[])] {
        assert!(text.contains(said), "{text}");
    }
    assert!(control(&event, &["stop", "--now"]).status.success());
}

#[test]
fn an_event_that_is_stopped_and_played_says_so() {
    let rules = format!("positions.all = true\n{}", sparring_engines(2));
    let event = event(&rules, 1);
    play_until(&event, 1);
    reaches(&event, &Served::stored(&[&event]), "stopped");
    let served = Served::played(&event);
    reaches(&event, &served, "playing");
    assert!(control(&event, &["stop", "--now"]).status.success());
}
