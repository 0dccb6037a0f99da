//! The arbiter's book: decisions about games, of events that are played and of stopped ones. The
//! engines are deterministic, so what a decision changes is known.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::event_shards::merge_well;
use super::robust_support::{fake_engine, games_by_round};
use super::support::{Event, arbiter960, sparring_engines, tool, words};

/// So many engines of the built-in kind, unlike each other.
fn text(rules: &str, count: usize) -> String {
    format!(
        "event.seed = 5\nevent.concurrency = 2\nadjudication.max_moves = 40\n{rules}\n{}",
        sparring_engines(count)
    )
}

/// Two rounds of everybody against everybody on three positions.
fn league(rules: &str) -> Event {
    Event::new(
        "league",
        &text(&format!("positions.numbers = [1, 2, 3]\n{rules}"), 3),
    )
}

fn swiss(rounds: u16) -> Event {
    let rules = format!("event.format = \"swiss\"\npositions.all = true\nswiss.rounds = {rounds}");
    Event::new("swiss", &text(&rules, 5))
}

fn decide(event: &Event, words: &[&str]) -> Output {
    let mut command = arbiter960();
    command.arg("decide").arg(event.results()).args(words);
    command.args(["--reason", "because \"of\" it", "--author", "Anna"]);
    command.output().unwrap()
}

fn decide_well(event: &Event, arguments: &[&str]) -> String {
    let output = decide(event, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", words(&output));
    words(&output)
}

/// The message about a decision that cannot be made; it is not in the book.
fn refused(event: &Event, arguments: &[&str]) -> String {
    let before = book(event);
    let output = decide(event, arguments);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    assert_eq!(book(event), before, "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn book(event: &Event) -> Vec<String> {
    let results = event.results();
    let text = tool(&["decide", results.to_str().unwrap(), "list"]);
    text.lines().map(str::to_owned).collect()
}

fn parsed(event: &Event, file: &str) -> Value {
    serde_json::from_str(&event.read(file)).unwrap()
}

/// Points by name.
fn points(event: &Event, name: &str) -> f64 {
    let standings = parsed(event, "standings.json");
    let rows = standings["standings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name).unwrap();
    row["points"].as_f64().unwrap()
}

/// The tags of every game of `games.pgn`.
fn games(event: &Event) -> Vec<Vec<(String, String)>> {
    let mut games: Vec<Vec<(String, String)>> = Vec::new();
    for line in event.read("games.pgn").lines() {
        let Some((name, value)) = line.strip_prefix('[').and_then(|line| line.split_once(' '))
        else {
            continue;
        };
        if name == "Event" {
            games.push(Vec::new());
        }
        let value = value.trim_end_matches(']').trim_matches('"').to_owned();
        games.last_mut().unwrap().push((name.to_owned(), value));
    }
    games
}

fn tag<'a>(game: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = game.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// Store, PGN, tables and `verify` say the same, and the rows of the games are unchanged.
fn agree(event: &Event) {
    let results = event.results();
    let folder = results.to_str().unwrap();
    let pgn = results.join("games.pgn");
    let verified = tool(&["verify", pgn.to_str().unwrap()]);
    assert!(verified.contains("findings 0"), "{verified}");
    assert_eq!(
        tool(&["export", folder, "--format", "pgn"]),
        event.read("games.pgn")
    );
    let mut points: Vec<(String, f64)> = Vec::new();
    for game in games(event) {
        let ruled = tag(&game, "RuledResult");
        let result = ruled.or_else(|| tag(&game, "Result")).unwrap();
        let Some((white, black)) = result.split_once('-') else {
            continue;
        };
        for (side, score) in [("White", white), ("Black", black)] {
            let score: f64 = match score {
                "1/2" => 0.5,
                whole => whole.parse().unwrap(),
            };
            let name = tag(&game, side).unwrap();
            match points.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += score,
                None => points.push((name.to_owned(), score)),
            }
        }
    }
    let rows = parsed(event, "crosstable.json")["rows"].clone();
    for row in rows.as_array().unwrap() {
        let cells = row["cells"].as_array().unwrap().iter();
        let sum: f64 = cells.filter_map(|cell| cell["points"].as_f64()).sum();
        let name = row["name"].as_str().unwrap();
        let found = points.iter().find(|(known, _)| known == name);
        let awarded = book(event).iter().any(|line| line.contains("forfeited"));
        if !awarded {
            assert_eq!(found.map_or(0.0, |(_, sum)| *sum), sum, "{name}");
        }
    }
}

fn rows(event: &Event) -> Vec<(i64, i64, i64, i64)> {
    let connection = Connection::open(event.results().join("event.db")).unwrap();
    let sql = "SELECT pair, game, white_half_points, checksum FROM games ORDER BY sequence";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn decisions_about_a_stopped_event_change_everything_but_the_games() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let played = rows(&event);
    let before = games(&event);
    let first = &before[0];
    let (round, result) = (tag(first, "Round").unwrap(), tag(first, "Result").unwrap());
    let other = if result == "1-0" { "0-1" } else { "1-0" };
    let white = tag(first, "White").unwrap();
    let had = points(&event, white);

    decide_well(&event, &["result", round, other]);
    agree(&event);
    let ruled = &games(&event)[0];
    assert_eq!(tag(ruled, "Result"), Some(other));
    assert_eq!(tag(ruled, "PlayedResult"), Some(result));
    let words = tag(ruled, "Ruling").unwrap();
    assert!(words.starts_with("decision 1 by Anna, 20"), "{words}");
    assert!(words.ends_with("because \\\"of\\\" it"), "{words}");
    assert_ne!(points(&event, white), had);
    assert_eq!(
        parsed(&event, "standings.json")["decisions"][0]["in_force"],
        json!(true)
    );
    assert!(event.read("report.html").contains("The arbiter's book"));

    decide_well(&event, &["undo"]);
    agree(&event);
    assert_eq!(games(&event), before);
    assert_eq!(points(&event, white), had);
    assert_eq!(book(&event).len(), 2);

    // A game that is played again: the same engines play the same moves.
    decide_well(&event, &["replay", round]);
    assert_eq!(tag(&games(&event)[0], "Result"), Some("*"));
    event.run_well(&["--quiet"]);
    agree(&event);
    let after = games(&event);
    assert_eq!(after.len(), before.len() + 1);
    let again = after.last().unwrap();
    assert_eq!(
        (tag(again, "Round"), tag(again, "Result")),
        (Some(round), Some(result))
    );
    assert_eq!(points(&event, white), had);
    assert_eq!(
        rows(&event)[..played.len()],
        played[..],
        "no row is changed"
    );
    assert_eq!(rows(&event).len(), played.len() + 1);

    // Taken back after it was played: the first playing counts again.
    decide_well(&event, &["undo", "3"]);
    agree(&event);
    assert_eq!(tag(&games(&event)[0], "Result"), Some(result));
    assert_eq!(tag(games(&event).last().unwrap(), "Result"), Some("*"));
    let output = event.run_well(&["--quiet"]);
    assert!(output.contains("nothing was left to play"), "{output}");
}

#[test]
fn a_forfeit_counts_in_the_table_and_not_in_the_statistics() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let results = event.results();
    let statistics = || {
        let text = tool(&["stats", results.to_str().unwrap(), "--format", "json"]);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let games_before = statistics()["sources"][0]["games"].clone();
    let first = &games(&event)[0];
    let round = tag(first, "Round").unwrap();
    let said = decide_well(
        &event,
        &["forfeit", round, "--loser", tag(first, "White").unwrap()],
    );
    let left_out = format!("Not in the statistics any more, 1 game: {round}.");
    assert!(said.contains(&left_out), "{said}");
    agree(&event);
    assert_eq!(tag(&games(&event)[0], "Result"), Some("0-1"));
    let told = tool(&["explain", results.to_str().unwrap(), round]);
    assert!(told.contains("By decision 1 by"), "{told}");
    let games_after = statistics()["sources"][0]["games"].clone();
    assert_eq!(
        games_after.as_u64().unwrap() + 1,
        games_before.as_u64().unwrap()
    );
    assert_eq!(
        parsed(&event, "standings.json")["progress"]["games"],
        json!(18)
    );
    let said = decide_well(&event, &["undo"]);
    assert!(said.contains("In the statistics again, 1 game"), "{said}");
    assert_eq!(statistics()["sources"][0]["games"], games_before);
    // Who has lost it already forfeits no point.
    let all = games(&event);
    let lost = all.iter().find(|game| tag(game, "Result") == Some("1-0"));
    let round = lost.and_then(|game| tag(game, "Round")).unwrap();
    let said = decide_well(&event, &["forfeit", round, "--loser", "black"]);
    assert!(said.contains("The table stays as it is."), "{said}");
}

#[test]
fn a_withdrawn_engine_that_has_played_less_than_half_leaves_no_trace_in_the_table() {
    let event = league("faults.disqualified = \"half\"\nevent.pairs = 4\n");
    let child = event.command(&["--json", "--concurrency", "1"]);
    let mut child = { child }.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut games_heard = 0;
    let mut decided = false;
    for line in lines.map_while(Result::ok) {
        let line: Value = serde_json::from_str(&line).unwrap();
        if line["type"] == "game" {
            games_heard += 1;
            if games_heard == 1 {
                decide_well(&event, &["withdraw", "E3"]);
                // One that is not played yet, between the two others or not.
                decide_well(&event, &["forfeit", "9.1", "--loser", "white"]);
            }
        }
        if line["type"] == "decision" && line["act"]["act"] == "withdraw" {
            assert_eq!(line["words"], "E3 is withdrawn");
            decided = true;
        }
    }
    assert!(child.wait().unwrap().success());
    assert!(decided);
    let standings = parsed(&event, "standings.json");
    assert_eq!(standings["disqualified"][0]["withdrawn"], json!(true));
    let last = standings["standings"].as_array().unwrap().last().unwrap();
    let played = standings["disqualified"][0]["games"].as_u64().unwrap();
    if played < 6 {
        assert_eq!(
            (&last["name"], &last["total"]["games"]),
            (&json!("E3"), &json!(0))
        );
    }
    assert_eq!(standings["final"], json!(true), "{standings:#}");
    let pgn = event.results().join("games.pgn");
    let verified = tool(&["verify", pgn.to_str().unwrap()]);
    assert!(verified.contains("findings 0"), "{verified}");
    let output = event.run_well(&["--quiet"]);
    assert!(
        output.contains("E3 was withdrawn by the arbiter"),
        "{output}"
    );
}

#[test]
fn a_game_is_ruled_and_played_again_while_others_are_played() {
    let event = league("");
    let child = event.command(&["--json", "--concurrency", "1"]);
    let mut child = { child }.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut rounds = Vec::new();
    for line in lines.map_while(Result::ok) {
        let line: Value = serde_json::from_str(&line).unwrap();
        if line["type"] == "game" {
            rounds.push(line["round"].as_str().unwrap().to_owned());
            match rounds.len() {
                1 => drop(decide_well(&event, &["replay", &rounds[0]])),
                2 => {
                    let result = line["result"].as_str().unwrap();
                    let other = if result == "1-0" { "0-1" } else { "1-0" };
                    decide_well(&event, &["result", &rounds[1], other]);
                }
                _ => {}
            }
        }
    }
    assert!(child.wait().unwrap().success());
    // If the run ended before it learned of the decision, the next run plays the game.
    event.run_well(&["--quiet"]);
    agree(&event);
    let names = event.rounds();
    assert_eq!(names.len(), 19, "{names:?}");
    let twice = names.iter().filter(|round| **round == rounds[0]).count();
    assert_eq!(twice, 2);
    assert_eq!(parsed(&event, "standings.json")["final"], json!(true));
}

#[test]
fn a_swiss_gets_a_late_entrant_another_build_and_one_more_round() {
    let event = swiss(2);
    event.run_well(&["--quiet"]);
    let file = event.file();
    let old = fs::read_to_string(&file).unwrap();
    let told = refused(&event, &["add", "Late"]);
    assert!(
        told.contains("no [[engine]] of the name \"Late\""),
        "{told}"
    );
    let entrant = "[[engine]]\nname = \"Late\"\nbuiltin = \"sparring\"\ntime.nodes = 60\n";
    let swapped = old.replace("Strength = 2", "Strength = 7");
    assert_ne!(swapped, old);
    fs::write(&file, format!("{swapped}{entrant}")).unwrap();
    // Nothing of it is taken without a decision.
    let output = event.run(&["--quiet"]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    let known = |event: &Event| {
        let standings = parsed(event, "standings.json");
        let [planned, played] =
            ["planned_games", "games"].map(|key| standings["progress"][key].clone());
        (standings["final"] == true, planned == played)
    };
    assert_eq!(known(&event), (true, true));
    // Where no round follows it would play nothing.
    let told = refused(&event, &["add", "Late"]);
    assert!(told.contains("the last round has been paired"), "{told}");
    decide_well(&event, &["extend", "--rounds", "2"]);
    assert_eq!(known(&event), (false, false), "two rounds follow");
    let planned = || parsed(&event, "standings.json")["progress"]["planned_games"].clone();
    let before = planned().as_u64().unwrap();
    decide_well(&event, &["add", "Late"]);
    let output = event.run(&["--quiet"]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
    decide_well(&event, &["replace", "E1"]);
    // It is in all that is said of the rounds to come before a run has it.
    assert_eq!(
        parsed(&event, "standings.json")["entrants"],
        json!(["Late"])
    );
    let boards = |engines: u64| 2 * 2 * (engines / 2);
    let engines = parsed(&event, "standings.json")["standings"]
        .as_array()
        .unwrap()
        .len() as u64;
    let more = boards(engines + 1) - boards(engines);
    assert_eq!(planned(), json!(before + more));
    let foreseen = words(&event.run(&["--dry-run"]));
    for said in ["Round 3, if", "Late"] {
        assert!(foreseen.contains(said), "no {said}: {foreseen}");
    }
    event.run_well(&["--quiet"]);
    assert_eq!(known(&event), (true, true));
    // The store and its PGN file have the same games, those of the late entrant too.
    let folder = event.results();
    let (folder, pgn) = (folder.to_str().unwrap(), folder.join("games.pgn"));
    let both = tool(&["stats", folder, pgn.to_str().unwrap(), "--format", "json"]);
    let both: Value = serde_json::from_str(&both).unwrap();
    assert_eq!(both["sources"][1]["games"], json!(0), "{}", both["sources"]);
    agree(&event);
    let schedule = parsed(&event, "schedule.json");
    let rounds = schedule["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 4);
    let plays = |round: &Value| round["boards"].to_string().contains("Late");
    assert_eq!(
        rounds.iter().map(plays).collect::<Vec<_>>(),
        [false, false, true, true]
    );
    for (decision, why) in [
        ("1", "round 4"),
        ("2", "takes part by now"),
        ("3", "another build"),
    ] {
        let told = refused(&event, &["undo", decision]);
        assert!(told.contains(why), "{told}");
    }
    // What was used up is not left open for the next change.
    fs::write(
        &file,
        format!(
            "{}{entrant}",
            swapped.replace("Strength = 7", "Strength = 5")
        ),
    )
    .unwrap();
    let output = event.run(&["--quiet"]);
    assert_eq!(output.status.code(), Some(2), "{}", words(&output));
}

#[test]
fn another_build_can_be_forbidden() {
    let event = Event::new(
        "fixed",
        &text("event.replacements = false\npositions.numbers = [1]", 2),
    );
    event.run_well(&["--quiet"]);
    let told = refused(&event, &["replace", "E1"]);
    assert!(told.contains("replacements = false"), "{told}");
}

#[test]
fn a_result_that_decided_a_pairing_of_a_cup_stays() {
    let rules = "event.format = \"knockout\"\npositions.sample = 20";
    let event = Event::new("cup", &text(rules, 4));
    event.run_well(&["--quiet"]);
    let round_one = |game: &&Vec<(String, String)>| tag(game, "Round").unwrap().starts_with("1.1.");
    let all = games(&event);
    let standings = parsed(&event, "schedule.json");
    let winner = standings["rounds"][0]["boards"][0]["winner"].clone();
    let mut told = String::new();
    // Turned round one after the other, until another engine would advance.
    for game in all.iter().filter(round_one) {
        let lost = if tag(game, "White") == winner.as_str() {
            "0-1"
        } else {
            "1-0"
        };
        if tag(game, "Result") == Some(lost) {
            continue;
        }
        let output = decide(&event, &["result", tag(game, "Round").unwrap(), lost]);
        if !output.status.success() {
            told = String::from_utf8(output.stderr).unwrap();
        }
    }
    assert!(told.contains("board 1 has been paired"), "{told}");
    agree(&event);
    let mut final_games = all
        .iter()
        .filter(|game| tag(game, "Round").unwrap().starts_with("2.1."));
    let game = final_games.next_back().unwrap();
    decide_well(&event, &["replay", tag(game, "Round").unwrap()]);
    event.run_well(&["--quiet"]);
    agree(&event);
    assert!(refused(&event, &["extend", "--rounds", "1"]).contains("a tree has the rounds"));
    assert!(refused(&event, &["add", "E9"]).contains("no [[engine]]"));
}

/// The message about a decision that is made.
fn told(event: &Event, arguments: &[&str]) -> String {
    let output = decide(event, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", words(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_follows_from_a_decision_is_said_and_nothing_else_is_done() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let game = &all[0];
    let [round, white, black, result] =
        ["Round", "White", "Black", "Result"].map(|name| tag(game, name).unwrap());
    let (other, winner) = match result {
        "1-0" => ("0-1", black),
        _ => ("1-0", white),
    };
    let before = points(&event, winner);
    let said = told(&event, &["result", round, other]);
    let after = points(&event, winner);
    assert!(after > before);
    let line = format!("{winner}: {after:.1} points, {before:.1} before;");
    assert!(said.contains(&line), "{said}");
    told(&event, &["undo"]);
    let said = told(&event, &["replay", round]);
    assert!(
        said.contains(&format!("To be played again, 1 game: {round}.")),
        "{said}"
    );
    told(&event, &["undo"]);
    // A game of an engine that plays no more would be won by its opponent.
    told(&event, &["withdraw", white]);
    let table = event.read("standings.json");
    let said = refused(&event, &["replay", round]);
    assert!(said.contains(&format!("{white} plays no more")), "{said}");
    assert_eq!(event.read("standings.json"), table);
}

/// A league of which pairs 2 and 6 of nine are played.
fn begun_league(rules: &str) -> Event {
    let event = league(rules);
    event.run_well(&["--quiet", "--shard", "2/4"]);
    merge_well(&event, &["2/4"]);
    event
}

/// All that a decision can change: the table, who plays no more, what is left to play and what the statistics count.
fn what_counts(event: &Event) -> Value {
    let results = event.results();
    let folder = results.to_str().unwrap();
    let json = |arguments: &[&str]| serde_json::from_str::<Value>(&tool(arguments)).unwrap();
    let standings = parsed(event, "standings.json");
    let status = json(&["status", folder, "--json"]);
    let statistics = json(&["stats", folder, "--format", "json"]);
    json!([
        standings["standings"],
        standings["disqualified"],
        status["missing_games"],
        statistics["sources"][0]["games"]
    ])
}

/// Every kind of decision, on a game of each of these names and on each engine: what is accepted changes something, and
/// is taken back. Which were refused because nothing would follow.
fn without_effect(event: &Event, rounds: &[&str]) -> Vec<String> {
    let mut acts: Vec<Vec<&str>> = Vec::new();
    for round in rounds {
        for loser in ["white", "black"] {
            acts.push(vec!["forfeit", round, "--loser", loser]);
        }
        for result in ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0"] {
            acts.push(vec!["result", round, result]);
        }
        acts.push(vec!["replay", round]);
    }
    acts.extend(["E1", "E2", "E3"].map(|name| vec!["withdraw", name]));
    // A run that was killed has left its tables as they were before.
    told(event, &["replace", "E1"]);
    told(event, &["undo"]);
    let before = what_counts(event);
    let mut refused = Vec::new();
    for act in &acts {
        let output = decide(event, act);
        let said = words(&output);
        if output.status.success() {
            assert_ne!(what_counts(event), before, "{act:?}: {said}");
            told(event, &["undo"]);
        } else if said.contains("nothing would follow from it") {
            refused.push(act.join(" "));
        }
        assert_eq!(what_counts(event), before, "{act:?}");
    }
    assert!(refused.len() < acts.len());
    refused
}

/// The first game with this engine and the first without it, by their names.
fn with_and_without<'a>(games: &'a [Vec<(String, String)>], name: &str) -> [&'a str; 2] {
    let plays = |game: &&Vec<_>| {
        ["White", "Black"]
            .map(|side| tag(game, side))
            .contains(&Some(name))
    };
    let first = |with: bool| games.iter().find(|game| plays(game) == with);
    [true, false].map(|with| tag(first(with).unwrap(), "Round").unwrap())
}

#[test]
fn what_counts_for_nobody_is_not_decided() {
    let event = league("faults.disqualified = \"annul\"");
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let [of_e1, of_others] = with_and_without(&all, "E1");
    assert!(without_effect(&event, &[of_e1, of_others]).is_empty());
    told(&event, &["withdraw", "E1"]);
    let refused = without_effect(&event, &[of_e1, of_others]);
    // Of seven results the played one has another refusal.
    assert!(refused.len() >= 6, "{refused:?}");
    assert!(refused.iter().all(|act| act.contains(of_e1)), "{refused:?}");
    let forfeit = format!("forfeit {of_e1} --loser white");
    assert!(refused.contains(&forfeit), "{refused:?}");
}

/// One is played and one is not, of an engine that plays no more before half of its games.
#[test]
fn a_game_that_is_not_played_any_more_is_not_decided() {
    let begun = |rule: &str| {
        let event = begun_league(&format!("faults.disqualified = {rule:?}"));
        told(&event, &["withdraw", "E3"]);
        event
    };
    let event = begun("half");
    let all = games(&event);
    let [played, _] = with_and_without(&all, "E3");
    let refused = without_effect(&event, &[played, "7.1"]);
    let of = |round: &str| refused.iter().filter(|act| act.contains(round)).count();
    // But for the result that it has, and the results that a game without moves cannot have.
    assert_eq!((of(played), of("7.1")), (6, 4), "{refused:?}");
    // Its games count: its opponent has won game 7.1, in which it has White, and can lose it.
    let refused = without_effect(&begun("keep"), &[played, "7.1"]);
    assert_eq!(refused, ["forfeit 7.1 --loser white"]);
}

#[test]
fn who_is_disqualified_is_not_withdrawn() {
    let crashes = format!(
        "faults.strikes = 1\nfaults.disqualified = \"annul\"\n{}[[engine]]\nname = \"E3\"\ncommand = {:?}\n\
         args = [\"search=exit\", \"at=1\"]\ntime.depth = 1\n",
        sparring_engines(2),
        fake_engine()
    );
    let event = Event::new(
        "strikes",
        &format!("positions.numbers = [1]\nadjudication.max_moves = 20\n{crashes}"),
    );
    event.run_well(&["--quiet"]);
    let refused = without_effect(&event, &[]);
    assert_eq!(refused, ["withdraw E3"]);
}

/// A worker has played sound games of an engine that another worker's game has disqualified: they stay.
#[test]
fn what_would_not_be_played_again_is_not_purged() {
    let event = Event::new(
        "purged",
        &format!(
            "event.seed = 5\nadjudication.max_moves = 20\npositions.numbers = [1, 2, 3]\nfaults.strikes = 1\n\
             faults.disqualified = \"keep\"\n{}[[engine]]\nname = \"E3\"\ncommand = {:?}\n\
             args = [\"search=exit\", \"at=1\", \"game=3\"]\ntime.depth = 1\n",
            sparring_engines(2),
            fake_engine()
        ),
    );
    event.run_well(&["--quiet", "--concurrency", "1"]);
    let pair = |round: &str| round.split('.').next().unwrap().to_owned();
    let played = games_by_round(&event);
    let crashed = played.iter().find(|(_, [_, _, reason])| reason == "crash");
    let crashed = pair(crashed.unwrap().0);
    let mut workers = String::new();
    for round in played.keys().filter(|round| round.ends_with(".1")) {
        let pair = pair(round);
        let worker = if pair == crashed { "two" } else { "one" };
        workers += &format!("{{\"pair\":{pair},\"worker\":{worker:?}}}\n");
    }
    fs::write(event.results().join("workers.jsonl"), workers).unwrap();
    let all = games(&event);
    let plays = |game: &&Vec<_>| {
        ["White", "Black"]
            .map(|side| tag(game, side))
            .contains(&Some("E3"))
    };
    let of_e3 = all.iter().filter(plays).count();
    assert!(of_e3 > 2, "it has played a sound pair");
    decide_well(&event, &["purge", "one"]);
    event.run_well(&["--quiet"]);
    agree(&event);
    let again = all.len() - of_e3;
    assert!(
        book(&event)[0].contains(&format!("the {again} games of worker one")),
        "{:?}",
        book(&event)
    );
    assert_eq!(games(&event).len(), all.len() + again);
}

#[test]
fn what_cannot_be_decided_is_told() {
    let event = league("");
    event.run_well(&["--quiet"]);
    for (arguments, expected) in [
        (
            &["withdraw", "E4"][..],
            "no engine \"E4\" takes part: did you mean",
        ),
        (&["result", "10.1", "1-0"], "game 10.1 has not been played"),
        (&["result", "1.3", "1-0"], "no game of this event"),
        (&["result", "1.1.1", "1-0"], "such as 17.2"),
        (&["result", "1.1", "2-0"], "no result"),
        (&["result", "1.1", "*"], "no result"),
        (&["replay", "99.2"], "has not been played"),
        (&["forfeit", "10.1", "--loser", "white"], "is not planned"),
        (
            &["forfeit", "1.1", "--loser", "E9"],
            "does not play game 1.1",
        ),
        (&["extend", "--rounds", "1"], "not played in rounds"),
        (&["undo"], "nothing to take back"),
        (&["undo", "4"], "no decision 4"),
        (&["add", "E1"], "in a Swiss alone"),
    ] {
        let told = refused(&event, arguments);
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
    let same = tag(&games(&event)[0], "Result").unwrap().to_owned();
    let round = tag(&games(&event)[0], "Round").unwrap().to_owned();
    assert!(refused(&event, &["result", &round, &same]).contains("already"));
    for arguments in [
        &["replay", "3.1"][..],
        &["withdraw", "E3"],
        &["forfeit", "2.1", "--loser", "black"],
        &["replace", "E1"],
    ] {
        decide_well(&event, arguments);
        let told = refused(&event, arguments);
        assert!(told.contains("was decided before"), "{arguments:?}: {told}");
    }
    let mut command = arbiter960();
    command
        .arg("decide")
        .arg(event.results())
        .args(["withdraw", "E2"]);
    let output = command.output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs its reason"));
    // A book that somebody has altered is refused.
    let connection = Connection::open(event.results().join("event.db")).unwrap();
    let changed = connection.execute(
        "UPDATE decisions SET author = 'Bert' WHERE decision = 1",
        [],
    );
    assert_eq!(changed.unwrap(), 1);
    drop(connection);
    let mut command = arbiter960();
    let output = command.arg("status").arg(event.results()).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", words(&output));
}

#[test]
fn a_rebuilt_store_has_ruled_games_as_they_were_played_and_names_the_rulings() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let before = games(&event);
    let round = |place: usize| tag(&before[place], "Round").unwrap();
    let result = tag(&before[0], "Result").unwrap();
    let other = if result == "1-0" { "0-1" } else { "1-0" };
    decide_well(&event, &["result", round(0), other]);
    decide_well(&event, &["forfeit", round(1), "--loser", "white"]);
    decide_well(&event, &["replay", round(2)]);
    event.run_well(&["--quiet"]);
    agree(&event);
    fs::remove_file(event.results().join("event.db")).unwrap();
    let mut rebuild = arbiter960();
    rebuild.arg("rebuild").arg(event.file()).arg("--results");
    let output = rebuild
        .arg(event.folder().join("results"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "The arbiter's book is not restored".to_owned(),
        format!(
            "{}: {other} instead of {result} (decision 1 by Anna, ",
            round(0)
        ),
        format!("{}: 0-1 instead of ", round(1)),
        format!("{}: played again (decision 3 by Anna, ", round(2)),
    ] {
        assert!(said.contains(&expected), "{expected}: {said}");
    }
    // Every game with its played result; the engines play the same moves again.
    let folder = event.results();
    let results = |text: &str| -> Vec<String> {
        let mut rows: Vec<String> = text
            .lines()
            .skip(1)
            .map(|row| {
                let columns: Vec<&str> = row.split(',').collect();
                columns[0].to_owned()
            })
            .collect();
        rows.sort();
        rows
    };
    let csv = tool(&["export", folder.to_str().unwrap(), "--format", "csv"]);
    let mut rounds: Vec<String> = before
        .iter()
        .map(|game| tag(game, "Round").unwrap().to_owned())
        .collect();
    rounds.sort();
    assert_eq!(results(&csv), rounds);
    event.run_well(&["--quiet"]);
    agree(&event);
    for game in &before {
        let round = tag(game, "Round");
        let now = games(&event);
        let same = now.iter().find(|other| tag(other, "Round") == round);
        assert_eq!(
            tag(same.unwrap(), "Result"),
            tag(game, "Result"),
            "{round:?}"
        );
    }
}

#[test]
fn an_unplayed_forfeit_is_a_game_without_moves_among_those_that_count() {
    let event = begun_league("");
    decide_well(&event, &["forfeit", "9.2", "--loser", "black"]);
    let folder = event.results();
    for missing in [true, false] {
        let told = tool(&["status", folder.to_str().unwrap(), "--json"]);
        let told: Value = serde_json::from_str(&told).unwrap();
        let games = |key: &str| told[key].as_u64().unwrap();
        assert_eq!(games("forfeited_games"), 1);
        assert_eq!(games("missing_games") > 0, missing);
        let all = games("played_games") + games("forfeited_games") + games("missing_games");
        assert_eq!(all, games("planned_games"), "{told}");
        let told = tool(&["status", folder.to_str().unwrap()]);
        assert!(told.contains("forfeited  1 game without play"), "{told}");
        event.run_well(&["--quiet"]);
    }
    agree_in_what_counts(&event);
    let counted = tool(&[
        "export",
        folder.to_str().unwrap(),
        "--format",
        "pgn",
        "--counted",
    ]);
    let game = counted.split("[Event ").last().unwrap();
    assert!(game.contains("[Round \"9.2\"]"), "{game}");
    assert!(game.contains("[PlyCount \"0\"]"), "{game}");
    assert!(game.contains("[Termination \"adjudication\"]"), "{game}");
    assert!(game.contains("[Ruling \"decision 1 by Anna, "), "{game}");
    assert!(game.trim_end().ends_with("1-0"), "{game}");
    assert!(!event.read("games.pgn").contains("[Round \"9.2\"]"));
}

/// Results of less than a point count in the table and the PGN, and say nothing of strength.
#[test]
fn points_are_taken_from_both_sides_of_a_game() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let folder = event.results();
    let folder = folder.to_str().unwrap();
    let all = games(&event);
    let table = parsed(&event, "standings.json")["standings"].clone();
    let of_statistics = |event: &Event| -> Value {
        let folder = event.results();
        let text = tool(&["stats", folder.to_str().unwrap(), "--format", "json"]);
        serde_json::from_str::<Value>(&text).unwrap()["sources"][0]["games"].clone()
    };
    let counted = of_statistics(&event).as_u64().unwrap();
    for (game, result) in all.iter().zip(["0-0", "1/2-0", "0-1/2"]) {
        let round = tag(game, "Round").unwrap();
        decide_well(&event, &["result", round, result]);
        agree(&event);
        let ruled = games(&event);
        let ruled = ruled.iter().find(|one| tag(one, "Round") == Some(round));
        let ruled = ruled.unwrap();
        assert_eq!(tag(ruled, "Result"), Some("*"));
        assert_eq!(tag(ruled, "RuledResult"), Some(result));
        assert_eq!(tag(ruled, "PlayedResult"), tag(game, "Result"));
        assert!(refused(&event, &["result", round, "1-0"]).contains("was decided before"));
    }
    assert_eq!(of_statistics(&event), json!(counted - 3));
    let sum: f64 = ["E1", "E2", "E3"]
        .map(|name| points(&event, name))
        .iter()
        .sum();
    assert_eq!(sum, all.len() as f64 - 2.0);
    let csv = tool(&["export", folder, "--format", "csv"]);
    assert_eq!(csv.matches(",1/2-0,").count(), 1, "{csv}");
    // The store can be made again from the file.
    fs::remove_file(event.results().join("event.db")).unwrap();
    let mut rebuild = arbiter960();
    rebuild.arg("rebuild").arg(event.file()).arg("--results");
    let output = rebuild
        .arg(event.folder().join("results"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(": 1/2-0 instead of "), "{said}");
    event.run_well(&["--quiet"]);
    agree(&event);
    assert_eq!(parsed(&event, "standings.json")["standings"], table);
}

/// The first line has the score of the table, and says which games the statistics leave out.
#[test]
fn a_match_with_rulings_has_the_score_of_its_table_in_its_first_line() {
    let rules = "event.format = \"match\"\nevent.pairs = 4\npositions.numbers = [10, 300]";
    let event = Event::new("match", &text(rules, 2));
    event.run_well(&["--quiet"]);
    let names: Vec<String> = parsed(&event, "standings.json")["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect();
    for round in ["1.1", "2.2"] {
        for loser in [&names[0], &names[1]] {
            let said = decide_well(&event, &["forfeit", round, "--loser", loser]);
            assert!(!said.contains("plays what follows"), "{said}");
            let results = event.results();
            let said = tool(&["status", results.to_str().unwrap()]);
            let score = [0, 1].map(|place| format!("{:.1}", points(&event, &names[place])));
            let first = said.lines().next().unwrap();
            let of_table = format!("{} {} - {} {}", names[0], score[0], score[1], names[1]);
            let reversed = format!("{} {} - {} {}", names[1], score[1], score[0], names[0]);
            assert!(
                first.starts_with(&of_table) || first.starts_with(&reversed),
                "{first}"
            );
            assert!(first.ends_with("that statistics count."), "{first}");
            decide_well(&event, &["undo"]);
        }
    }
}

/// A final of which no game counts is paired again when another result of a semifinal lets another engine play it.
#[test]
fn an_encounter_of_which_no_game_counts_is_paired_anew() {
    let rules = "event.format = \"knockout\"\npositions.sample = 20";
    let event = Event::new("cup", &text(rules, 4));
    event.run_well(&["--quiet"]);
    let of_round = |start: &str| -> Vec<String> {
        let all = games(&event);
        let rounds = all
            .iter()
            .map(|game| tag(game, "Round").unwrap().to_owned());
        rounds.filter(|round| round.starts_with(start)).collect()
    };
    for round in of_round("2.1.") {
        decide_well(&event, &["replay", &round]);
    }
    let final_of = || parsed(&event, "schedule.json")["rounds"][1]["boards"][0].clone();
    let before = final_of()["engines"].clone();
    let winner = parsed(&event, "schedule.json")["rounds"][0]["boards"][0]["winner"].clone();
    let mut said = String::new();
    for round in of_round("1.1.") {
        let all = games(&event);
        let game = all.iter().find(|game| tag(game, "Round") == Some(&*round));
        let lost = match tag(game.unwrap(), "White") == winner.as_str() {
            true => "0-1",
            false => "1-0",
        };
        if tag(game.unwrap(), "Result") != Some(lost) {
            said = told(&event, &["result", &round, lost]);
        }
        if said.contains("Paired anew") {
            break;
        }
    }
    assert!(
        said.contains("Paired anew, no game of it counts: round 2 board 1."),
        "{said}"
    );
    assert!(said.contains("plays what follows from it"), "{said}");
    let decision = book(&event).len().to_string();
    event.run_well(&["--quiet"]);
    agree(&event);
    let after = final_of();
    assert_ne!(after["engines"], before);
    assert!(!after["engines"].as_array().unwrap().contains(&winner));
    assert_eq!(after["state"], "played");
    // A name names the game that counts.
    let csv = tool(&[
        "export",
        event.results().to_str().unwrap(),
        "--format",
        "csv",
    ]);
    assert_eq!(
        csv.lines().filter(|row| row.starts_with("2.1.1,")).count(),
        1,
        "{csv}"
    );
    // Now games of it count.
    assert!(refused(&event, &["undo"]).contains("a game of it counts"));
    for round in of_round("2.1.") {
        let output = decide(&event, &["replay", &round]);
        let again = String::from_utf8_lossy(&output.stderr).contains("was decided before");
        assert!(output.status.success() || again, "{}", words(&output));
    }
    let said = told(&event, &["undo", &decision]);
    assert!(said.contains("Paired anew"), "{said}");
    event.run_well(&["--quiet"]);
    agree(&event);
    assert_eq!(final_of()["engines"], before);
}

/// Who has won its way to the final keeps that when it is withdrawn: it loses the final alone.
#[test]
fn who_waits_for_the_final_can_be_withdrawn() {
    let rules = "event.format = \"double-elimination\"\npositions.sample = 20";
    let event = Event::new("double", &text(rules, 4));
    event.run_well(&["--quiet"]);
    // The two trees are played; of the finals no game counts any more.
    let all = games(&event);
    let rounds = all.iter().map(|game| tag(game, "Round").unwrap());
    let mut finals: Vec<&str> = rounds.filter(|round| *round >= "4").collect();
    finals.sort_unstable_by(|one, other| other.cmp(one));
    for round in finals {
        decide_well(&event, &["replay", round]);
    }
    let upper = parsed(&event, "schedule.json")["rounds"][1]["boards"][0].clone();
    let finalist = upper["winner"].as_str().unwrap().to_owned();
    decide_well(&event, &["withdraw", &finalist]);
    event.run_well(&["--quiet"]);
    agree(&event);
    let now = parsed(&event, "schedule.json")["rounds"][1]["boards"][0].clone();
    assert_eq!(now["winner"], json!(finalist));
    let standings = parsed(&event, "standings.json");
    let place = |name: &str| {
        let rows = standings["standings"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["rank"].clone()
    };
    assert_eq!(place(&finalist), json!(2), "{standings}");
    let told = tool(&["stats", event.results().to_str().unwrap(), "--details"]);
    assert!(told.contains("wins by walkover"), "{told}");
}

/// A program counts the points of the standings from the tags of the games that count.
fn agree_in_what_counts(event: &Event) {
    let folder = event.results();
    let text = tool(&[
        "export",
        folder.to_str().unwrap(),
        "--format",
        "pgn",
        "--counted",
    ]);
    let value = |game: &str, name: &str| -> String {
        let start = game.find(&format!("[{name} \"")).unwrap() + name.len() + 3;
        game[start..].split('"').next().unwrap().to_owned()
    };
    let mut sums: std::collections::BTreeMap<String, f64> = Default::default();
    for game in text.split("[Event ").skip(1) {
        let game = format!("[Event {game}");
        let white = match value(&game, "Result").as_str() {
            "1-0" => 1.0,
            "0-1" => 0.0,
            _ => 0.5,
        };
        *sums.entry(value(&game, "White")).or_default() += white;
        *sums.entry(value(&game, "Black")).or_default() += 1.0 - white;
    }
    for (name, sum) in sums {
        assert_eq!(points(event, &name), sum, "{name}");
    }
}

#[test]
fn exports_name_games_as_the_pgn_does_and_statistics_order_as_the_event() {
    let event = swiss(2);
    event.run_well(&["--quiet"]);
    let folder = event.results();
    let csv = tool(&["export", folder.to_str().unwrap(), "--format", "csv"]);
    let column: Vec<&str> = csv
        .lines()
        .skip(1)
        .map(|row| row.split(',').next().unwrap())
        .collect();
    assert_eq!(column, event.rounds());
    assert!(column.iter().all(|round| round.matches('.').count() == 2));
    let of = |options: &[&str]| tool(&[&["stats", folder.to_str().unwrap()], options].concat());
    let places = of(&["--by", "engine", "--format", "csv"]);
    for row in parsed(&event, "standings.json")["standings"]
        .as_array()
        .unwrap()
    {
        let own = format!("\n{},{},", row["rank"], row["name"].as_str().unwrap());
        assert!(places.contains(&own), "{places}");
    }
    let stats: Value = serde_json::from_str(&of(&["--format", "json"])).unwrap();
    let rules = &stats["ratings"]["tie_breaks"];
    assert_eq!(*rules, json!({"order": [], "beyond": "buchholz_cut1"}));

    // Three engines that are one: every pair is one all, so everybody is level.
    let same = "[[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\ntime.nodes = 50\n";
    let all: String = ["A", "B", "C"]
        .map(|name| same.replace("\"A\"", &format!("{name:?}")))
        .concat();
    let level = Event::new(
        "level",
        &format!(
            "adjudication.max_moves = 20\npositions.numbers = [1]\n\
             standings.tie_breaks = [\"koya\", \"wins\", \"lot\"]\n{all}"
        ),
    );
    level.run_well(&["--quiet"]);
    let text = tool(&["stats", level.results().to_str().unwrap(), "--details"]);
    assert!(
        text.contains("stands above") && !text.contains("direct"),
        "{text}"
    );
}
