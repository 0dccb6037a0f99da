//! The championship events of `configs/` at tiny limits: each from its first round to its table, killed on the way and
//! continued.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::event_rounds::kill_after;
use super::support::{arbiter960, assert_has, ends, json, list, members, words};

/// A folder with `configs` and `results`.
struct Hall(TempDir);

impl Hall {
    /// With these events of `configs`, at limits for a test.
    fn new(events: &[&str]) -> Hall {
        let folder = tempfile::tempdir().unwrap();
        let configs = folder.path().join("configs");
        fs::create_dir(&configs).unwrap();
        for event in events {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
            let text = fs::read_to_string(own.join(format!("{event}.toml"))).unwrap();
            let tiny = text
                .replace("control = \"1+0.01\"", "nodes = 60")
                .replace("max_moves = 120", "max_moves = 50");
            assert_ne!(tiny, text);
            fs::write(configs.join(format!("{event}.toml")), tiny).unwrap();
        }
        Hall(folder)
    }

    fn file(&self, event: &str) -> PathBuf {
        self.0.path().join("configs").join(format!("{event}.toml"))
    }

    fn command(&self, event: &str, arguments: &[&str]) -> Command {
        let mut command = arbiter960();
        command.arg("run").arg(self.file(event)).arg("--results");
        command.arg(self.0.path().join("results")).args(arguments);
        command
    }

    fn run_well(&self, event: &str, arguments: &[&str]) -> String {
        let output = self.command(event, arguments).output().unwrap();
        assert!(output.status.success(), "{event}: {}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Kills the event after every `reports` reports until it ends by itself; how often.
    fn kill_again_and_again(&self, event: &str, lines: usize) -> usize {
        let again = || self.command(event, &["--json", "--concurrency", "3"]);
        let kills = (0..60).position(|_| kill_after(again(), lines));
        kills.unwrap_or_else(|| panic!("{event} does not end"))
    }

    fn read(&self, event: &str, file: &str) -> Value {
        let path = self.0.path().join("results").join(event).join(file);
        json(&fs::read_to_string(path).unwrap())
    }

    /// Pairings, results and table, without the numbers of pairs.
    fn told(&self, event: &str) -> Value {
        let mut schedule = self.read(event, "schedule.json")["rounds"].clone();
        for round in schedule.as_array_mut().unwrap() {
            for board in round["boards"].as_array_mut().unwrap() {
                for pair in board["pairs"].as_array_mut().unwrap() {
                    pair.as_object_mut().unwrap().remove("pair");
                }
            }
        }
        let standings = self.read(event, "standings.json");
        assert_eq!(standings["final"], json!(true), "{event}");
        json!([schedule, standings["standings"]])
    }

    fn names(&self, event: &str) -> Vec<String> {
        let names = members(&self.read(event, "standings.json")["standings"], "name");
        let names = names.iter().map(|name| name.as_str().unwrap().to_owned());
        names.collect()
    }
}

/// The same event undisturbed and killed; the undisturbed one.
fn undisturbed_and_killed(event: &str, lines: usize) -> Hall {
    let [quiet, killed] = [Hall::new(&[event]), Hall::new(&[event])];
    quiet.run_well(event, &["--quiet", "--concurrency", "2"]);
    let kills = killed.kill_again_and_again(event, lines);
    assert!(kills >= 1, "{event} ended before it was killed");
    killed.run_well(event, &["--quiet"]);
    assert_eq!(quiet.told(event), killed.told(event), "{event}");
    quiet
}

#[test]
fn the_swiss_of_nineteen() {
    let hall = undisturbed_and_killed("swiss", 25);
    assert_eq!(
        list(&hall.read("swiss", "schedule.json")["rounds"]).len(),
        5
    );
    assert_eq!(hall.names("swiss").len(), 19);
    // The lot separates everybody.
    let ranks = members(&hall.read("swiss", "standings.json")["standings"], "rank");
    assert_eq!(ranks, Vec::from_iter(1..=19));
}

#[test]
fn the_cup_of_thirteen() {
    let hall = undisturbed_and_killed("cup", 14);
    let schedule = hall.read("cup", "schedule.json");
    let first = &schedule["rounds"][0];
    assert_eq!(first["byes"], json!(["Alpha", "Bravo", "Charlie"]));
    assert_eq!(list(&first["boards"]).len(), 5);
    assert_eq!(list(&schedule["rounds"]).len(), 4);
    let standings = hall.read("cup", "standings.json");
    assert_eq!(standings["standings"][3]["rank"], json!(4));
    assert_eq!(standings["standings"][4]["rank"], json!(5));
}

#[test]
fn two_leagues_and_their_final() {
    let hall = Hall::new(&["league-a", "league-b", "final"]);
    let told = ends(2, &mut hall.command("final", &[]));
    assert_has(&told, ["results/league-a", "^"]);
    hall.run_well("league-a", &["--quiet"]);
    hall.kill_again_and_again("league-b", 9);
    // An event that has not been played to its end feeds nobody.
    let path = hall.0.path().join("results/league-b/standings.json");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("\"final\": true", "\"final\": false")).unwrap();
    let early = hall.command("final", &[]).output().unwrap();
    assert_has(&words(&early), ["has no final standings"]);
    fs::write(&path, whole).unwrap();
    let shown = hall.run_well("final", &["--quiet"]);
    let [a, b] = ["league-a", "league-b"].map(|league| hall.names(league));
    let names = hall.names("final");
    let expected = BTreeSet::from([&a[0], &a[1], &b[0], &b[1]]);
    assert_eq!(
        (names.len(), BTreeSet::from_iter(&names)),
        (4, expected),
        "{shown}"
    );
    // Four engines, three rounds three times.
    assert_eq!(
        list(&hall.read("final", "schedule.json")["rounds"]).len(),
        9
    );
    let undisturbed = Hall::new(&["league-b"]);
    undisturbed.run_well("league-b", &["--quiet"]);
    assert_eq!(undisturbed.told("league-b"), hall.told("league-b"));
}
