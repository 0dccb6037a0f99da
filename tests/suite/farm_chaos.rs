//! A farm whose parts are killed, cut off and filled up: the result equals what one machine would have played.
//!
//! In its large form (`super::study`) there are ten workers instead of two, and the server is also away for a minute.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use arbiter960::chess::random::Random;
use rustix::process::Signal;

use super::farm_support::{
    NAMES, Server, end_both, event, on_every_server, signal, wait_for_coordinator, worker,
};
use super::robust_storage::Disk;
use super::robust_support::{BOUND, Run, assert_files_whole, games_by_round, six_and_nine};
use super::study;
use super::support::Event;

/// Maximum time between two kills, however slow the machine is, in microseconds.
const LONGEST_REST: u64 = 4_000_000;

/// A way to the server that can be closed: what is on it then arrives when it is open again.
struct Road {
    port: u16,
    open: Arc<(Mutex<bool>, Condvar)>,
}

impl Road {
    fn to(server: u16) -> Road {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let open = Arc::new((Mutex::new(true), Condvar::new()));
        let gate = Arc::clone(&open);
        std::thread::spawn(move || {
            for guest in listener.incoming().map_while(Result::ok) {
                // A server that is away refuses the guest.
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let [back, forth] = [&guest, &server].map(|end| end.try_clone().unwrap());
                carry(guest, forth, Arc::clone(&gate));
                carry(server, back, Arc::clone(&gate));
            }
        });
        Road { port, open }
    }

    fn set_open(&self, open: bool) {
        *self.open.0.lock().unwrap() = open;
        self.open.1.notify_all();
    }
}

/// Carries bytes from one to the other while the gate is open.
fn carry(mut from: TcpStream, mut to: TcpStream, gate: Arc<(Mutex<bool>, Condvar)>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 14];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let open = gate.0.lock().unwrap();
            drop(gate.1.wait_while(open, |open| !*open).unwrap());
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// What was killed or cut off, and how often.
#[derive(Debug, Default)]
struct Killed {
    coordinators: u64,
    servers: u64,
    cuts: u64,
    workers: u64,
    begun_without_server: u64,
}

/// Every second worker goes by a road that can be closed.
fn start(server: &Server, road: &Road, farm: &Event, place: usize) -> Run {
    let name = NAMES[place];
    match place % 2 {
        0 => server.worker(farm, name),
        _ => {
            let mut command = worker(farm, name);
            command.args(["--nats", &format!("nats://127.0.0.1:{}", road.port)]);
            command.args(["--nats-user", name, "--nats-password-file"]);
            command.arg(server.folder.path().join("password"));
            Run::spawn(command, farm)
        }
    }
}

fn kill(run: &mut Run) {
    signal(run, Signal::KILL);
    run.child.wait().unwrap();
}

#[test]
fn whatever_is_killed_the_event_becomes_what_it_would_have_been() {
    // Of kills and of cuts, on each server.
    let kills = study::size(5);
    let (count, last) = if study::is_large() { (10, 39) } else { (2, 9) };
    let event = || six_and_nine("killed", 30, &format!("positions.numbers = [\"0-{last}\"]"));
    let whole = event();
    let begun = Instant::now();
    whole.run_well(&["--quiet"]);
    let longest = u64::try_from(begun.elapsed().as_micros() / 2).unwrap();
    let longest = longest.min(LONGEST_REST);
    let expected = games_by_round(&whole);
    on_every_server(|mut server| {
        let road = Road::to(server.port);
        let mut random = Random::new(study::seed(0xfa43));
        let (mut killed, mut what) = (0, Killed::default());
        let (mut events, mut thrown_away) = (0, Vec::new());
        while killed < kills {
            let farm = event();
            let mut coordinator = server.coordinator(&farm);
            let worker = |place| start(&server, &road, &farm, place);
            let mut workers: Vec<Run> = (0..count).map(worker).collect();
            loop {
                let rest = Duration::from_micros(random.below(longest));
                let bound = if killed < kills { rest } else { BOUND };
                if coordinator.ends_within(bound) {
                    break;
                }
                assert!(
                    killed < kills,
                    "the event does not end: {}",
                    coordinator.words()
                );
                killed += 1;
                match random.below(5) {
                    0 => {
                        what.coordinators += 1;
                        kill(&mut coordinator);
                        coordinator = server.coordinator(&farm);
                    }
                    1 => {
                        what.servers += 1;
                        server.kill();
                        if random.below(2) == 0 {
                            what.begun_without_server += 1;
                            kill(&mut coordinator);
                            coordinator = server.coordinator(&farm);
                        }
                        let a_minute = Duration::from_secs(60);
                        if study::is_large() && what.servers % 20 == 10 {
                            assert!(!coordinator.ends_within(a_minute), "without a server");
                        }
                        server.start_again();
                    }
                    2 => {
                        what.cuts += 1;
                        road.set_open(false);
                        let _ended = coordinator.ends_within(rest);
                        road.set_open(true);
                    }
                    _ => {
                        what.workers += 1;
                        let place = random.below(count as u64) as usize;
                        kill(&mut workers[place]);
                        workers[place] = start(&server, &road, &farm, place);
                    }
                }
            }
            let status = coordinator.child.wait().unwrap();
            assert!(status.success(), "{status} {}", coordinator.words());
            for worker in &mut workers {
                signal(worker, Signal::TERM);
                worker.end(BOUND.max(2 * worker.age()));
            }
            assert_eq!(games_by_round(&farm), expected);
            assert_files_whole(&farm);
            events += 1;
            eprintln!("{killed} kills and cuts, {events} events are over");
            let record = farm.read("workers.jsonl");
            let lines = record.lines().flat_map(serde_json::from_str);
            let twice = lines.filter(|line: &serde_json::Value| line["thrown_away"] == true);
            thrown_away.extend(twice.map(|line| format!("{events}:{}", line["pair"])));
        }
        eprintln!(
            "{killed} kills and cuts in {events} events with {count} workers ({what:?}): 0 games lost, 0 \
             doubled; pairs played twice and thrown away (event:pair): {thrown_away:?}"
        );
    });
}

#[test]
fn a_worker_whose_disk_is_full_waits_and_loses_nothing() {
    let whole = event("full");
    whole.run_well(&["--quiet"]);
    on_every_server(|server| {
        let farm = event("full");
        let folder = farm.folder().join("one");
        let Some(_disk) = Disk::mount(folder.clone(), "1m") else {
            return;
        };
        let mut one = server.worker(&farm, "one");
        one.until(|| one.words().contains("waiting"));
        let rest = folder.join("rest");
        fs::write(&rest, vec![0; 2 << 20]).expect_err("the disk is full");
        let mut coordinator = server.coordinator(&farm);
        wait_for_coordinator(&coordinator, &farm);
        one.until(|| one.words().contains("cannot be written"));
        // Asked once it waits for the disk; after the third Ctrl-C it ends.
        while !one.ends_within(Duration::from_millis(100)) {
            assert!(one.age() < BOUND, "{}", one.words());
            signal(&one, Signal::INT);
        }
        assert!(one.words().contains("are lost"), "{}", one.words());
        one = server.worker(&farm, "one");
        one.until(|| one.words().contains("cannot be written"));
        fs::remove_file(&rest).unwrap();
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}
