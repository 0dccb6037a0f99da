//! A machine on which an engine plays otherwise than elsewhere.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;

use super::farm_support::{Server, end_both, on_one_server, signal, wait_until, worker};
use super::robust_support::{Run, assert_files_whole, games_by_round};
use super::support::{Event, arbiter960, tool, words};

/// As many pairs as a worker must have played before it is compared with others.
const ENOUGH: usize = 32;

/// Plays the same four plies everywhere, but on one machine walks into a mate with White.
const ENGINE: &str = "#!/bin/sh
first=e2e4 second=g1f3
test \"$1$LC_TEST_MACHINE\" = weakodd && first=f2f3 second=g2g4
while read -r word rest; do case $word in
  uci) echo 'option name UCI_Chess960 type check default false'; echo uciok ;;
  isready) echo readyok ;;
  position) case $rest in
    *' f2f3 e7e5 g2g4') move=d8h4 ;;
    *' e2e4 e7e5 g1f3') move=b8c6 ;;
    *' e7e5') move=$second ;;
    *' moves '*) move=e7e5 ;;
    *) move=$first ;;
  esac ;;
  go) echo \"bestmove $move\" ;;
  quit) exit 0 ;;
esac; done
";

/// So many pairs, every one from the same position.
fn write(event: &Event, pairs: usize) {
    let engine = |name: &str, word: &str| {
        format!("[[engine]]\nname = {name:?}\ncommand = \"./engine\"\nargs = [{word:?}]\n")
    };
    let text = format!(
        "event.name = \"unlike\"\nevent.seed = 1\nevent.pairs = {pairs}\npositions.numbers = [518]\n\
         time.control = \"600\"\nadjudication.max_moves = 2\n{}{}",
        engine("Weak", "weak"),
        engine("Sound", "sound")
    );
    fs::write(event.file(), text).unwrap();
}

/// The event grows by these pairs, which this worker alone plays; what the coordinator says.
fn plays(server: &Server, event: &Event, pairs: usize, name: &str, machine: &str) -> String {
    let mut coordinator = grow(server, event, pairs);
    let mut one = worker_on(server, event, name, machine);
    end_both(&mut coordinator, &mut one);
    coordinator.words()
}

/// The coordinator of the event, which has so many pairs from now on.
fn grow(server: &Server, event: &Event, pairs: usize) -> Run {
    write(event, pairs);
    server.coordinator_with(event, &["--twice", "0", "--accept-changes"])
}

fn worker_on(server: &Server, event: &Event, name: &str, machine: &str) -> Run {
    let mut command = worker(event, name);
    command.env("LC_TEST_MACHINE", machine);
    server.reach(&mut command, name);
    Run::spawn(command, event)
}

fn log(event: &Event) -> String {
    event.read("log/run.log")
}

/// With two machines nobody can say which is right. A third one that agrees with the first decides it: the odd one
/// plays no more, and after the arbiter's decision its pairs are played again.
#[test]
fn the_machine_on_which_pairs_end_otherwise_is_found_when_a_majority_agrees() {
    on_one_server(|server| {
        let farm = Event::new("unlike", "");
        let program = farm.folder().join("engine");
        fs::write(&program, ENGINE).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();

        plays(&server, &farm, ENOUGH, "one", "usual");
        assert!(!log(&farm).contains("otherwise"), "{}", log(&farm));
        let said = plays(&server, &farm, 2 * ENOUGH, "two", "odd");
        let doubt = "pairs end otherwise on one, two (p = ";
        assert!(said.contains(doubt), "{said}");
        assert!(
            said.contains("no majority of these workers agrees"),
            "{said}"
        );
        assert!(!log(&farm).contains("quarantined"), "{}", log(&farm));

        let said = plays(&server, &farm, 3 * ENOUGH, "three", "usual");
        let why = "its 32 pairs end otherwise than those of the other workers (p = ";
        let log = log(&farm);
        let barred: Vec<&str> = log
            .lines()
            .filter(|line| line.contains("quarantined"))
            .collect();
        assert!(
            barred.len() == 1 && barred[0].contains(why) && barred[0].contains("worker=\"two\""),
            "{log} {said}"
        );

        // It stays barred when the coordinator is started again, and is given nothing.
        let mut coordinator = grow(&server, &farm, 4 * ENOUGH);
        let mut two = worker_on(&server, &farm, "two", "odd");
        let folder = farm.results();
        let folder = folder.to_str().unwrap();
        wait_until(&coordinator, || {
            tool(&["status", folder]).contains("quarantined")
        });
        let mut three = worker_on(&server, &farm, "three", "usual");
        end_both(&mut coordinator, &mut three);
        signal(&two, Signal::TERM);
        two.end(super::robust_support::BOUND);
        let record = farm.read("workers.jsonl");
        let of_two = record
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).unwrap()["worker"] == "two");
        assert_eq!(of_two.count(), ENOUGH, "{record}");

        let mut purge = arbiter960();
        purge.args(["decide", folder, "purge", "two", "--reason", "it differs"]);
        let purged = purge.output().unwrap();
        assert!(purged.status.success(), "{}", words(&purged));
        plays(&server, &farm, 4 * ENOUGH, "one", "usual");
        let games = games_by_round(&farm);
        assert_eq!(games.len(), 8 * ENOUGH);
        assert!(
            games.values().all(|[_, result, _]| result == "1/2-1/2"),
            "{games:?}"
        );
        assert_files_whole(&farm);
    });
}
