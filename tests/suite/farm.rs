//! Workers on other machines, which are processes here, play an event through a real NATS server.

use std::fs;
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use super::farm_guest::Guest;
use super::farm_support::{
    Server, end_both, event, on_every_server, on_one_server, signal, wait_for_coordinator,
};
use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games_by_round};
use super::support::{Event, arbiter960, assert_has, ends, on_one_line};
use super::surfaces_agree::told_alike;

#[test]
fn an_event_that_workers_play_is_that_of_one_machine() {
    on_every_server(|server| {
        let whole = event("farm");
        whole.run_well(&["--quiet"]);
        let farm = event("farm");
        let mut coordinator = server.coordinator(&farm);
        let mut workers = ["one", "two"].map(|name| server.worker(&farm, name));
        coordinator.ends(0);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        told_alike(&farm, None);
        let record = farm.read("workers.jsonl");
        // A worker that is not heard for long has its pair given to another: one of the two is thrown away.
        let used = record.matches("\"thrown_away\":false").count();
        assert_eq!(used, 10, "{record}");
        assert!(record.contains("\"worker\":\"one\"") || record.contains("\"worker\":\"two\""));
        for name in ["one", "two"] {
            // What is stored is not kept.
            let spool = farm.folder().join(name).join("spool");
            workers[0].until(|| fs::read_dir(&spool).unwrap().count() == 0);
        }
        for worker in &mut workers {
            signal(worker, Signal::TERM);
            worker.ends(143);
            assert!(worker.is_gone_within(BOUND), "{:?}", worker.survivors());
        }
    });
}

#[test]
fn whoever_may_not_come_in_is_told_so() {
    on_every_server(|server| {
        let farm = event("door");
        fs::write(server.folder.path().join("password"), "wrong").unwrap();
        let mut coordinator = server.coordinator(&farm);
        coordinator.ends(6);
        let mut worker = server.worker(&farm, "one");
        worker.ends(6);
        assert_has(&worker.words(), ["does not let us in"]);
        fs::write(server.folder.path().join("password"), "secret").unwrap();
        let coordinator = server.coordinator(&farm);
        wait_for_coordinator(&coordinator, &farm);
        let other = event("other");
        let mut second = server.coordinator(&other);
        second.ends(6);
        assert_has(&second.words(), ["is used by another coordinator"]);
        signal(&coordinator, Signal::TERM);
    });
}

/// Coordinator and worker are begun while the server is away: both wait for it, and say so.
#[test]
fn a_coordinator_waits_for_its_server_and_ends_at_a_signal() {
    let whole = event("early");
    whole.run_well(&["--quiet"]);
    on_every_server(|mut server| {
        server.kill();
        let farm = event("early");
        let waits = |run: &Run| run.until(|| run.words().contains("; waiting for it"));
        let status = || farm.ask(&["status"]);
        for (end, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
            let mut coordinator = server.coordinator(&farm);
            waits(&coordinator);
            coordinator.until(|| status().contains("; waiting for it"));
            signal(&coordinator, end);
            coordinator.ends(code);
        }
        let mut coordinator = server.coordinator(&farm);
        let mut one = server.worker(&farm, "one");
        waits(&coordinator);
        waits(&one);
        server.start_again();
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}

/// Its own lanes need no server.
#[test]
fn a_coordinator_with_lanes_plays_while_its_server_is_away() {
    let whole = event("lanes");
    whole.run_well(&["--quiet"]);
    on_every_server(|mut server| {
        server.kill();
        let farm = event("lanes");
        let mut coordinator = server.coordinator_with(&farm, &["--lanes", "2"]);
        assert_has(&coordinator.ends(0), ["; waiting for it"]);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
    });
}

/// A coordinator that has handed out ten pairs and is suspended, and an observer.
fn suspended(server: &Server, event: &Event) -> (Run, Guest) {
    let run = server.coordinator(event);
    wait_for_coordinator(&run, event);
    let guest = Guest::enter(server, "coordinator");
    run.until(|| guest.waiting("arbiter960-jobs") == 10);
    signal(&run, Signal::STOP);
    (run, guest)
}

/// A coordinator that was suspended finds that another has begun, and stores nothing more; the worker stays with the
/// later one.
#[test]
fn an_old_coordinator_ends_when_another_has_taken_the_farm_over() {
    on_every_server(|server| {
        let old = event("old");
        let (mut suspended, guest) = suspended(&server, &old);
        let new = event("new");
        let mut coordinator = server.coordinator(&new);
        wait_for_coordinator(&coordinator, &new);
        coordinator.until(|| guest.waiting("arbiter960-jobs") == 20);
        ends_when_it_goes_on(&mut suspended, "new");
        let mut one = server.worker(&new, "one");
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&new).len(), 20);
        assert_eq!(games_by_round(&old).len(), 0);
    });
}

/// A coordinator that was suspended while another one took its farm over for this event ends, and says so.
fn ends_when_it_goes_on(suspended: &mut Run, event: &str) {
    signal(suspended, Signal::CONT);
    let said = suspended.ends(6);
    let taken_over = format!("taken over by another coordinator, for event \"{event}\"");
    assert_has(&on_one_line(&said), [taken_over]);
}

/// The folder of an event was copied while its coordinator was suspended: of the two the later one stores.
#[test]
fn an_old_coordinator_of_the_same_event_ends_when_its_copy_has_taken_the_farm_over() {
    on_every_server(|server| {
        let whole = event("same");
        whole.run_well(&["--quiet"]);
        let old = event("same");
        let (mut suspended, _) = suspended(&server, &old);
        let copy = event("same");
        fs::create_dir(copy.results().parent().unwrap()).unwrap();
        let mut copying = Command::new("cp");
        ends(0, copying.arg("-a").args([old.results(), copy.results()]));
        let mut coordinator = server.coordinator(&copy);
        let mut one = server.worker(&copy, "one");
        end_both(&mut coordinator, &mut one);
        ends_when_it_goes_on(&mut suspended, "same");
        assert_eq!(games_by_round(&copy), games_by_round(&whole));
        assert_files_whole(&copy);
        assert_eq!(games_by_round(&old).len(), 0);
    });
}

#[test]
fn a_coordinator_without_workers_says_so_and_lists_those_that_come() {
    on_every_server(|server| {
        let farm = event("alone");
        let coordinator = server.coordinator(&farm);
        let alone = "no worker plays for this event";
        coordinator.until(|| coordinator.words().contains(alone));
        let two = Guest::enter(&server, "two");
        let host = json!({"host": "box", "processor": "", "lanes": 3});
        let heartbeat = json!({
            "version": 5, "worker": "two", "host": host, "event": "", "held": [], "playing": [],
            "trouble": null,
        });
        let heartbeat = serde_json::to_vec(&heartbeat).unwrap();
        two.publish("arbiter960.beats.two", &heartbeat);
        let two = "worker two on box (): 0 of 3 lanes play";
        coordinator.until(|| farm.ask(&["status"]).contains(two));
        signal(&coordinator, Signal::TERM);
    });
}

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
        coordinator.until(|| guest.waiting("arbiter960-jobs") == 2);
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(fs::read(&engine).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        // Another program at its place is not taken for it.
        fs::remove_file(&engine).unwrap();
        fs::copy("/bin/true", &engine).unwrap();
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        let fetched = format!("one/files/{digest}/engine-of-the-farm");
        let fetched = farm.folder().join(fetched);
        assert_eq!(fs::read(fetched).unwrap(), fs::read(fake_engine()).unwrap());
        assert_eq!(games_by_round(&farm).len(), 4);
    });
}

/// Two workers that are begun alike in one place, before there is a server.
#[test]
fn workers_of_one_machine_have_folders_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let begin = || {
        let mut command = arbiter960();
        command.args(["worker", "--nats", "nats://127.0.0.1:1", "--lanes", "1"]);
        command
            .current_dir(&place)
            .stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut said = std::io::BufReader::new(child.stderr.take().unwrap());
        std::io::BufRead::read_line(&mut said, &mut line).unwrap();
        (child, line)
    };
    let mut workers = [begin(), begin()];
    let folders = fs::read_dir(place.path()).unwrap().count();
    for (child, said) in &mut workers {
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(said.contains("waiting for it"), "{said}");
    }
    assert_eq!(folders, 2);
}
