//! Workers that are hostile or broken: what the coordinator refuses, and what becomes of what they have played.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::farm_guest::Guest;
use super::farm_support::{Server, end_both, event, on_one_server, signal, wait_until};
use super::robust_support::{BOUND, assert_files_whole, games_by_round};
use super::support::{Event, tool, words};

/// Results of all ten pairs, as an honest worker has them on its disk; they were not sent to anybody.
fn honest_results(server: &Server, farm: &Event) -> Vec<Value> {
    let guest = Guest::enter(server, "coordinator");
    let mut coordinator = server.coordinator(farm);
    wait_until(&coordinator, || guest.waiting("arbiter960-jobs") == 10);
    signal(&coordinator, Signal::KILL);
    coordinator.child.wait().unwrap();
    guest.delete("arbiter960-results");
    let mut one = server.worker(farm, "one");
    let spool = farm.folder().join("one/spool");
    let kept = || {
        let entries = fs::read_dir(&spool).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|name| name == "json"))
            .collect();
        paths.sort();
        paths
    };
    wait_until(&one, || kept().len() == 10);
    signal(&one, Signal::TERM);
    assert_eq!(one.end(BOUND).code(), Some(143), "{}", one.words());
    let read = |path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    kept().into_iter().map(read).collect()
}

/// A change in the text of the moves of the first game.
fn with_moves(result: &Value, change: impl Fn(&mut Vec<Value>)) -> Value {
    let mut result = result.clone();
    let text = result["games"][0]["moves"].as_str().unwrap();
    let mut moves: Vec<Value> = serde_json::from_str(text).unwrap();
    change(&mut moves);
    result["games"][0]["moves"] = json!(serde_json::to_string(&moves).unwrap());
    result
}

fn with(result: &Value, key: &str, value: Value) -> Value {
    let mut result = result.clone();
    result[key] = value;
    result
}

#[test]
fn a_hostile_worker_is_refused_and_the_event_is_that_of_one_machine() {
    on_one_server(|server| {
        let whole = event("hostile");
        whole.run_well(&["--quiet"]);
        let farm = event("hostile");
        let honest = honest_results(&server, &farm);
        let own: Vec<Value> = honest
            .iter()
            .map(|result| with(result, "worker", json!("two")))
            .collect();
        let mut coordinator = server.coordinator(&farm);
        let two = Guest::enter(&server, "two");
        let mut receipts = two.subscribe("arbiter960.receipts.two");
        let send = |number: &Value, bytes: &[u8]| {
            let name = honest[0]["event"].as_str().unwrap();
            two.hand_in(&format!("arbiter960.results.two.{name}.{number}"), bytes);
        };
        let mut answer = |result: &Value| {
            send(&result["pair"], &serde_json::to_vec(result).unwrap());
            let receipt = two.receipt(&mut receipts);
            assert_eq!(receipt["pair"], result["pair"]);
            let words = receipt["words"].as_str().unwrap().to_owned();
            (receipt["stored"].as_bool().unwrap(), words)
        };
        let mut refused = |result: &Value, why: &str| {
            let (stored, words) = answer(result);
            assert!(!stored && words.contains(why), "{why}: {words}");
        };
        let clock = with_moves(&own[0], |moves| {
            moves[3][2] = json!(moves[3][1].as_u64().unwrap() - 1)
        });
        refused(&clock, "it was made before the one before it");
        let engines = with(&own[1], "engines", json!(["0".repeat(64), null]));
        refused(&engines, "other engines");
        // A result that is in order: two refused ones are no habit yet.
        assert_eq!(answer(&own[2]), (true, "stored".to_owned()));
        let illegal = with_moves(&own[3], |moves| moves[5][0] = json!("a1a8"));
        let (stored, words) = answer(&illegal);
        assert!(!stored, "{words}");
        let cut_short = with_moves(&own[3], |moves| moves.truncate(4));
        let (stored, words) = answer(&cut_short);
        assert!(!stored, "{words}");
        // Once more what is stored: thrown away, and not counted.
        assert_eq!(
            answer(&own[2]),
            (true, "another was stored before".to_owned())
        );
        assert_eq!(answer(&own[4]), (true, "stored".to_owned()));
        let stolen = with(&own[7], "ticket", own[8]["ticket"].clone());
        let fewer_nodes = with_moves(&own[7], |moves| moves[2][4] = json!(5));
        for (forged, why) in [
            (stolen, "the pair was not given to it"),
            (fewer_nodes, "limit of nodes"),
        ] {
            let (stored, words) = answer(&forged);
            assert!(!stored && words.contains(why), "{why}: {words}");
        }
        assert_eq!(answer(&own[7]), (true, "stored".to_owned()));
        let other_pair = with(&own[5], "pair", json!(6));
        let other_pair = with(&other_pair, "ticket", own[6]["ticket"].clone());
        let (stored, words) = answer(&other_pair);
        assert!(
            !stored && words.contains("which is none of its pair"),
            "{words}"
        );
        let newer = with(&own[5], "version", json!(99));
        let (stored, words) = answer(&newer);
        assert!(!stored && words.contains("version 99"), "{words}");
        // The third in a row.
        let unasked = with(&own[5], "pair", json!(9_999_999));
        let (stored, words) = answer(&unasked);
        assert!(!stored && words.contains("nobody has asked"), "{words}");
        let (stored, words) = answer(&own[6]);
        assert!(!stored && words.contains("quarantined"), "{words}");
        send(&json!("no-pair"), b"\xff\x00 no JSON");
        let receipt = two.receipt(&mut receipts);
        assert_eq!(receipt["stored"], json!(false));
        // It is shown within a second.
        wait_until(&coordinator, || {
            let status = tool(&["status", farm.results().to_str().unwrap()]);
            let words: Vec<&str> = status.split_whitespace().collect();
            let words = words.join(" ");
            words.contains("quarantined: 3 results in a row were refused")
        });
        let mut one = server.worker(&farm, "one");
        let ended = coordinator.end(BOUND);
        assert!(ended.success(), "{ended} {}", coordinator.words());
        signal(&one, Signal::TERM);
        one.end(BOUND);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        let record = farm.read("workers.jsonl");
        let thrown_away = "\"thrown_away\":true";
        assert!(record.contains(thrown_away), "{record}");
        let counted = record.lines().filter(|line| !line.contains(thrown_away));
        assert_eq!(counted.count(), 10, "{record}");
        let log = farm.read("log/run.log");
        for why in [
            "other engines",
            "nobody has asked",
            "a worker is quarantined",
        ] {
            assert!(log.contains(why), "{why}: {log}");
        }
    });
}

#[test]
fn what_a_worker_has_played_is_played_again_after_a_purge() {
    on_one_server(|server| {
        let whole = event("purge");
        whole.run_well(&["--quiet"]);
        let farm = event("purge");
        let mut coordinator = server.coordinator(&farm);
        let mut one = server.worker(&farm, "one");
        let ended = coordinator.end(BOUND);
        assert!(ended.success(), "{ended} {}", coordinator.words());
        signal(&one, Signal::TERM);
        one.end(BOUND);
        let folder = farm.results();
        let folder = folder.to_str().unwrap();
        let decide = |who: &str| {
            let mut command = super::support::arbiter960();
            command.args(["decide", folder, "purge", who, "--reason", "it was hot"]);
            command.output().unwrap()
        };
        let unknown = decide("onne");
        assert_eq!(unknown.status.code(), Some(2));
        assert!(
            words(&unknown).contains("did you mean \"one\"?"),
            "{}",
            words(&unknown)
        );
        let purged = decide("one");
        assert!(purged.status.success(), "{}", words(&purged));
        assert!(tool(&["status", folder]).contains("missing"));
        assert_eq!(games_by_round(&farm).len(), 0);
        let book = tool(&["decide", folder, "list"]);
        let line = "the 20 games of worker one are played again (it was hot)";
        assert!(book.contains(line), "{book}");
        // Nothing of it counts any more: there is nothing left to purge.
        assert_eq!(decide("one").status.code(), Some(2));
        farm.run_well(&["--quiet"]);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}

/// Each result is in order, but the searches were shorter than the event asks: only computing them again shows it.
#[test]
fn moves_of_another_strength_are_found_by_computing_them_again() {
    on_one_server(|server| {
        let farm = event("recomputed");
        let honest = honest_results(&server, &farm);
        let shorter = |result: &Value| {
            let mut result = with(result, "worker", json!("two"));
            for game in result["games"].as_array_mut().unwrap() {
                let mut moves: Vec<Value> =
                    serde_json::from_str(game["moves"].as_str().unwrap()).unwrap();
                for played in &mut moves {
                    played[13] = json!(played[13].as_u64().unwrap() + 1);
                }
                game["moves"] = json!(serde_json::to_string(&moves).unwrap());
            }
            result
        };
        let mut coordinator = server.coordinator(&farm);
        let two = Guest::enter(&server, "two");
        let mut receipts = two.subscribe("arbiter960.receipts.two");
        let forged = shorter(&honest[0]);
        let (name, pair) = (forged["event"].as_str().unwrap(), &forged["pair"]);
        let bytes = serde_json::to_vec(&forged).unwrap();
        two.hand_in(&format!("arbiter960.results.two.{name}.{pair}"), &bytes);
        assert_eq!(two.receipt(&mut receipts)["stored"], json!(true));
        wait_until(&coordinator, || {
            coordinator.words().contains("when it is recomputed")
        });
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        let said = coordinator.words();
        let sum = said
            .lines()
            .find(|line| line.contains("of workers recomputed"));
        assert!(sum.is_some_and(|sum| sum.ends_with(", 1 differ")), "{said}");
        let record = farm.read("recomputed.jsonl");
        let of_one = record
            .lines()
            .filter(|line| line.contains("\"worker\":\"one\""));
        assert!(of_one.clone().count() > 0, "{record}");
        assert!(
            of_one.clone().all(|line| line.contains("\"differing\":0")),
            "{record}"
        );
    });
}

/// A worker that has taken a pair says for ever that it plays it: when the others are idle, one of them plays it.
#[test]
fn a_pair_that_a_worker_holds_for_ever_is_played_by_another() {
    on_one_server(|server| {
        let whole = event("held");
        whole.run_well(&["--quiet"]);
        let farm = event("held");
        let mut coordinator = server.coordinator(&farm);
        let told = Guest::enter(&server, "coordinator");
        wait_until(&coordinator, || told.waiting("arbiter960-jobs") == 10);
        let two = Guest::enter(&server, "two");
        let pair = two.take_pair(&told.consumer_of_pairs());
        let mut one = server.worker(&farm, "one");
        let host = json!({"host": "h", "processor": "", "processors": 1, "lanes": 1});
        let beat = json!({
            "version": 3, "worker": "two", "program": "", "host": host, "event": pair["event"],
            "held": [pair["pair"]], "playing": [pair["pair"]], "lacks": [], "trouble": null,
        });
        let beat = serde_json::to_vec(&beat).unwrap();
        while !coordinator.ends_within(Duration::from_secs(1)) {
            assert!(coordinator.age() < BOUND, "{}", coordinator.words());
            two.publish("arbiter960.beats.two", &beat);
        }
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        let log = farm.read("log/run.log");
        assert!(log.contains("held for long"), "{log}");
    });
}

/// The moves are the same on every machine, so what two workers play is the same; the games of the first count.
#[test]
fn pairs_are_played_by_a_second_worker_and_compared() {
    on_one_server(|server| {
        let whole = event("twice");
        whole.run_well(&["--quiet"]);
        let farm = event("twice");
        let mut one = server.worker(&farm, "one");
        let mut two = server.worker(&farm, "two");
        let mut coordinator = server.coordinator_with(&farm, &["--twice", "1"]);
        end_both(&mut coordinator, &mut one);
        signal(&two, Signal::TERM);
        two.end(BOUND);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        let record = farm.read("played-twice.jsonl");
        assert!(record.contains("\"same_moves\":true"), "{record}");
        assert!(!record.contains("\"same_moves\":false"), "{record}");
        let workers = |line: &str| -> Value {
            serde_json::from_str::<Value>(line).unwrap()["workers"].clone()
        };
        assert!(
            record
                .lines()
                .all(|line| workers(line)[0] != workers(line)[1]),
            "{record}"
        );
        let folder = farm.results();
        let said = tool(&["stats", folder.to_str().unwrap(), "--details"]);
        assert!(said.contains("played by two workers, 0 differ"), "{said}");
    });
}
