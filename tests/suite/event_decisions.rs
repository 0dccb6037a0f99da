//! The arbiter's book: decisions about games, of events that are played and of stopped ones. The
//! engines are deterministic, so what a decision changes is known.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::event_shards::merge_well;
use super::robust_support::{fake_engine, games_by_round};
use super::support::{
    Event, assert_has, assert_lacks, json, list, members, sparring, sparring_engines, table, words,
};

/// So many engines of the built-in kind, unlike each other.
fn text(rules: &str, count: usize) -> String {
    format!(
        "event.seed = 5\nevent.concurrency = 2\nadjudication.max_moves = 40\n{rules}\n{}",
        sparring_engines(count)
    )
}

/// Two rounds of everybody against everybody on three positions.
fn league(rules: &str) -> Event {
    let rules = format!("positions.numbers = [1, 2, 3]\n{rules}");
    Event::new("league", &text(&rules, 3))
}

fn swiss(rounds: u16) -> Event {
    let rules = format!("event.format = \"swiss\"\npositions.all = true\nswiss.rounds = {rounds}");
    Event::new("swiss", &text(&rules, 5))
}

fn decide(event: &Event, words: &[&str]) -> Output {
    let mut command = event.about(&[&["decide"], words].concat());
    command.args(["--reason", "because \"of\" it", "--author", "Anna"]);
    command.output().unwrap()
}

/// What is said of a decision that is made.
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
    let text = event.ask(&["decide", "list"]);
    text.lines().map(str::to_owned).collect()
}

/// The row of this name in the standings.
fn standing(event: &Event, name: &str) -> Value {
    let standings = event.parsed("standings.json");
    let mut rows = list(&standings["standings"]).iter();
    rows.find(|row| row["name"] == name).unwrap().clone()
}

/// Points by name.
fn points(event: &Event, name: &str) -> f64 {
    standing(event, name)["points"].as_f64().unwrap()
}

/// The tags of a game.
type Game = Vec<(String, String)>;

/// Those of every game of `games.pgn`.
fn games(event: &Event) -> Vec<Game> {
    games_of(&event.read("games.pgn"))
}

fn games_of(pgn: &str) -> Vec<Game> {
    let tag = |line: &str| {
        let (name, value) = line.strip_prefix('[')?.split_once(' ')?;
        let value = value.trim_end_matches(']').trim_matches('"');
        Some((name.to_owned(), value.to_owned()))
    };
    let games = pgn.split("[Event ").skip(1);
    games
        .map(|game| game.lines().filter_map(tag).collect())
        .collect()
}

fn tag<'a>(game: &'a Game, name: &str) -> Option<&'a str> {
    let found = game.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// The name of a game.
fn round(game: &Game) -> &str {
    tag(game, "Round").unwrap()
}

/// Another result than this one.
fn another(result: &str) -> &'static str {
    if result == "1-0" { "0-1" } else { "1-0" }
}

/// The points of every engine by the tags of games.
fn sums(games: &[Game]) -> BTreeMap<&str, f64> {
    let mut sums = BTreeMap::new();
    for game in games {
        let result = tag(game, "RuledResult")
            .or_else(|| tag(game, "Result"))
            .unwrap();
        let Some((white, black)) = result.split_once('-') else {
            continue;
        };
        for (side, score) in [("White", white), ("Black", black)] {
            let score = if score == "1/2" {
                0.5
            } else {
                score.parse().unwrap()
            };
            *sums.entry(tag(game, side).unwrap()).or_default() += score;
        }
    }
    sums
}

/// Store, PGN, tables and `verify` say the same, and the rows of the games are unchanged.
fn agree(event: &Event) {
    event.verified();
    let exported = event.ask(&["export", "--format", "pgn"]);
    assert_eq!(exported, event.read("games.pgn"));
    if book(event).iter().any(|line| line.contains("forfeited")) {
        return;
    }
    let games = games(event);
    let points = sums(&games);
    for row in list(&event.parsed("crosstable.json")["rows"]) {
        let cells = list(&row["cells"]).iter();
        let sum: f64 = cells.filter_map(|cell| cell["points"].as_f64()).sum();
        let name = row["name"].as_str().unwrap();
        assert_eq!(points.get(name).map_or(0.0, |sum| *sum), sum, "{name}");
    }
}

fn rows(event: &Event) -> Vec<(i64, i64, i64, i64)> {
    let connection = event.store();
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
    let (round, result) = (round(first), tag(first, "Result").unwrap());
    let other = another(result);
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
    let decisions = &event.parsed("standings.json")["decisions"];
    assert_eq!(decisions[0]["in_force"], true);
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
    let named = ["Round", "Result"].map(|name| tag(again, name));
    assert_eq!(named, [Some(round), Some(result)]);
    assert_eq!(points(&event, white), had);
    let rows = rows(&event);
    assert_eq!(rows[..played.len()], played[..], "no row is changed");
    assert_eq!(rows.len(), played.len() + 1);

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
    let counted = || event.asked(&["stats", "--format", "json"])["sources"][0]["games"].clone();
    let before = counted().as_u64().unwrap();
    let all = games(&event);
    let (name, white) = (round(&all[0]), tag(&all[0], "White").unwrap());
    let said = decide_well(&event, &["forfeit", name, "--loser", white]);
    assert_has(
        &said,
        [format!("Not in the statistics any more, 1 game: {name}.")],
    );
    agree(&event);
    assert_eq!(tag(&games(&event)[0], "Result"), Some("0-1"));
    let told = event.ask(&["explain", name]);
    assert!(told.contains("By decision 1 by"), "{told}");
    assert_eq!(counted(), before - 1);
    assert_eq!(event.parsed("standings.json")["progress"]["games"], 18);
    let said = decide_well(&event, &["undo"]);
    assert!(said.contains("In the statistics again, 1 game"), "{said}");
    assert_eq!(counted(), before);
    // Who has lost it already forfeits no point.
    let lost = all.iter().find(|game| tag(game, "Result") == Some("1-0"));
    let name = round(lost.unwrap());
    let said = decide_well(&event, &["forfeit", name, "--loser", "black"]);
    assert!(said.contains("The table stays as it is."), "{said}");
}

#[test]
fn a_withdrawn_engine_that_has_played_less_than_half_leaves_no_trace_in_the_table() {
    let event = league("faults.disqualified = \"half\"\nevent.pairs = 4\n");
    let (mut games_heard, mut decided) = (0, false);
    hear_all(&event, |line| {
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
    });
    assert!(decided);
    let standings = event.parsed("standings.json");
    let withdrawn = &standings["disqualified"][0];
    assert_eq!(withdrawn["withdrawn"], true);
    let last = list(&standings["standings"]).last().unwrap();
    if withdrawn["games"].as_u64().unwrap() < 6 {
        assert_eq!(
            [&last["name"], &last["total"]["games"]],
            [&json!("E3"), &json!(0)]
        );
    }
    assert_eq!(standings["final"], true, "{standings:#}");
    event.verified();
    let output = event.run_well(&["--quiet"]);
    assert_has(&output, ["E3 was withdrawn by the arbiter"]);
}

/// Plays the event, one game after the other, to a good end; what it reports is heard.
fn hear_all(event: &Event, mut hear: impl FnMut(&Value)) {
    let mut command = event.command(&["--json", "--concurrency", "1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines
        .map_while(Result::ok)
        .for_each(|line| hear(&json(&line)));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_game_is_ruled_and_played_again_while_others_are_played() {
    let event = league("");
    let mut rounds = Vec::new();
    hear_all(&event, |line| {
        if line["type"] != "game" {
            return;
        }
        rounds.push(line["round"].as_str().unwrap().to_owned());
        match rounds.len() {
            1 => drop(decide_well(&event, &["replay", &rounds[0]])),
            2 => {
                let other = another(line["result"].as_str().unwrap());
                decide_well(&event, &["result", &rounds[1], other]);
            }
            _ => {}
        }
    });
    // If the run ended before it learned of the decision, the next run plays the game.
    event.run_well(&["--quiet"]);
    agree(&event);
    let names = event.rounds();
    assert_eq!(names.len(), 19, "{names:?}");
    let twice = names.iter().filter(|round| **round == rounds[0]).count();
    assert_eq!(twice, 2);
    assert_eq!(event.parsed("standings.json")["final"], true);
}

#[test]
fn a_swiss_gets_a_late_entrant_another_build_and_one_more_round() {
    let event = swiss(2);
    event.run_well(&["--quiet"]);
    let file = event.file();
    let old = fs::read_to_string(&file).unwrap();
    let told = refused(&event, &["add", "Late"]);
    assert_has(&told, ["no [[engine]] of the name \"Late\""]);
    let entrant = sparring("Late", "time.nodes = 60");
    let swapped = old.replace("Strength = 2", "Strength = 7");
    assert_ne!(swapped, old);
    fs::write(&file, format!("{swapped}{entrant}")).unwrap();
    // Nothing of it is taken without a decision.
    event.ends(2, &["--quiet"]);
    let known = || {
        let standings = event.parsed("standings.json");
        let progress = &standings["progress"];
        let is_planned = progress["planned_games"] == progress["games"];
        (standings["final"] == true, is_planned)
    };
    assert_eq!(known(), (true, true));
    // Where no round follows it would play nothing.
    let told = refused(&event, &["add", "Late"]);
    assert!(told.contains("the last round has been paired"), "{told}");
    decide_well(&event, &["extend", "--rounds", "2"]);
    assert_eq!(known(), (false, false), "two rounds follow");
    let planned = || event.parsed("standings.json")["progress"]["planned_games"].clone();
    let before = planned().as_u64().unwrap();
    decide_well(&event, &["add", "Late"]);
    event.ends(2, &["--quiet"]);
    decide_well(&event, &["replace", "E1"]);
    // It is in all that is said of the rounds to come before a run has it.
    let standings = event.parsed("standings.json");
    assert_eq!(standings["entrants"], json!(["Late"]));
    let boards = |engines: usize| 2 * 2 * (engines / 2);
    let engines = list(&standings["standings"]).len();
    let more = boards(engines + 1) - boards(engines);
    assert_eq!(planned(), before + more as u64);
    let foreseen = words(&event.run(&["--dry-run"]));
    assert_has(&foreseen, ["Round 3, if", "Late"]);
    event.run_well(&["--quiet"]);
    assert_eq!(known(), (true, true));
    // The store and its PGN file have the same games, those of the late entrant too.
    let pgn = event.results().join("games.pgn");
    let both = event.asked(&["stats", pgn.to_str().unwrap(), "--format", "json"]);
    assert_eq!(both["sources"][1]["games"], 0, "{}", both["sources"]);
    agree(&event);
    let schedule = event.parsed("schedule.json");
    let rounds = list(&schedule["rounds"]).iter();
    let plays = |round: &Value| round["boards"].to_string().contains("Late");
    assert_eq!(
        Vec::from_iter(rounds.map(plays)),
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
    event.rewrite(|text| text.replace("Strength = 7", "Strength = 5"));
    event.ends(2, &["--quiet"]);
}

#[test]
fn another_build_can_be_forbidden() {
    let rules = "event.replacements = false\npositions.numbers = [1]";
    let event = Event::new("fixed", &text(rules, 2));
    event.run_well(&["--quiet"]);
    let told = refused(&event, &["replace", "E1"]);
    assert!(told.contains("replacements = false"), "{told}");
}

#[test]
fn a_result_that_decided_a_pairing_of_a_cup_stays() {
    let rules = "event.format = \"knockout\"\npositions.sample = 20";
    let event = Event::new("cup", &text(rules, 4));
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let winner = event.parsed("schedule.json")["rounds"][0]["boards"][0]["winner"].clone();
    let mut told = String::new();
    // Turned round one after the other, until another engine would advance.
    for game in all.iter().filter(|game| round(game).starts_with("1.1.")) {
        let is_white = tag(game, "White") == winner.as_str();
        let lost = if is_white { "0-1" } else { "1-0" };
        if tag(game, "Result") == Some(lost) {
            continue;
        }
        let output = decide(&event, &["result", round(game), lost]);
        if !output.status.success() {
            told = String::from_utf8(output.stderr).unwrap();
        }
    }
    assert!(told.contains("board 1 has been paired"), "{told}");
    agree(&event);
    let game = all.iter().rfind(|game| round(game).starts_with("2.1."));
    decide_well(&event, &["replay", round(game.unwrap())]);
    event.run_well(&["--quiet"]);
    agree(&event);
    assert!(refused(&event, &["extend", "--rounds", "1"]).contains("a tree has the rounds"));
    assert!(refused(&event, &["add", "E9"]).contains("no [[engine]]"));
}

#[test]
fn what_follows_from_a_decision_is_said_and_nothing_else_is_done() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let game = &all[0];
    let names = ["Round", "White", "Black", "Result"];
    let [round, white, black, result] = names.map(|name| tag(game, name).unwrap());
    let other = another(result);
    let winner = if other == "0-1" { black } else { white };
    let before = points(&event, winner);
    let said = decide_well(&event, &["result", round, other]);
    let after = points(&event, winner);
    assert!(after > before);
    let line = format!("{winner}: {after:.1} points, {before:.1} before;");
    assert!(said.contains(&line), "{said}");
    decide_well(&event, &["undo"]);
    let said = decide_well(&event, &["replay", round]);
    assert_has(&said, [&format!("To be played again, 1 game: {round}.")]);
    decide_well(&event, &["undo"]);
    // A game of an engine that plays no more would be won by its opponent.
    decide_well(&event, &["withdraw", white]);
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
    let standings = event.parsed("standings.json");
    json!([
        standings["standings"],
        standings["disqualified"],
        event.asked(&["status", "--json"])["missing_games"],
        event.asked(&["stats", "--format", "json"])["sources"][0]["games"]
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
    decide_well(event, &["replace", "E1"]);
    decide_well(event, &["undo"]);
    let before = what_counts(event);
    let mut refused = Vec::new();
    for act in &acts {
        let output = decide(event, act);
        let said = words(&output);
        if output.status.success() {
            assert_ne!(what_counts(event), before, "{act:?}: {said}");
            decide_well(event, &["undo"]);
        } else if said.contains("nothing would follow from it") {
            refused.push(act.join(" "));
        }
        assert_eq!(what_counts(event), before, "{act:?}");
    }
    assert!(refused.len() < acts.len());
    refused
}

fn plays(game: &Game, name: &str) -> bool {
    ["White", "Black"]
        .iter()
        .any(|side| tag(game, side) == Some(name))
}

/// The first game with this engine and the first without it, by their names.
fn with_and_without<'a>(games: &'a [Game], name: &str) -> [&'a str; 2] {
    let first = |with: bool| games.iter().find(|game| plays(game, name) == with);
    [true, false].map(|with| round(first(with).unwrap()))
}

#[test]
fn what_counts_for_nobody_is_not_decided() {
    let event = league("faults.disqualified = \"annul\"");
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let [of_e1, of_others] = with_and_without(&all, "E1");
    assert!(without_effect(&event, &[of_e1, of_others]).is_empty());
    decide_well(&event, &["withdraw", "E1"]);
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
        decide_well(&event, &["withdraw", "E3"]);
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
    let rules =
        "adjudication.max_moves = 20\npositions.numbers = [1]\nfaults.disqualified = \"annul\"";
    let event = crashing("strikes", rules, &["search=exit", "at=1"]);
    event.run_well(&["--quiet"]);
    let refused = without_effect(&event, &[]);
    assert_eq!(refused, ["withdraw E3"]);
}

/// Two sound engines, and E3, the fake engine with these words, which is out after one strike.
fn crashing(name: &str, rules: &str, words: &[&str]) -> Event {
    let (sound, fake) = (sparring_engines(2), fake_engine());
    let text = format!(
        "faults.strikes = 1\n{rules}\n{sound}\
         [[engine]]\nname = \"E3\"\ncommand = {fake:?}\nargs = {words:?}\ntime.depth = 1\n"
    );
    Event::new(name, &text)
}

/// A worker has played sound games of an engine that another worker's game has disqualified: they stay.
#[test]
fn what_would_not_be_played_again_is_not_purged() {
    let rules = "event.seed = 5\nadjudication.max_moves = 20\npositions.numbers = [1, 2, 3]\n\
                 faults.disqualified = \"keep\"";
    let event = crashing("purged", rules, &["search=exit", "at=1", "game=3"]);
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
    let of_e3 = all.iter().filter(|game| plays(game, "E3")).count();
    assert!(of_e3 > 2, "it has played a sound pair");
    decide_well(&event, &["purge", "one"]);
    event.run_well(&["--quiet"]);
    agree(&event);
    let again = all.len() - of_e3;
    assert_has(
        &book(&event)[0],
        [format!("the {again} games of worker one")],
    );
    assert_eq!(games(&event).len(), all.len() + again);
}

#[test]
fn what_cannot_be_decided_is_told() {
    let event = league("");
    event.run_well(&["--quiet"]);
    for [arguments, expected] in table(
        r#"withdraw E4 | no engine "E4" takes part: did you mean
         result 10.1 1-0 | game 10.1 has not been played
         result 1.3 1-0 | no game of this event
         result 1.1.1 1-0 | such as 17.2
         result 1.1 2-0 | no result
         result 1.1 * | no result
         replay 99.2 | has not been played
         forfeit 10.1 --loser white | is not planned
         forfeit 1.1 --loser E9 | does not play game 1.1
         extend --rounds 1 | not played in rounds
         undo | nothing to take back
         undo 4 | no decision 4
         add E1 | in a Swiss alone"#,
    ) {
        let told = refused(&event, &Vec::from_iter(arguments.split(' ')));
        assert!(told.contains(&expected), "{arguments}: {told}");
    }
    let first = &games(&event)[0];
    let same = ["result", round(first), tag(first, "Result").unwrap()];
    assert!(refused(&event, &same).contains("already"));
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
    let without = &mut event.about(&["decide", "withdraw", "E2"]);
    assert_has(&words(&without.output().unwrap()), ["needs its reason"]);
    // A book that somebody has altered is refused.
    let altered = "UPDATE decisions SET author = 'Bert' WHERE decision = 1";
    assert_eq!(event.store().execute(altered, []), Ok(1));
    event.ask_ends(4, &["status"]);
}

#[test]
fn a_rebuilt_store_has_ruled_games_as_they_were_played_and_names_the_rulings() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let before = games(&event);
    let [first, second, third] = [0, 1, 2].map(|place| round(&before[place]));
    let result = tag(&before[0], "Result").unwrap();
    let other = another(result);
    decide_well(&event, &["result", first, other]);
    decide_well(&event, &["forfeit", second, "--loser", "white"]);
    decide_well(&event, &["replay", third]);
    event.run_well(&["--quiet"]);
    agree(&event);
    let expected = [
        "The arbiter's book is not restored",
        &format!("{first}: {other} instead of {result} (decision 1 by Anna, "),
        &format!("{second}: 0-1 instead of "),
        &format!("{third}: played again (decision 3 by Anna, "),
    ];
    assert_has(&event.rebuilt(), expected);
    // Every game with its played result; the engines play the same moves again.
    let mut exported = first_column(&event);
    exported.sort();
    let mut rounds = Vec::from_iter(before.iter().map(round));
    rounds.sort_unstable();
    assert_eq!(exported, rounds);
    event.run_well(&["--quiet"]);
    agree(&event);
    let now = games(&event);
    for game in &before {
        let same = now.iter().find(|other| round(other) == round(game));
        assert_eq!(
            tag(same.unwrap(), "Result"),
            tag(game, "Result"),
            "{game:?}"
        );
    }
}

/// The first column of the games as CSV.
fn first_column(event: &Event) -> Vec<String> {
    let csv = event.ask(&["export", "--format", "csv"]);
    let rows = csv.lines().skip(1);
    rows.map(|row| row.split(',').next().unwrap().to_owned())
        .collect()
}

#[test]
fn an_unplayed_forfeit_is_a_game_without_moves_among_those_that_count() {
    let event = begun_league("");
    decide_well(&event, &["forfeit", "9.2", "--loser", "black"]);
    for missing in [true, false] {
        let told = event.asked(&["status", "--json"]);
        let games = |key: &str| told[key].as_u64().unwrap();
        assert_eq!(games("forfeited_games"), 1);
        assert_eq!(games("missing_games") > 0, missing);
        let all = games("played_games") + games("forfeited_games") + games("missing_games");
        assert_eq!(all, games("planned_games"), "{told}");
        assert_has(&event.ask(&["status"]), ["forfeited  1 game without play"]);
        event.run_well(&["--quiet"]);
    }
    let counted = event.ask(&["export", "--format", "pgn", "--counted"]);
    // A program counts the points of the standings from the tags of the games that count.
    for (name, sum) in sums(&games_of(&counted)) {
        assert_eq!(points(&event, name), sum, "{name}");
    }
    let game = counted.split("[Event ").last().unwrap();
    assert_has(
        game,
        [
            "[Round \"9.2\"]",
            "[PlyCount \"0\"]",
            "[Termination \"adjudication\"]",
            "[Ruling \"decision 1 by Anna, ",
        ],
    );
    assert!(game.trim_end().ends_with("1-0"), "{game}");
    assert!(!event.read("games.pgn").contains("[Round \"9.2\"]"));
}

/// Results of less than a point count in the table and the PGN, and say nothing of strength.
#[test]
fn points_are_taken_from_both_sides_of_a_game() {
    let event = league("");
    event.run_well(&["--quiet"]);
    let all = games(&event);
    let table = event.parsed("standings.json")["standings"].clone();
    let counted = || event.asked(&["stats", "--format", "json"])["sources"][0]["games"].clone();
    let before = counted().as_u64().unwrap();
    for (game, result) in all.iter().zip(["0-0", "1/2-0", "0-1/2"]) {
        let name = round(game);
        decide_well(&event, &["result", name, result]);
        agree(&event);
        let ruled = games(&event);
        let ruled = ruled.iter().find(|one| round(one) == name).unwrap();
        let tags = ["Result", "RuledResult", "PlayedResult"].map(|name| tag(ruled, name));
        assert_eq!(tags, [Some("*"), Some(result), tag(game, "Result")]);
        assert!(refused(&event, &["result", name, "1-0"]).contains("was decided before"));
    }
    assert_eq!(counted(), before - 3);
    let points = ["E1", "E2", "E3"].map(|name| points(&event, name));
    assert_eq!(points.iter().sum::<f64>(), all.len() as f64 - 2.0);
    let csv = event.ask(&["export", "--format", "csv"]);
    assert_eq!(csv.matches(",1/2-0,").count(), 1, "{csv}");
    // The store can be made again from the file.
    assert_has(&event.rebuilt(), [": 1/2-0 instead of "]);
    event.run_well(&["--quiet"]);
    agree(&event);
    assert_eq!(event.parsed("standings.json")["standings"], table);
}

/// The first line has the score of the table, and says which games the statistics leave out.
#[test]
fn a_match_with_rulings_has_the_score_of_its_table_in_its_first_line() {
    let rules = "event.format = \"match\"\nevent.pairs = 4\npositions.numbers = [10, 300]";
    let event = Event::new("match", &text(rules, 2));
    event.run_well(&["--quiet"]);
    let names = members(&event.parsed("standings.json")["standings"], "name");
    let names = [0, 1].map(|place| names[place].as_str().unwrap());
    for round in ["1.1", "2.2"] {
        for loser in names {
            let said = decide_well(&event, &["forfeit", round, "--loser", loser]);
            assert!(!said.contains("plays what follows"), "{said}");
            let said = event.ask(&["status"]);
            let score = names.map(|name| format!("{:.1}", points(&event, name)));
            let first = said.lines().next().unwrap();
            let is_score = |one: usize, other: usize| {
                let of_one = format!("{} {} - ", names[one], score[one]);
                first.starts_with(&format!("{of_one}{} {}", score[other], names[other]))
            };
            assert!(is_score(0, 1) || is_score(1, 0), "{first}");
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
    let of_round = |start: &str| {
        let mut all = games(&event);
        all.retain(|game| round(game).starts_with(start));
        all
    };
    for game in of_round("2.1.") {
        decide_well(&event, &["replay", round(&game)]);
    }
    let final_of = || event.parsed("schedule.json")["rounds"][1]["boards"][0].clone();
    let before = final_of()["engines"].clone();
    let winner = event.parsed("schedule.json")["rounds"][0]["boards"][0]["winner"].clone();
    let mut said = String::new();
    for game in of_round("1.1.") {
        let is_white = tag(&game, "White") == winner.as_str();
        let lost = if is_white { "0-1" } else { "1-0" };
        if tag(&game, "Result") != Some(lost) {
            said = decide_well(&event, &["result", round(&game), lost]);
        }
        if said.contains("Paired anew") {
            break;
        }
    }
    assert_has(
        &said,
        ["Paired anew, no game of it counts: round 2 board 1."],
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
    let names = first_column(&event);
    assert_eq!(names.iter().filter(|name| *name == "2.1.1").count(), 1);
    // Now games of it count.
    assert!(refused(&event, &["undo"]).contains("a game of it counts"));
    for game in of_round("2.1.") {
        let output = decide(&event, &["replay", round(&game)]);
        let again = String::from_utf8_lossy(&output.stderr).contains("was decided before");
        assert!(output.status.success() || again, "{}", words(&output));
    }
    let said = decide_well(&event, &["undo", &decision]);
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
    let rounds = all.iter().map(round);
    let mut finals: Vec<&str> = rounds.filter(|round| *round >= "4").collect();
    finals.sort_unstable_by(|one, other| other.cmp(one));
    for round in finals {
        decide_well(&event, &["replay", round]);
    }
    let upper = event.parsed("schedule.json")["rounds"][1]["boards"][0].clone();
    let finalist = upper["winner"].as_str().unwrap().to_owned();
    decide_well(&event, &["withdraw", &finalist]);
    event.run_well(&["--quiet"]);
    agree(&event);
    let now = event.parsed("schedule.json")["rounds"][1]["boards"][0].clone();
    assert_eq!(now["winner"], json!(finalist));
    assert_eq!(standing(&event, &finalist)["rank"], 2);
    let told = event.ask(&["stats", "--details"]);
    assert!(told.contains("wins by walkover"), "{told}");
}

#[test]
fn exports_name_games_as_the_pgn_does_and_statistics_order_as_the_event() {
    let event = swiss(2);
    event.run_well(&["--quiet"]);
    let column = first_column(&event);
    assert_eq!(column, event.rounds());
    assert!(column.iter().all(|round| round.matches('.').count() == 2));
    let places = event.ask(&["stats", "--by", "engine", "--format", "csv"]);
    for row in list(&event.parsed("standings.json")["standings"]) {
        let own = format!("\n{},{},", row["rank"], row["name"].as_str().unwrap());
        assert!(places.contains(&own), "{places}");
    }
    let stats = event.asked(&["stats", "--format", "json"]);
    let rules = &stats["ratings"]["tie_breaks"];
    assert_eq!(*rules, json!({"order": [], "beyond": "buchholz_cut1"}));

    // Three engines that are one: every pair is one all, so everybody is level.
    let same = ["A", "B", "C"].map(|name| sparring(name, "time.nodes = 50"));
    let rules = "adjudication.max_moves = 20\npositions.numbers = [1]\n\
                 standings.tie_breaks = [\"koya\", \"wins\", \"lot\"]\n";
    let level = Event::new("level", &(rules.to_owned() + &same.concat()));
    level.run_well(&["--quiet"]);
    let text = level.ask(&["stats", "--details"]);
    assert_has(&text, ["stands above"]);
    assert_lacks(&text, ["direct"]);
}
