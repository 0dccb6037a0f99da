//! A lane that the system holds up for ever: its thread alone is stopped, as by a call that never comes back. The run
//! goes on without it, and ends when it is told to.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::platforms::can;
use super::robust_support::{BOUND, Run, begun, begun_with, games, six_and_nine};
use super::support::{Event, arbiter960, assert_has, missing, words};
use arbiter960::internal::platform::Capability;

/// Stops one thread of a program, reports it, and keeps it until the program has ended (ptrace(2)).
const HOLD: &str = "
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
SEIZE, INTERRUPT, EVERY_KIND = 0x4206, 0x4207, 0x40000000
thread = int(sys.argv[1])
for request in (SEIZE, INTERRUPT):
    if libc.ptrace(request, thread, None, None) != 0:
        print('refused: ' + os.strerror(ctypes.get_errno()), flush=True)
        sys.exit()
os.waitpid(thread, EVERY_KIND)
print('held', flush=True)
try:
    while True:
        os.waitpid(thread, EVERY_KIND)
except ChildProcessError:
    pass
";

/// A thread that is held, until this is dropped.
struct Held(Child);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Holds the first lane of this run; `None` where that cannot be done.
fn hold(run: &Run) -> Option<Held> {
    let tasks = format!("/proc/{}/task", run.child.id());
    let is_lane = |task: &fs::DirEntry| {
        fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "lane-0")
    };
    let mut tasks = fs::read_dir(tasks).unwrap().map_while(Result::ok);
    let lane = tasks.find(is_lane).expect("a lane").file_name();
    let mut python = Command::new("python3");
    python.args(["-c", HOLD]).arg(lane).stdout(Stdio::piped());
    let Ok(mut child) = python.spawn() else {
        missing("python3 is not installed");
        return None;
    };
    let mut said = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut said).unwrap();
    let held = Held(child);
    if said.trim() != "held" {
        missing(&format!("a thread cannot be held ({})", said.trim()));
        return None;
    }
    Some(held)
}

/// An event of 60 pairs, one game at a time.
fn many_pairs(name: &str) -> Event {
    let common = "positions.numbers = [\"0-59\"]\nevent.concurrency = 1";
    six_and_nine(name, 40, common)
}

/// What the page of this run shows at a path.
fn page(run: &Run, path: &str) -> String {
    let said = run.words();
    let (_, rest) = said.split_once("http://").expect("the address is told");
    let address = rest.split(['/', '\n']).next().unwrap();
    let mut stream = TcpStream::connect(address.trim()).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn control(event: &Event, arguments: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("control").arg(event.results()).args(arguments);
    words(&command.output().unwrap())
}

#[test]
fn a_lane_that_stands_still_is_replaced_and_named() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let event = many_pairs("still");
    let (mut run, lines) = begun_with(&event, &["--web", "0"]);
    // Who does not read holds the run up.
    let lines = std::thread::spawn(move || lines.collect::<Vec<_>>());
    control(&event, &["pause"]);
    let Some(_held) = hold(&run) else {
        control(&event, &["stop", "--now"]);
        run.end(BOUND);
        return;
    };
    let still = "lane 1 stood still for ";
    let mut status = arbiter960();
    status.arg("status").arg(event.results());
    run.until(|| words(&status.output().unwrap()).contains(still));
    assert_has(&page(&run, "/tables.html"), [still]);
    control(&event, &["resume"]);
    run.ends(0);
    let said = |line: &String| line.contains("\"message\"") && line.contains(still);
    assert!(lines.join().unwrap().iter().any(said));
    assert_has(&event.read("log/run.log"), [still]);
    assert_eq!(games(&event).len(), 120);
}

#[test]
fn a_lane_that_stands_still_does_not_keep_a_run_from_ending() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    for by_signal in [true, false] {
        let event = many_pairs(&format!("ends-{by_signal}"));
        let (mut run, lines) = begun(&event);
        if let Some(_held) = hold(&run) {
            if by_signal {
                kill_process(Pid::from_child(&run.child), Signal::TERM).unwrap();
            } else {
                control(&event, &["stop", "--now"]);
            }
            lines.for_each(drop);
            run.ends(143);
            // The runner does not wait for that lane's engines: its guardian ends them.
            assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
        } else {
            kill_process(Pid::from_child(&run.child), Signal::TERM).unwrap();
            run.end(BOUND);
        }
    }
}
