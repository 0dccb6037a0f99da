//! Engines on the machines of a farm: where they come from, and which workers play those with requirements.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;

use super::farm_guest::Guest;
use super::farm_support::{Server, end_both, on_one_server, signal, wait_until, worker};
use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games_by_round};
use super::support::{Event, tool};

#[test]
fn an_engine_that_is_not_installed_comes_from_the_object_store() {
    on_one_server(|server| {
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine-of-the-farm");
        fs::copy(fake_engine(), &engine).unwrap();
        let text = format!(
            "positions.numbers = [0, 1]\ntime.nodes = 100\nadjudication.max_moves = 6\n\
             [[engine]]\nname = \"A\"\ncommand = {engine:?}\n[[engine]]\nname = \"B\"\ncommand = {engine:?}\n"
        );
        let farm = Event::new("engines", &text);
        let mut coordinator = server.coordinator(&farm);
        let guest = Guest::enter(&server, "coordinator");
        wait_until(&coordinator, || guest.waiting("arbiter960-jobs") == 2);
        let digest = {
            use sha2::{Digest, Sha256};
            let digest = Sha256::digest(fs::read(&engine).unwrap());
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        // Another program at its place is not taken for it.
        fs::remove_file(&engine).unwrap();
        fs::copy("/bin/true", &engine).unwrap();
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        let fetched = farm
            .folder()
            .join("one/files")
            .join(digest)
            .join("engine-of-the-farm");
        assert_eq!(fs::read(fetched).unwrap(), fs::read(fake_engine()).unwrap());
        assert_eq!(games_by_round(&farm).len(), 4);
    });
}

/// A built-in engine as a separate program, which dies of an instruction that its machine does not know,
/// unless the environment says that it is another machine.
fn picky_engine(event: &Event) {
    let program = super::support::program().display();
    let text = format!(
        "#!/bin/sh\n[ -n \"$LC_TEST_MACHINE\" ] || kill -ILL $$\nexec {program} sparring\n"
    );
    let path = event.folder().join("picky");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Three engines, one of which needs a tag, and more pairs with it than are published at once.
fn three(name: &str) -> Event {
    let event = Event::new(
        name,
        "positions.numbers = [\"0-39\"]\ntime.depth = 1\nadjudication.max_moves = 4\n\
         [[engine]]\nname = \"Ten\"\ncommand = \"./picky\"\nneeds = [\"ten\"]\n\
         [[engine]]\nname = \"Six\"\nbuiltin = \"sparring\"\noptions = { Strength = 6 }\n\
         [[engine]]\nname = \"Nine\"\nbuiltin = \"sparring\"\noptions = { Strength = 9 }\n",
    );
    picky_engine(&event);
    event
}

/// A worker on a machine that has the tag.
fn able(server: &Server, event: &Event, name: &str) -> Run {
    let mut command = worker(event, name);
    server.reach(&mut command, name);
    command.args(["--tag", "ten"]);
    Run::spawn(with_machine(command), event)
}

fn with_machine(mut command: std::process::Command) -> std::process::Command {
    command.env("LC_TEST_MACHINE", "1");
    command
}

/// The pairs that a worker has played, of those that are stored.
fn pairs_of(event: &Event, name: &str) -> Vec<u64> {
    let record = fs::read_to_string(event.results().join("workers.jsonl")).unwrap_or_default();
    let lines = record
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let own = lines.filter(|line: &Value| line["worker"] == name);
    own.map(|line| line["pair"].as_u64().unwrap()).collect()
}

fn status(event: &Event) -> String {
    let text = tool(&["status", event.results().to_str().unwrap()]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_machine_plays_what_it_can_and_is_never_given_what_it_lacks_something_for() {
    let whole = three("needs");
    let refused = whole.run(&["--quiet"]);
    assert_eq!(
        refused.status.code(),
        Some(3),
        "{}",
        super::support::words(&refused)
    );
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("engine \"Ten\" needs ten"), "{said}");
    let here = with_machine(whole.command(&["--quiet", "--tag", "ten"])).output();
    assert!(here.unwrap().status.success());
    on_one_server(|server| {
        let farm = three("needs");
        // Neither the coordinator's machine nor that of `two` has it.
        let mut coordinator = server.coordinator(&farm);
        let mut two = server.worker(&farm, "two");
        wait_until(&coordinator, || pairs_of(&farm, "two").len() == 40);
        let unplayable = "cannot play \"Ten\", which needs ten";
        wait_until(&coordinator, || status(&farm).contains(unplayable));
        let one = able(&server, &farm, "one");
        let ended = coordinator.end(BOUND);
        assert!(
            ended.success(),
            "{ended} {} {}",
            coordinator.words(),
            one.words()
        );
        for run in [&mut two, &mut { one }] {
            signal(run, Signal::TERM);
            run.end(BOUND);
        }
        assert_eq!(
            (pairs_of(&farm, "one").len(), pairs_of(&farm, "two").len()),
            (80, 40)
        );
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        assert!(!farm.read("log/run.log").contains("SIGILL"));
    });
}

#[test]
fn what_an_engine_needs_may_change_while_workers_play() {
    let text = |needs: &str| {
        format!(
            "positions.numbers = [\"0-199\"]\ntime.depth = 1\nadjudication.max_moves = 4\n\
             [[engine]]\nname = \"Six\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 6 }}\n{needs}\n\
             [[engine]]\nname = \"Nine\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 9 }}\n"
        )
    };
    let whole = Event::new("changing", &text(""));
    whole.run_well(&["--quiet"]);
    on_one_server(|server| {
        let farm = Event::new("changing", &text(""));
        let mut coordinator = server.coordinator(&farm);
        let mut two = server.worker(&farm, "two");
        wait_until(&coordinator, || !pairs_of(&farm, "two").is_empty());
        signal(&coordinator, Signal::KILL);
        coordinator.child.wait().unwrap();
        let written = fs::read_to_string(farm.file()).unwrap();
        let other = written.replace("Strength = 6 }", "Strength = 6 }\nneeds = [\"ten\"]");
        assert_ne!(other, written);
        fs::write(farm.file(), other).unwrap();
        // It changes no game: nobody has to accept it.
        let mut coordinator = server.coordinator(&farm);
        wait_until(&coordinator, || {
            status(&farm).contains("cannot play \"Six\", which needs ten")
        });
        let before = pairs_of(&farm, "two").len();
        assert!(before < 200, "two went on");
        let mut one = able(&server, &farm, "one");
        end_both(&mut coordinator, &mut one);
        signal(&two, Signal::TERM);
        two.end(BOUND);
        assert!(
            two.words().contains("and so no pair of the event"),
            "{}",
            two.words()
        );
        assert!(!pairs_of(&farm, "one").is_empty());
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}
