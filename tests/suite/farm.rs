//! Workers on other machines, which are processes here, play an event through a real NATS server.
//!
//! `ARBITER960_FARM_KILLS=100` says how often something is killed; 6 if it is silent.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use arbiter960::chess::random::Random;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::robust_support::{Run, assert_files_whole, games_by_round, six_and_nine};
use super::support::{Event, arbiter960, engine, tool};

const BOUND: Duration = Duration::from_secs(120);

/// A server with its own data, on loopback; it can be killed and started again.
struct Server {
    program: PathBuf,
    folder: TempDir,
    port: u16,
    child: Child,
}

impl Server {
    /// `None`, said aloud, where there is no server.
    fn start() -> Option<Server> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let sbin =
            std::env::join_paths(std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]));
        let found = std::env::split_paths(&sbin.unwrap())
            .map(|folder| folder.join("nats-server"))
            .find(|file| file.is_file());
        let program = found.or_else(|| engine("nats-server"))?;
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let printed = tool(&["worker", "--print-nats-config", "one", "two"]);
        let printed = printed
            .replace("0.0.0.0:4222", &format!("127.0.0.1:{port}"))
            .replace(
                "/var/lib/nats",
                folder.path().join("data").to_str().unwrap(),
            )
            .replace("CHANGE-ME", "secret");
        fs::write(folder.path().join("nats.conf"), printed).unwrap();
        fs::write(folder.path().join("password"), "secret\n").unwrap();
        let child = Server::spawn(&program, folder.path());
        let server = Server {
            program,
            folder,
            port,
            child,
        };
        server.wait();
        Some(server)
    }

    fn spawn(program: &Path, folder: &Path) -> Child {
        let log = fs::File::create(folder.join("server.log")).unwrap();
        Command::new(program)
            .arg("-c")
            .arg(folder.join("nats.conf"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap()
    }

    /// Waits until it listens.
    fn wait(&self) {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let log = || fs::read_to_string(self.folder.path().join("server.log"));
            assert!(begun.elapsed() < BOUND, "{:?}", log());
            std::thread::yield_now();
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn start_again(&mut self) {
        self.child = Server::spawn(&self.program, self.folder.path());
        self.wait();
    }

    /// These options for this user.
    fn reach(&self, command: &mut Command, user: &str) {
        let password = self.folder.path().join("password");
        command
            .args(["--nats", &format!("nats://127.0.0.1:{}", self.port)])
            .args(["--nats-user", user, "--nats-password-file"])
            .arg(password);
    }

    fn coordinator(&self, event: &Event) -> Run {
        let mut command = event.command(&["--quiet", "--lease", "3"]);
        self.reach(&mut command, "coordinator");
        Run::spawn(command, event)
    }

    fn worker(&self, event: &Event, name: &str) -> Run {
        let mut command = arbiter960();
        command.args(["worker", "--lanes", "2", "--name", name, "--folder"]);
        command.arg(event.folder().join(name));
        self.reach(&mut command, name);
        Run::spawn(command, event)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn event(name: &str) -> Event {
    six_and_nine(name, 30, "positions.numbers = [\"0-9\"]")
}

fn signal(run: &Run, signal: Signal) {
    // It may just have ended.
    let _ = kill_process(Pid::from_child(&run.child), signal);
}

#[test]
fn an_event_that_workers_play_is_that_of_one_machine() {
    let Some(server) = Server::start() else {
        return;
    };
    let whole = event("farm");
    whole.run_well(&["--quiet"]);
    let farm = event("farm");
    let mut coordinator = server.coordinator(&farm);
    let mut workers = ["one", "two"].map(|name| server.worker(&farm, name));
    let status = coordinator.end(BOUND);
    assert!(status.success(), "{status} {}", coordinator.words());
    assert_eq!(games_by_round(&farm), games_by_round(&whole));
    assert_files_whole(&farm);
    let record = farm.read("workers.jsonl");
    assert_eq!(record.lines().count(), 10, "{record}");
    assert!(record.contains("\"worker\":\"one\"") || record.contains("\"worker\":\"two\""));
    for worker in &mut workers {
        signal(worker, Signal::TERM);
        assert_eq!(worker.end(BOUND).code(), Some(143), "{}", worker.words());
        assert!(
            worker.is_gone_within(Duration::from_secs(5)),
            "{:?}",
            worker.survivors()
        );
    }
    for name in ["one", "two"] {
        let left = fs::read_dir(farm.folder().join(name).join("spool"))
            .unwrap()
            .count();
        assert_eq!(left, 0, "what is stored is not kept");
    }
}

#[test]
fn whoever_may_not_come_in_is_told_so() {
    let Some(server) = Server::start() else {
        return;
    };
    let farm = event("door");
    fs::write(server.folder.path().join("password"), "wrong").unwrap();
    let mut coordinator = server.coordinator(&farm);
    assert_eq!(
        coordinator.end(BOUND).code(),
        Some(6),
        "{}",
        coordinator.words()
    );
    let mut worker = server.worker(&farm, "one");
    assert_eq!(worker.end(BOUND).code(), Some(6), "{}", worker.words());
    assert!(
        worker.words().contains("does not let us in"),
        "{}",
        worker.words()
    );
    fs::write(server.folder.path().join("password"), "secret").unwrap();
    let coordinator = server.coordinator(&farm);
    // It has said that it is there when its record is.
    let record = farm.results().join("workers.jsonl");
    let begun = Instant::now();
    while !record.exists() {
        assert!(begun.elapsed() < BOUND, "{}", coordinator.words());
        std::thread::yield_now();
    }
    let other = event("other");
    let mut second = server.coordinator(&other);
    assert_eq!(second.end(BOUND).code(), Some(6), "{}", second.words());
    assert!(
        second.words().contains("is used by another coordinator"),
        "{}",
        second.words()
    );
    signal(&coordinator, Signal::TERM);
}

#[test]
fn whatever_is_killed_the_event_becomes_what_it_would_have_been() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let kills = std::env::var("ARBITER960_FARM_KILLS").map_or(6, |text| text.parse().unwrap());
    let whole = event("killed");
    let begun = Instant::now();
    whole.run_well(&["--quiet"]);
    let longest = u64::try_from(begun.elapsed().as_micros()).unwrap();
    let expected = games_by_round(&whole);
    let mut random = Random::new(0xfa43);
    let (mut killed, mut events) = (0, 0);
    while killed < kills {
        let farm = event("killed");
        let mut coordinator = server.coordinator(&farm);
        let mut workers = ["one", "two"].map(|name| server.worker(&farm, name));
        loop {
            let rest = Duration::from_micros(random.below(longest / 2));
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
            match random.below(4) {
                0 => {
                    signal(&coordinator, Signal::KILL);
                    coordinator.child.wait().unwrap();
                    coordinator = server.coordinator(&farm);
                }
                1 => {
                    server.kill();
                    server.start_again();
                }
                place => {
                    let place = place as usize - 2;
                    signal(&workers[place], Signal::KILL);
                    workers[place].child.wait().unwrap();
                    workers[place] = server.worker(&farm, ["one", "two"][place]);
                }
            }
        }
        let status = coordinator.child.wait().unwrap();
        assert!(status.success(), "{status} {}", coordinator.words());
        for worker in &mut workers {
            signal(worker, Signal::TERM);
            worker.end(BOUND);
        }
        assert_eq!(games_by_round(&farm), expected);
        assert_files_whole(&farm);
        events += 1;
    }
    eprintln!("{killed} kills in {events} events: 0 games lost, 0 doubled");
}
