//! `[faults]`: replays, strikes and disqualification, through the real runner and after
//! restarts.

use rusqlite::Connection;
use serde_json::Value;

use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::support::{Event, tool, words};

/// The fake engine and two built-in ones; every encounter plays eight games.
fn event(fake: &[&str], faults: &str) -> Event {
    let launch = format!("command = {:?}\nargs = {fake:?}", fake_engine());
    let text = format!(
        "positions.numbers = [\"0-3\"]\nadjudication.max_moves = 4\ntime.depth = 1\n{faults}\n\
         [[engine]]\nname = \"Fake\"\n{launch}\n\
         [[engine]]\nname = \"Alpha\"\nbuiltin = \"sparring\"\n\
         [[engine]]\nname = \"Beta\"\nbuiltin = \"sparring\"\n"
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

fn standings(event: &Event) -> Value {
    serde_json::from_str(&event.read("standings.json")).unwrap()
}

fn status(event: &Event) -> Value {
    let folder = event.results();
    serde_json::from_str(&tool(&["status", folder.to_str().unwrap(), "--json"])).unwrap()
}

/// Points and games of an engine.
fn points(standings: &Value, name: &str) -> (f64, u64) {
    let rows = standings["standings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name).unwrap();
    let total = &row["total"];
    (
        total["points"].as_f64().unwrap(),
        total["games"].as_u64().unwrap(),
    )
}

fn store(event: &Event) -> Connection {
    Connection::open(event.results().join("event.db")).unwrap()
}

fn number(event: &Event, sql: &str) -> u64 {
    store(event)
        .query_row(sql, [], |row| row.get::<_, i64>(0))
        .unwrap()
        .cast_unsigned()
}

const FAKE_GAMES: &str = "SELECT count(*) FROM games WHERE 0 IN (white_engine, black_engine)";

#[test]
fn a_fault_is_replayed_once_and_forgotten() {
    let event = event(
        &["search=abort", "once", "at=1"],
        "faults.policy = \"replay\"",
    );
    play(&event);
    let finished = games(&event);
    assert_eq!(finished.len(), 24);
    assert!(finished.iter().all(|game| game.reason != "crash"));
    assert_eq!(
        number(
            &event,
            "SELECT count(*) FROM voided WHERE reason = 'fault-replayed'"
        ),
        1
    );
    let replayed: String = store(&event)
        .query_row(
            "SELECT (pair + 1) || '.' || (game + 1) FROM voided",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let folder = event.results();
    let said = tool(&["explain", folder.to_str().unwrap(), &replayed]);
    assert!(said.contains("played again 1 time before"), "{said}");
    let said = tool(&["explain", folder.to_str().unwrap(), &replayed, "--voided"]);
    assert!(
        said.contains("Fault: crash by Fake") && said.contains("signal 6"),
        "{said}"
    );
    let list = tool(&["explain", folder.to_str().unwrap()]);
    assert!(list.starts_with("1 game with a fault\n"), "{list}");
}

#[test]
fn replays_are_bounded_and_then_the_game_is_lost() {
    let event = event(
        &["search=abort", "at=1"],
        "faults = { policy = \"replay\", replays = 2 }",
    );
    play(&event);
    let crashes = games(&event)
        .iter()
        .filter(|game| game.reason == "crash")
        .count();
    assert_eq!(crashes, 16);
    assert_eq!(number(&event, "SELECT count(*) FROM voided"), 32);
    assert_eq!(number(&event, "SELECT count(*) FROM dialogues"), 48);
    assert_eq!(status(&event)["disqualified"], serde_json::json!([]));
}

/// What the event must look like when the fake engine was disqualified.
fn assert_disqualified(event: &Event, annulled: bool) {
    let fake = number(event, FAKE_GAMES);
    // There is one lane: the pair in which it happened, and no more.
    assert_eq!(fake, 2);
    let standings = standings(event);
    let ruling = &standings["disqualified"][0];
    assert_eq!(ruling["name"], "Fake");
    assert_eq!(
        (&ruling["games"], &ruling["planned_games"]),
        (&fake.into(), &16.into())
    );
    assert_eq!(
        (&ruling["faults"], &ruling["annulled"]),
        (&fake.into(), &annulled.into())
    );
    let counted = if annulled { 0 } else { fake };
    assert_eq!(points(&standings, "Fake"), (0.0, counted));
    let (alpha, beta) = (points(&standings, "Alpha"), points(&standings, "Beta"));
    assert_eq!(alpha.1 + beta.1, 16 + counted);
    assert_eq!(standings["progress"]["cancelled_games"], 16 - fake);
    assert_eq!(standings["progress"]["annulled_games"], fake - counted);
    let status = status(event);
    assert_eq!(status["missing_games"], 0);
    assert_eq!(status["disqualified"], standings["disqualified"]);
    // Points counted from the PGN equal those of the standings.
    let folder = event.results();
    let folder = folder.to_str().unwrap();
    let pgn = tool(&["export", folder, "--format", "pgn", "--counted"]);
    for name in ["Alpha", "Beta", "Fake"] {
        assert_eq!(points_in(&pgn, name), points(&standings, name), "{name}");
    }
}

/// The points and games of an engine, from the tags of a PGN text alone.
fn points_in(pgn: &str, name: &str) -> (f64, u64) {
    let tag = |game: &str, key: &str| {
        let rest = game.split_once(&format!("[{key} \"")).unwrap().1;
        rest.split('"').next().unwrap().to_owned()
    };
    let games = pgn.split("[Event ").skip(1);
    let own = games.filter_map(|game| {
        let side = ["White", "Black"]
            .into_iter()
            .find(|side| tag(game, side) == name)?;
        Some(match (tag(game, "Result").as_str(), side) {
            ("1-0", "White") | ("0-1", "Black") => 1.0,
            ("1/2-1/2", _) => 0.5,
            _ => 0.0,
        })
    });
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
        let folder = event.results();
        let folder = folder.to_str().unwrap();
        let list: Value =
            serde_json::from_str(&tool(&["explain", folder, "--format", "json"])).unwrap();
        let games = list["games"].as_array().unwrap();
        let fault = games.iter().find(|game| game["fault"] == true).unwrap();
        let round = fault["game"].as_str().unwrap();
        assert!(tool(&["explain", folder, round]).contains("Fake is disqualified: "));
        // The same command again finds the event complete, and comes to the same.
        let before = (event.read("standings.json"), event.read("positions.csv"));
        let again = event.run_well(&[]);
        assert!(
            again.contains("complete") && again.contains("Fake is disqualified"),
            "{again}"
        );
        assert_eq!(
            (event.read("standings.json"), event.read("positions.csv")),
            before
        );
    }
}

/// An event that was cut off after some games, as a killed runner leaves it, comes to
/// the same rulings when it continues.
#[test]
fn a_disqualification_survives_restarts() {
    let event = event(
        &["search=abort", "at=1"],
        "faults = { strikes = 2, disqualified = \"annul\" }",
    );
    play(&event);
    let total = number(&event, "SELECT count(*) FROM games");
    for kept in [0, 1, total / 2, total - 1] {
        let store = store(&event);
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
    let event = event(
        &["search=abort", "at=1"],
        "faults = { strikes = 1, disqualified = \"annul\" }",
    );
    play(&event);
    let folder = event.results();
    let text = tool(&["stats", folder.to_str().unwrap(), "--details"]);
    assert!(
        text.contains("games of disqualified engines are annulled"),
        "{text}"
    );
    let json = tool(&[
        "stats",
        folder.to_str().unwrap(),
        "--format",
        "json",
        "--moves",
    ]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["sources"][0]["games"], 8);
    assert_eq!(json["sources"][0]["annulled"], number(&event, FAKE_GAMES));
}

#[test]
fn rules_that_say_nothing_are_refused() {
    let refused = |faults: &str, expected: &str| {
        let output = event(&[], faults).run(&[]);
        assert_eq!(output.status.code(), Some(2), "{}", words(&output));
        assert!(words(&output).contains(expected), "{}", words(&output));
    };
    refused(
        "faults.replays = 3",
        "`replays` says nothing without policy = \"replay\"",
    );
    refused(
        "faults.policy = \"revenge\"",
        "`policy` cannot be \"revenge\"",
    );
    refused("faults.kinds = [\"crahs\"]", "crash");
    refused(
        "faults.kinds = []",
        "`kinds` needs at least one kind of fault",
    );
    refused("faults.strike = 3", "strikes");
}
