//! What the coordinator refuses of a worker, and what becomes of what a worker has played.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::farm_guest::Guest;
use super::farm_support::{Server, end_both, event, on_one_server, signal};
use super::robust_support::{assert_files_whole, fake_engine, games, games_by_round};
use super::support::{Event, assert_has};

/// Results of all ten pairs, as an honest worker has them on its disk; they were not sent to anybody.
fn honest_results(server: &Server, farm: &Event) -> Vec<Value> {
    let guest = Guest::enter(server, "coordinator");
    let mut coordinator = server.coordinator(farm);
    coordinator.until(|| guest.waiting("arbiter960-jobs") == 10);
    signal(&coordinator, Signal::KILL);
    coordinator.child.wait().unwrap();
    guest.delete("arbiter960-results");
    let mut one = server.worker(farm, "one");
    let spool = farm.folder().join("one/spool");
    let kept = || {
        let entries = fs::read_dir(&spool).into_iter().flatten().flatten();
        let mut paths = Vec::from_iter(entries.map(|entry| entry.path()));
        paths.retain(|path| path.extension().is_some_and(|name| name == "json"));
        paths.sort();
        paths
    };
    one.until(|| kept().len() == 10);
    signal(&one, Signal::TERM);
    one.ends(143);
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
fn what_was_not_asked_for_is_refused_and_the_event_is_that_of_one_machine() {
    on_one_server(|server| {
        let whole = event("refused");
        whole.run_well(&["--quiet"]);
        let farm = event("refused");
        let honest = honest_results(&server, &farm);
        let own = honest
            .iter()
            .map(|result| with(result, "worker", json!("two")));
        let own = Vec::from_iter(own);
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
        assert_eq!(answer(&own[2]), (true, "stored".to_owned()));
        // Once more what is stored: thrown away, and not counted.
        let before = (true, "another was stored before".to_owned());
        assert_eq!(answer(&own[2]), before);
        let refused = [
            (with(&own[5], "pair", json!(6)), "nobody has asked for game"),
            (with(&own[5], "version", json!(99)), "version 99"),
            (with(&own[5], "pair", json!(9_999_999)), "nobody has asked"),
            (with_moves(&own[3], |moves| moves[5][0] = json!("a1a8")), ""),
        ];
        for (result, why) in &refused {
            let (stored, words) = answer(result);
            assert!(!stored && words.contains(why), "{why}: {words}");
        }
        send(&json!("no-pair"), b"\xff\x00 no JSON");
        assert_eq!(two.receipt(&mut receipts)["stored"], json!(false));
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        let record = farm.read("workers.jsonl");
        let thrown_away = "\"thrown_away\":true";
        assert!(record.contains(thrown_away), "{record}");
        let counted = record.lines().filter(|line| !line.contains(thrown_away));
        assert_eq!(counted.count(), 10, "{record}");
        let log = farm.read("log/run.log");
        assert!(log.contains("a result was refused"), "{log}");
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
        end_both(&mut coordinator, &mut one);
        let decide = |code: i32, who: &str| {
            let words = ["decide", "purge", who, "--reason", "it was hot"];
            farm.ask_ends(code, &words)
        };
        assert_has(&decide(2, "onne"), ["did you mean \"one\"?"]);
        decide(0, "one");
        assert!(farm.ask(&["status"]).contains("missing"));
        assert_eq!(games_by_round(&farm).len(), 0);
        let book = farm.ask(&["decide", "list"]);
        let line = "the 20 games of worker one are played again (it was hot)";
        assert!(book.contains(line), "{book}");
        // Nothing of it counts any more: there is nothing left to purge.
        decide(2, "one");
        farm.run_well(&["--quiet"]);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}

#[test]
fn whose_fault_a_fall_of_the_flag_was_is_known_to_the_coordinator() {
    on_one_server(|server| {
        let fake = fake_engine();
        let file = format!(
            "event.pairs = 1\npositions.numbers = [518]\nadjudication.max_moves = 2\n\
             [[engine]]\nname = \"Late\"\ncommand = {fake:?}\nargs = [\"search=oversleep:1350\", \"at=1\"]\n\
             time = {{ control = \"1+0.1\" }}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = {{ depth = 1 }}\n"
        );
        let farm = Event::new("blamed", &file);
        let mut coordinator = server.coordinator(&farm);
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        let reasons: Vec<_> = games(&farm).into_iter().map(|game| game.reason).collect();
        assert_eq!(reasons, ["flag-fall"; 2]);
        let told = farm.ask(&["explain", "1.1"]);
        assert!(told.contains("the engine's fault: "), "{told}");
        assert_files_whole(&farm);
    });
}
