//! `[faults]`: replays, strikes and disqualification, through the real runner and after
//! restarts.

use serde_json::Value;

use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::support::{Event, assert_has, sparring, table, tags};

/// The fake engine and two built-in ones; every encounter plays eight games.
fn event(fake: &[&str], faults: &str) -> Event {
    let launch = format!("command = {:?}\nargs = {fake:?}", fake_engine());
    let text = format!(
        "positions.numbers = [\"0-3\"]\nadjudication.max_moves = 4\ntime.depth = 1\n{faults}\n\
         [[engine]]\nname = \"Fake\"\n{launch}\n{}{}",
        sparring("Alpha", ""),
        sparring("Beta", "")
    );
    Event::new("faults", &text)
}

fn play(event: &Event) -> String {
    let mut run = Run::start(event, &["--quiet"]);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    assert_files_whole(event);
    run.words()
}

/// Points and games of an engine.
fn points(standings: &Value, name: &str) -> (f64, u64) {
    let rows = standings["standings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name).unwrap();
    let total = &row["total"];
    let games = total["games"].as_u64().unwrap();
    (total["points"].as_f64().unwrap(), games)
}

fn number(event: &Event, sql: &str) -> u64 {
    event.number(sql).cast_unsigned()
}

const FAKE_GAMES: &str = "SELECT count(*) FROM games WHERE 0 IN (white_engine, black_engine)";

#[test]
fn a_fault_is_replayed_once_and_forgotten() {
    let rule = "faults.policy = \"replay\"";
    let event = event(&["search=abort", "once", "at=1"], rule);
    play(&event);
    let finished = games(&event);
    assert_eq!(finished.len(), 24);
    assert!(finished.iter().all(|game| game.reason != "crash"));
    let voided = "SELECT count(*) FROM voided WHERE reason = 'fault-replayed'";
    assert_eq!(number(&event, voided), 1);
    let name = "SELECT (pair + 1) || '.' || (game + 1) FROM voided";
    let replayed = event
        .store()
        .query_row(name, [], |row| row.get::<_, String>(0));
    let replayed = replayed.unwrap();
    let said = event.ask(&["explain", &replayed]);
    assert!(said.contains("played again 1 time before"), "{said}");
    let said = event.ask(&["explain", &replayed, "--voided"]);
    assert_has(&said, ["Fault: crash by Fake", "signal 6"]);
    let list = event.ask(&["explain"]);
    assert!(list.starts_with("1 game with a fault\n"), "{list}");
}

#[test]
fn replays_are_bounded_and_then_the_game_is_lost() {
    let rules = "faults = { policy = \"replay\", replays = 2 }";
    let event = event(&["search=abort", "at=1"], rules);
    play(&event);
    let mut crashes = games(&event);
    crashes.retain(|game| game.reason == "crash");
    assert_eq!(crashes.len(), 16);
    assert_eq!(number(&event, "SELECT count(*) FROM voided"), 32);
    assert_eq!(number(&event, "SELECT count(*) FROM dialogues"), 48);
    assert_eq!(
        event.asked(&["status", "--json"])["disqualified"],
        serde_json::json!([])
    );
}

/// What the event must look like when the fake engine was disqualified.
fn assert_disqualified(event: &Event, annulled: bool) {
    let fake = number(event, FAKE_GAMES);
    // There is one lane: the pair in which it happened, and no more.
    assert_eq!(fake, 2);
    let standings = event.parsed("standings.json");
    let ruling = &standings["disqualified"][0];
    assert_eq!(ruling["name"], "Fake");
    let numbers = ["games", "planned_games", "faults"].map(|name| ruling[name].as_u64());
    assert_eq!(numbers, [Some(fake), Some(16), Some(fake)]);
    assert_eq!(ruling["annulled"], annulled);
    let counted = if annulled { 0 } else { fake };
    assert_eq!(points(&standings, "Fake"), (0.0, counted));
    let (alpha, beta) = (points(&standings, "Alpha"), points(&standings, "Beta"));
    assert_eq!(alpha.1 + beta.1, 16 + counted);
    assert_eq!(standings["progress"]["cancelled_games"], 16 - fake);
    assert_eq!(standings["progress"]["annulled_games"], fake - counted);
    let status = event.asked(&["status", "--json"]);
    assert_eq!(status["missing_games"], 0);
    assert_eq!(status["disqualified"], standings["disqualified"]);
    // Points counted from the PGN equal those of the standings.
    let pgn = event.ask(&["export", "--format", "pgn", "--counted"]);
    for name in ["Alpha", "Beta", "Fake"] {
        assert_eq!(points_in(&pgn, name), points(&standings, name), "{name}");
    }
}

/// The points and games of an engine, from the tags of a PGN text alone.
fn points_in(pgn: &str, name: &str) -> (f64, u64) {
    let [white, black, results] = ["White", "Black", "Result"].map(|tag| tags(pgn, tag));
    let games = white.into_iter().zip(black).zip(results);
    let own = games.filter(|((white, black), _)| [white, black].contains(&&name.to_owned()));
    let own = own.map(
        |((white, _), result)| match (result.as_str(), white == name) {
            ("1-0", true) | ("0-1", false) => 1.0,
            ("1/2-1/2", _) => 0.5,
            _ => 0.0,
        },
    );
    let points: Vec<f64> = own.collect();
    (points.iter().sum(), points.len() as u64)
}

#[test]
fn an_engine_with_too_many_strikes_is_disqualified_and_the_rest_is_played() {
    for (rule, annulled) in [("keep", false), ("annul", true), ("half", true)] {
        let faults = format!("faults = {{ strikes = 2, disqualified = {rule:?} }}");
        let event = event(&["search=abort", "at=1"], &faults);
        let said = play(&event);
        assert!(said.contains("Fake is disqualified: "), "{said}");
        assert_eq!(said.contains("annulled"), annulled, "{said}");
        assert_disqualified(&event, annulled);
        let list = event.asked(&["explain", "--format", "json"]);
        let games = list["games"].as_array().unwrap();
        let fault = games.iter().find(|game| game["fault"] == true).unwrap();
        let round = fault["game"].as_str().unwrap();
        assert_has(&event.ask(&["explain", round]), ["Fake is disqualified: "]);
        // The same command again finds the event complete, and comes to the same.
        let read = || ["standings.json", "positions.csv"].map(|file| event.read(file));
        let before = read();
        let again = event.run_well(&[]);
        assert_has(&again, ["complete", "Fake is disqualified"]);
        assert_eq!(read(), before);
    }
}

/// An event that was cut off after some games, as a killed runner leaves it, comes to
/// the same rulings when it continues.
#[test]
fn a_disqualification_survives_restarts() {
    let rules = "faults = { strikes = 2, disqualified = \"annul\" }";
    let event = event(&["search=abort", "at=1"], rules);
    play(&event);
    let total = number(&event, "SELECT count(*) FROM games");
    for kept in [0, 1, total / 2, total - 1] {
        let store = event.store();
        for table in ["play", "games"] {
            let sql = format!("DELETE FROM {table} WHERE sequence > {kept}");
            store.execute(&sql, []).unwrap();
        }
        let stored = "DELETE FROM dialogues WHERE attempt = 0
            AND (pair, game) NOT IN (SELECT pair, game FROM games)";
        store.execute(stored, []).unwrap();
        drop(store);
        play(&event);
        assert_disqualified(&event, true);
    }
}

#[test]
fn statistics_leave_annulled_games_out() {
    let rules = "faults = { strikes = 1, disqualified = \"annul\" }";
    let event = event(&["search=abort", "at=1"], rules);
    play(&event);
    let text = event.ask(&["stats", "--details"]);
    assert_has(&text, ["games of disqualified engines are annulled"]);
    let json = event.asked(&["stats", "--format", "json", "--moves"]);
    assert_eq!(json["sources"][0]["games"], 8);
    assert_eq!(json["sources"][0]["annulled"], number(&event, FAKE_GAMES));
}

#[test]
fn rules_that_say_nothing_are_refused() {
    for [rule, expected] in table(
        r#"faults.replays = 3 | `replays` says nothing without policy = "replay"
         faults.policy = 'revenge' | `policy` cannot be "revenge"
         faults.kinds = ['crahs'] | crash
         faults.kinds = [] | `kinds` needs at least one kind of fault
         faults.strike = 3 | strikes"#,
    ) {
        assert_has(&event(&[], &rule).ends(2, &[]), [expected]);
    }
}
